"""Three arithmetics for the same algorithms: rationals (exact), balls (rigorous enclosures), floats (labelled "float").

Rationals and balls come from python-flint.  A comparison of balls is true only when it is certain, so a policy entry
decided in balls is as good as one decided in rationals; what balls leave open (ties) is decided in rationals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from fractions import Fraction
from typing import Any

import flint
import numpy as np


class Arithmetic(Enum):
    """How numbers are represented; the value is the label on results."""

    EXACT = "exact"
    BALLS = "balls"
    FLOAT = "float"

    def number(self, value: Fraction | int) -> Any:
        """``value`` in this arithmetic; a ball, for a rate that is known within bounds only, is left as it is."""
        if isinstance(value, flint.arb):
            return value
        exact = flint.fmpq(value.numerator, value.denominator)
        if self is Arithmetic.EXACT:
            return exact
        return flint.arb(exact) if self is Arithmetic.BALLS else float(value)

    def matrix(self, rows: int, columns: int, entries: dict[tuple[int, int], Any]) -> Any:
        """A matrix from its non-zero entries."""
        if self is Arithmetic.FLOAT:
            dense = np.zeros((rows, columns))
            for (r, c), value in entries.items():
                dense[r, c] = value
            return dense
        flat = [0] * (rows * columns)
        for (r, c), value in entries.items():
            flat[r * columns + c] = value
        return flint.fmpq_mat(rows, columns, flat) if self is Arithmetic.EXACT else flint.arb_mat(rows, columns, flat)

    def solve(self, left: Any, right: Any) -> Any:
        """X with left X = right."""
        return np.linalg.solve(left, right) if self is Arithmetic.FLOAT else left.solve(right)

    def times(self, left: Any, right: Any) -> Any:
        """The product of two matrices."""
        return left @ right if self is Arithmetic.FLOAT else left * right

    def entries(self, matrix: Any) -> list[Any]:
        """All entries, row by row."""
        return list(matrix.ravel()) if self is Arithmetic.FLOAT else list(matrix.entries())

    def transposed(self, matrix: Any) -> Any:
        """The transpose."""
        return matrix.T if self is Arithmetic.FLOAT else matrix.transpose()

    def plain(self, number: Any) -> Fraction | float:
        """A Fraction if exact, otherwise a float (of a ball: its midpoint)."""
        if self is Arithmetic.EXACT:
            exact = flint.fmpq(number)
            return Fraction(int(exact.p), int(exact.q))
        return float(number)


def midpoint(ball: Any) -> tuple[Fraction, Fraction]:
    """Midpoint and radius of a ball, both exact."""
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    return Fraction(int(middle.p), int(middle.q)), Fraction(int(radius.p), int(radius.q))


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls with ``bits`` bits inside the block (python-flint keeps the precision globally; it is restored)."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def column(arithmetic: Arithmetic, values: Sequence[Any]) -> Any:
    """A matrix of one column."""
    return arithmetic.matrix(len(values), 1, {(r, 0): value for r, value in enumerate(values)})
