"""Random small programs, among them infeasible, unbounded, degenerate and badly scaled ones: two exact methods and z3 agree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.linear_program import Optimum, Row, minimum

from verify.lp.approx import last_basis, propose
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.lp.pivots import solve_by_pivots

from .witness import Bound, check_answer, matrix, program

SMALL = st.sampled_from([Fraction(0), Fraction(0), *map(Fraction, (1, -1, 2, -3)), Fraction(1, 2), Fraction(-5, 3)])
SCALED = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 10**6), Fraction(10**6), 1 + Fraction(1, 10**7)])
often = settings(max_examples=250, deadline=None, derandomize=True)


@st.composite
def bounds(draw: st.DrawFn, numbers: st.SearchStrategy[Fraction]) -> tuple[Bound, Bound]:
    """No bound, one, two, or an equality; never lower > upper, which nothing satisfies."""
    lower, upper = sorted([draw(numbers), draw(numbers)])
    return draw(st.sampled_from([(None, None), (lower, None), (None, upper), (lower, upper), (lower, lower)]))


@st.composite
def programs(draw: st.DrawFn, numbers: st.SearchStrategy[Fraction]) -> LinearProgram:
    """Up to four variables and five rows."""
    columns = range(draw(st.integers(0, 4)))
    rows = []
    for _ in range(draw(st.integers(0, 5))):
        entries = {j: draw(numbers) for j in columns if draw(st.booleans())}
        rows.append((entries, *draw(bounds(numbers))))
    return program([draw(numbers) for _ in columns], [draw(bounds(numbers)) for _ in columns], rows)


def by_z3(of: LinearProgram) -> Optimum:
    """The value of the program, or its status."""
    units = [[Fraction(i == j) for i in range(len(of.costs))] for j in range(len(of.costs))]
    rows: list[Row] = list(zip(units, of.lower, of.upper, strict=True))
    return minimum(of.costs, rows + list(zip(matrix(of), of.row_lower, of.row_upper, strict=True)))


def check_both(of: LinearProgram) -> None:
    """Same status, same value, each with its own witness; and z3, which gives none, agrees."""
    answer, other = solve_exact(of), solve_by_pivots(of)
    check_answer(of, answer)
    check_answer(of, other)
    assert (answer.status, answer.value) == (other.status, other.value)
    assert by_z3(of) == (answer.value if answer.status is Status.OPTIMAL else answer.status.value)


@given(of=programs(SMALL))
@often
def test_random_program_two_methods_agree_with_witnesses(of: LinearProgram) -> None:
    check_both(of)


@given(of=programs(st.one_of(SMALL, SCALED)))
@often
def test_random_program_badly_scaled_two_methods_agree_with_witnesses(of: LinearProgram) -> None:
    check_both(of)


@given(of=programs(st.one_of(SMALL, SCALED, st.fractions(max_denominator=10**9))))
@often
def test_random_program_float_proposal_never_raises(of: LinearProgram) -> None:
    proposal = propose(of)
    if proposal.status is Status.OPTIMAL:
        assert (len(proposal.point), len(proposal.row_multipliers)) == (len(of.costs), len(of.rows))
        basis = last_basis()
        assert len(basis.columns) + len(basis.rows) == len(of.rows)
    else:
        assert not proposal.point
        assert not proposal.row_multipliers


@given(data=st.data())
@often
def test_random_program_with_a_known_point_is_not_infeasible(data: Any) -> None:
    """Rows are laid through a point that is drawn first."""
    point = data.draw(st.lists(SMALL, min_size=1, max_size=3))
    rows = []
    for _ in range(data.draw(st.integers(1, 5))):
        entries = {j: data.draw(SMALL) for j in range(len(point))}
        value = sum((entries[j] * x for j, x in enumerate(point)), Fraction(0))
        rows.append((entries, value - data.draw(st.sampled_from([0, 0, 1])), data.draw(st.sampled_from([None, value]))))
    of = program([data.draw(SMALL) for _ in point], [(None, None)] * len(point), rows)
    answer = solve_exact(of)
    check_answer(of, answer)
    assert answer.status is not Status.INFEASIBLE
