"""The oracle for quadratic functions: the numbers of theory 13.6 and 13.9 pass, the counter-examples of 13.8 do not."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from .claimed import Json, Unreadable
from .claims import buffer_network, function, mean_claim, policy, product_claim, quadratic_claim, route_network
from .copositive import at, blocks, inverted, negative_point, semidefinite
from .outcomes import choices, spoken
from .product_form import unbalanced
from .quadratic_claim import justified, lines, slacks, states, tightness
from .quadratic_function import quadratic

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
ONE, HALF = "1", "1/2"


# ---- networks and functions of theory 13 -----------------------------------------------------------------------------
def single(arrival: str, rate: str) -> Json:
    return route_network({"1": rate}, {"a": (arrival, [["1"]])})


def series(*rates: str) -> Json:
    servers = {str(n): rate for n, rate in enumerate(rates, start=1)}
    return route_network(servers, {"a": ("1", [list(servers)])})


SHORTER = route_network({"1": "1", "2": "1"}, {"a": ("1", [["1"], ["2"]])})
TWO_SERVERS = buffer_network({"k": "1"}, ("A", "k", "1"), ("B", "k", "1"))
ONE_JOB = function({"a.r1.1": {"a.r1.1": ONE}}, {"a.r1.1": HALF})
#: ½(x_1² + x_2²) + (3/2)x_1 + ½x_2.
UPPER = function(
    {"a.r1.1": {"a.r1.1": ONE}, "a.r1.2": {"a.r1.2": ONE}}, {"a.r1.1": "3/2", "a.r1.2": HALF}
)  # fmt: skip
#: ½x_1² + (1/6)x_2² + (5/6)x_1 + (1/6)x_2.
LOWER = function(
    {"a.r1.1": {"a.r1.1": ONE}, "a.r1.2": {"a.r1.2": "1/3"}}, {"a.r1.1": "5/6", "a.r1.2": "1/6"}
)  # fmt: skip
BOTH = {"a.r1.1": ONE, "a.r1.2": ONE}


def squared(names: list[str], linear: str = "0", factor: str = ONE) -> Json:
    """½ factor |x|² + linear |x|, by coordinates."""
    return function({k: {k: factor} for k in names}, {} if linear == "0" else dict.fromkeys(names, linear))


def single_claim(arrival: str, rate: str, epsilon: str, bound: str, found: Json = ONE_JOB) -> Json:
    return quadratic_claim(single(arrival, rate), policy(), found, epsilon, bound, {"a.r1.1": ONE})


def series_claim(rates: tuple[str, str] = ("2", "3"), bound: str = "2", found: Json = UPPER) -> Json:
    potential = {"a.r1.1": "2", "a.r1.2": ONE}
    return quadratic_claim(series(*rates), policy(), found, ONE, bound, potential)


def shorter_claim(bound: str) -> Json:
    found = squared(["a@1", "a@2"], HALF)
    return quadratic_claim(SHORTER, policy(routing="jsq"), found, HALF, bound, {"a@1": ONE, "a@2": ONE})


def two_servers_claim(linear: str, bound: str) -> Json:
    return quadratic_claim(TWO_SERVERS, policy(), squared(["k"], linear), ONE, bound, {"k": ONE})


# ---- right claims ----------------------------------------------------------------------------------------------------
RIGHT = {
    "one queue": single_claim("1", "2", "1", "1"),
    "one queue near its load": single_claim("9/10", "1", "1/10", "9/10"),
    "two in series": series_claim(),
    "two in series at equal rates": series_claim(("2", "2"), "3", function(
        {"a.r1.1": {"a.r1.1": "3", "a.r1.2": ONE}, "a.r1.2": {"a.r1.2": ONE}}, {"a.r1.1": "3/2", "a.r1.2": HALF})),
    "five quarters": series_claim(("5/4", "5/4"), "24", function(
        {"a.r1.1": {"a.r1.1": "24", "a.r1.2": "4"}, "a.r1.2": {"a.r1.2": "4"}}, {"a.r1.1": "12", "a.r1.2": "2"})),
    "the shorter queue": shorter_claim("1"),
    "two servers": two_servers_claim("-1/2", "2"),
}  # fmt: skip
NINE_QUARTERS = function(
    {"a.r1.1": {"a.r1.1": "2", "a.r1.2": ONE}, "a.r1.2": {"a.r1.2": ONE}}, {"a.r1.1": "3/4", "a.r1.2": "1/4"},
    cuts={"a.r1.2": ONE}, cells=[{"at": {"a.r1.2": "0"}, "linear": {"a.r1.1": HALF}}],
)  # fmt: skip
MEANS = {
    "one queue exactly": mean_claim(RIGHT["one queue"], {"a.r1.1": ONE}, ("1", ONE_JOB), ("1", ONE_JOB)),
    "two in series": mean_claim(RIGHT["two in series"], BOTH, ("2", UPPER), ("4/3", LOWER)),
    "with a cut": mean_claim(RIGHT["two in series at equal rates"], BOTH, ("9/4", NINE_QUARTERS)),
    "the shorter queue": mean_claim(
        RIGHT["the shorter queue"], {"a@1": HALF, "a@2": HALF}, ("1", squared(["a@1", "a@2"], HALF))
    ),
}
PRODUCTS = {
    "two in series": product_claim(series("2", "3"), policy(), {"a.r1.1": ONE, "a.r1.2": ONE}, BOTH, "3/2"),
    "feedback": product_claim(
        buffer_network({"p": "1", "q": "0"}, ("A", "p", "4", {"q": HALF}), ("B", "q", "3", {"p": HALF})),
        policy("longest-queue"), {"p": "4/3", "q": "2/3"}, {"q": "3"}, "6/7",
    ),
    "to itself": product_claim(
        buffer_network({"p": "1"}, ("A", "p", "4", {"p": HALF})), policy("fifo"), {"p": "2"}, {"p": ONE}, "1"
    ),
    "a buffer without jobs": product_claim(
        buffer_network({"p": "1", "q": "0"}, ("A", "p", "2"), ("B", "q", "1", {"p": ONE})), policy(),
        {"p": ONE, "q": "0"}, {"p": ONE, "q": ONE}, "1",
    ),
    "by chance": product_claim(
        route_network({"1": "2", "2": "2"}, {"a": ("2", [["1"], ["2"]])}),
        policy(routing="bernoulli", probabilities={"a": {"r1": HALF, "r2": HALF}}),
        {"a.r1.1": ONE, "a.r2.1": ONE}, {"a.r1.1": ONE}, "1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("claim", [*RIGHT.values(), *MEANS.values(), *PRODUCTS.values()])
def test_oracle_finds_nothing_wrong_with_right_claims(claim: Json) -> None:
    assert justified(claim) is None


@pytest.mark.parametrize("claim", [*RIGHT.values(), *MEANS.values()])
def test_oracle_finds_the_bounds_of_the_theory_tight(claim: Json) -> None:
    assert set(tightness(claim).values()) == {0}


@pytest.mark.parametrize("claim", [*RIGHT.values(), *MEANS.values()])
def test_oracle_refuses_any_number_that_is_sharper(claim: Json) -> None:
    """A millionth off a bound that is reached somewhere."""
    for key, by in (("bound", -1), ("upper", -1), ("lower", 1), ("epsilon", 1)):
        if key in claim["claim"]:
            changed = copy.deepcopy(claim)
            changed["claim"][key] = str(Fraction(claim["claim"][key]) + Fraction(by, 10**6))
            wrong = justified(changed) or ""
            assert wrong.startswith({"bound": "drift at", "epsilon": "drift at"}.get(key, f"{key} at"))


def test_tightness_says_where_a_bound_is_nowhere_reached() -> None:
    assert tightness(single_claim("1", "2", "1", "3/2")) == {"drift": HALF_OF_ONE}


HALF_OF_ONE = Fraction(1, 2)

# ---- wrong claims ----------------------------------------------------------------------------------------------------
SEPARATE = buffer_network({"a": "2", "b": "1/10"}, ("A", "a", "1"), ("B", "b", "10"))
TWICE_OVER = buffer_network({"a": "2", "b": "2"}, ("A", "a", "1"), ("B", "b", "1"))
BESIDE = buffer_network({"a": HALF, "b": "2"}, ("A", "a", "1"), ("B", "b", "1"))
PASSED = buffer_network({"K": HALF, "L": "1"}, ("N", "K", "1"), ("N", "L", "100"), ("M", "L", "1/10"))
EITHER = {"a": ONE, "b": ONE}
#: ½x_a² + ½x_a − x_b: drift at most −½x_a − ½, though queue b grows.
MINUS_B = function({"a": {"a": ONE}}, {"a": HALF, "b": "-1"})
#: With x_K >= 100 x_L wherever N serves K the drift would be at most 53/100 − x_L.
NEVER_AT_LONE_JOBS = function(
    {"K": {"K": "227/10000", "L": "1/8000"}, "L": {"L": "1/98"}}, {"K": "-101/100", "L": "-101/20000"}
)
WRONG = {
    "Q copositive": (
        single_claim("2", "1", "1", "0", function({"a.r1.1": {"a.r1.1": "-1"}}, {"a.r1.1": HALF})),
        "not copositive: the form is negative at a.r1.1 = 1",
    ),
    "zero pivots": (
        quadratic_claim(TWICE_OVER, policy(), function({"a": {"b": "-1"}}), ONE, "0", EITHER),
        "not copositive: the form is negative at a = 1, b = 1",
    ),
    "some c is 0": (
        mean_claim(quadratic_claim(BESIDE, policy(), MINUS_B, "0", "-1/2", EITHER), {"a": HALF}, ("-1/2", MINUS_B)),
        "stability: epsilon 0",
    ),
    "some c is 0, said to be more": (
        mean_claim(quadratic_claim(BESIDE, policy(), MINUS_B, "1/100", "-1/2", EITHER), {"a": HALF}, ("-1/2", MINUS_B)),
        "stability: drift at b = 1: the drift may be -1/2, claimed at most -51/100",
    ),
    "idling left out": (
        quadratic_claim(SEPARATE, policy(), function({"a": {"a": ONE, "b": ONE}, "b": {"b": ONE}}), "79/10", "131/20", EITHER),
        "drift at a = 1: the drift may be 53/20, claimed at most -27/20",
    ),
    "passed over as empty": (two_servers_claim(HALF, "1"), "drift at k = 1: the drift may be 1, claimed at most 0"),
    "shared buffers compared strictly": (
        mean_claim(
            quadratic_claim(PASSED, policy("max-weight"), squared(["K", "L"]), "1/20", "500", {"K": ONE, "L": ONE}),
            {"L": ONE}, ("53/100", NEVER_AT_LONE_JOBS),
        ),
        "upper at K = 1, L = 1: ",
    ),
    "ties on neither side": (shorter_claim(HALF), "drift at 0: the drift may be 1, claimed at most 1/2"),
    "not jump by jump": (
        single_claim("1", "2", "1", HALF, squared(["a.r1.1"])),
        "drift at a.r1.1 = 1: the drift may be 1/2, claimed at most -1/2",
    ),
    "a potential that need not fall": (
        {**series_claim(), "potential": {"a.r1.1": ONE, "a.r1.2": ONE}},
        "in state (",
    ),
    "epsilon below 0": (single_claim("1", "2", "-1", "1"), "epsilon -1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_oracle_finds_out_the_counter_examples(name: str) -> None:
    claim, why = WRONG[name]
    wrong = justified(claim) or "nothing"
    assert wrong.startswith(why)


def test_shared_buffers_function_passes_where_lone_jobs_are_left_out() -> None:
    """So the strict row would prove 53/100 for a mean of at least 10/11."""
    claim, _ = WRONG["shared buffers compared strictly"]
    found = spoken(claim)
    (line,) = lines(claim, found)
    refused = [x for x, slack in slacks(found, line, states(found, claim, line, 12, 1000)) if slack < 0]
    assert refused
    assert {x["L"] for x in refused} == {1}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("mean", "2", "the mean is 3/2"),
        ("throughputs", {"a.r1.1": ONE, "a.r1.2": HALF}, "throughput of a.r1.2 is 1"),
        ("throughputs", {"a.r1.1": "2", "a.r1.2": ONE}, "throughput 2 of a.r1.1"),
        ("throughputs", {"a.r1.1": ONE}, "unreadable"),
    ],
)
def test_product_form_is_refused_for_other_numbers(key: str, value: Any, why: str) -> None:
    claim = copy.deepcopy(PRODUCTS["two in series"])
    (claim["claim"] if key == "mean" else claim)[key] = value
    assert (justified(claim) or "").startswith(why)


@pytest.mark.parametrize(
    ("network", "rule", "throughputs"),
    [
        (SHORTER, policy(routing="jsr"), {"a.r1.1": HALF, "a.r2.1": HALF}),
        (series("2", "3"), policy("back-pressure"), {"a.r1.1": ONE, "a.r1.2": ONE}),
        (series("2", "3"), {**policy(), "holding": "spillback"}, {"a.r1.1": ONE, "a.r1.2": ONE}),
        (route_network({"1": "4"}, {"a": ("1", [["1", "1"]])}), policy(), {"a.r1.1": ONE, "a.r1.2": ONE}),
        (TWO_SERVERS, policy(), {"k": ONE}),
        (
            route_network({"1": "2", "2": "2"}, {"a": ("1", [["1"], ["2"]])}),
            policy(routing="weighted-route", route_weights={"a.r1.1": ONE, "a.r2.1": "2"}),
            {"a.r1.1": ONE, "a.r2.1": "0"},
        ),
    ],
)
def test_product_form_is_refused_where_the_law_is_another(network: Json, rule: Json, throughputs: Json) -> None:
    of, rate = {next(iter(throughputs)): ONE}, Fraction(2)
    a = Fraction(next(iter(throughputs.values())))
    claim = product_claim(network, rule, throughputs, of, str(a / (rate - a)))
    assert justified(claim) is not None


def test_product_form_balances_at_its_loads_only() -> None:
    found = spoken(PRODUCTS["two in series"])
    right, wrong = ({"a.r1.1": Fraction(1, 2), "a.r1.2": Fraction(1, n)} for n in (3, 2))
    assert unbalanced(found, right, {"a.r1.1": 2, "a.r1.2": 1}) == ""
    assert unbalanced(found, wrong, {"a.r1.1": 2, "a.r1.2": 1}).startswith("at ")


@pytest.mark.parametrize("of", [{}, {"z": ONE}])
def test_mean_of_nothing_is_unreadable(of: Json) -> None:
    claim = mean_claim(RIGHT["one queue"], of, ("1", ONE_JOB))
    assert (justified(claim) or "").startswith("unreadable: the mean")


@pytest.mark.parametrize("claim", [RIGHT["one queue"], MEANS["one queue exactly"], PRODUCTS["to itself"]])
def test_other_verdicts_and_conditions_are_refused(claim: Json) -> None:
    assert (justified({**claim, "claim": {**claim["claim"], "verdict": "unstable"}}) or "").startswith("verdict")
    assert justified({**claim, "claim": {**claim["claim"], "condition": "fluid"}}) == "condition fluid"


# ---- every word ------------------------------------------------------------------------------------------------------
ACCEPTED = sorted((CORPUS / "accepted").glob("*.json"))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_oracle_takes_every_policy_of_the_corpus(path: Path) -> None:
    """With the largest drift that there is over the states as the bound nothing is wrong, with less the state is named."""
    given = json.loads(path.read_text(encoding="utf-8"))
    if "potential" not in given or given["claim"]["condition"] == "growth":
        pytest.skip("no potential")
    found = spoken(given)
    source = random.Random(path.stem)
    shape = function(
        {k: {k: str(source.randint(1, 3))} for k in found.names}, {k: str(source.randint(-2, 2)) for k in found.names}
    )
    claim = quadratic_claim(given["network"], given["policy"], shape, "1/10", "0", given["potential"])
    bound = -tightness(claim, 2, 200)["drift"]
    claim["claim"]["bound"] = str(bound)
    assert justified(claim, 2, 200) is None
    claim["claim"]["bound"] = str(bound - Fraction(1, 10**6))
    assert (justified(claim, 2, 200) or "").startswith("drift at")


def test_choices_take_each_side_of_a_tie_alone() -> None:
    tied = spoken(shorter_claim("1"))
    assert [[rate for rate, _ in one] for one in choices(tied, {"a@1": 2, "a@2": 2})["class a"]] == [[1], [1]]
    assert len(choices(tied, {"a@1": 2, "a@2": 3})["class a"]) == 1
    split = spoken(PRODUCTS["by chance"])
    assert len(choices(split, {"a.r1.1": 0, "a.r2.1": 0})["class a"]) == 1


def test_choices_back_pressure_may_idle_at_pressure_zero() -> None:
    found = spoken({"network": series("2", "3"), "policy": policy("back-pressure")})
    assert sorted(map(len, choices(found, {"a.r1.1": 1, "a.r1.2": 1})["server 1"])) == [0, 1]
    assert list(map(len, choices(found, {"a.r1.1": 2, "a.r1.2": 1})["server 1"])) == [1]


# ---- functions and matrices ------------------------------------------------------------------------------------------
def test_function_takes_its_cell_from_the_state() -> None:
    found = quadratic({**NINE_QUARTERS, "cells": [{"at": {"a.r1.2": "1"}, "constant": "7"}]}, list(BOTH))
    assert [found.value({"a.r1.1": 2, "a.r1.2": n}) for n in (0, 1, 5)] == [
        Fraction(11, 2), Fraction(11, 2) + 2 + HALF_OF_ONE + Fraction(1, 4) + 7, Fraction(11, 2) + 10 + Fraction(25, 2) + Fraction(5, 4) + 7,
    ]  # fmt: skip
    assert found.matrix(list(BOTH)) == [[2, 1], [1, 1]]


@pytest.mark.parametrize(
    "form",
    [
        function({"a": {"z": ONE}}),
        function({}, {"z": ONE}),
        function({"a": {"b": ONE}, "b": {"a": ONE}}),
        function({}, {}, cuts={"z": ONE}),
        function({}, {}, cuts={"a": "0"}),
        function({}, {}, cuts={"a": "3/2"}),
        function({}, {}, cuts={"a": ONE}, cells=[{"at": {"a": "2"}}]),
        function({}, {}, cuts={"a": ONE}, cells=[{"at": {}}]),
        function({}, {}, cuts={"a": ONE}, cells=[{"at": {"a": "0"}}, {"at": {"a": "0"}}]),
        function({"a": {"a": "2/2"}}),
    ],
)
def test_function_that_is_none_is_unreadable(form: Json) -> None:
    with pytest.raises(Unreadable):
        quadratic(form, ["a", "b"])


def matrix(*rows: list[int]) -> list[list[Fraction]]:
    return [[Fraction(a) for a in row] for row in rows]


HORN = matrix([1, -1, 1, 1, -1], [-1, 1, -1, 1, 1], [1, -1, 1, -1, 1], [1, 1, -1, 1, -1], [-1, 1, 1, -1, 1])


@pytest.mark.parametrize(
    ("found", "copositive"),
    [
        (HORN, True),
        (matrix([0, -1], [-1, 0]), False),
        (matrix([0, 1], [1, 0]), True),
        (matrix([1, -1], [-1, 1]), True),
        (matrix([1, -2], [-2, 1]), False),
        (matrix([2, -1, -1], [-1, 2, -1], [-1, -1, 2]), True),
        (matrix([2, -1, -2], [-1, 2, -1], [-2, -1, 2]), False),
        (matrix([-1]), False),
        (matrix([0]), True),
    ],
)
def test_copositive_is_decided_with_a_point(found: list[list[Fraction]], copositive: bool) -> None:
    point = negative_point(found)
    assert (point is None) == copositive
    assert point is None or (at(found, point) < 0 and min(point) >= 0)


def test_copositive_horn_is_at_its_edge() -> None:
    """Just below a diagonal of 1 it is not: (1, 1, 0, 0, 0) has value 0."""
    assert negative_point([[a - Fraction(int(i == j), 100) for j, a in enumerate(row)] for i, row in enumerate(HORN)])


def test_copositive_agrees_with_small_integer_points() -> None:
    source = random.Random(5)
    seen = set()
    for _ in range(300):
        size = source.randint(2, 4)
        found = [[Fraction(0)] * size for _ in range(size)]
        for i in range(size):
            for j in range(i + 1):
                found[i][j] = found[j][i] = Fraction(source.randint(0, 3) if i == j else source.randint(-2, 2))
        tried = [[source.randint(0, 4) for _ in range(size)] for _ in range(200)]
        point = negative_point(found)
        assert point is not None or min(at(found, x) for x in tried) >= 0
        assert point is None or at(found, point) < 0
        seen.add(point is None)
    assert seen == {True, False}


def test_copositive_beyond_twelve_is_searched() -> None:
    size = 14
    found = [[Fraction(2 if i == j else -1 if abs(i - j) == 1 else 0) for j in range(size)] for i in range(size)]
    assert len(blocks(found)) == 1
    assert negative_point(found) is None
    found[3][3] = Fraction(1, 2)
    point = negative_point(found)
    assert point is not None
    assert at(found, point) < 0


def test_inverse_and_semidefinite() -> None:
    determinant, inverse = inverted(matrix([0, 2], [1, 0]))
    assert (determinant, inverse) == (Fraction(-2), [[0, 1], [Fraction(1, 2), 0]])
    assert inverted(matrix([1, 1], [1, 1]))[0] == 0
    assert semidefinite(matrix([1, 1], [1, 1]))
    assert not semidefinite(matrix([0, 1], [1, 5]))
