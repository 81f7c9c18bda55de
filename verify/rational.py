"""Exact numbers: canonical text, and rational guesses for floats (which decide nothing)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

#: Denominator bounds tried in turn when a float proposal is rounded: small ones make readable certificates.
DENOMINATORS = (1, 12, 1000, 10**6, 10**9)


def text(number: Fraction | int) -> str:
    """Canonical text of a rational: "p/q" in lowest terms, integers as "p".

    >>> text(Fraction(6, 4)), text(Fraction(-3))
    ('3/2', '-3')
    """
    return str(Fraction(number))


def nearby(value: float, denominator: int) -> Fraction:
    """The rational closest to ``value`` with a denominator of at most ``denominator``.

    >>> nearby(0.30769230769, 1000)
    Fraction(4, 13)
    """
    if not math.isfinite(value):
        raise ValueError(f"no rational near {value}")
    return Fraction(value).limit_denominator(denominator)


def roundings(values: Iterable[float]) -> Iterator[list[Fraction]]:
    """The same vector rounded with each of :data:`DENOMINATORS`, coarse to fine."""
    listed = list(values)
    for denominator in DENOMINATORS:
        yield [nearby(value, denominator) for value in listed]


def dot(left: Mapping[int, Fraction], right: Mapping[int, Fraction]) -> Fraction:
    """Scalar product of two sparse vectors (coordinate -> entry)."""
    if len(left) > len(right):
        left, right = right, left
    return sum((value * right[k] for k, value in left.items() if k in right), Fraction(0))


def add_scaled(target: dict[int, Fraction], factor: Fraction, vector: Mapping[int, Fraction]) -> None:
    """target += factor * vector, zeros removed."""
    for k, value in vector.items():
        total = target.get(k, Fraction(0)) + factor * value
        if total:
            target[k] = total
        else:
            target.pop(k, None)
