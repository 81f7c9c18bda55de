"""Float linear programs by HiGHS: proposals only.

Rates go to HiGHS as they are given; scaling is left to it.  One solver object serves thousands of small programs.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import highspy
import numpy as np

from verify.budget import look_at_the_clock, remaining
from verify.lp.model import Basis, Bound, LinearProgram, Proposal, Status

Array: TypeAlias = np.ndarray[Any, Any]

#: From this many rows on, HiGHS's presolve saves more than it costs.
_PRESOLVE_ROWS = 2000

#: HiGHS sometimes ends without a status (1 in 10 programs of a highly symmetric network); another way then gets there:
#: primal simplex, no scaling, presolve.  Option, value, value as it was.
_OTHER_WAYS = (("simplex_strategy", 4, 1), ("simplex_scale_strategy", 0, 2), ("presolve", "on", "off"))

_STATUS = {
    highspy.HighsModelStatus.kOptimal: Status.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: Status.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: Status.UNBOUNDED,
}


@contextlib.contextmanager
def _c_stdout_closed() -> Iterator[None]:
    """HiGHS prints its banner on C's standard output while a solver is made, before any option can forbid it."""
    sys.stdout.flush()
    c_library = ctypes.CDLL(None) if os.name == "posix" else None
    kept = os.dup(1)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        if c_library is not None:
            c_library.fflush(None)
        os.dup2(kept, 1)
        os.close(kept)


@functools.cache
def _solver() -> Any:
    with _c_stdout_closed():
        solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("primal_feasibility_tolerance", 1e-9)
    solver.setOptionValue("dual_feasibility_tolerance", 1e-9)
    return solver


def _bounds(bounds: list[Bound], missing: float) -> Array:
    return np.array([missing if b is None else float(b) for b in bounds], dtype=np.float64)


def highs_lp(program: LinearProgram) -> Any:
    """The program as HiGHS takes it, in floats."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(program.costs), len(program.rows)
    lp.col_cost_ = np.array([float(c) for c in program.costs], dtype=np.float64)
    lp.col_lower_, lp.col_upper_ = _bounds(program.lower, -highspy.kHighsInf), _bounds(program.upper, highspy.kHighsInf)
    lp.row_lower_ = _bounds(program.row_lower, -highspy.kHighsInf)
    lp.row_upper_ = _bounds(program.row_upper, highspy.kHighsInf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0] + [len(row) for row in program.rows]).astype(np.int32)
    lp.a_matrix_.index_ = np.array([j for row in program.rows for j in row], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([float(a) for row in program.rows for a in row.values()], dtype=np.float64)
    return lp


@dataclass(frozen=True, eq=False)
class ColumnProgram:
    """A small program that exists in floats only: ``columns`` is the transposed matrix, shape (columns, rows)."""

    costs: Array
    lower: Array
    upper: Array
    row_lower: Array
    row_upper: Array
    columns: Array


def _dense_lp(program: ColumnProgram) -> Any:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.columns.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = program.costs, program.lower, program.upper
    lp.row_lower_, lp.row_upper_ = program.row_lower, program.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    mask = program.columns != 0
    lp.a_matrix_.start_ = np.concatenate(([0], np.cumsum(mask.sum(axis=1)))).astype(np.int32)
    lp.a_matrix_.index_ = np.nonzero(mask)[1].astype(np.int32)
    lp.a_matrix_.value_ = program.columns[mask]
    return lp


def propose(program: LinearProgram | ColumnProgram) -> Proposal:
    """Solve in floats.  A status other than OPTIMAL comes without a point and without a basis."""
    solver = _solver()
    if isinstance(program, LinearProgram):
        solver.setOptionValue("presolve", "on" if len(program.rows) >= _PRESOLVE_ROWS else "off")
    lp = highs_lp(program) if isinstance(program, LinearProgram) else _dense_lp(program)
    answer = _answer(solver, lp)
    for option, other, usual in _OTHER_WAYS:
        if answer.status is not Status.UNKNOWN:
            break
        solver.setOptionValue(option, other)
        answer = _answer(solver, lp)
        solver.setOptionValue(option, usual)
    return answer


@functools.cache
def _interior_solver() -> Any:
    with _c_stdout_closed():
        solver = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "solver": "ipm", "run_crossover": "off", "presolve": "off"}
    for option, value in options.items():
        solver.setOptionValue(option, value)
    return solver


def propose_interior(program: LinearProgram) -> Proposal:
    """The same by the interior point method without crossover: a point and multipliers inside the faces of optima, not at a
    corner.  There is no basis then; for some thousands of rows it is faster."""
    return _answer(_interior_solver(), highs_lp(program))


def _answer(solver: Any, lp: Any) -> Proposal:
    solver.clearModel()
    solver.passModel(lp)
    left = remaining()
    clock = highspy.kHighsInf if left is None else solver.getRunTime() + max(left, 1e-3)
    solver.setOptionValue("time_limit", clock)  # of all runs of this solver together
    solver.run()
    look_at_the_clock()
    status = _STATUS.get(solver.getModelStatus(), Status.UNKNOWN)
    if status is not Status.OPTIMAL:
        return Proposal(status, float("nan"), [], [])
    solution = solver.getSolution()
    return Proposal(status, float(solver.getObjectiveValue()), list(solution.col_value), list(solution.row_dual))


def last_basis() -> Basis:
    """The basis of the program that :func:`propose` solved last."""
    basis = _solver().getBasis()
    basic, at_upper = highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kUpper
    columns, rows = list(basis.col_status), list(basis.row_status)
    return Basis(
        tuple(j for j, s in enumerate(columns) if s == basic),
        tuple(i for i, s in enumerate(rows) if s == basic),
        frozenset(j for j, s in enumerate(columns) if s == at_upper),
        frozenset(i for i, s in enumerate(rows) if s == at_upper),
    )
