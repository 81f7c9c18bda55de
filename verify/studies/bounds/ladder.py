"""From a drift to a tail and a mean, with all constants (theory 10.1, 10.2): knows a function by its jumps only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Decay:
    """P(V >= v) <= ``factor`` · ``base``^−⌊(v − level)/unit⌋ for v > ``level``."""

    level: Fraction
    unit: Fraction
    base: Fraction
    factor: Fraction

    def above(self, value: Fraction) -> Fraction:
        """P(V >= value) is at most this."""
        if value <= self.level:
            return Fraction(1)
        return min(Fraction(1), self.factor / self.base ** math.floor((value - self.level) / self.unit))


@dataclass(frozen=True)
class Descent:
    """What is known of f: at every state with f > ``level`` its drift is at most −``drift`` < 0 under every choice.

    ``rise``, ``drop``: no jump raises (lowers) f by more, both >= 0; ``climb``: Σ rate · u⁺ over the jumps of one choice is at
    most this, u the change of f; ``up_rate``: so is the total rate of the jumps that raise f; ``unit`` δ: all values of f and
    ``level`` differ by integer multiples of δ, 0 if no δ is known; ``square``: Σ rate · (u² + δu)/2 of one choice where
    f > ``level``, and Σ rate · u⁺(u⁺ + δ)/2 anywhere, are at most this.  ``drift``, ``climb`` and ``square`` are per unit of
    time.
    """

    level: Fraction
    drift: Fraction
    rise: Fraction
    drop: Fraction
    climb: Fraction
    up_rate: Fraction
    square: Fraction
    second: Fraction
    unit: Fraction = Fraction(0)

    @cached_property
    def ratio(self) -> Fraction:
        """r = U/(U + γ), by which the tail falls at every step."""
        return self.climb / (self.climb + self.drift)

    @cached_property
    def step(self) -> Fraction:
        """Δ⁺ + Δ⁻ − δ."""
        return self.rise + self.drop - self.unit

    def steps(self, value: Fraction) -> int:
        """The k with P(f >= value) <= ratio^k: 0 up to the level, then one more for every step (theorem 10.1)."""
        if not self.unit:
            return max(0, math.ceil((value - self.level) / self.step))
        above = math.ceil((value - self.level) / self.unit) * self.unit  # the least multiple of δ that counts
        return 0 if above <= 0 else 1 + math.floor((above - self.unit) / self.step)

    def decay(self, share: Fraction) -> Decay:
        """Theorem 10.3 (b) with σ = ``share``, 0 < σ < 1: larger ones are better farther out."""
        base = 1 + 2 * share * self.drift * self.rise / self.second
        return Decay(self.level, self.rise, base, self.climb * (base + 1) / (2 * (1 - share) * self.drift))

    @cached_property
    def tail_mean(self) -> Fraction:
        """B + (Δ⁺ + Δ⁻ − δ) U/γ >= E f, the sum of the tail."""
        return self.level + self.step * self.climb / self.drift

    @cached_property
    def square_mean(self) -> Fraction:
        """B + A/γ >= E f, A = ``square``, by the drift of ((f − B)⁺)² (theorem 10.2)."""
        return self.level + self.square / self.drift

    @property
    def mean(self) -> Fraction:
        """The better one."""
        return min(self.tail_mean, self.square_mean)


@dataclass(frozen=True)
class PublishedBound:
    """P(f > level + step·m) <= ratio^(m+1) for m = 0, 1, …, and E f <= mean."""

    level: Fraction
    ratio: Fraction
    step: Fraction
    mean: Fraction


def bgt_bound(level: Fraction, drift: Fraction, jump: Fraction, up_rate: Fraction) -> PublishedBound:
    """The upper bound of [Bertsimas, Gamarnik & Tsitsiklis 2001] for a Lyapunov function with exception parameter ``level``.

    P(f > B + 2νm) <= (pν/(pν + γ))^(m+1) and E f <= B + 2pν²/γ, with γ = ``drift``, ν = ``jump`` a bound for |jump of f| and
    p = ``up_rate`` (there: the probability, here: the rate of an upward jump; only the ratio to γ matters).

    The article was not at hand: the constants are quoted from memory and not compared with its text.  They are true: theorem
    10.1 implies them, with U <= pν and Δ⁺ + Δ⁻ − δ <= 2ν, and without the hypothesis E f < ∞ that we remember.
    """
    climb = up_rate * jump
    return PublishedBound(level, climb / (climb + drift), 2 * jump, level + 2 * climb * jump / drift)


def common_unit(values: list[Fraction]) -> Fraction:
    """The greatest δ > 0 of which all values are integer multiples; 0 if all are 0.

    >>> common_unit([Fraction(1, 2), Fraction(1, 3)])
    Fraction(1, 6)
    """
    shared = math.lcm(*(value.denominator for value in values))
    return Fraction(math.gcd(*(int(value * shared) for value in values)), shared)
