"""W along a parameter: where it rises, and whether the policy changes there (slides 51-52, 59-62, 66-69)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from proofs.equilibria.state_dependent.arithmetic import Arithmetic, midpoint, precision
from proofs.equilibria.state_dependent.model import Parallel, Policy
from proofs.equilibria.state_dependent.selfish import selfish_policy
from proofs.equilibria.state_dependent.social import social_optimum
from proofs.equilibria.state_dependent.stationary import transit_number, transit_time

#: Bits of the balls for W.
_BITS = 256


@dataclass(frozen=True)
class Point:
    """One value of the parameter, W there, and the states that join queue 1; in balls W is a midpoint, W ± ``radius`` is sure."""

    parameter: Fraction
    transit_time: Fraction | float
    joins: frozenset[tuple[int, ...]]
    radius: Fraction = Fraction(0)


@dataclass(frozen=True)
class Step:
    """Two neighbouring points."""

    left: Point
    right: Point

    @property
    def rise(self) -> Fraction | float:
        """W right minus W left."""
        return self.right.transit_time - self.left.transit_time

    @property
    def radius(self) -> Fraction:
        """How far ``rise`` may be off."""
        return self.left.radius + self.right.radius

    @property
    def changes_policy(self) -> bool:
        """Whether the policies differ."""
        return self.left.joins != self.right.joins


def grid(first: str, step: str, last: str) -> list[Fraction]:
    """first, first + step, ..., last, as exact decimals.

    >>> grid("0.5", "0.25", "1")
    [Fraction(1, 2), Fraction(3, 4), Fraction(1, 1)]
    """
    start, width, end = map(Fraction, (first, step, last))
    return [start + n * width for n in range(int((end - start) / width) + 1)]


def sweep(
    parameters: Iterable[Fraction],
    model: Callable[[Fraction], Parallel],
    policy: Callable[[Parallel], Policy] | None = None,
    arithmetic: Arithmetic = Arithmetic.EXACT,
) -> list[Point]:
    """Points of a policy (None: the selfish one, exact); ``arithmetic`` is that of W only."""
    points = []
    for parameter in parameters:
        here = model(parameter)
        chosen = selfish_policy(here).policy if policy is None else policy(here)
        if arithmetic is Arithmetic.BALLS:
            with precision(_BITS):
                middle, radius = midpoint(transit_number(here, chosen, arithmetic))
            points.append(Point(parameter, middle, chosen.joins, radius))
        else:
            points.append(Point(parameter, transit_time(here, chosen, arithmetic), chosen.joins))
    return points


def social_sweep(parameters: Iterable[Fraction], model: Callable[[Fraction], Parallel], limit: int) -> list[Point]:
    """Points of the social optimum, each proved optimal by Bellman's inequalities in rationals.  Raises ``InternalError``."""
    found = ((parameter, social_optimum(model(parameter), limit)) for parameter in parameters)
    return [Point(parameter, best.transit_time, best.policy.joins) for parameter, best in found]


def steps(points: Sequence[Point]) -> list[Step]:
    """Neighbouring points."""
    return [Step(left, right) for left, right in pairwise(points)]


def rising(points: Sequence[Point]) -> list[Step]:
    """Steps on which W rises for sure: the paradox, if the parameter is a capacity."""
    return [step for step in steps(points) if step.rise > step.radius]


def falling(points: Sequence[Point]) -> list[Step]:
    """Steps on which W falls for sure: the paradox, if the parameter is c²."""
    return [step for step in steps(points) if step.rise < -step.radius]
