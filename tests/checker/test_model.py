"""The rebuilt model: coordinates, pieces, normals, components with their guards and drifts (FORMAT.md, sections 4 and 8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from verify.checker.core.components import Alternative
from verify.checker.core.data import Explicit, Pieces
from verify.checker.core.errors import Rejected
from verify.checker.core.forms import AT_LEAST, AT_MOST, EQUAL, Fact, function_pieces
from verify.checker.core.model import Model, build_model
from verify.checker.core.read import read_network
from verify.checker.core.state import State
from verify.checker.policies.read import read_policy

from .examples import BRIDGE, Json, feedback_network, job_class, parallel, policy, route_network

ONE = Fraction(1)


def build(network: Json, how: Json) -> Model:
    read, chosen = read_network(network, "network"), read_policy(how, "policy")
    state = chosen.state(read, "fluid")
    pieces = function_pieces(Pieces((dict.fromkeys(state.names, ONE),)), state, "")
    return build_model(state, chosen, pieces, chosen.pieces(state))


def state_of(network: Json, how: Json) -> State:
    return read_policy(how, "").state(read_network(network, ""), "fluid")


def alternatives(model: Model) -> dict[str, Alternative]:
    branches = [branch for component in model.components for branch in component.branches]
    return {option.name: option for branch in branches for part in branch.parts for option in part.alternatives}


def drift(model: Model, name: str) -> dict[str, Fraction]:
    form = model.drifts[alternatives(model)[name].drift]
    found = {model.state.names[k]: Fraction(value, form.denominator) for k, value in form.entries.items()}
    return {key: value for key, value in found.items() if value}


def guard(model: Model, name: str) -> set[Fact]:
    return set(alternatives(model)[name].guard)


TWO_VISITS = route_network(
    "1 2", job_class("a", "1", [("1", "2"), ("2", "3"), ("1", "4")]), job_class("b", "1", [("1", "5")])
)


def test_coordinates_of_an_expansion_are_class_route_position() -> None:
    assert state_of(BRIDGE, policy("jsr", "non-idling")).names == (
        "c.r1.1", "c.r1.2", "c.r2.1", "c.r2.2", "c.r2.3", "c.r3.1", "c.r3.2",
    )  # fmt: skip


def test_coordinates_under_jsq_are_in_order_of_first_appearance() -> None:
    assert state_of(BRIDGE, policy("jsq", "non-idling")).names == ("c@1", "c@2", "c@3", "c@5", "c@4")


def test_coordinates_of_the_preset_depend_on_the_condition() -> None:
    network, how = read_network(BRIDGE, ""), read_policy({"preset": "jsq-as"}, "")
    assert how.state(network, "capacity").names == ("c@1", "c@2", "c@3", "c@5", "c@4")
    assert how.state(network, "fluid").names == state_of(BRIDGE, policy("jsr", "non-idling")).names


def test_jsr_compares_routes_by_number_of_jobs() -> None:
    model = build(BRIDGE, policy("jsr", "non-idling"))
    expected = {Fact("route(c:r1 - r2)", AT_LEAST), Fact("route(c:r2 - r3)", AT_MOST)}
    assert guard(model, "class c / r2") == expected
    form = model.normals.get("route(c:r1 - r2)")
    assert {k: v for k, v in form.entries.items() if v} == {0: 1, 1: 1, 2: -1, 3: -1, 4: -1}


def test_jsq_chooses_after_a_service_by_queue() -> None:
    network = route_network("1 2 3", job_class("a", "1", [("1", "2"), ("2", "1")], [("1", "2"), ("3", "1")]))
    model = build(network, policy("jsq", "non-idling"))
    assert guard(model, "server 1 / a@1 > 3") == {Fact("queue(2 - 3)", AT_LEAST)}
    assert drift(model, "server 1 / a@1 > 3") == {"a@1": Fraction(-2), "a@3": Fraction(2)}
    assert guard(model, "class a / 1") == set()


def test_bernoulli_splits_the_arrivals() -> None:
    how = policy("bernoulli", "non-idling", probabilities={"a": {"r1": "1/3", "r2": "2/3"}})
    model = build(parallel("3"), how)
    assert drift(model, "class a / split") == {"a.r1.1": Fraction(1), "a.r2.1": Fraction(2)}


def test_random_routing_has_a_mean_drift() -> None:
    model = build(feedback_network("1"), policy("fixed", "non-idling"))
    assert drift(model, "server A / q1") == {"q1": Fraction(-3, 2), "q2": Fraction(3, 4)}
    assert alternatives(model)["server A / q1"].targets == (1, None)
    assert [component.name for component in model.components] == ["arrival q1", "server A", "server B"]


@pytest.mark.parametrize(
    ("sequencing", "more", "first", "last"),
    [
        ("non-idling", {}, set(), set()),
        ("fbfs", {}, set(), {"a.r1.1", "b.r1.1"}),
        ("lbfs", {}, {"a.r1.3"}, set()),
        (
            "priority",
            {"priority": {"1": ["b.r1.1", "a.r1.3", "a.r1.1"], "2": ["a.r1.2"]}},
            {"b.r1.1", "a.r1.3"},
            {"b.r1.1"},
        ),
    ],
)
def test_guards_ask_that_higher_buffers_are_empty(sequencing: str, more: Any, first: set[str], last: set[str]) -> None:
    model = build(TWO_VISITS, policy("fixed", sequencing, **more))
    assert guard(model, "server 1 / a.r1.1") == {Fact(f"x({name})", EQUAL) for name in first}
    assert guard(model, "server 1 / a.r1.3") == {Fact(f"x({name})", EQUAL) for name in last}
    assert guard(model, "server 1 / (idle)") == {Fact(f"x({n})", EQUAL) for n in ("a.r1.1", "a.r1.3", "b.r1.1")}


def test_longest_queue_compares_buffers_of_one_server() -> None:
    model = build(TWO_VISITS, policy("fixed", "longest-queue"))
    assert guard(model, "server 1 / a.r1.3") == {
        Fact("length(a.r1.1 - a.r1.3)", AT_MOST),
        Fact("length(a.r1.3 - b.r1.1)", AT_LEAST),
    }
    assert guard(model, "server 2 / a.r1.2") == set()


def test_dominant_serves_bottlenecks_first_in_tie_order() -> None:
    function = {"pieces": [{"a.r1.1": "1", "b.r1.1": "1"}, {"a.r1.1": "1", "a.r1.2": "1", "a.r1.3": "1"}]}
    how = policy("fixed", "dominant", dominance_function=function, tie_order={"1": ["b.r1.1", "a.r1.3", "a.r1.1"]})
    model = build(TWO_VISITS, how)
    assert guard(model, "dominant 0 / server 1 / a.r1.1") == {Fact("x(b.r1.1)", EQUAL)}
    assert guard(model, "dominant 0 / server 1 / b.r1.1") == set()
    both = {Fact("x(a.r1.1)", EQUAL), Fact("x(b.r1.1)", EQUAL)}
    assert guard(model, "dominant 0 / server 1 / a.r1.3") == both
    assert guard(model, "dominant 0 / server 2 / a.r1.2") == set()
    assert guard(model, "dominant 1 / server 1 / a.r1.1") == {Fact("x(a.r1.3)", EQUAL)}
    component = model.components[-1]
    assert [branch.guard for branch in component.branches] == [
        (Fact("dominance(0 - 1)", AT_LEAST),),
        (Fact("dominance(0 - 1)", AT_MOST),),
    ]


def test_template_pieces_are_in_lexicographic_order_of_depths() -> None:
    """Paper, section 3: gamma_m beta_n alpha_d; 35 pieces on the bridge."""
    state = state_of(BRIDGE, policy("jsr", "dominant"))
    half, numbers = Fraction(1, 2), (Fraction(1), Fraction(1, 3), Fraction(1, 5))
    pieces = function_pieces(Explicit(numbers, (half, half**2, half**3), (Fraction(7),)), state, "")
    assert len(pieces) == 35
    found = [{k: Fraction(v, p.denominator) for k, v in p.entries.items()} for p in pieces]
    assert found[0] == {5: Fraction(7, 2)}
    assert found[1] == dict.fromkeys((5, 6), Fraction(7, 6))
    assert found[2] == {2: Fraction(7, 2)}
    assert found[3] == {2: Fraction(7, 4), 5: Fraction(7, 4)}
    assert found[34] == {
        **dict.fromkeys((0, 1), Fraction(7, 24)),
        **dict.fromkeys((2, 3, 4), Fraction(7, 40)),
        5: Fraction(7, 24),
        6: Fraction(7, 24),
    }


def test_template_with_endless_pieces_is_refused_at_once() -> None:
    network = route_network("1", job_class("a", "1", *[[("1", "1")] * 9] * 30))
    state = state_of(network, policy("jsr", "dominant"))
    with pytest.raises(Rejected) as caught:
        function_pieces(Explicit((ONE,) * 9, (ONE,) * 30, (ONE,)), state, "V")
    assert caught.value.rule == "function"
