"""Service times of queue 1: exponential, or Coxian-2 (slide 53) fitted to a mean and a squared coefficient of variation.

Two fits are in use; they differ unless c² is 1/2 or 1, so each result carries the name of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from verify.errors import InputError

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Service:
    """Phase 1 at rate ``first`` (μa), then with probability ``continuation`` (b) phase 2 at rate ``second`` (μb)."""

    first: Fraction
    second: Fraction
    continuation: Fraction
    name: str

    @property
    def mean(self) -> Fraction:
        """1/μa + b/μb."""
        return 1 / self.first + self.continuation / self.second

    @property
    def squared_variation(self) -> Fraction:
        """c² = variance / mean²."""
        a, b, p = self.first, self.second, self.continuation
        return (2 / a**2 + 2 * p / (a * b) + 2 * p / b**2) / self.mean**2 - 1

    @property
    def has_phases(self) -> bool:
        """Whether phase 2 is ever entered."""
        return self.continuation != 0


def exponential(rate: Fraction) -> Service:
    """Exponential service at ``rate``."""
    return Service(rate, rate, Fraction(0), "exponential")


def balanced(mean: Fraction, squared_variation: Fraction) -> Service:
    """Coxian-2 with balanced means (Marie): μa = 2/m, b = 1/(2c²), μb = 1/(c² m); needs c² >= 1/2.  Always rational.

    >>> balanced(Fraction(1), Fraction(2)).squared_variation
    Fraction(2, 1)
    """
    _check(squared_variation)
    rate = 1 / (squared_variation * mean)
    return Service(2 / mean, rate, 1 / (2 * squared_variation), f"Coxian-2, balanced means, c²={squared_variation}")


def gamma(mean: Fraction, squared_variation: Fraction, digits: int = 15) -> Service:
    """Coxian-2 with a gamma's third moment (Tijms): r = √((c²-1/2)/(c²+1)), μa = 2(1+r)/m, μb = 4/m - μa, b = (μb/μa)(μa m - 1).

    If r is irrational it is cut after ``digits`` decimals, which the name says; the mean stays exact, c² is then
    (1/2 + r²)/(1 - r²), off by about 10^-digits.  Needs c² >= 1/2.

    >>> gamma(Fraction(1), Fraction(1)).continuation
    Fraction(2, 3)
    """
    _check(squared_variation)
    square = (squared_variation - _HALF) / (squared_variation + 1)
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    name = f"Coxian-2, gamma fit, c²={squared_variation}"
    if root**2 != square:
        root = Fraction(isqrt(square.numerator * 100**digits // square.denominator), 10**digits)
        name += f" (r cut after {digits} digits)"
    first = 2 * (1 + root) / mean
    second = 4 / mean - first
    return Service(first, second, second / first * (first * mean - 1), name)


def _check(squared_variation: Fraction) -> None:
    if squared_variation < _HALF:
        raise InputError("squared_variation", "at least 1/2 for a Coxian-2 service time", str(squared_variation))
