"""All user equilibria of three queues or more, support by support.

In a used queue whose delay increases with the flow the common delay w exceeds that of the queue without choosing
customers; in an unused one it does not.  So the used ones among them are those below some level, and only subsets of
the batch queues have to be tried.  On one support every flow is a rational function of the share p of one queue (the
flow of a queue with a linear-fractional delay is rational in w, that of one of two queues with several servers is p
or the remainder), so the equilibria are real roots of one polynomial.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

from flint import fmpq_poly

from proofs.equilibria.algebraic import Number, polynomial, real_roots
from proofs.equilibria.downs_thomson.model import Dropped, Equilibrium, Model, NotSupported, Solution, corner
from proofs.equilibria.downs_thomson.queues import Delay
from proofs.equilibria.downs_thomson.ratio import Ratio, delay_ratio, flow_for
from proofs.equilibria.downs_thomson.stability import corner_verdict, mixed_verdict

MAX_BATCH_QUEUES = 10


@dataclass(frozen=True)
class Group:
    """Queues of one support with the same W, hence with the same flow."""

    delay: Delay
    members: tuple[int, ...]


def solve_many(model: Model) -> Solution:
    """All user equilibria of any number of queues.  Raises ``NotSupported``."""
    equilibria: list[Equilibrium] = []
    dropped: list[Dropped] = []
    for support in supports(model):
        if len(support) == 1:
            _try(model, corner(len(model.queues), support[0]), support, equilibria, dropped)
            continue
        shares = shares_on(model, support)
        if shares is None:
            raise NotSupported(f"a continuum of equilibria on the queues {[i + 1 for i in support]}")
        for point in shares:
            _try(model, point, support, equilibria, dropped)
    return Solution(tuple(sorted(equilibria, key=lambda e: e.shares[0])), tuple(dropped))


def supports(model: Model) -> Iterator[tuple[int, ...]]:
    """The sets of queues that may be the used ones, smallest first."""
    batches = [i for i, q in enumerate(model.queues) if q.delay.needs_flow]
    if len(batches) > MAX_BATCH_QUEUES:
        raise NotSupported(f"{len(batches)} batch queues; at most {MAX_BATCH_QUEUES} are tried")
    levels: dict[Fraction, list[int]] = {}
    for i, queue in enumerate(model.queues):
        empty = None if i in batches else queue.delay.at_rational(queue.dedicated_rate)
        if empty is not None:
            levels.setdefault(empty, []).append(i)
    prefixes: list[tuple[int, ...]] = [()]
    for level in sorted(levels):
        prefixes.append((*prefixes[-1], *levels[level]))
        if any(model.queues[i].delay.constant is not None for i in levels[level]):
            break  # no delay above that of a queue that takes any flow
    subsets = chain.from_iterable(combinations(batches, k) for k in range(len(batches) + 1))
    found = [tuple(sorted((*prefix, *subset))) for subset in subsets for prefix in prefixes]
    yield from sorted((s for s in found if s), key=lambda s: (len(s), s))


def _try(
    model: Model,
    shares: tuple[Number, ...],
    support: tuple[int, ...],
    equilibria: list[Equilibrium],
    dropped: list[Dropped],
) -> None:
    """Adds a division of the customers to the equilibria, or to the dropped roots with the reason."""
    if len(support) > 1 and any(shares[i].sign() == 0 for i in support):
        return  # belongs to a smaller support, where it is tried as well
    reason = _why_not(model, shares, support)
    delays = model.delays(shares) if not reason else ()
    reason = reason or _worse(delays, support)
    if not reason:
        decide = corner_verdict if len(support) == 1 else mixed_verdict
        verdict = decide(model, shares, delays, support)
        equilibria.append(Equilibrium(shares, delays, verdict.stable, verdict.reason))
    elif len(support) > 1:
        dropped.append(Dropped(shares, reason))


def _why_not(model: Model, shares: tuple[Number, ...], support: tuple[int, ...]) -> str:
    for i in support:
        if shares[i].sign() < 0:
            return f"the share of queue {i + 1} is negative"
    for i in support:
        if not model.queues[i].delay.finite_at(model.flow(i, shares[i])):
            return f"the delay of queue {i + 1} is infinite there"
    return ""


def _worse(delays: tuple[Number | None, ...], support: tuple[int, ...]) -> str:
    """Why these delays are none of a user equilibrium."""
    common = delays[support[0]]
    for i, delay in enumerate(delays):
        if i in support and (delay is None or common is None or delay != common):
            return f"the delays of queues {support[0] + 1} and {i + 1} differ there"
        if delay is not None and common is not None and delay < common:
            return f"the unused queue {i + 1} is faster there"
    return ""


def shares_on(model: Model, support: tuple[int, ...]) -> list[tuple[Number, ...]] | None:
    """The divisions of the customers over the support under which its delays agree; None: infinitely many."""
    first, last, others = _roles(model, support)
    rate = model.arrival_rate
    lead = first.members[0]
    x_first = Ratio.of(polynomial([model.queues[lead].dedicated_rate, rate]))
    total = rate + sum((model.queues[i].dedicated_rate for i in support), Fraction(0))
    if last is None:
        flow_ = Ratio.constant(total / len(first.members))
        return [_shares(model, [(first, flow_)], Number.of(0))]
    w = delay_ratio(first.delay).after(x_first)
    if last.delay.constant is not None:
        w = Ratio.constant(last.delay.constant)
    flows = [(first, x_first), *((group, flow_for(group.delay, w)) for group in others)]
    rest = Ratio.constant(total)
    for group, flow_ in flows:
        rest -= flow_ * Ratio.constant(len(group.members))
    flows.append((last, rest / Ratio.constant(len(last.members))))
    f = _equation(first, last, x_first, flows[-1][1])
    if f == 0:
        return None
    points = [Number.of(root) for root, _ in real_roots(f)]
    return [_shares(model, flows, p) for p in points if all(flow_.at(p) is not None for _, flow_ in flows)]


def _equation(first: Group, last: Group, x_first: Ratio, x_last: Ratio) -> fmpq_poly:
    """The numerator of W_first - W_last along the curve on which the other delays agree with W_first."""
    difference = delay_ratio(first.delay).after(x_first) - delay_ratio(last.delay).after(x_last)
    return difference.numerator


def _shares(model: Model, flows: list[tuple[Group, Ratio]], p: Number) -> tuple[Number, ...]:
    shares = [Number.of(0)] * len(model.queues)
    for group, flow_ in flows:
        x = flow_.at(p)
        for i in group.members:
            if x is not None:
                shares[i] = (x - model.queues[i].dedicated_rate) / model.arrival_rate
    return tuple(shares)


def _roles(model: Model, support: tuple[int, ...]) -> tuple[Group, Group | None, list[Group]]:
    """The group whose share is the unknown, the group that takes the remainder (None: there is one group), the rest.

    A constant delay takes the remainder; otherwise queues with several servers, of which there may be two kinds.
    """
    members: dict[tuple[str, ...], list[int]] = {}
    for i in support:
        members.setdefault(model.queues[i].delay.key, []).append(i)
    groups = [Group(model.queues[own[0]].delay, tuple(own)) for own in members.values()]
    constant = [g for g in groups if g.delay.constant is not None]
    several = [g for g in groups if g.delay.constant is None and not g.delay.mobius]
    if len(several) > 2 - len(constant):
        raise NotSupported(
            f"{len(several)} different queues with several servers used at once"
            f"{' beside a constant delay' if constant else ''}; at most {2 - len(constant)} can be solved exactly"
        )
    if sum(len(g.members) for g in constant) > 1:
        raise NotSupported("a continuum of equilibria: two queues whose equal delay does not depend on the flow")
    order = [*several[:1], *(g for g in groups if g not in several and g not in constant), *several[1:], *constant]
    return order[0], (order[-1] if len(order) > 1 else None), order[1:-1]
