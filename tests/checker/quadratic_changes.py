"""Changes of the certificates in `quadratic_examples`: each violates one rule, or the form of the file."""

from __future__ import annotations

import copy
from collections.abc import Callable

from .cell_examples import two
from .examples import (
    FIXED,
    Json,
    job_class,
    mm1_faces,
    parallel,
    policy,
    put,
    route_network,
)
from .quadratic_examples import (
    BOTH,
    NON_IDLING,
    bounded,
    empty,
    function,
    mean,
    mean_cut,
    mean_difference,
    mean_fork_by_heights,
    mean_jsq,
    mean_mm1,
    mean_pair,
    mean_shared_max_weight,
    mean_tandem,
    means,
    one_place,
    product,
    product_bernoulli,
    product_feedback,
    product_tandem,
    q_dominant,
    q_equal,
    q_fork,
    q_fork_by_heights,
    q_jsq,
    q_mm1,
    q_moves,
    q_pair,
    q_proof,
    q_spillback,
    q_squares,
    q_tandem,
    quadratic,
    shared_max_weight_without_slack,
    written,
)

SERVER = "evidence|server 1"
IDLE = f"{SERVER}|alternatives|server 1 / (idle)"


# ---- false claims (theory 13.8) ------------------------------------------------------------------------------------
def falls_without_bound() -> Json:
    """M/M/1 with λ = 2, μ = 1, f = -x²/2 + x/2: arrivals -2x, a service x - 1, idling 0; the drift is at most -x."""
    network, one = route_network("1", job_class("a", "2", [("1", "1")])), {"a.r1.1": "1"}
    f = function({"a.r1.1": {"a.r1.1": "-1"}}, {"a.r1.1": "1/2"})
    evidence = {"class a": bounded({"a.r1.1": "-2"}), "server 1": bounded(one)}
    return q_proof(quadratic(FIXED, "1", "0"), network, NON_IDLING, f, evidence, one)


def zero_pivots() -> Json:
    """Two queues apart with λ = 2, μ = 1 and f = -x_a x_b: arrivals -2x_b and -2x_a, services x_b and x_a, or 0."""
    a, b = "a.r1.1", "b.r1.1"
    network = route_network("1 2", job_class("a", "2", [("1", "1")]), job_class("b", "2", [("2", "1")]))
    evidence = {
        "class a": bounded({b: "-2"}),
        "class b": bounded({a: "-2"}),
        "server 1": bounded({b: "1"}),
        "server 2": bounded({a: "1"}),
    }
    return q_proof(
        quadratic(FIXED, "1", "0"), network, NON_IDLING, function({a: {b: "-1"}}, {}), evidence, {a: "1", b: "1"}
    )


def one_queue_of_two() -> Json:
    """λ = 1/2 and 2, μ = 1, f = x_a²/2 + x_a/2 - x_b: drift at most -x_a/2 - 1/2, and queue b grows: c_b = 0."""
    a, b = "a.r1.1", "b.r1.1"
    network = route_network("1 2", job_class("a", "1/2", [("1", "1")]), job_class("b", "2", [("2", "1")]))
    evidence = {
        "class a": bounded({a: "1/2"}, "1/2"),
        "class b": bounded({}, "-2"),
        "server 1": bounded({a: "-1"}, "0", empty("1", a, "-1")),
        "server 2": bounded({}, "1"),
    }
    f = function({a: {a: "1"}}, {a: "1/2", b: "-1"})
    value = q_proof(quadratic(FIXED, "1/2", "-1/2"), network, NON_IDLING, f, evidence, {a: "1", b: "1"})
    value["claim"]["epsilon"] = "0"
    return value


def tie_forgotten() -> Json:
    """With x_1 <= x_2 - 1 arrivals would be at most (x_1 + x_2)/2 + 1/2, and E|X| <= 1."""
    claim = quadratic("routing jsq (ties in any way), sequencing non-idling, holding none", "1/2", "1/2")
    return two(q_jsq, ("evidence|class a|constant", "1/2"), ("claim", claim))()


def square_of_the_mean() -> Json:
    """M/M/1 at 1 and 2, f = x²/2, with d'Qd/2 = 1/2 for both together in the place of 1/2 for arrivals and 1 for a service."""
    value = q_mm1()
    value["function"]["linear"] = {}
    value["evidence"]["class a"] = bounded({"a.r1.1": "1"}, "1/2")
    return value | {"claim": quadratic(FIXED, "1", "1/2")}


def pair_as_one() -> Json:
    """M/M/2 with x = 0 where a server idles: each counts -x at all states, f = x²/2 + x/2, and E X <= 1."""
    evidence = {
        "arrival K": bounded({"K": "1"}, "1"),
        "server A": bounded({"K": "-1"}, "0", empty("A", "K", "-1")),
        "server B": bounded({"K": "-1"}, "0", empty("B", "K", "-1")),
    }
    value = q_pair()
    f, words = (
        function({"K": {"K": "1"}}, {"K": "1/2"}),
        "routing fixed, sequencing non-idling, holding none, server order free",
    )
    return value | {"claim": quadratic(words, "1", "1"), "function": f, "evidence": evidence}


def signs_of_upper() -> Json:
    """A lower bound 2 by the evidence of the upper one."""
    claim = mean(FIXED, BOTH, "the number of jobs", lower="2")
    value = mean_tandem()
    return means(claim, q_tandem(), lower=value["upper"])


def nothing_is_stable() -> Json:
    """λ = 2, μ = 1, f = 5x rises at rate 5 at least: "E X >= 5", by the stability of M/M/1 with λ = 1/2."""
    stable = mm1_faces()
    stable["network"]["classes"][0]["arrival_rate"] = "2"
    components = {"class a": bounded({}, "-10"), "server 1": bounded({}, "5")}
    claim = mean(FIXED, {"a.r1.1": "1"}, "the number of jobs", "F", lower="5")
    return means(claim, stable, lower=one_place(function({}, {"a.r1.1": "5"}), components))


# ---- changes of one place ------------------------------------------------------------------------------------------
def cut_elsewhere(**cuts: str) -> Callable[[], Json]:
    return put(mean_cut, "upper|function|cuts", {name.replace("_", "."): cut for name, cut in cuts.items()})


def _many_places() -> Json:
    """52³ places."""
    network = route_network("1", *(job_class(name, "1/8", [("1", "1")]) for name in "abc"))
    names = [f"{name}.r1.1" for name in "abc"]
    square = {k: dict.fromkeys(names[i:], "1") for i, k in enumerate(names)}
    all_of = dict.fromkeys(names, "-1")
    evidence: Json = {f"class {name}": bounded(dict.fromkeys(names, "1/8"), "1/8") for name in "abc"}
    evidence["server 1"] = bounded(all_of, "0", {"server 1 / (idle)": {f"x({k})": "-1" for k in names}})
    f, phi = function(square, dict.fromkeys(names, "1/2")), dict.fromkeys(names, "1")
    stable = q_proof(quadratic(FIXED, "5/8", "3/8"), network, NON_IDLING, f, evidence, phi)
    claim = mean(FIXED, phi, "the number of jobs", upper="1")
    return means(
        claim, stable, upper={"function": f | {"cuts": dict.fromkeys(names, "50"), "cells": []}, "evidence": []}
    )


def _twice_the_first_cell() -> Json:
    value = mean_cut()
    value["upper"]["function"]["cells"] *= 2
    return value


def _places(change: Callable[[list[Json]], list[Json]]) -> Callable[[], Json]:
    def changed() -> Json:
        value = mean_cut()
        value["upper"]["evidence"] = change(copy.deepcopy(value["upper"]["evidence"]))
        return value

    return changed


def _above(bound: str) -> Json:
    return mean(FIXED, BOTH, "the number of jobs", lower="4/3", upper=bound)


def _many_squares() -> Json:
    value = q_squares()
    value["squares"] = [{"weight": "0", "form": {}}] * 2 + value["squares"]
    return value


def _product_of(network: Json, how: Json, words: str, throughputs: Json) -> Json:
    return written(product(words, throughputs, "the number of jobs", "0"), network, how, throughputs=throughputs)


def _product_jsq() -> Json:
    words = "routing jsq (ties in any way), sequencing non-idling, holding none"
    return _product_of(parallel("1"), policy("jsq", "non-idling"), words, {"a@1": "1/2", "a@2": "1/2"})


def _product_two_classes() -> Json:
    network = route_network("1", job_class("a", "1/4", [("1", "1")]), job_class("b", "1/4", [("1", "1")]))
    return _product_of(network, NON_IDLING, FIXED, {"a.r1.1": "1/4", "b.r1.1": "1/4"})


def _product_pair() -> Json:
    return _product_of(q_pair()["network"], NON_IDLING, f"{FIXED}, server order free", {"K": "1"})


def _product_moves() -> Json:
    value = q_moves()
    return _product_of(value["network"], value["policy"], "preset jsq-as (ties in any way)", value["potential"])


def _product_overloaded() -> Json:
    value = put(product_tandem, "network|classes|0|arrival_rate", "2")()
    value["throughputs"] = {"a.r1.1": "2", "a.r1.2": "2"}
    return value


PLACE = "upper|evidence|1|components"
FUNCTION = "upper|function"
REJECTED: dict[str, Callable[[], Json]] = {
    "function-quadratic": put(q_tandem, "function|square|a.r1.2", {"a.r1.1": "1", "a.r1.2": "1"}),
    "function-quadratic--stranger": put(q_tandem, "function|linear|a.r1.3", "1"),
    "function-quadratic--stranger-in-square": put(q_tandem, "function|square|a.r1.1|a.r1.3", "1"),
    "function-quadratic--row-of-a-stranger": put(q_tandem, "function|square|a.r1.3", {"a.r1.3": "1"}),
    "function-quadratic--cut-too-far": cut_elsewhere(a_r1_2="51"),
    "function-quadratic--cut-below-0": cut_elsewhere(a_r1_2="-1"),
    "function-quadratic--cut-between": cut_elsewhere(a_r1_2="1/2"),
    "function-quadratic--cut-of-a-stranger": cut_elsewhere(a_r1_2="1", a_r1_3="1"),
    "function-quadratic--cell-above-its-cut": put(mean_cut, f"{FUNCTION}|cells|0|at|a.r1.2", "2"),
    "function-quadratic--cell-between": put(mean_cut, f"{FUNCTION}|cells|0|at|a.r1.2", "1/2"),
    "function-quadratic--cell-of-nothing": put(mean_cut, f"{FUNCTION}|cells|0|at", {}),
    "function-quadratic--cell-of-another": put(mean_cut, f"{FUNCTION}|cells|0|at", {"a.r1.1": "0", "a.r1.2": "0"}),
    "function-quadratic--cell-with-a-stranger": put(mean_cut, f"{FUNCTION}|cells|0|linear|a.r1.3", "1"),
    "function-quadratic--cell-twice": _twice_the_first_cell,
    "function-quadratic--too-many-places": _many_places,
    "Q-copositive": falls_without_bound,
    "Q-copositive--zero-pivots": zero_pivots,
    "Q-copositive--without-the-square": put(q_squares, "squares", []),
    "Q-copositive--square-too-large": put(q_squares, "squares|0|weight", "2"),
    "Q-copositive--weight-below-0": put(q_squares, "squares|0|weight", "-1"),
    "Q-copositive--square-of-a-stranger": put(q_squares, "squares|0|form|c.r1.1", "1"),
    "Q-copositive--more-squares-than-buffers": _many_squares,
    "Q-component": put(q_tandem, "evidence|server 2", None),
    "Q-component--stranger": put(q_tandem, "evidence|server 3", bounded({})),
    "Q-component--part-left-out": put(q_dominant, "evidence|dominant|parts|dominant 0 / server 1", None),
    "Q-component--parts-left-out": put(q_dominant, "evidence|dominant|parts", None),
    "Q-component--parts-of-a-server": put(q_tandem, "evidence|server 2|parts", {}),
    "Q-component--in-one-place": put(mean_cut, f"{PLACE}|server 2", None),
    "Q-form": put(mean_cut, f"{PLACE}|server 2|form|a.r1.2", "1"),
    "Q-form--stranger": put(q_tandem, f"{SERVER}|form|a.r1.3", "1"),
    "Q-form--of-a-part": put(q_dominant, "evidence|dominant|parts|dominant 0 / server 1|form|c.r1.1", "1"),
    "Q-multiplier": put(q_spillback, IDLE, {"hold(a.r1.1)": "-3"}),
    "Q-multiplier--row-that-is-not-there": put(q_tandem, IDLE, {"x(a.r1.2)": "-2"}),
    "Q-multiplier--serves-below-0": put(q_mm1, f"{SERVER}|alternatives|server 1 / a.r1.1", {"serves": "-1"}),
    "Q-multiplier--idling-serves-nothing": put(q_mm1, IDLE, {"serves": "1"}),
    "Q-multiplier--passed-over-is-not-empty": pair_as_one,
    "Q-multiplier--alternative-of-another": put(
        q_tandem, f"{SERVER}|alternatives|server 2 / (idle)", {"x(a.r1.2)": "-1"}
    ),
    "Q-multiplier--not-there-in-the-place": put(
        mean_cut, f"{PLACE}|server 2|alternatives", {"server 2 / (idle)": {"x(a.r1.2)": "1"}}
    ),
    "Q-multiplier--too-few-jobs-in-the-place": put(
        mean_pair, f"{PLACE}|server B|alternatives", {"server B / K": {"serves": "1"}}
    ),
    "Q-multiplier--other-side-of-a-tie": put(q_jsq, "evidence|class a|alternatives|class a / 1|queue(1 - 2)", "-1/2"),
    "Q-alternative": put(q_tandem, "evidence|server 1|alternatives", {}),
    "Q-alternative--constant-too-small": put(q_tandem, "evidence|class a|constant", "3/2"),
    "Q-alternative--idling-by-a-lone-job": put(q_pair, "evidence|server A|constant", "9/10"),
    "Q-alternative--form-too-small": put(q_tandem, "evidence|server 2|form|a.r1.2", "-4"),
    "Q-alternative--tie-forgotten": tie_forgotten,
    "Q-alternative--square-of-the-mean": square_of_the_mean,
    "Q-alternative--weights-without-slack": shared_max_weight_without_slack,
    "Q-alternative--serves-one-job-more": put(q_mm1, f"{SERVER}|alternatives|server 1 / a.r1.1", {"serves": "1"}),
    "Q-alternative--lower": put(mean_tandem, "lower|evidence|0|components|class a|constant", "-3/2"),
    "Q-alternative--in-one-place": put(mean_cut, f"{PLACE}|server 2|constant", "-2"),
    "Q-alternative--cell-after-the-jump": put(mean_cut, f"{FUNCTION}|cells|0|linear|a.r1.1", "1"),
    "Q-parts": put(q_dominant, "evidence|dominant|parts|dominant 1 / server 2", {"form": {}}),
    "Q-parts--constant": put(q_dominant, "evidence|dominant|parts|dominant 1 / server 2|constant", "1/100"),
    "Q-sum": two(q_tandem, ("claim", quadratic(FIXED, "1/2", "2"))),
    "Q-sum--epsilon-too-large": put(q_tandem, "claim", quadratic(FIXED, "2", "2")),
    "Q-sum--bound-too-small": put(q_tandem, "claim", quadratic(FIXED, "1", "19/10")),
    "Q-sum--bound-too-large": put(q_tandem, "claim", quadratic(FIXED, "1", "3")),
    "Q-sum--a-buffer-that-does-not-count": one_queue_of_two,
    "mean-of": put(mean_tandem, "claim|of", BOTH | {"a.r1.3": "1"}),
    "mean-places": _places(lambda places: places[:2]),
    "mean-places--twice": _places(lambda places: [*places, places[0]]),
    "mean-places--none": _places(lambda places: []),
    "mean-places--above": put(mean_cut, "upper|evidence|2|at|a.r1.2", "3"),
    "mean-places--between": put(mean_cut, "upper|evidence|2|at|a.r1.2", "3/2"),
    "mean-places--below": put(mean_cut, "upper|evidence|0|at|a.r1.2", "-1"),
    "mean-places--of-another": put(mean_cut, "upper|evidence|2|at", {"a.r1.1": "2"}),
    "mean-places--without-cuts": put(mean_tandem, "lower|evidence|0|at", {"a.r1.1": "0"}),
    "mean-sum": put(mean_tandem, "claim", _above("1999/1000")),
    "mean-sum--lower": put(mean_tandem, "claim", mean(FIXED, BOTH, "the number of jobs", lower="4003/3000", upper="2")),
    "Q-alternative--signs-of-upper": signs_of_upper,
    "mean-sum--in-one-place": put(mean_cut, f"{PLACE}|class a|constant", "14/5"),
    "mean-sum--form": put(mean_cut, f"{PLACE}|class a|form|a.r1.1", "3"),
    "mean-sum--more-of-a-buffer": put(mean_difference, "claim|of|a.r1.1", "2"),
    "Q-sum--stability-of-a-mean": put(mean_tandem, "stability|epsilon", "1/2"),
    "bound--stability-of-a-mean": nothing_is_stable,
    "R-potential--stability-of-a-mean": put(lambda: mean_mm1(mm1_faces(), "F"), "stability|potential", {"a.r1.1": "0"}),
    "R-potential--quadratic": put(q_tandem, "potential", {"a.r1.1": "1", "a.r1.2": "1"}),
    "R-work--quadratic": put(q_fork, "potential", {"q1": "1", "q2": "1"}),
    "R-work--heights": put(q_fork_by_heights, "heights", {"q1": "1", "q2": "2"}),
    "R-work--height-0": put(q_fork_by_heights, "heights|q1", "0"),
    "R-work--height-of-one": put(q_fork_by_heights, "heights", {"q1": "1"}),
    "R-work--heights-of-a-mean": put(mean_fork_by_heights, "stability|heights|q2", "2"),
    "shared-buffer--stability-of-a-mean": two(
        mean_shared_max_weight,
        (
            "stability",
            {
                "condition": "corrected",
                "epsilon": "1",
                "weights": {"K": "1", "L": "1"},
                "corrector": {"features": [], "h": {}},
                "potential": {"K": "1", "L": "1"},
            },
        ),
    ),
    "policy--mean-of-dominant-by-H": two(
        lambda: means(
            mean("", {"a.r1.1": "1"}, "", "H", upper="2"), q_dominant(), upper=one_place(function({}, {}), {})
        ),
        (
            "stability",
            {
                "condition": "corrected",
                "epsilon": "1",
                "weights": {},
                "corrector": {"features": [], "h": {}},
                "potential": {},
            },
        ),
    ),
    "words--quadratic": put(q_tandem, "claim|words", q_equal()["claim"]["words"]),
    "words--mean-one-side": put(
        mean_tandem, "claim|words", mean(FIXED, BOTH, "the number of jobs", upper="2")["words"]
    ),
    "words--mean-of-another": put(
        mean_difference, "claim|words", mean(FIXED, BOTH, "the number of jobs", upper="2/3")["words"]
    ),
    "words--mean-by-F-of-all-adapted": put(
        lambda: mean_mm1(mm1_faces(), "F"),
        "claim|words",
        mean(FIXED, {"a.r1.1": "1"}, "the number of jobs", "S", upper="1")["words"].replace(
            "condition S", "condition F"
        ),
    ),
    "words--mean-by-uniform-ties": lambda: mean_jsq("in any way"),
    "words--product-form": put(product_tandem, "claim|words", product(FIXED, BOTH, "the number of jobs", "1")["words"]),
    "product-form": _product_jsq,
    "product-form--two-buffers-of-a-server": _product_two_classes,
    "product-form--two-servers-of-a-buffer": _product_pair,
    "product-form--moves": _product_moves,
    "product-form--back-pressure": put(product_tandem, "policy|sequencing", "back-pressure"),
    "product-form--dominant": two(
        product_tandem,
        ("policy|sequencing", "dominant"),
        ("policy|dominance_function", {"pieces": [{"a.r1.1": "1", "a.r1.2": "1"}]}),
    ),
    "product-form--spillback": put(product_tandem, "policy|holding", "spillback"),
    "product-traffic": put(product_feedback, "throughputs|q2", "1/2"),
    "product-traffic--split": put(product_bernoulli, "throughputs", {"a.r1.1": "1/2", "a.r2.1": "1/2"}),
    "product-traffic--buffer-left-out": put(product_tandem, "throughputs|a.r1.2", None),
    "product-load": _product_overloaded,
    "product-mean": put(product_tandem, "claim", product(FIXED, BOTH, "the number of jobs", "2")),
    "product-mean--stranger": put(product_tandem, "claim|of|a.r1.3", "1"),
}
MALFORMED: dict[str, Callable[[], Json]] = {
    "mean-heights-outside-its-stability": put(mean_fork_by_heights, "heights", {"q1": "1", "q2": "1"}),
    "product-form-with-heights": put(product_tandem, "heights", {"a.r1.1": "1", "a.r1.2": "1"}),
    "q-with-cuts": two(q_mm1, ("function|cuts", {"a.r1.1": "1"}), ("function|cells", [])),
    "q-zero-in-square": put(q_tandem, "function|square|a.r1.1|a.r1.2", "0"),
    "q-constant-0": put(q_tandem, "evidence|server 1|constant", "0"),
    "q-alternative-without-multipliers": put(q_tandem, f"{SERVER}|alternatives|server 1 / a.r1.1", {}),
    "q-multiplier-0": put(q_tandem, f"{SERVER}|alternatives|server 1 / a.r1.1", {"serves": "0"}),
    "q-without-bound": put(q_tandem, "claim|bound", None),
    "q-without-squares": put(q_tandem, "squares", None),
    "q-square-with-zero": put(q_squares, "squares|0|form|a.r1.1", "0"),
    "q-part-with-alternatives": put(q_dominant, "evidence|dominant|parts|dominant 0 / server 1|alternatives", {}),
    "mean-of-nothing": put(mean_tandem, "claim|of", {}),
    "mean-without-bounds": two(
        mean_tandem, ("claim|upper", None), ("claim|lower", None), ("upper", None), ("lower", None)
    ),
    "mean-bound-without-proof": put(mean_tandem, "lower", None),
    "mean-proof-without-bound": put(mean_tandem, "claim|lower", None),
    "mean-without-stability": put(mean_tandem, "stability", None),
    "mean-by-N": put(mean_tandem, "stability|condition", "capacity"),
    "mean-by-a-mean": put(mean_tandem, "stability|condition", "mean"),
    "mean-stability-without-bound": put(mean_tandem, "stability|bound", None),
    "mean-stability-with-words": put(mean_tandem, "stability|words", "STABLE"),
    "mean-stability-with-its-network": put(mean_tandem, "stability|network", q_mm1()["network"]),
    "mean-with-epsilon": put(mean_tandem, "claim|epsilon", "1"),
    "mean-cut-by-nothing": put(mean_cut, f"{FUNCTION}|cuts", {}),
    "mean-cells-without-cuts": put(mean_cut, f"{FUNCTION}|cuts", None),
    "mean-cell-with-constant-0": put(mean_cut, f"{FUNCTION}|cells|0|constant", "0"),
    "mean-unstable": put(mean_tandem, "claim|verdict", "unstable"),
    "product-form-of-nothing": put(product_tandem, "claim|of", {}),
    "product-form-without-throughputs": put(product_tandem, "throughputs", None),
}
