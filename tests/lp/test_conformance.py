"""What every exact solver must answer, each answer with a witness that is judged from the definitions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from verify.lp.exact import solve_exact
from verify.lp.model import ExactAnswer, LinearProgram, Status
from verify.lp.pivots import solve_by_pivots
from verify.lp.witness import dual_value, is_feasible, verify_optimal

from .witness import FREE, POSITIVE, check_answer, program

Solver = Callable[[LinearProgram], ExactAnswer]
F = Fraction
MILLION = 10**6

solvers = pytest.mark.parametrize("solve", [solve_exact, solve_by_pivots], ids=lambda solve: solve.__name__)

#: name -> (program, optimal value or status)
PROGRAMS: dict[str, tuple[LinearProgram, Fraction | int | Status]] = {
    "nothing": (program([], [], []), 0),
    "no-rows": (program([2, 0], [(F(1, 3), None), FREE], []), F(2, 3)),
    "no-rows-unbounded": (program([-1], [POSITIVE], []), Status.UNBOUNDED),
    "box": (program([1, -1], [(-2, 5), (F(1, 2), F(7, 2))], []), F(-11, 2)),
    "at-the-upper-bound-of-a-row": (
        program([-1, -1], [POSITIVE] * 2, [({0: 1, 1: 2}, None, 4), ({0: 3, 1: 1}, None, 6)]),
        F(-14, 5),
    ),
    "range-row": (program([1], [FREE], [({0: 2}, -3, 5)]), F(-3, 2)),
    "range-row-from-above": (program([-1], [FREE], [({0: 2}, -3, 5)]), F(-5, 2)),
    "equality": (program([1, 2, 3], [POSITIVE] * 3, [({0: 1, 1: 1, 2: 1}, 1, 1), ({0: 1, 1: -1}, 0, 0)]), F(3, 2)),
    "negative-upper-bound-only": (program([-1], [(None, F(-7, 3))], []), F(7, 3)),
    "row-without-bounds": (program([1], [POSITIVE], [({0: 5}, None, None)]), 0),
    "row-without-entries": (program([1], [POSITIVE], [({0: 0}, -1, 0)]), 0),
    "row-without-entries-infeasible": (program([1], [POSITIVE], [({}, 1, None)]), Status.INFEASIBLE),
    "repeated-rows": (program([1, 1], [FREE] * 2, [({0: 1, 1: 1}, 1, None)] * 3), 1),
    "redundant-equalities": (program([1, 0], [POSITIVE] * 2, [({0: 1, 1: 1}, 2, 2), ({0: 2, 1: 2}, 4, 4)]), 0),
    "margin-below-float-tolerance": (
        program([0], [FREE], [({0: 1}, None, 1), ({0: 1}, 1 + F(1, 20_000_000), None)]),
        Status.INFEASIBLE,
    ),
    "margin-below-float-tolerance-feasible": (
        program([1], [FREE], [({0: 1}, None, 1 + F(1, 20_000_000)), ({0: 1}, 1 + F(1, 20_000_000), None)]),
        F(20_000_001, 20_000_000),
    ),
    "tiny-margin": (program([0], [FREE], [({0: 1}, None, 1), ({0: 1}, 1 + F(1, 10**30), None)]), Status.INFEASIBLE),
    "two-equations": (
        program([0, 0], [FREE, POSITIVE], [({0: 1, 1: 1}, 1, 1), ({0: 1, 1: 2}, 0, 0)]),
        Status.INFEASIBLE,
    ),
    "parallel": (program([0, 0], [FREE] * 2, [({0: 1, 1: -1}, None, 1), ({0: 1, 1: -1}, 2, None)]), Status.INFEASIBLE),
    "infeasible-and-unbounded-dual": (
        program([-1, -1], [POSITIVE] * 2, [({0: 1, 1: -1}, None, -1), ({0: -1, 1: 1}, None, -1)]),
        Status.INFEASIBLE,
    ),
    "bounded-along-a-row": (program([-1, 1], [POSITIVE] * 2, [({0: 1, 1: -1}, None, 3)]), -3),
    "unbounded-along-a-row": (program([-2, 1], [POSITIVE] * 2, [({0: 1, 1: -1}, None, 3)]), Status.UNBOUNDED),
    "unbounded-free": (program([1, 1], [FREE] * 2, [({0: 1, 1: -1}, 0, 0)]), Status.UNBOUNDED),
    "unbounded-slowly": (program([F(-1, 10**9), 0], [POSITIVE] * 2, [({0: 1, 1: -1}, 0, None)]), Status.UNBOUNDED),
    "not-unbounded-slowly": (program([F(1, 10**9), 0], [POSITIVE] * 2, [({0: 1, 1: -1}, 2, None)]), F(2, 10**9)),
    "badly-scaled": (
        program([1, 1], [POSITIVE] * 2, [({0: F(1, MILLION), 1: MILLION}, 1, None), ({0: MILLION, 1: F(1, MILLION)}, 1, None)]),
        F(2_000_000, 10**12 + 1),
    ),
    "badly-scaled-infeasible": (
        program(
            [0, 0],
            [POSITIVE] * 2,
            [({0: F(1, MILLION), 1: MILLION}, None, 1), ({0: MILLION, 1: F(1, MILLION)}, 10**12 + 1, None)],
        ),
        Status.INFEASIBLE,
    ),
    "badly-scaled-costs": (program([F(1, MILLION), MILLION], [POSITIVE] * 2, [({0: 1, 1: 1}, 1, 1)]), F(1, MILLION)),
    # Beale's example cycles under the largest-coefficient rule.
    "degenerate": (
        program(
            [F(-3, 4), 20, F(-1, 2), 6],
            [POSITIVE] * 4,
            [({0: F(1, 4), 1: -8, 2: -1, 3: 9}, None, 0), ({0: F(1, 2), 1: -12, 2: F(-1, 2), 3: 3}, None, 0), ({2: 1}, None, 1)],
        ),
        F(-5, 4),
    ),
    "degenerate-vertex": (
        program(
            [-1, -1],
            [POSITIVE] * 2,
            [({0: 1}, None, 1), ({1: 1}, None, 1), ({0: 1, 1: 1}, None, 2), ({0: 2, 1: 1}, None, 3)],
        ),
        -2,
    ),
    "fixed-variables": (program([1, 1], [(2, 2), (F(1, 7), F(1, 7))], [({0: 1, 1: 7}, 3, 3)]), F(15, 7)),
}  # fmt: skip


@solvers
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_of_the_suite_has_the_known_answer_and_a_witness(name: str, solve: Solver) -> None:
    of, expected = PROGRAMS[name]
    answer = solve(of)
    check_answer(of, answer)
    if isinstance(expected, Status):
        assert answer.status is expected
    else:
        assert (answer.status, answer.value) == (Status.OPTIMAL, expected)


@solvers
def test_unbounded_program_has_a_point_and_a_ray(solve: Solver) -> None:
    answer = solve(PROGRAMS["unbounded-along-a-row"][0])
    assert len(answer.point) == len(answer.ray) == 2
    assert answer.ray[0] > 0
    assert answer.ray[1] >= answer.ray[0]


@solvers
def test_klee_minty_cube_is_solved(solve: Solver) -> None:
    size = 7
    rows = [({**{j: 2 ** (i - j + 1) for j in range(i)}, i: 1}, None, 5 ** (i + 1)) for i in range(size)]
    of = program([-(2 ** (size - 1 - j)) for j in range(size)], [POSITIVE] * size, rows)
    answer = solve(of)
    check_answer(of, answer)
    assert answer.value == -(5**size)


@solvers
def test_program_is_not_changed_by_solving(solve: Solver) -> None:
    for name, (of, _) in PROGRAMS.items():
        before = repr(of)
        solve(of)
        assert repr(of) == before, name


def test_verify_optimal_of_a_wrong_point_or_multiplier_is_none() -> None:
    of = program([1, 1], [POSITIVE] * 2, [({0: 1, 1: 2}, 4, None)])
    assert verify_optimal(of, [F(0), F(2)], [F(1, 2)]) == 2
    assert verify_optimal(of, [F(4), F(0)], [F(1, 2)]) is None  # feasible, not optimal
    assert verify_optimal(of, [F(0), F(1)], [F(1, 2)]) is None  # not feasible
    assert verify_optimal(of, [F(0), F(2)], [F(1)]) is None  # a reduced cost of forbidden sign
    assert verify_optimal(of, [F(0), F(2)], [F(-1, 2)]) is None  # a multiplier of forbidden sign


def test_dual_value_of_a_missing_bound_is_none() -> None:
    of = program([1], [FREE], [({0: 1}, 2, None)])
    assert dual_value(of, [F(1)]) == 2
    assert dual_value(of, [F(1, 2)]) is None  # x itself has no bound
    assert dual_value(program([-1], [FREE], [({0: 1}, 2, None)]), [F(-1)]) is None


def test_dual_value_homogeneous_leaves_the_costs_out() -> None:
    of = program([5], [FREE], [({0: 1}, None, 1), ({0: 1}, 3, None)])
    assert dual_value(of, [F(-1), F(1)], homogeneous=True) == 2
    assert dual_value(of, [F(-1), F(1)]) is None


def test_is_feasible_takes_bounds_exactly() -> None:
    of = program([0], [(0, 1)], [({0: 3}, 1, 1)])
    assert is_feasible(of, [F(1, 3)])
    assert not is_feasible(of, [F(1, 3) + F(1, 10**30)])
    assert not is_feasible(of, [F(-1)])
