"""Pattern cells by single states: the corrector h, condition H, condition U, and corrected leaves, all on integer states."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .chain import Chain
from .choices import Choice, Jump, components
from .claimed import Form, Json, Unreadable, dot, named, number, numbers
from .forms import by_name
from .points import states

State = tuple[int, ...]
_MOST_STEPS = 2000
Value = Callable[[State], Fraction]


@dataclass(frozen=True)
class Corrector:
    """h(x): constant on cells, which are truncated values of some forms."""

    forms: tuple[Form, ...]
    ends: tuple[tuple[int, int], ...]
    values: dict[str, Fraction]

    def cell(self, x: State) -> str:
        found = zip(self.forms, self.ends, strict=True)
        return ",".join(str(max(low, min(high, int(dot(form, x))))) for form, (low, high) in found)

    def __call__(self, x: State) -> Fraction:
        return self.values.get(self.cell(x), Fraction(0))

    def below_all_ends(self, x: State, size: int) -> bool:
        """Every coordinate is a feature and below its end."""
        ends = {
            next(iter(f)): high for f, (_, high) in zip(self.forms, self.ends, strict=True) if list(f.values()) == [1]
        }
        return all(x[k] < ends.get(k, 0) for k in range(size))


def corrector(chain: Chain, pieces: Sequence[Form], found: Json) -> Corrector:
    """The corrector of a leaf or of a condition."""
    features = found["features"]
    forms = tuple(by_name(chain, pieces, feature["normal"]) for feature in features)
    ends = tuple((int(feature["low"]), int(feature["high"])) for feature in features)
    if any(a.denominator != 1 for form in forms for a in form.values()):
        raise Unreadable("a feature with fractions")
    return Corrector(forms, ends, numbers(found["h"]))


def moved(x: State, jump: Jump) -> State:
    change = dict(jump)
    return tuple(a + change.get(k, 0) for k, a in enumerate(x))


def growth(chain: Chain, x: State, value: Value, pick: Callable[..., Fraction]) -> Fraction:
    """Σ over components of ``pick`` (max or min) over what may happen of the drift of a function, exactly at x."""
    here = value(x)

    def drift(choice: Choice) -> Fraction:
        return sum((rate * (value(moved(x, jump)) - here) for rate, jump in choice.jumps), Fraction(0))

    total = Fraction(0)
    for component in components(chain, x, closed=False):
        branches = [sum((pick(map(drift, part)) for part in branch), Fraction(0)) for branch in component]
        total += pick(branches)
    return total


# ---- condition H ---------------------------------------------------------------------------------------------------
def corrected_objections(chain: Chain, certificate: Json, rng: random.Random, count: int) -> Iterator[str]:
    """w·x + h(x) falls by ε in every state with a coordinate at its end."""
    weights = named(certificate["weights"], chain.place)
    h, epsilon = corrector(chain, [], certificate["corrector"]), number(certificate["claim"]["epsilon"])
    if len(weights) < len(chain.names) or min(weights.values()) <= 0 or epsilon <= 0:
        yield "weights or epsilon not positive"
    size, high = len(chain.names), max(high for _, high in h.ends)
    for x in _spread(states(size, rng, count), rng, high):
        if not h.below_all_ends(x, size):
            drift = growth(chain, x, lambda y: dot(weights, y) + h(y), max)
            if drift > -epsilon:
                yield f"in state {x} the drift is {drift}, claimed {-epsilon}"
                return


def _spread(found: Sequence[State], rng: random.Random, high: int) -> Iterator[State]:
    for x in found:
        yield x
        yield tuple(rng.choice((a, a, a + rng.randint(0, high + 2))) for a in x)


# ---- condition U ---------------------------------------------------------------------------------------------------
def growth_objections(chain: Chain, certificate: Json, rng: random.Random, count: int) -> Iterator[str]:
    """V grows by ε in every reachable state above v0, and the path leads above v0 and V(0)."""
    pieces = [named(piece, chain.place) for piece in certificate["pieces"]]
    h, v0 = corrector(chain, pieces, certificate["corrector"]), number(certificate["v0"])
    epsilon, origin = number(certificate["claim"]["epsilon"]), (0,) * len(chain.names)

    def value(x: State) -> Fraction:
        return max(dot(piece, x) for piece in pieces) + h(x)

    if epsilon <= 0:
        yield "epsilon not positive"
    x, steps = origin, _path(chain, certificate)
    if sum(times for _, times in _path(chain, certificate)) > _MOST_STEPS:
        yield f"a path of more than {_MOST_STEPS} steps"
        return
    for jump, times in steps:
        for _ in range(times):
            if not _sure(chain, x, jump):
                yield f"the path's step {jump} is not sure in {x}"
                return
            x = moved(x, jump)
            if min(x) < 0:
                yield "the path leaves the state space"
                return
    if not value(x) > max(v0, value(origin)):
        yield f"the path ends at {x} with V = {value(x)}, v0 = {v0}, V(0) = {value(origin)}"
    for start in (origin, x):
        for y in _wander(chain, start, rng, count):
            if value(y) > v0 and (found := growth(chain, y, value, min)) < epsilon:
                yield f"in the reachable state {y} V grows by {found}, claimed {epsilon}"
                return


def _path(chain: Chain, certificate: Json) -> Iterator[tuple[Jump, int]]:
    for step in certificate["path"]:
        timed = isinstance(step.get("change"), dict)
        change, times = (step["change"], int(step["times"])) if timed else (step, 1)
        yield tuple(sorted((chain.place[name], int(number(by))) for name, by in change.items())), times


def _sure(chain: Chain, x: State, jump: Jump) -> bool:
    """Some component makes this jump with positive rate whatever is chosen."""
    return any(
        len(component) == 1
        and any(part and all(any(e == jump for _, e in choice.jumps) for choice in part) for part in component[0])
        for component in components(chain, x, closed=False)
    )


def _wander(chain: Chain, x: State, rng: random.Random, count: int) -> Iterator[State]:
    """Random walks from a state under random choices, with random preferences of directions, restarted now and then."""
    start = x
    liking: dict[Jump, float] = {}
    for step in range(count):
        yield x
        if step % 60 == 0:
            x, liking = start, {}
        jumps = [
            e
            for component in components(chain, x, closed=False)
            for part in rng.choice(component)
            for _, e in rng.choice(part).jumps
        ]
        for e in jumps:
            liking.setdefault(e, rng.choice((0.1, 1.0, 1.0, 5.0)))
        x = moved(x, rng.choices(jumps, [liking[e] for e in jumps])[0])


# ---- corrected leaves of F -------------------------------------------------------------------------------------------
def leaf_objection(chain: Chain, weights: Form, h: Corrector, x: State, epsilon: Fraction, rng: random.Random) -> str:
    """Near large multiples of x, w·X + h(X) falls by ε ("" if so in all states tried)."""
    high = max([high - low for low, high in h.ends], default=1) + 3
    for _ in range(60):
        state = tuple(10**6 * a + rng.choice((0, rng.randint(-high if a else 0, high))) for a in x)
        drift = growth(chain, state, lambda y: dot(weights, y) + h(y), max)
        if drift > -epsilon:
            return f"near {x}, in {state}, the corrected drift is {drift}, claimed {-epsilon}"
    return ""
