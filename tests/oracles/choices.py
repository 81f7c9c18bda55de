"""What may happen at one point: at a scaled point x (guards closed, theory 2.2), or in an integer state (guards as written).

Every component is a list of branches, a branch a list of parts, a part a list of choices, a choice a list of (rate, jump).
The bound of a form w is Σ over components of max over branches of Σ over parts of max over choices of Σ rate · w·jump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from .chain import Arrival, Chain, Option, Task
from .claimed import Form, added, dot, numbers

Jump = tuple[tuple[int, int], ...]
Rated = tuple[Fraction, Jump]
Point = Sequence[int]


@dataclass(frozen=True)
class Choice:
    """``working``: a job is being served (a buffer that is not empty)."""

    jumps: tuple[Rated, ...]
    working: bool = False

    def drift(self) -> Form:
        return added(*((rate, {k: Fraction(step) for k, step in jump}) for rate, jump in self.jumps))


Part = list[Choice]
Branch = list[Part]
Component = list[Branch]


@dataclass(frozen=True)
class View:
    """What one can say of a buffer at x: ``ready`` (may be served), ``unready`` (may not be); at ties of a closed view both."""

    chain: Chain
    x: Point
    closed: bool

    def ready(self, k: int) -> bool:
        if not self.closed and self.x[k] == 0:
            return False
        after = self.chain.successor(k) if self.chain.spillback else None
        return after is None or (self.x[k] >= self.x[after] if self.closed else self.x[k] > self.x[after])

    def unready(self, k: int) -> bool:
        if not self.closed:
            return not self.ready(k)
        after = self.chain.successor(k) if self.chain.spillback else None
        return self.x[k] == 0 or (after is not None and self.x[k] <= self.x[after])


def components(chain: Chain, x: Point, *, closed: bool) -> list[Component]:
    """Everything that may happen at x; ``closed``: near multiples of x, as fluid limits see it."""
    view = View(chain, x, closed)
    found: list[Component] = [[[_arrives(arrival, x, closed)]] for arrival in chain.arrivals]
    if chain.policy.get("preset") == "jsq-as":
        return found + [[[part]] for n in chain.servers if (part := _jsq_as(view, n))]
    if chain.rule == "dominant":
        return [*found, _dominant(view)]
    if not closed and chain.shared:
        return [*found, [[_together(view)]]]
    return found + [[[_serves(view, n)]] for n in chain.servers if chain.tasks[n]]


# ---- several servers at one buffer ---------------------------------------------------------------------------------
def _together(view: View) -> Part:
    """All that the servers can do together: one server for a job, and nobody has less than he can have."""
    servers = [n for n in view.chain.servers if view.chain.tasks[n]]
    ready = {n: [t for t in view.chain.tasks[n] if view.ready(t.buffer) and _worth(view, t)] for n in servers}
    found = []
    for chosen in product(*([*ready[n], None] for n in servers)):
        busy = [task for task in chosen if task is not None]
        at = {t.buffer: [u.server for u in busy if u.buffer == t.buffer] for n in servers for t in ready[n]}
        if any(len(there) > view.x[k] for k, there in at.items()):
            continue
        pairs = zip(servers, chosen, strict=True)
        if not any(_could_have(view, n, mine, t, at[t.buffer]) for n, mine in pairs for t in ready[n]):
            jumps = [j for t in busy for c in _routed(t.options, t.rate, t.buffer, view.x, False) for j in c.jumps]
            found.append(Choice(tuple(jumps), bool(busy)))
    return found


def _worth(view: View, task: Task) -> bool:
    return view.chain.rule != "back-pressure" or dot(pressure(task), view.x) >= 0


def _could_have(view: View, server: str, mine: Task | None, other: Task, there: Sequence[str]) -> bool:
    """Would the server rather have a job of the other task, and is one free, or with a server after it in the order?"""
    chain = view.chain
    if mine is not None:
        if chain.rule in _VALUES:
            value = weighted(chain, chain.rule)
            rather = dot(value(other), view.x) > dot(value(mine), view.x)
        else:
            rank = _ranks(chain, server)
            rather = rank(other.buffer) < rank(mine.buffer)
        if not rather:
            return False
    order = chain.policy.get("server_order", {}).get(chain.names[other.buffer], [])
    return len(there) < view.x[other.buffer] or any(order.index(n) > order.index(server) for n in there if order)


# ---- routing -------------------------------------------------------------------------------------------------------
def _taken(options: Sequence[Option], x: Point) -> list[Option]:
    """The options whose form is smallest."""
    values = [dot(dict(option.compared), x) for option in options]
    return [option for option, value in zip(options, values, strict=True) if value == min(values)]


def _routed(options: Sequence[Option], rate: Fraction, leaves: int | None, x: Point, closed: bool) -> Part:
    """One choice for each smallest option; in an integer state ties are split uniformly: one choice."""
    taken = _taken(options, x)
    groups = [[option] for option in taken] if closed else [taken]
    return [
        Choice(
            tuple(
                (rate * p / len(group), _jump(leaves, joins)) for option in group for p, joins in option.moves
            ),
            leaves is not None,
        )
        for group in groups
    ]  # fmt: skip


def _jump(leaves: int | None, joins: int | None) -> Jump:
    change: dict[int, int] = {}
    for k, step in ((leaves, -1), (joins, 1)):
        if k is not None:
            change[k] = change.get(k, 0) + step
    return tuple(sorted((k, step) for k, step in change.items() if step))


def _arrives(arrival: Arrival, x: Point, closed: bool) -> Part:
    return _routed(arrival.options, arrival.rate, None, x, closed)


def _does(view: View, tasks: Sequence[Task], idle: bool) -> Part:
    found = [c for task in tasks for c in _routed(task.options, task.rate, task.buffer, view.x, view.closed)]
    return [*found, Choice(())] if idle else found


# ---- sequencing ----------------------------------------------------------------------------------------------------
def _serves(view: View, server: str) -> Part:
    tasks, chain = view.chain.tasks[server], view.chain
    if chain.rule in _VALUES:
        return _compares(view, tasks, server)
    rank = _ranks(chain, server)
    served = [
        task
        for task in tasks
        if view.ready(task.buffer)
        and all(view.unready(other.buffer) for other in tasks if rank(other.buffer) < rank(task.buffer))
    ]
    return _does(view, served, all(view.unready(task.buffer) for task in tasks))


def _ranks(chain: Chain, server: str) -> Callable[[int], int]:
    """Smaller is served first; equal ranks are free."""
    if chain.rule == "priority":
        order = [chain.place[name] for name in chain.policy["priority"][server]]
        return order.index
    if chain.rule in ("fbfs", "lbfs"):
        sign = 1 if chain.rule == "fbfs" else -1
        return lambda k: sign * chain.positions[k]
    if chain.rule == "non-idling":
        return lambda k: 0
    raise NotImplementedError(chain.rule)


def pressure(task: Task) -> Form:
    """μ (x_k − Σ p x_next), for a task with one option."""
    (option,) = task.options
    inflow = added(*((p, {k: Fraction(1)}) for p, k in option.moves if k is not None))
    return added((task.rate, {task.buffer: Fraction(1)}), (-task.rate, inflow))


#: What a comparing rule compares, as a form.
_VALUES: dict[str, Callable[[Task], Form]] = {
    "longest-queue": lambda task: {task.buffer: Fraction(1)},
    "longest-duplicate": lambda task: {task.buffer: Fraction(1)},
    "max-weight": lambda task: {task.buffer: task.rate},
    "back-pressure": pressure,
}


def weighted(chain: Chain, rule: str) -> Callable[[Task], Form]:
    """The value of a task under a comparing rule, times the weight of its buffer."""
    value, given = _VALUES[rule], numbers(chain.policy.get("buffer_weights", {}))
    return lambda task: added((given.get(chain.names[task.buffer], Fraction(1)), value(task)))


def compared_forms(chain: Chain, tasks: Sequence[Task]) -> list[Form]:
    """The values of a comparing rule, one for each task; none under other rules."""
    if chain.rule not in _VALUES:
        return []
    return list(map(weighted(chain, chain.rule), tasks))


def _compares(view: View, tasks: Sequence[Task], server: str) -> Part:
    """The largest among those that are not held; under back-pressure only if it is not negative."""
    value = dict(zip(tasks, (dot(form, view.x) for form in compared_forms(view.chain, tasks)), strict=True))
    pressed = view.chain.rule == "back-pressure"
    served = [
        task
        for task in tasks
        if view.ready(task.buffer)
        and (not pressed or value[task] >= 0)
        and all(
            value[task] >= value[other] or (_may_be_held(view, other) and view.unready(other.buffer))
            for other in tasks
            if other is not task
        )
    ]
    idle = all(v <= 0 for v in value.values()) if pressed else all(view.unready(task.buffer) for task in tasks)
    return _does(view, served, idle)


def _may_be_held(view: View, task: Task) -> bool:
    return view.chain.spillback and view.chain.successor(task.buffer) is not None


# ---- dominant ------------------------------------------------------------------------------------------------------
def _dominant(view: View) -> Component:
    """A branch for each maximal piece; in an integer state the first of them only."""
    values = [dot(piece, view.x) for piece in view.chain.dominance]
    best = [i for i, value in enumerate(values) if value == max(values)]
    return [
        [_under_piece(view, n, view.chain.dominance[i]) for n in view.chain.servers if view.chain.tasks[n]]
        for i in (best if view.closed else best[:1])
    ]


def _under_piece(view: View, server: str, piece: Form) -> Part:
    tasks, order = view.chain.tasks[server], view.chain.policy.get("tie_order", {}).get(server)
    bottlenecks = [task for task in tasks if piece.get(task.buffer, 0) > _after(view.chain, task, piece)]
    if order is not None:
        rank = {view.chain.place[name]: i for i, name in enumerate(order)}
        bottlenecks.sort(key=lambda task: rank[task.buffer])
    served = [
        task
        for i, task in enumerate(bottlenecks)
        if view.ready(task.buffer) and (order is None or all(view.unready(b.buffer) for b in bottlenecks[:i]))
    ]
    if all(view.unready(task.buffer) for task in bottlenecks):
        served += [task for task in tasks if task not in bottlenecks and view.ready(task.buffer)]
    return _does(view, served, all(view.unready(task.buffer) for task in tasks))


def _after(chain: Chain, task: Task, piece: Form) -> Fraction:
    k = chain.successor(task.buffer)
    return Fraction(0) if k is None else piece.get(k, Fraction(0))


# ---- preset jsq-as -------------------------------------------------------------------------------------------------
def _jsq_as(view: View, server: str) -> Part:
    """The longest non-empty subserver loses a job, which makes an allowed move to the smallest target."""
    chain, x, tasks = view.chain, view.x, view.chain.tasks[server]
    if not tasks:
        return []
    sources = targets_of(chain, server)
    length = {target: 0 if target is None else x[target] for target in sources}

    def allowed(j: int | None) -> bool:
        return any(x[k] >= length[j] if view.closed else x[k] > length[j] for k in sources[j])

    def blocked(j: int | None) -> bool:
        return all(x[k] <= length[j] for k in sources[j])

    chosen = [
        j
        for j in sources
        if allowed(j) and all(length[j] <= length[other] or blocked(other) for other in sources if other != j)
    ]
    longest = [t for t in tasks if all(x[t.buffer] >= x[u.buffer] for u in tasks) and (view.closed or x[t.buffer] >= 1)]
    found = [choice for task in longest for choice in _moves(task, chosen, view.closed)]
    held = all(blocked(j) for j in sources)
    return [*found, Choice(())] if held else found


def targets_of(chain: Chain, server: str) -> dict[int | None, list[int]]:
    """Target (None: exit) -> the subservers of the server that may send there by their routes' next server."""
    found: dict[int | None, list[int]] = {}
    for task in chain.tasks[server]:
        after = chain.successor(task.buffer)
        here = (
            [None]
            if after is None
            else [t.buffer for n in chain.servers for t in chain.tasks[n] if after in _at(chain, n)]
        )
        for target in here:
            found.setdefault(target, []).append(task.buffer)
    return found


def _at(chain: Chain, server: str) -> set[int]:
    return {task.buffer for task in chain.tasks[server]}


def _moves(task: Task, chosen: Sequence[int | None], closed: bool) -> Iterator[Choice]:
    if closed:
        for j in chosen:
            yield Choice(((task.rate, _jump(task.buffer, j)),), True)
    elif chosen:
        share = task.rate / len(chosen)
        yield Choice(tuple((share, _jump(task.buffer, j)) for j in chosen), True)
