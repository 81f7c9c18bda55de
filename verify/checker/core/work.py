"""Work (FORMAT.md section 27): steps are counted while checking, and common denominators are not endless.

Sound because a certificate is only ever refused for it: no rule is left out when the steps are too many.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from verify.checker.core.errors import Rejected

FREE_STEPS = 10_000_000
STEPS_PER_BYTE = 25
LARGEST_DENOMINATOR = 2**16384


class Work:
    """Counts steps; one step is about what adding two small integers and storing the sum costs.

    Parameters: the number of bytes that are read; more of them allow more steps.
    """

    def __init__(self, size: int = 0) -> None:
        self.limit = FREE_STEPS + STEPS_PER_BYTE * size
        self.steps = 0

    def spend(self, steps: int, where: str) -> None:
        """**work**: so many more steps are not too many."""
        self.steps += steps
        if self.steps > self.limit:
            raise Rejected("work", where, f"at least {self.steps} steps", f"<= {self.limit}")


def product(bits: int, other: int) -> int:
    """The steps of multiplying numbers of so many bits."""
    return 1 + bits * other // 100_000


def reduction(bits: int, other: int) -> int:
    """The steps of writing a quotient of numbers of so many bits in lowest terms."""
    return 40 + bits * other // 20_000


def common_denominator(denominators: Iterable[int], where: str = "numbers that are added") -> int:
    """**size**: the least common multiple is at most 2^16384."""
    result = 1
    for denominator in denominators:
        result = lcm(result, denominator)
        if result > LARGEST_DENOMINATOR:
            raise Rejected("size", f"{where}, common denominator", result, "<= 2^16384")
    return result


def exact_sum(numbers: Iterable[Fraction], where: str = "numbers that are added") -> Fraction:
    """The sum; rule **size** holds for it."""
    listed = list(numbers)
    common_denominator((number.denominator for number in listed), where)
    return sum(listed, Fraction(0))


def bits_of(number: Fraction) -> int:
    """The length of the longer of numerator and denominator."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())
