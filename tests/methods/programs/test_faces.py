"""The face program: linear test functions with the optimal ε of theory 11."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

import pytest
from catalogue.networks import case_text, line_text, parallel_text, read, scaled, single_text

from verify.budget import Budget, BudgetSpent
from verify.methods.programs.face_program import reducible
from verify.methods.programs.faces import (
    LinearResult,
    NoLinearFunction,
    linear_by_reduction,
    linear_by_trees,
)
from verify.policies.compose import Walk, walk

F = Fraction
LINE_6 = ["2/5", "1/10", "2/5", "1/10", "1/10", "1/2"]
BAD = {"1": "41", "2": "23"}
JOBS = ("1", "1", "1", "1", "1", "1")

#: name -> (network file, ε, weights in the order of the coordinates)
KNOWN: dict[str, tuple[str, str, Sequence[str]]] = {
    "m-m-1": (single_text("1/2"), "1/2", ["1"]),
    "lu-kumar-fbfs": (case_text("lu-kumar-fbfs"), "2/13", ["1", "1", "4/13", "4/13"]),
    "lu-kumar-lbfs": (case_text("lu-kumar-lbfs"), "3/7", ["1", "1", "1", "1"]),
    "lu-kumar-bad-priority-light": (
        line_text("1221", ["1/10", "49/100", "1/10", "1/2"], "priority", BAD),
        "1/99",
        ["1", "1", "50/99", "50/99"],
    ),
    "rybko-stolyar-entry": (case_text("rybko-stolyar-entry-priority"), "18/41", ["1", "36/41", "1", "36/41"]),
    "line-1211-non-idling": (
        line_text("1211", ["1/10", "4/5", "3/10", "1/10"], "non-idling"),
        "17/73",
        ["1", "68/73", "36/73", "9/73"],
    ),
    "line-121212-lbfs": (line_text("121212", LINE_6, "lbfs"), "1/9", JOBS),
    "line-121212-fbfs": (line_text("121212", LINE_6, "fbfs"), "3/37", ["1", "1", "21/37", "1", "5/37", "5/37"]),
}


def reduced(chain: Walk) -> LinearResult:
    """The linear V by reduced faces, of a network that has one."""
    found = linear_by_reduction(chain)
    assert isinstance(found, LinearResult)
    return found


def by_trees(chain: Walk) -> LinearResult:
    """The linear V by case trees, of a network that has one."""
    found = linear_by_trees(chain, Budget(3000))
    assert isinstance(found, LinearResult)
    return found


def check_result(chain: Walk, result: LinearResult) -> None:
    """One positive piece with weights at most 1; the value of ε is that of the worst face or leaf."""
    (weights,) = result.function.pieces
    assert set(weights) == set(range(len(chain.expansion.buffers)))
    assert min(weights.values()) > 0
    assert max(weights.values()) <= 1
    assert result.epsilon > 0


@pytest.mark.parametrize("name", KNOWN)
def test_linear_function_has_the_known_epsilon_and_weights(name: str) -> None:
    text, epsilon, weights = KNOWN[name]
    chain = walk(read(text))
    assert reducible(chain)
    result = reduced(chain)
    check_result(chain, result)
    assert result.epsilon == F(epsilon)
    assert [result.function.pieces[0][k] for k in range(len(weights))] == [F(w) for w in weights]


@pytest.mark.parametrize("name", KNOWN)
def test_linear_function_of_scaled_rates_is_the_same_with_scaled_epsilon(name: str) -> None:
    text, epsilon, _ = KNOWN[name]
    chain = walk(scaled(read(text), F(7, 3)))
    assert reduced(chain).epsilon == F(epsilon) * F(7, 3)


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        (case_text("lu-kumar-fbfs"), 3 * 3 - 1),
        (line_text("121212", LINE_6, "lbfs"), 4 * 4 - 1),
        (line_text("121212", ["1/10"] * 6, "non-idling"), 2 * 2 - 1),
        (case_text("ring-three-stations-light"), 2**3 - 1),
        (case_text("rybko-stolyar-entry-priority"), 3 * 3 - 1),
    ],
)
def test_reduced_faces_are_one_for_each_choice_of_a_highest_busy_group(text: str, faces: int) -> None:
    """Π(n_s + 1) − 1 for static priorities, 2^J − 1 for non-idling."""
    result = reduced(walk(read(text)))
    (listed,) = result.faces
    assert len(listed) == faces
    busy = [tuple(sorted(entry.busy.items())) for entry in listed]
    assert len(set(busy)) == faces
    assert () not in busy


@pytest.mark.parametrize(
    "text",
    [
        line_text("1221", ["1/10", "3/5", "1/10", "3/5"], "priority", BAD),
        case_text("rybko-stolyar-exit-priority"),
        case_text("five-class-extreme-priority"),
        case_text("push-start-priority"),
        case_text("priority-two-pieces"),
        line_text("1221", ["1/10", "3/5", "1/10", "3/5"], "non-idling"),
    ],
)
def test_network_without_a_linear_function_has_none(text: str) -> None:
    """Five of them are unstable, or not globally stable; the sixth needs two pieces."""
    found = linear_by_reduction(walk(read(text)))
    assert isinstance(found, NoLinearFunction)
    obstacle = found.obstacle
    assert obstacle is not None
    assert obstacle.drift >= 0
    assert obstacle.state


def test_network_at_load_1_has_no_linear_function() -> None:
    """The optimal ε is 0, exactly: a float solver may print something positive."""
    for sequencing in ("fbfs", "lbfs", "non-idling"):
        assert isinstance(
            linear_by_reduction(walk(read(line_text("121", ["1/2", "1/3", "1/2"], sequencing)))), NoLinearFunction
        )
    assert isinstance(linear_by_trees(walk(read(parallel_text("jsq", "2", (1, 1)))), Budget(1000)), NoLinearFunction)


@pytest.mark.parametrize("slack", [F(1, 10**6), F(1, 10**9), F(1, 10**12)])
def test_network_with_a_tiny_slack_has_a_linear_function(slack: Fraction) -> None:
    text = line_text("12", [str(1 / (1 + slack)), "1/2"], "non-idling")
    result = reduced(walk(read(text)))
    assert 0 < result.epsilon <= slack


# ---- faces that the case tree asks for -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "epsilon"),
    [
        ("paper-1-jsr-longest", "1/100"),
        ("jsq-two-servers", "1/10"),
        ("jsr-two-servers", "1/10"),
        ("jsq-dedicated", "1/10"),
    ],
)
def test_linear_function_by_trees_is_the_number_of_jobs_with_the_slack(name: str, epsilon: str) -> None:
    """V = number of jobs; for the paper's example 1 with longest duplicates ε = 9/4 − λ_1 − λ_2."""
    chain = walk(read(case_text(name)))
    assert not reducible(chain)
    result = by_trees(chain)
    check_result(chain, result)
    assert result.epsilon == F(epsilon)
    assert set(result.function.pieces[0].values()) == {F(1)}
    assert len(result.trees) == 1


@pytest.mark.parametrize("name", ["lu-kumar-fbfs", "lu-kumar-lbfs", "rybko-stolyar-entry", "line-1211-non-idling"])
def test_linear_function_by_trees_is_not_better_than_by_reduction(name: str) -> None:
    """Two ways to the same program: both are positive, and nearly the same."""
    text, epsilon, _ = KNOWN[name]
    result = by_trees(walk(read(text)))
    assert F(99, 100) * F(epsilon) <= result.epsilon <= F(epsilon)


def test_bad_priority_has_no_linear_function_by_trees_either() -> None:
    text = line_text("1221", ["1/10", "3/5", "1/10", "3/5"], "priority", BAD)
    assert isinstance(linear_by_trees(walk(read(text)), Budget(3000)), NoLinearFunction)


def test_search_by_trees_stops_with_its_budget() -> None:
    with pytest.raises(BudgetSpent):
        linear_by_trees(walk(read(case_text("paper-1-jsr-longest"))), Budget(3))


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        (case_text("jackson-feedback"), True),
        (case_text("bernoulli-stable"), True),
        (case_text("paper-1-jsr-longest"), False),  # comparisons, and jsr
        (case_text("jsq-two-servers"), False),
        (line_text("12", ["1/2", "1/2"], "longest-queue"), False),
        (line_text("12", ["1/2", "1/2"], "non-idling") + 'holding = "spillback"\n', False),
    ],
)
def test_reduction_is_allowed_only_where_guards_ask_what_is_busy(text: str, allowed: bool) -> None:
    assert reducible(walk(read(text))) is allowed


def test_reduction_is_not_allowed_with_two_servers_on_one_buffer() -> None:
    """The trap: server A has rate 1/2, B rate 1/2 and a buffer of its own; face by face k would look certified."""
    activity = 'activities = [{ server = "A", buffer = "k", rate = 1 }, { server = "B", buffer = "k", rate = 1 }]'
    text = f'servers = {{ A = {{}}, B = {{}} }}\nbuffers = [{{ name = "k", arrival_rate = "1/2" }}]\n{activity}\n'
    assert not reducible(walk(read(text + '[policy]\nsequencing = "non-idling"\n')))


def test_number_of_faces_of_a_long_line_is_a_product() -> None:
    stations = "1234" * 6
    text = line_text(stations, ["1/10"] * 24, "lbfs")
    result = reduced(walk(read(text)))
    assert len(result.faces[0]) == prod([7] * 4) - 1
    assert result.epsilon > 0
