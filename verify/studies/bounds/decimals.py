"""Decimals of bounds: rounded so that they are bounds still."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

#: Significant digits.
DIGITS = 6
#: Longer numbers are not shown exactly to people; certificates and JSON have them.
_LONGEST = 21


def down(number: Fraction) -> str:
    """A decimal that is at most the number.

    >>> down(Fraction(2, 3)), down(Fraction(1, 2)), down(Fraction(-2, 3)), down(Fraction(12345678))
    ('0.666666', '0.5', '-0.666667', '12345600')
    """
    return _decimal(number, math.floor)


def up(number: Fraction) -> str:
    """A decimal that is at least the number.

    >>> up(Fraction(2, 3)), up(Fraction(99)), up(Fraction(1, 300000))
    ('0.666667', '99', '0.00000333334')
    """
    return _decimal(number, math.ceil)


def exactly(number: Fraction) -> str:
    """The number itself if it is short, else an ellipsis."""
    text = str(number)
    return text if len(text) <= _LONGEST else "…"


def _decimal(number: Fraction, rounded: Callable[[Fraction], int]) -> str:
    if not number:
        return "0"
    places = DIGITS - _digits_before_the_point(abs(number))
    scaled = rounded(number * Fraction(10) ** places)
    text = str(abs(scaled))
    if places > 0:
        text = text.rjust(places + 1, "0")
        text = f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".")
    else:
        text += "0" * -places
    return f"-{text}" if scaled < 0 else text


def _digits_before_the_point(number: Fraction) -> int:
    """n with 10^(n−1) <= number < 10^n, for a number > 0."""
    n = len(str(number.numerator)) - len(str(number.denominator))
    return n + 1 if number >= Fraction(10) ** n else n
