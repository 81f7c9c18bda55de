"""Exact numbers: canonical text, and rational guesses for floats (which decide nothing)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

#: Denominator bounds tried in turn when a float proposal is rounded: small ones make readable certificates.
DENOMINATORS = (1, 12, 1000, 10**6, 10**9)


def text(number: Fraction | int) -> str:
    """Canonical text of a rational: "p/q" in lowest terms, integers as "p".

    >>> text(Fraction(6, 4)), text(Fraction(-3))
    ('3/2', '-3')
    """
    return str(Fraction(number))


def decimals(value: Fraction) -> str:
    """For people: with decimals, if it is not an integer; close to 1, on which side of it.

    >>> decimals(Fraction(7, 10)), decimals(Fraction(2, 3)), decimals(Fraction(10**12 - 1, 10**12))
    ('7/10 (0.7)', '2/3 (about 0.6667)', '999999999999/1000000000000 (about 1 - 1e-12)')
    """
    if value.denominator == 1:
        return f"{value}"
    gap = value - 1
    if abs(gap) < Fraction(1, 1000):
        return f"{value} (about 1 {'+' if gap > 0 else '-'} {abs(float(gap)):.2g})"
    near = f"{float(value):.4g}"
    return f"{value} ({near})" if Fraction(near) == value else f"{value} (about {near})"


def counted(number: int, word: str, plural: str = "") -> str:
    """A number of things in words.

    >>> counted(1, "face"), counted(2, "leaf", "leaves")
    ('1 face', '2 leaves')
    """
    return f"{number} {word if number == 1 else plural or word + 's'}"


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


def rounded_up(value: Fraction, digits: int = 6) -> Fraction:
    """The number itself if it is short, else a little more: that many significant decimal digits.

    >>> rounded_up(Fraction(2, 3)), rounded_up(Fraction(10**30 + 1, 3 * 10**30))
    (Fraction(2, 3), Fraction(166667, 500000))
    """
    if len(str(value)) <= 2 * digits or not value:
        return value
    size = math.log10(abs(value.numerator)) - math.log10(value.denominator)
    scale = Fraction(10) ** (digits - 1 - math.floor(size))
    return math.ceil(value * scale) / scale
