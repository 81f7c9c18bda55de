"""Rational upper bounds on logarithms."""

from __future__ import annotations

from fractions import Fraction

#: Terms of the series, and the denominator of the answer.
_TERMS, _DENOMINATOR = 12, 10**6


def log_above(number: Fraction) -> Fraction:
    """A rational that is at least log ``number``, by less than 10^-5 for numbers up to e^100; ``number`` >= 1.

    With 2^k <= number < 2^(k+1) and log y = 2 Σ_j z^(2j+1)/(2j+1), z = (y − 1)/(y + 1) <= 1/3; what is cut off is at most a
    geometric series, and the sum is rounded up.  Raises ``ValueError`` below 1.

    >>> log_above(Fraction(1)), log_above(Fraction(2))
    (Fraction(0, 1), Fraction(173287, 250000))
    """
    if number < 1:
        raise ValueError(f"log_above takes numbers from 1 on, not {number}")
    doublings = (number.numerator // number.denominator).bit_length() - 1
    total = _series(number / 2**doublings) + doublings * _series(Fraction(2))
    return Fraction(-((-total * _DENOMINATOR).__floor__()), _DENOMINATOR)


def _series(y: Fraction) -> Fraction:
    z = (y - 1) / (y + 1)
    terms = sum((z ** (2 * j + 1) / (2 * j + 1) for j in range(_TERMS)), Fraction(0))
    rest = z ** (2 * _TERMS + 1) / ((2 * _TERMS + 1) * (1 - z**2))
    return 2 * (terms + rest)
