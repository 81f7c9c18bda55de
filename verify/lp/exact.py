"""Exact answers to linear programs: a float basis, solved and checked in rationals; exact pivots where that fails.

Infeasible and unbounded programs are answered with the witness of :mod:`verify.lp.model`, found by solving an auxiliary
program that has an optimum: the least total violation of the rows, or the steepest ray in a box.
"""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat

from verify.errors import InternalError
from verify.lp.approx import last_basis, propose
from verify.lp.model import Basis, Bound, ExactAnswer, LinearProgram, Status
from verify.lp.pivots import solve_by_pivots
from verify.lp.witness import verify_optimal


def solve_exact(program: LinearProgram) -> ExactAnswer:
    """Decide a linear program in rational arithmetic.

    Returns an :class:`ExactAnswer` whose witness has been verified by :func:`verify_optimal` or its kin.
    Raises ``InternalError`` if exact pivots disagree with themselves (never seen).
    """
    proposal = propose(program)
    if proposal.status is Status.OPTIMAL:
        answer = _from_basis(program, last_basis())
        if answer is not None:
            return answer
    violation = _optimum(_elastic(program))
    if violation.value is None:
        raise InternalError("the least violation of a linear program has no value")
    if violation.value > 0:
        return ExactAnswer(Status.INFEASIBLE, None, [], violation.row_multipliers)
    ray = _optimum(_ray_program(program))
    if ray.value is None:
        raise InternalError("the steepest ray of a linear program has no value")
    if ray.value < 0:
        return ExactAnswer(Status.UNBOUNDED, None, violation.point[: len(program.costs)], [], ray.point)
    return solve_by_pivots(program)


def exact_optimum(program: LinearProgram) -> ExactAnswer | None:
    """The optimum if the float basis is proved optimal in rationals; None if it is not, or if there is none."""
    return _from_basis(program, last_basis()) if propose(program).status is Status.OPTIMAL else None


def _optimum(program: LinearProgram) -> ExactAnswer:
    """For auxiliary programs, which always have an optimum."""
    if propose(program).status is Status.OPTIMAL:
        answer = _from_basis(program, last_basis())
        if answer is not None:
            return answer
    return solve_by_pivots(program)


def _from_basis(program: LinearProgram, basis: Basis) -> ExactAnswer | None:
    """Solve the square system of the basis in rationals; None unless the result is proved optimal."""
    tight = sorted(set(range(len(program.rows))) - set(basis.rows))
    columns = list(basis.columns)
    if len(tight) != len(columns):
        return None
    point = [
        _resting(low, high, j in basis.columns_at_upper)
        for j, (low, high) in enumerate(zip(program.lower, program.upper, strict=True))
    ]
    place = {j: position for position, j in enumerate(columns)}
    for j in columns:
        point[j] = Fraction(0)
    right = []
    for i in tight:
        bound = _resting(program.row_lower[i], program.row_upper[i], i in basis.rows_at_upper)
        right.append(bound - sum((a * point[j] for j, a in program.rows[i].items()), Fraction(0)))
    matrix = fmpq_mat(len(tight), len(columns))
    for r, i in enumerate(tight):
        for j, a in program.rows[i].items():
            if j in place:
                matrix[r, place[j]] = _flint(a)
    try:
        basic = _solve(matrix, right)
        prices = _solve(matrix.transpose(), [program.costs[j] for j in columns])
    except ZeroDivisionError:
        return None
    for j, x in zip(columns, basic, strict=True):
        point[j] = x
    multipliers = [Fraction(0)] * len(program.rows)
    for i, y in zip(tight, prices, strict=True):
        multipliers[i] = y
    value = verify_optimal(program, point, multipliers)
    return None if value is None else ExactAnswer(Status.OPTIMAL, value, point, multipliers)


def _resting(low: Bound, high: Bound, at_upper: bool) -> Fraction:
    """Where a nonbasic variable rests: at its bound, a free one at 0."""
    bound = high if (at_upper and high is not None) or low is None else low
    return Fraction(0 if bound is None else bound)


def solve_rational(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """The solution of a square system; ``ZeroDivisionError`` if it is singular."""
    return _solve(fmpq_mat([[_flint(Fraction(a)) for a in row] for row in matrix]), right) if right else []


def _flint(a: Fraction) -> fmpq:
    return fmpq(a.numerator, a.denominator)


def _solve(matrix: fmpq_mat, right: list[Fraction]) -> list[Fraction]:
    """Solve matrix · x = right; ZeroDivisionError if singular."""
    if not right:
        return []
    column = fmpq_mat(len(right), 1, [_flint(b) for b in right])
    solution = matrix.solve(column)
    return [Fraction(int(solution[r, 0].p), int(solution[r, 0].q)) for r in range(len(right))]


def _elastic(program: LinearProgram) -> LinearProgram:
    """Least total violation of the rows; its row multipliers prove infeasibility when the optimum is positive."""
    elastic = LinearProgram()
    for low, high in zip(program.lower, program.upper, strict=True):
        elastic.variable(low, high)
    for row, low, high in zip(program.rows, program.row_lower, program.row_upper, strict=True):
        entries = dict(row)
        if low is not None:
            entries[elastic.variable(0, None, 1)] = Fraction(1)
        if high is not None:
            entries[elastic.variable(0, None, 1)] = Fraction(-1)
        elastic.row(entries, low, high)
    return elastic


def _ray_program(program: LinearProgram) -> LinearProgram:
    """Steepest descent among the recession directions with entries in [-1, 1]."""
    rays = LinearProgram()
    for cost, low, high in zip(program.costs, program.lower, program.upper, strict=True):
        rays.variable(-1 if low is None else 0, 1 if high is None else 0, cost)
    for row, low, high in zip(program.rows, program.row_lower, program.row_upper, strict=True):
        rays.row(row, None if low is None else 0, None if high is None else 0)
    return rays
