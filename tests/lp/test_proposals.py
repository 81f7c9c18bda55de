"""Float programs by HiGHS: they propose, never raise, and say nothing unless they are optimal."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from verify.lp.approx import ColumnProgram, last_basis, propose
from verify.lp.model import LinearProgram, Status

from .test_conformance import PROGRAMS
from .witness import POSITIVE, program


@pytest.mark.parametrize("name", PROGRAMS)
def test_proposal_of_the_suite_never_raises(name: str) -> None:
    of, expected = PROGRAMS[name]
    proposal = propose(of)
    if proposal.status is not Status.OPTIMAL:
        assert math.isnan(proposal.value)
        assert (proposal.point, proposal.row_multipliers) == ([], [])
    elif not isinstance(expected, Status):
        assert proposal.value == pytest.approx(float(expected), abs=1e-5)


def test_proposal_of_a_column_program_is_that_of_the_same_rows() -> None:
    """minimise −x − y, x + 2y <= 4, 3x + y <= 6; columns are the transposed matrix."""
    columns = np.array([[1.0, 3.0], [2.0, 1.0]])
    inf = np.full(2, np.inf)
    of = ColumnProgram(-np.ones(2), np.zeros(2), inf, -inf, np.array([4.0, 6.0]), columns)
    by_rows = propose(program([-1, -1], [POSITIVE] * 2, [({0: 1, 1: 2}, None, 4), ({0: 3, 1: 1}, None, 6)]))
    by_columns = propose(of)
    assert by_columns.status is by_rows.status is Status.OPTIMAL
    for proposal in (by_rows, by_columns):
        assert proposal.point == pytest.approx([8 / 5, 6 / 5])
        assert proposal.row_multipliers == pytest.approx([-2 / 5, -1 / 5])


def test_proposal_of_a_column_program_without_points_is_infeasible() -> None:
    of = ColumnProgram(np.zeros(1), np.zeros(1), np.ones(1), np.array([2.0]), np.array([np.inf]), np.ones((1, 1)))
    assert propose(of).status is Status.INFEASIBLE


def test_proposal_basis_tells_upper_from_lower() -> None:
    assert propose(program([-1, 1], [(0, 3), (1, 3)], [({0: 1, 1: 1}, 0, 100)])).status is Status.OPTIMAL
    basis = last_basis()
    assert basis.columns == ()
    assert basis.rows == (0,)
    assert basis.columns_at_upper == {0}


def test_proposal_after_an_infeasible_program_is_not_disturbed() -> None:
    """One solver object serves all programs."""
    good, bad = PROGRAMS["equality"][0], PROGRAMS["two-equations"][0]
    first = propose(good)
    assert propose(bad).status is Status.INFEASIBLE
    again = propose(good)
    assert (again.status, again.value, again.point) == (first.status, first.value, first.point)


def test_proposal_of_many_rows_goes_through_presolve() -> None:
    of = LinearProgram()
    x = [of.variable(0, None, 1) for _ in range(1100)]
    for column in x:
        of.row({column: Fraction(2)}, 1, None)
        of.row({column: Fraction(3)}, 1, None)
    assert propose(of).value == pytest.approx(550)


def test_proposal_prints_nothing() -> None:
    """HiGHS has a banner."""
    code = "from verify.lp.approx import propose\nfrom verify.lp.model import LinearProgram\n"
    code += "p = LinearProgram(); p.variable(0, 1, 1); print(propose(p).value)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0.0\n", "")
