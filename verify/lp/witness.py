"""What proves an answer to a linear program, by the definitions of :mod:`verify.lp.model`: exact, whoever found the numbers."""

from __future__ import annotations

from fractions import Fraction

from verify.lp.model import Bound, LinearProgram


def dual_value(program: LinearProgram, multipliers: list[Fraction], *, homogeneous: bool = False) -> Fraction | None:
    """The dual value of :mod:`verify.lp.model` for these row multipliers, None if a multiplier has a sign that no
    bound allows.  ``homogeneous`` takes c = 0: then a positive value proves infeasibility."""
    reduced = [Fraction(0) if homogeneous else c for c in program.costs]
    for row, y in zip(program.rows, multipliers, strict=True):
        if y:
            for j, a in row.items():
                reduced[j] -= a * y
    total = Fraction(0)
    pairs = [*zip(multipliers, program.row_lower, program.row_upper, strict=True)]
    pairs += [*zip(reduced, program.lower, program.upper, strict=True)]
    for y, low, high in pairs:
        if y:
            bound = low if y > 0 else high
            if bound is None:
                return None
            total += y * bound
    return total


def is_feasible(program: LinearProgram, point: list[Fraction]) -> bool:
    """Does the point satisfy every bound, exactly?"""
    inside = all(_within(x, low, high) for x, low, high in zip(point, program.lower, program.upper, strict=True))
    return inside and all(
        _within(sum((a * point[j] for j, a in row.items()), Fraction(0)), low, high)
        for row, low, high in zip(program.rows, program.row_lower, program.row_upper, strict=True)
    )


def verify_optimal(program: LinearProgram, point: list[Fraction], multipliers: list[Fraction]) -> Fraction | None:
    """The optimal value if point and multipliers prove each other optimal, else None."""
    value = sum((c * x for c, x in zip(program.costs, point, strict=True)), Fraction(0))
    return value if is_feasible(program, point) and dual_value(program, multipliers) == value else None


def _within(value: Fraction, low: Bound, high: Bound) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)
