"""Exponential functions of V on cells: tails that fall nearly as fast as V allows (theorem 10.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from verify.rational import nearby
from verify.studies.bounds.cell_steps import CellSteps, Change
from verify.studies.bounds.ladder import Decay, Descent

#: So many units the largest jump has at most: rounding up to them loses little, and powers stay small.
_UNITS = 64
#: How near the largest z, at which nothing is left, the bases are; nearer is better far out only.
_SHARES = (0.5, 0.75, 0.875, 0.9375)


def decays(steps: CellSteps, descent: Descent) -> Iterator[Decay]:
    """Some bases z: floats propose them, and with η, U of theorem 10.3 in rationals each is a bound."""
    largest = max(descent.rise, descent.drop)
    unit = descent.unit if largest <= _UNITS * descent.unit else largest / _UNITS

    def grown(change: Change, base: Fraction) -> Fraction:
        return change.rate * (base ** math.ceil(change.high / unit) - 1)

    def raised(change: Change, base: Fraction) -> Fraction:
        return change.rate * (base ** max(0, math.ceil(change.high / unit)) - 1)

    for excess in _proposed(steps, unit):
        base = 1 + nearby(excess, math.ceil(32 / excess))
        eta = -steps.most(steps.falling, lambda change, z=base: grown(change, z))  # type: ignore[misc]
        if base > 1 and eta > 0:
            climb = steps.most(steps.places, lambda change, z=base: raised(change, z))  # type: ignore[misc]
            yield Decay(descent.level, unit, base, climb / eta)


def _proposed(steps: CellSteps, unit: Fraction) -> Iterator[float]:
    """z − 1 at some shares of the z − 1 at which the drift of z^(V/unit) is 0."""

    def drift(excess: float) -> float:
        def grown(change: Change) -> Fraction:
            power = math.ceil(change.high / unit)
            return change.rate * Fraction(math.expm1(power * math.log1p(excess)))

        return float(steps.most(steps.falling, grown))

    low, high = 0.0, 1.0
    while drift(high) < 0 and high < 1e6:
        low, high = high, 2 * high
    while high - low > 0.01 * high and high > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if drift(middle) < 0 else (low, middle)
    if low:
        yield from (share * low for share in _SHARES)
