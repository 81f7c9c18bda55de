"""Conditions F and S for given V: the known answers of theory 11, and what is said where they fail."""

from __future__ import annotations

import functools
from fractions import Fraction

import pytest
from catalogue.networks import (
    BAD_TIES_2,
    EXAMPLE_1,
    FREE_TIES_1,
    GEOMETRIC_2,
    GOOD_TIES_2,
    MAXIMUM,
    NEAR_CAPACITY_1,
    case_text,
    example_2_text,
    line_text,
    parallel_text,
    single_text,
)

from verify.budget import Budget
from verify.conditions.condition import Condition
from verify.conditions.drift import Evaluation, evaluate
from verify.conditions.evidence.nodes import Leaf, leaves
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import Walk

from .faces import active_pieces, best_corrected_drift, by_coordinate, largest_drift, question, vanishing

F = Fraction
NEAR_2 = 'alpha = "997/1000"\nbeta = [1, "9/10", "899/1000"]\ngamma = 1'
JOBS = {"line": '{ "a.1" = 1, "a.2" = 1, "a.3" = 1, "a.4" = 1 }', "single": '{ "a.1" = 1 }'}


def with_function(text: str, pieces: str) -> str:
    return text + f"\n[test_function]\npieces = [{pieces}]\n"


@functools.cache
def evaluated(text: str, condition: Condition = Condition.FLUID, nodes: int = 4000) -> Evaluation:
    return evaluate(*question(text), condition, Budget(nodes))


def check_obstacle(text: str, condition: Condition) -> None:
    """At the obstacle the piece is active, and no correction by what vanishes there (condition S: none) helps."""
    found = evaluated(text, condition)
    chain, function = question(text)
    assert (found.holds, found.trees, found.epsilon) == (False, (), None)
    obstacle = found.obstacle
    assert obstacle is not None
    state = by_coordinate(chain, obstacle.state)
    assert state
    assert all(jobs > 0 for jobs in state.values())
    assert obstacle.piece in active_pieces(function, state)
    check_drift_there(chain, function, obstacle.piece, state, condition)
    if condition is Condition.FLUID:
        assert set(obstacle.face) == {normal.name for normal in vanishing(chain, function, state)}
    assert obstacle.drift >= 0
    assert obstacle.choices


def check_drift_there(
    chain: Walk, function: PiecewiseLinear, piece: int, state: dict[int, Fraction], condition: Condition
) -> None:
    if condition is Condition.STRICT:
        assert largest_drift(chain, function.pieces[piece], state) >= 0
    else:
        best = best_corrected_drift(chain, function, piece, state)
        assert best is not None
        assert best >= 0


# ---- one server, parallel servers ----------------------------------------------------------------------------------
def test_single_server_satisfies_both_conditions_with_the_slack_as_epsilon() -> None:
    text = with_function(single_text("3/4"), JOBS["single"])
    for condition in Condition:
        found = evaluated(text, condition)
        assert (found.holds, found.epsilon, found.bounded_leaves) == (True, F(1, 4), 1)


def test_single_server_at_its_rate_satisfies_none() -> None:
    for condition in Condition:
        check_obstacle(with_function(single_text("1"), JOBS["single"]), condition)


@pytest.mark.parametrize("arrival_rate", ["19/10", "1999/1000"])
def test_maximum_under_jsq_below_capacity_satisfies_fluid(arrival_rate: str) -> None:
    """theory 5.6, criterion P: F holds exactly while λ < 2, with ε = (2 − λ)/2."""
    found = evaluated(parallel_text("jsq", arrival_rate, (1, 1), MAXIMUM))
    assert (found.holds, found.epsilon) == (True, (2 - F(arrival_rate)) / 2)


@pytest.mark.parametrize("arrival_rate", ["2", "20000001/10000000", "5/2"])
def test_maximum_under_jsq_at_and_above_capacity_fails_on_the_tie(arrival_rate: str) -> None:
    text = parallel_text("jsq", arrival_rate, (1, 1), MAXIMUM)
    check_obstacle(text, Condition.FLUID)
    obstacle = evaluated(text).obstacle
    assert obstacle is not None
    assert obstacle.drift == (F(arrival_rate) - 2) / 2
    assert set(obstacle.face) == {"queue(1 - 2)", "piece(0 - 1)"}
    assert obstacle.state["a@1"] == obstacle.state["a@2"]


@pytest.mark.parametrize("arrival_rate", ["19/10", "5/2"])
def test_maximum_under_jsq_never_satisfies_strict(arrival_rate: str) -> None:
    """On the tie, closed, all jobs may join either server."""
    check_obstacle(parallel_text("jsq", arrival_rate, (1, 1), MAXIMUM), Condition.STRICT)


# ---- the paper's examples ------------------------------------------------------------------------------------------
def test_example_1_satisfies_fluid_with_about_50_leaves() -> None:
    found = evaluated(EXAMPLE_1)
    assert found.holds
    assert len(found.trees) == 35
    assert 40 <= found.bounded_leaves <= 60
    bounds = [leaf.bound for tree in found.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    assert found.epsilon == min(-bound for bound in bounds) > 0


def test_example_1_does_not_satisfy_strict() -> None:
    """Neighbours of the active piece reach drift 0."""
    check_obstacle(EXAMPLE_1, Condition.STRICT)
    obstacle = evaluated(EXAMPLE_1, Condition.STRICT).obstacle
    assert obstacle is not None
    assert obstacle.drift == 0


def test_example_1_with_free_ties_satisfies_fluid() -> None:
    assert evaluated(FREE_TIES_1).holds


def test_example_1_at_999_thousandths_of_capacity_satisfies_fluid() -> None:
    """λ = 8991/8000, α = β = γ = 999/1000: worst leaf −0.001992 (theory 11)."""
    found = evaluated(NEAR_CAPACITY_1)
    assert found.holds
    assert found.epsilon is not None
    assert F(19, 10000) < found.epsilon < F(20, 10000)


def test_example_2_with_its_parameters_satisfies_fluid_near_capacity() -> None:
    """λ = 149/100 of 3/2, tie order 1: r1.1 first, 5: r3.2 first: worst leaf −0.0026 (theory 11)."""
    found = evaluated(example_2_text("149/100", NEAR_2, GOOD_TIES_2))
    assert found.holds
    assert 100 < found.bounded_leaves < 200
    assert found.epsilon is not None
    assert F(23, 10000) < found.epsilon < F(27, 10000)


@pytest.mark.parametrize("ties", [BAD_TIES_2, {}], ids=["bad-order", "free"])
def test_example_2_near_capacity_fails_with_a_bad_tie_order_or_none(ties: dict[str, tuple[str, ...]]) -> None:
    """The drift reaches +0.326 (theory 11); the state at which it is found need not be the worst one."""
    text = example_2_text("149/100", NEAR_2, ties)
    check_obstacle(text, Condition.FLUID)


def test_example_2_with_geometric_weights_fails() -> None:
    check_obstacle(example_2_text("1", GEOMETRIC_2, GOOD_TIES_2), Condition.FLUID)


# ---- other policies ------------------------------------------------------------------------------------------------
def test_jobs_under_the_longest_duplicate_have_the_slack_as_epsilon() -> None:
    """theory 11: ε = 9/4 − λ_1 − λ_2."""
    text = case_text("paper-1-jsr-longest")
    pieces = '{ "c1.r1.1" = 1, "c1.r1.2" = 1, "c1.r2.1" = 1, "c2.r3.1" = 1, "c2.r3.2" = 1, "c2.r4.1" = 1 }'
    found = evaluated(with_function(text, pieces))
    assert found.holds
    assert found.epsilon is not None
    assert 0 < found.epsilon <= F(1, 100)


def test_jobs_of_a_bad_priority_satisfy_none() -> None:
    text = with_function(
        line_text("1221", ["1/10", "3/5", "1/10", "3/5"], "priority", {"1": "41", "2": "23"}), JOBS["line"]
    )
    check_obstacle(text, Condition.FLUID)
    assert evaluated(text, Condition.STRICT).holds is not True


def test_jobs_of_a_tandem_satisfy_fluid_with_a_correction_and_not_strict() -> None:
    """Where only the first buffer is busy the second server idles: the drift of V itself is λ > 0 there."""
    text = with_function(line_text("12", ["1/2", "1/3"], "non-idling"), '{ "a.1" = 1, "a.2" = 1 }')
    found = evaluated(text)
    assert (found.holds, found.epsilon) == (True, F(1))
    assert evaluated(text, Condition.STRICT).holds is not True
    chain, function = question(text)
    assert largest_drift(chain, function.pieces[0], {0: F(1)}) == 1
    assert best_corrected_drift(chain, function, 0, {0: F(1)}) == -1


def test_function_that_vanishes_along_a_coordinate_fails_zero() -> None:
    text = line_text("12", ["1/2", "1/2"], "non-idling")
    found = evaluated(with_function(text, '{ "a.1" = 1 }'))
    assert found.holds is False
    assert found.reason.startswith("(0) fails")
    assert found.obstacle is None


def test_spent_budget_is_no_answer() -> None:
    found = evaluated(EXAMPLE_1, nodes=10)
    assert (found.holds, found.trees, found.epsilon) == (None, (), None)
    assert "budget" in found.reason


def test_piece_that_is_never_active_needs_no_leaf() -> None:
    text = with_function(single_text("1/2"), '{ "a.1" = 1 }, { "a.1" = "1/2" }')
    for condition in Condition:
        found = evaluated(text, condition)
        assert (found.holds, found.epsilon) == (True, F(1, 2))
        assert found.bounded_leaves == 1
        assert len(found.trees) == 2


def test_second_function_on_the_same_walk_has_its_own_differences_of_pieces() -> None:
    """Normals are named by numbers of pieces; another V must not meet those of the V before it."""
    text = parallel_text("jsq", "19/10", (1, 1), MAXIMUM)
    chain, function = question(text)
    other = PiecewiseLinear.of({0: F(2), 1: F(1)}, {0: F(1), 1: F(2)})
    before = evaluate(chain, other, Condition.FLUID, Budget(4000))
    fresh, _ = question(text)
    assert evaluate(chain, function, Condition.FLUID, Budget(4000)).epsilon == F(1, 20)
    assert evaluate(fresh, function, Condition.FLUID, Budget(4000)).epsilon == F(1, 20)
    again = evaluate(fresh, other, Condition.FLUID, Budget(4000))
    assert (again.holds, again.epsilon) == (before.holds, before.epsilon)
    assert again.holds
