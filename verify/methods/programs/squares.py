"""Quadratic functions with a matrix that is semidefinite plus one with entries >= 0 (theory 13.3): a semidefinite program.

The widest kind of copositive matrix that is searched for; up to four buffers it is every one [Diananda 1962].  cvxpy proposes in
floats; squares are rounded, and what rounding breaks is put on the diagonal of Q, in rationals.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.conditions.quadratic import Square, lacking
from verify.functions.quadratic import Coefficient, Quadratic
from verify.linear_form import LinearForm
from verify.lp.model import LinearProgram
from verify.methods.programs.quadratic_program import QuadraticProgram
from verify.rational import nearby

Array = npt.NDArray[Any]
#: How far entries of the second matrix stay above 0, as a part of the largest entry of the first: room for rounding.
_ROOM, _DENOMINATOR = 1e-5, 10**6


def with_squares(program: QuadraticProgram) -> tuple[list[float], Array] | None:
    """A point of the program, made with ``Shape.ANY``, and the semidefinite part of its Q; None if there is none.

    The matrix has the shape (buffers, buffers)."""
    import cvxpy

    point = cvxpy.Variable(len(program.program.costs))
    size = program.dimension
    part = cvxpy.Variable((size, size), PSD=True)
    constraints = _linear(program.program, point)
    for k in range(size):
        for j in range(k, size):
            constraints.append(point[program.columns[Coefficient("Q", (k, j))]] >= part[k, j] + _ROOM * (k == j))
    problem = cvxpy.Problem(cvxpy.Minimize(point[program.total]), constraints)
    try:
        problem.solve(solver=cvxpy.CLARABEL)
    except cvxpy.error.SolverError:
        return None
    if problem.status not in (cvxpy.OPTIMAL, cvxpy.OPTIMAL_INACCURATE):
        return None
    return [float(value) for value in point.value], np.array(part.value)


def _linear(program: LinearProgram, point: Any) -> list[Any]:
    import scipy.sparse

    rows, columns, values = [], [], []
    for i, row in enumerate(program.rows):
        for j, a in row.items():
            rows.append(i)
            columns.append(j)
            values.append(float(a))
    matrix = scipy.sparse.csr_array((values, (rows, columns)), shape=(len(program.rows), len(program.costs)))
    found = []
    for bounds, expression, sign in (
        (program.row_lower, matrix @ point, 1),
        (program.row_upper, matrix @ point, -1),
        (program.lower, point, 1),
        (program.upper, point, -1),
    ):
        places = [i for i, bound in enumerate(bounds) if bound is not None]
        if places:
            limits = np.array([float(bounds[i]) for i in places])
            found.append(sign * expression[places] >= sign * limits)
    return found


def squares_of(part: Array) -> tuple[Square, ...]:
    """Rounded squares that add up to about the matrix: its eigenvectors."""
    values, vectors = np.linalg.eigh(part)
    found = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value > 1e-9 * max(float(values[-1]), 1e-300):
            form = LinearForm((k, nearby(float(v), _DENOMINATOR)) for k, v in enumerate(vector))
            found.append(Square(nearby(float(value), _DENOMINATOR), form))
    return tuple(square for square in found if square.weight and square.form)


def repaired(function: Quadratic, squares: tuple[Square, ...]) -> Quadratic:
    """f with a diagonal so much larger that the squares and the remainder prove its matrix copositive."""
    values = dict(function.values)
    for k, missing in lacking(function, squares).items():
        place = Coefficient("Q", (k, k))
        values[place] = values.get(place, Fraction(0)) + missing
    return Quadratic(values, function.cuts)
