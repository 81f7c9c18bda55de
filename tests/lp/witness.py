"""Linear programs for tests, and their witnesses judged from the definitions of ``verify.lp.model`` alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.lp.model import ExactAnswer, LinearProgram, Status

Bound = Fraction | int | None
Row = tuple[Mapping[int, Fraction | int], Bound, Bound]
"""Entries, lower bound, upper bound."""
FREE = (None, None)
POSITIVE = (0, None)


def program(
    costs: Sequence[Fraction | int], bounds: Sequence[tuple[Bound, Bound]], rows: Sequence[Row]
) -> LinearProgram:
    """minimise costs·x with these bounds of variables and rows."""
    result = LinearProgram()
    for cost, (lower, upper) in zip(costs, bounds, strict=True):
        result.variable(lower, upper, cost)
    for entries, lower, upper in rows:
        result.row(entries, lower, upper)
    return result


def matrix(of: LinearProgram) -> list[list[Fraction]]:
    """The rows with all their zeros."""
    return [[Fraction(row.get(j, 0)) for j in range(len(of.costs))] for row in of.rows]


def product(row: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    """Scalar product."""
    return sum((a * x for a, x in zip(row, point, strict=True)), Fraction(0))


def check_point(of: LinearProgram, point: Sequence[Fraction]) -> None:
    """Every bound of every variable and row."""
    values = [*point, *(product(row, point) for row in matrix(of))]
    for value, lower, upper in zip(values, [*of.lower, *of.row_lower], [*of.upper, *of.row_upper], strict=True):
        assert isinstance(value, Fraction)
        assert lower is None or lower <= value
        assert upper is None or value <= upper


def check_ray(of: LinearProgram, ray: Sequence[Fraction]) -> None:
    """A direction of recession along which the cost falls."""
    values = [*ray, *(product(row, ray) for row in matrix(of))]
    for value, lower, upper in zip(values, [*of.lower, *of.row_lower], [*of.upper, *of.row_upper], strict=True):
        assert lower is None or value >= 0
        assert upper is None or value <= 0
    assert product([Fraction(c) for c in of.costs], ray) < 0


def bound_by_multipliers(of: LinearProgram, costs: Sequence[Fraction | int], y: Sequence[Fraction]) -> Fraction:
    """What the multipliers prove: costs·x is at least this for every feasible x, since with d = costs − Aᵀy
    costs·x = y·(Ax) + d·x."""
    columns = zip(*matrix(of), strict=True) if of.rows else [()] * len(of.costs)
    reduced = [Fraction(c) - product(column, y) for c, column in zip(costs, columns, strict=True)]
    total = Fraction(0)
    for factor, lower, upper in zip(
        [*reduced, *y], [*of.lower, *of.row_lower], [*of.upper, *of.row_upper], strict=True
    ):
        if factor > 0:
            assert lower is not None
            total += factor * lower
        if factor < 0:
            assert upper is not None
            total += factor * upper
    return total


def check_answer(of: LinearProgram, answer: ExactAnswer) -> None:
    """The witness proves the status: nothing of the product's verifier is used."""
    if answer.status is Status.OPTIMAL:
        check_point(of, answer.point)
        assert product([Fraction(c) for c in of.costs], answer.point) == answer.value
        assert bound_by_multipliers(of, of.costs, answer.row_multipliers) == answer.value
    elif answer.status is Status.INFEASIBLE:
        assert answer.value is None
        assert bound_by_multipliers(of, [0] * len(of.costs), answer.row_multipliers) > 0
    else:
        assert answer.status is Status.UNBOUNDED
        assert answer.value is None
        check_point(of, answer.point)
        check_ray(of, answer.ray)
