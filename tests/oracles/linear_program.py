"""The optimum of a small linear program by z3, in exact rational arithmetic: a judge apart from our own layer and from floats."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import z3

Optimum = Fraction | Literal["infeasible", "unbounded"]
#: Coefficients, lower and upper bound of their sum (None: no bound).
Row = tuple[Sequence[Fraction], Fraction | None, Fraction | None]


def minimum(costs: Sequence[Fraction], rows: Sequence[Row]) -> Optimum:
    """min costs·z over free z with lower <= row·z <= upper for all rows."""
    solver, objective, _ = _program(costs, rows)
    if solver.check() == z3.unsat:
        return "infeasible"
    found = solver.lower(objective)
    # A whole number comes as an integer; the infinite value is a term that is no number.
    return Fraction(str(found)) if z3.is_rational_value(found) or z3.is_int_value(found) else "unbounded"


def minimiser(costs: Sequence[Fraction], rows: Sequence[Row]) -> list[Fraction] | None:
    """Some z with the least costs·z, which is finite; None if no z satisfies the rows."""
    solver, _, variables = _program(costs, rows)
    if solver.check() == z3.unsat:
        return None
    model = solver.model()
    return [Fraction(str(model.eval(z, model_completion=True))) for z in variables]


def _program(costs: Sequence[Fraction], rows: Sequence[Row]):  # type: ignore[no-untyped-def]
    """The program, its objective and its variables."""
    variables = z3.Reals(" ".join(f"z{j}" for j in range(len(costs)))) if costs else []
    solver = z3.Optimize()
    for entries, lower, upper in rows:
        value = z3.Sum(z3.RealVal(0), *(_exact(a) * z for a, z in zip(entries, variables, strict=True) if a))
        if lower is not None:
            solver.add(value >= _exact(lower))
        if upper is not None:
            solver.add(value <= _exact(upper))
    objective = solver.minimize(
        z3.Sum(z3.RealVal(0), *(_exact(c) * z for c, z in zip(costs, variables, strict=True) if c))
    )
    return solver, objective, variables


def _exact(number: Fraction) -> z3.RatNumRef:
    return z3.Q(number.numerator, number.denominator)
