"""Confidence intervals of a mean: Student's distribution, for numbers that simulations print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A mean over replications and half the width of its interval (Student, replications − 1 degrees of freedom)."""

    mean: float
    half_width: float

    @property
    def low(self) -> float:
        """Lower end."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + self.half_width


def estimate(values: Sequence[float], confidence: float) -> Estimate:
    """Mean of at least two independent values with its interval; takes them as normally distributed.

    >>> found = estimate([1.0, 2.0, 3.0], 0.95)
    >>> round(found.low, 4), found.mean, round(found.high, 4)
    (-0.4841, 2.0, 4.4841)
    """
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, student_quantile(confidence, len(values) - 1) * math.sqrt(variance / len(values)))


def student_quantile(confidence: float, freedom: int) -> float:
    """t with P(|T| <= t) = confidence for Student's T with ``freedom`` >= 1 degrees of freedom (by bisection).

    >>> round(student_quantile(0.95, 9), 3), round(student_quantile(0.99, 1), 2)
    (2.262, 63.66)
    """
    low, high = 0.0, 1.0
    while _student(high, freedom) < confidence:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, freedom) < confidence else (low, middle)
    return high


def _student(t: float, freedom: int) -> float:
    """P(|T| <= t), the finite series for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for n in range(odd + 1, freedom, 2):
        total += term
        term *= square * n / (n + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
