"""Small certificates of quadratic functions and of product form (FORMAT.md sections 20 to 23), worked out by hand.

What violates their rules is in `quadratic_changes`. f is given in each docstring; 1, 2, … are a.r1.1, a.r1.2, … there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .cell_examples import f_jsq_corrected, f_mm1_corrected, h_mm1
from .examples import (
    FIXED,
    MODEL,
    SPILLBACK,
    SUBJECT,
    TANDEM,
    Json,
    back_pressure_fork,
    certificate,
    feedback_network,
    job_class,
    mm1_faces,
    mm1_strict,
    parallel,
    policy,
    route_network,
)
from .shared_examples import PAIR, PAIR_WORDS, shared

NON_IDLING = policy("fixed", "non-idling")


# ---- building blocks -----------------------------------------------------------------------------------------------
def quadratic(words: str, epsilon: str, bound: str) -> Json:
    jobs = Fraction(bound) / Fraction(epsilon)
    sentence = (
        f"STABLE: {SUBJECT} is positive recurrent from every start under every Markov policy with {words}, its stationary "
        f"law has geometric tails; under every adapted one the mean time to reach a bounded set is at most C(1+|x|), and the "
        f"time average of the mean number of jobs is at most {jobs} in the limit (condition Q, epsilon {epsilon}). {MODEL}"
    )
    return {"verdict": "stable", "condition": "quadratic", "epsilon": epsilon, "bound": bound, "words": sentence}


def mean(words: str, of: Json, spoken: str, letter: str = "Q", **bounds: str) -> Json:
    """`spoken`: the form in words; `letter`: the condition that proves stability."""
    limits = [
        f"at {'least' if side == 'lower' else 'most'} {bounds[side]}" for side in ("lower", "upper") if side in bounds
    ]
    adapted = "" if letter == "F" else "; under every adapted one the time average of that mean is so in the limit"
    sentence = (
        f"BOUND: {SUBJECT} has a stationary law under every Markov policy with {words}, and the mean of {spoken} in it is "
        f"{' and '.join(limits)}{adapted} (stable by condition {letter}). {MODEL}"
    )
    return {"verdict": "stable", "condition": "mean", "of": of, **bounds, "words": sentence}


def product(words: str, of: Json, spoken: str, value: str) -> Json:
    sentence = (
        f"BOUND: {SUBJECT} has a stationary law under every policy with {words}, under which its buffers are independent, "
        f"and the mean of {spoken} in it is {value} (product form). {MODEL}"
    )
    return {"verdict": "stable", "condition": "product-form", "of": of, "mean": value, "words": sentence}


def function(square: Json, linear: Json, *cells: Json, **cuts: str) -> Json:
    return {"square": square, "linear": linear} | ({"cuts": cuts, "cells": list(cells)} if cuts else {})


def bounded(form: Json, constant: str = "0", alternatives: Json | None = None, parts: Json | None = None) -> Json:
    """A component of the evidence; alternatives without multipliers are left out."""
    found: Json = {"form": form} | ({} if constant == "0" else {"constant": constant})
    return found | {"alternatives": alternatives or {}} | ({} if parts is None else {"parts": parts})


def written(claim: Json, network: Json, how: Json, **proof: Any) -> Json:
    """A certificate no two parts of which are one object, so that one can be changed alone."""
    value: Json = json.loads(json.dumps(certificate(claim, network, how, **proof)))
    return value


def q_proof(claim: Json, network: Json, how: Json, f: Json, evidence: Json, phi: Json, *squares: Json) -> Json:
    return written(claim, network, how, function=f, squares=list(squares), potential=phi, evidence=evidence)


def one_place(f: Json, components: Json) -> Json:
    """A side of a certificate of a mean, without cuts."""
    return {"function": f, "evidence": [{"at": {}, "components": components}]}


def stability(value: Json) -> Json:
    """The proof of stability of another certificate."""
    claim = {key: entry for key, entry in value["claim"].items() if key in ("condition", "epsilon", "bound")}
    return claim | {key: value[key] for key in value if key not in ("format", "claim", "network", "policy")}


def means(claim: Json, stable: Json, **sides: Json) -> Json:
    """A bound on means beside a certificate of stability of the same network and policy."""
    return written(claim, stable["network"], stable["policy"], stability=stability(stable), **sides)


def idles(server: str, **multipliers: str) -> Json:
    """Multipliers of idling, by the buffers that are empty then."""
    return {f"server {server} / (idle)": {f"x({buffer})": y for buffer, y in multipliers.items()}}


def empty(server: str, buffer: str, y: str) -> Json:
    return {f"server {server} / (idle)": {f"x({buffer})": y}}


# ---- M/M/1 ---------------------------------------------------------------------------------------------------------
HALF = function({"a.r1.1": {"a.r1.1": "1"}}, {"a.r1.1": "1/2"})
ONE = {"a.r1.1": "1"}


def q_mm1() -> Json:
    """Rates 1 and 2, f = x²/2 + x/2: arrivals x + 1, a service -2x, idling 0 = -2x where x = 0: together 1 - x, exactly."""
    network = route_network("1", job_class("a", "1", [("1", "2")]))
    evidence = {
        "class a": bounded(ONE, "1"),
        "server 1": bounded({"a.r1.1": "-2"}, "0", empty("1", "a.r1.1", "-2")),
    }
    return q_proof(quadratic(FIXED, "1", "1"), network, NON_IDLING, HALF, evidence, ONE)


MM1_SIDE = {  # of -x/2 + 1/2 at rates 1/2 and 1, times 2
    "class a": bounded(ONE, "1"),
    "server 1": bounded({"a.r1.1": "-2"}, "0", empty("1", "a.r1.1", "-2")),
}
WHOLE = function({"a.r1.1": {"a.r1.1": "2"}}, {"a.r1.1": "1"})


def mean_mm1(stable: Json, letter: str, words: str = FIXED) -> Json:
    """The mean is 1: f = x² + x has drift 1 - x. `stable`: of M/M/1 at rates 1/2 and 1."""
    claim = mean(words, ONE, "the number of jobs", letter, upper="1")
    return means(claim, stable, upper=one_place(WHOLE, MM1_SIDE))


# ---- queues in series ----------------------------------------------------------------------------------------------
UNEQUAL = route_network("1 2", job_class("a", "1", [("1", "2"), ("2", "3")]))
BOTH = {"a.r1.1": "1", "a.r1.2": "1"}
DOWN = {"a.r1.1": "2", "a.r1.2": "1"}
TANDEM_EVIDENCE = {
    "class a": bounded(ONE, "2"),
    "server 1": bounded({"a.r1.1": "-2", "a.r1.2": "2"}, "0", empty("1", "a.r1.1", "-2")),
    "server 2": bounded({"a.r1.2": "-3"}, "0", empty("2", "a.r1.2", "-3")),
}
TANDEM_FUNCTION = function({"a.r1.1": ONE, "a.r1.2": {"a.r1.2": "1"}}, {"a.r1.1": "3/2", "a.r1.2": "1/2"})


def q_tandem() -> Json:
    """Rates 2 and 3: f = x_1²/2 + x_2²/2 + 3x_1/2 + x_2/2 has drift at most 2 - x_1 - x_2 (theory 13.6)."""
    return q_proof(quadratic(FIXED, "1", "2"), UNEQUAL, NON_IDLING, TANDEM_FUNCTION, TANDEM_EVIDENCE, DOWN)


def mean_tandem() -> Json:
    """4/3 <= E|X| <= 2; below by f = x_1²/2 + x_2²/6 + 5x_1/6 + x_2/6, whose drift is at least 4/3 - x_1 - x_2.

    Of -f: arrivals -x_1 - 4/3; server 1 2x_1 - 2x_2/3 or 0, both <= 2x_1; server 2 x_2 or 0, <= x_2.
    """
    below = function({"a.r1.1": ONE, "a.r1.2": {"a.r1.2": "1/3"}}, {"a.r1.1": "5/6", "a.r1.2": "1/6"})
    components = {
        "class a": bounded({"a.r1.1": "-1"}, "-4/3"),
        "server 1": bounded({"a.r1.1": "2"}),
        "server 2": bounded({"a.r1.2": "1"}),
    }
    claim = mean(FIXED, BOTH, "the number of jobs", lower="4/3", upper="2")
    sides = {"upper": one_place(TANDEM_FUNCTION, TANDEM_EVIDENCE), "lower": one_place(below, components)}
    return means(claim, q_tandem(), **sides)


def mean_difference() -> Json:
    """E X_1 - E X_2 is at most 2/3 (it is 1/2): f = x_1²/2 - x_2²/6 + x_1/6 - x_2/6.

    Arrivals x_1 + 2/3; server 1 -2x_1 - 2x_2/3 <= -2x_1, idling 0 = -2x_1; server 2 x_2, idling 0 <= x_2.
    """
    f = function({"a.r1.1": ONE, "a.r1.2": {"a.r1.2": "-1/3"}}, {"a.r1.1": "1/6", "a.r1.2": "-1/6"})
    components = {
        "class a": bounded(ONE, "2/3"),
        "server 1": bounded({"a.r1.1": "-2"}, "0", empty("1", "a.r1.1", "-2")),
        "server 2": bounded({"a.r1.2": "1"}),
    }
    claim = mean(FIXED, {"a.r1.1": "1", "a.r1.2": "-1"}, "1 a.r1.1 - 1 a.r1.2", upper="2/3")
    return means(claim, q_tandem(), upper=one_place(f, components))


EQUAL = route_network("1 2", job_class("a", "1", [("1", "2"), ("2", "2")]))


def q_equal() -> Json:
    """Rates 2 and 2: f = 3x_1²/2 + x_1x_2 + x_2²/2 + 3x_1/2 + x_2/2 has drift at most 3 - x_1 - x_2.

    Arrivals 3x_1 + x_2 + 3; server 1 -4x_1, idling 0 = -4x_1; server 2 -2x_1 - 2x_2 <= -2x_2, idling 0 = -2x_2.
    """
    f = function(
        {"a.r1.1": {"a.r1.1": "3", "a.r1.2": "1"}, "a.r1.2": {"a.r1.2": "1"}}, {"a.r1.1": "3/2", "a.r1.2": "1/2"}
    )
    evidence = {
        "class a": bounded({"a.r1.1": "3", "a.r1.2": "1"}, "3"),
        "server 1": bounded({"a.r1.1": "-4"}, "0", empty("1", "a.r1.1", "-4")),
        "server 2": bounded({"a.r1.2": "-2"}, "0", empty("2", "a.r1.2", "-2")),
    }
    return q_proof(quadratic(FIXED, "1", "3"), EQUAL, NON_IDLING, f, evidence, DOWN)


def mean_cut() -> Json:
    """Rates 2 and 2: E|X| <= 9/4 with "is queue 2 empty?" (theory 13.9).

    f = x_1² + x_1x_2 + x_2²/2 + 3x_1/4 + x_2/4, and x_1/2 besides where x_2 = 0. With z_2 = x_2 - 2 in the last place:
    x_2 = 0: arrivals 2x_1 + 9/4, server 1 -3x_1. x_2 = 1: 2x_1 + 11/4, -2x_1, -x_1 - 3/2.
    x_2 >= 2: 2x_1 + z_2 + 15/4, -2x_1, -2x_1 - 2z_2 - 7/2.
    """
    inner = {"at": {"a.r1.2": "0"}, "linear": {"a.r1.1": "1/2"}}
    square = {"a.r1.1": {"a.r1.1": "2", "a.r1.2": "1"}, "a.r1.2": {"a.r1.2": "1"}}
    f = function(square, {"a.r1.1": "3/4", "a.r1.2": "1/4"}, inner, **{"a.r1.2": "1"})
    two = {"a.r1.1": "2"}
    places = [
        {
            "class a": bounded(two, "9/4"),
            "server 1": bounded({"a.r1.1": "-3"}, "0", empty("1", "a.r1.1", "-3")),
            "server 2": bounded({}),
        },
        {
            "class a": bounded(two, "11/4"),
            "server 1": bounded({"a.r1.1": "-2"}, "0", empty("1", "a.r1.1", "-2")),
            "server 2": bounded({"a.r1.1": "-1"}, "-3/2"),
        },
        {
            "class a": bounded({"a.r1.1": "2", "a.r1.2": "1"}, "15/4"),
            "server 1": bounded({"a.r1.1": "-2"}, "0", empty("1", "a.r1.1", "-2")),
            "server 2": bounded({"a.r1.1": "-2", "a.r1.2": "-2"}, "-7/2"),
        },
    ]
    evidence = [{"at": {"a.r1.2": str(n)}, "components": components} for n, components in enumerate(places)]
    claim = mean(FIXED, BOTH, "the number of jobs", upper="9/4")
    return means(claim, q_equal(), upper={"function": f, "evidence": evidence})


# ---- squares -------------------------------------------------------------------------------------------------------
def q_squares() -> Json:
    """Two queues apart, rates 1 and 2, 1/3 and 2: Q = (2x_a - x_b)² + x_b²/2 has an entry below 0, -2, larger than Q_bb = 3/2.

    q = (2, 3/4): a: arrivals 4x_a - 2x_b + 4, a service -8x_a + 4x_b, idling 0 <= -8x_a + 4x_b where x_a = 0.
    b: arrivals -2x_a/3 + x_b/2 + 1/2, a service 4x_a - 3x_b. Together -2x_a/3 - x_b/2 + 9/2.
    """
    network = route_network("1 2", job_class("a", "1", [("1", "2")]), job_class("b", "1/3", [("2", "2")]))
    a, b = "a.r1.1", "b.r1.1"
    f = function({a: {a: "4", b: "-2"}, b: {b: "3/2"}}, {a: "2", b: "3/4"})
    evidence = {
        "class a": bounded({a: "4", b: "-2"}, "4"),
        "class b": bounded({a: "-2/3", b: "1/2"}, "1/2"),
        "server 1": bounded({a: "-8", b: "4"}, "0", empty("1", a, "-8")),
        "server 2": bounded({a: "4", b: "-3"}, "0", empty("2", b, "-3")),
    }
    square, phi = {"weight": "1", "form": {a: "2", b: "-1"}}, {a: "1", b: "1"}
    return q_proof(quadratic(FIXED, "1/2", "9/2"), network, NON_IDLING, f, evidence, phi, square)


# ---- several servers at one buffer ---------------------------------------------------------------------------------
def q_pair() -> Json:
    """M/M/2, f = x²/2 - x/2: arrivals x, each server 1 - x, also where it idles, as x <= 1 then: E X <= 2 (it is 4/3)."""
    evidence = {
        "arrival K": bounded({"K": "1"}),
        "server A": bounded({"K": "-1"}, "1", empty("A", "K", "1")),
        "server B": bounded({"K": "-1"}, "1", empty("B", "K", "1")),
    }
    f, one = function({"K": {"K": "1"}}, {"K": "-1/2"}), {"K": "1"}
    return q_proof(quadratic(PAIR_WORDS, "1", "2"), PAIR, NON_IDLING, f, evidence, one)


def mean_pair() -> Json:
    """A takes a lone job, so B serves from two on: with a cut at 1 the mean is 4/3 exactly.

    f = x²/2 + x/6, less 2/3 where x = 0. At 0: arrivals 1/2 + 1/6 + 2/3. At 1: 5/3, A -1/2 - 1/6 - 2/3, B idles.
    From 2 on, z = x - 2: z + 8/3, each -z - 5/3; B may idle nowhere, -5/3·(x - 1) shows.
    """
    f = function({"K": {"K": "1"}}, {"K": "1/6"}, {"at": {"K": "0"}, "linear": {}, "constant": "-2/3"}, K="1")
    places: list[dict[str, tuple[str, str]]] = [
        {"arrival K": ("0", "4/3"), "server A": ("0", "0"), "server B": ("0", "0")},
        {"arrival K": ("0", "5/3"), "server A": ("0", "-4/3"), "server B": ("0", "0")},
        {"arrival K": ("1", "8/3"), "server A": ("-1", "-5/3"), "server B": ("-1", "-5/3")},
    ]

    def side(sign: int) -> Json:
        def component(slope: str, constant: str, multipliers: Json) -> Json:
            return bounded(
                {} if slope == "0" else {"K": str(sign * int(slope))}, str(sign * Fraction(constant)), multipliers
            )

        idle = empty("B", "K", "5/3") if sign > 0 else {}
        evidence = [
            {
                "at": {"K": str(n)},
                "components": {
                    name: component(*pair, idle if (n, name) == (2, "server B") else {}) for name, pair in place.items()
                },
            }
            for n, place in enumerate(places)
        ]
        return {"function": f, "evidence": evidence}

    stable = q_pair()
    stable["policy"]["server_order"] = {"K": ["A", "B"]}
    stable["evidence"]["server A"]["alternatives"] = empty("A", "K", "-1")
    words = "routing fixed, sequencing non-idling, holding none, server order K: A > B"
    claim = mean(words, {"K": "1"}, "the number of jobs", lower="4/3", upper="4/3")
    return means(claim, stable, upper=side(1), lower=side(-1))


WEIGHED = shared({"K": "1/4", "L": "1"}, ("N", "K"), ("N", "L"), ("M", "L"))
WEIGHED["activities"][1]["rate"], WEIGHED["activities"][2]["rate"] = "2", "1/2"
WEIGHED_WORDS = "routing fixed, sequencing max-weight, holding none, server order free"


def q_shared_max_weight() -> Json:
    """f = (2K + L)²/2 - L/2: at N both services and idling are at most -4K - 2L + 2, as L <= 1 where N idles.

    Arrivals K + L/2 + 1/2 and 2K + L; M -K - L/2 + 1/2, or 0 <= 1/2 - L/2 where it idles. Together 3 - K - L.
    """
    f = function({"K": {"K": "4", "L": "2"}, "L": {"L": "1"}}, {"L": "-1/2"})
    evidence = {
        "arrival K": bounded({"K": "1", "L": "1/2"}, "1/2"),
        "arrival L": bounded({"K": "2", "L": "1"}),
        "server N": bounded({"K": "-4", "L": "-2"}, "2", idles("N", K="-4", L="2")),
        "server M": bounded({"L": "-1/2"}, "1/2", idles("M", L="1/2")),
    }
    phi = {"K": "1", "L": "1"}
    return q_proof(quadratic(WEIGHED_WORDS, "1", "3"), WEIGHED, policy("fixed", "max-weight"), f, evidence, phi)


def _weighed(linear: str, constant: str, bound: str) -> Json:
    """7f = 4K² + 2KL + 5L²/2 + linear·K - 5L/2, arrivals at K with this constant."""
    f = function({"K": {"K": "8", "L": "2"}, "L": {"L": "5"}}, {"K": linear, "L": "-5/2"})
    components = {
        "arrival K": bounded({"K": "2", "L": "1/2"}, constant),
        "arrival L": bounded({"K": "2", "L": "5"}),
        "server N": bounded(
            {"K": "-4", "L": "-10"}, "10", idles("N", K="-4", L="10") | {"server N / K": {"weight(N: K - L)": "4"}}
        ),
        "server M": bounded({"L": "-5/2"}, "5/2", idles("M", L="5/2")),
    }
    claim = mean(WEIGHED_WORDS, {"L": "7"}, "7 L", upper=bound)
    return means(claim, q_shared_max_weight(), upper=one_place(f, components))


def mean_shared_max_weight() -> Json:
    """E L <= 2. N serves K only where K >= 2(L - 1), as M may have a lone job of L: -8K - 2L + 2 <= -4K - 10L + 10."""
    return _weighed("2", "3/2", "14")


def shared_max_weight_without_slack() -> Json:
    """With K >= 2L a service of K would be -8K - 2L + 10 <= -4K - 10L + 10 with less of K in f, and E L <= 12/7."""
    return _weighed("-6", "-1/2", "12")


FLEXIBLE = shared({"K": "1/2", "L": "0"}, ("A", "K"), ("B", "K"), ("A", "L"), leads={"B": {"L": "1"}})
FLEXIBLE["activities"][0]["next"], FLEXIBLE["activities"][2]["rate"] = {"L": "1"}, "2"
FLEXIBLE["activities"][2]["next"] = {}


def q_shared_pressures() -> Json:
    """K goes on to L, at which A helps; 41f = 35K² + 6KL + 27L² + 65K + 21L. A idles only where K <= L + 1, as B may have one."""
    f = function({"K": {"K": "70", "L": "6"}, "L": {"L": "54"}}, {"K": "65", "L": "21"})
    evidence = {
        "arrival K": bounded({"K": "35", "L": "3"}, "50"),
        "server A": bounded(
            {"K": "-12", "L": "-108"},
            "12",
            {
                "server A / K": {"pressure(A: K - L)": "52"},
                "server A / (idle)": {"pressure(A: K)": "12", "pressure(A: L)": "60"},
            },
        ),
        "server B": bounded({"K": "-64", "L": "64"}, "64", {"server B / (idle)": {"pressure(B: K)": "64"}}),
    }
    words = "routing fixed, sequencing back-pressure, holding none, server order free"
    how, phi = policy("fixed", "back-pressure"), {"K": "2", "L": "1"}
    return q_proof(quadratic(words, "41", "126"), FLEXIBLE, how, f, evidence, phi)


def q_shared_holding() -> Json:
    """The same under the longest queue and spillback; 5f = 23K² + 14KL + 3L² - 27K - 11L. Both rows of K know of a lone job.

    K - L >= -0 where A or B serves it, and K - L <= 1 where A, or B, does not.
    """
    f = function({"K": {"K": "46", "L": "14"}, "L": {"L": "6"}}, {"K": "-27", "L": "-11"})
    evidence = {
        "arrival K": bounded({"K": "23", "L": "7"}, "-2"),
        "server A": bounded(
            {"K": "-28", "L": "-12"},
            "28",
            {"server A / K": {"length(K - L)": "4"}, "server A / (idle)": {"hold(K)": "28", "x(L)": "-40"}},
        ),
        "server B": bounded({}, "0", {"server B / K": {"serves": "28", "hold(K)": "4"}}),
    }
    words = f"routing fixed, sequencing longest-queue, holding {SPILLBACK}, server order free"
    how, phi = policy("fixed", "longest-queue", holding="spillback"), {"K": "2", "L": "1"}
    return q_proof(quadratic(words, "5", "26"), FLEXIBLE, how, f, evidence, phi)


# ---- ties ----------------------------------------------------------------------------------------------------------
def q_jsq() -> Json:
    """jsq at 1, rates 1: f = (x_1² + x_2² + x_1 + x_2)/2. Arrivals x_1 + 1 where x_1 <= x_2, <= (x_1 + x_2)/2 + 1; together
    1 - (x_1 + x_2)/2, so E|X| <= 2.
    """
    one, two = "a@1", "a@2"
    f = function({one: {one: "1"}, two: {two: "1"}}, {one: "1/2", two: "1/2"})
    tie = {f"class a / {n}": {"queue(1 - 2)": "1/2"} for n in "12"}
    evidence = {
        "class a": bounded({one: "1/2", two: "1/2"}, "1", tie),
        "server 1": bounded({one: "-1"}, "0", empty("1", one, "-1")),
        "server 2": bounded({two: "-1"}, "0", empty("2", two, "-1")),
    }
    words = "routing jsq (ties in any way), sequencing non-idling, holding none"
    how, phi = policy("jsq", "non-idling"), {one: "1", two: "1"}
    return q_proof(quadratic(words, "1/2", "1"), parallel("1"), how, f, evidence, phi)


def mean_jsq(ties: str = "split uniformly") -> Json:
    """At 3/2, f = 2x_1² + 2x_2² + 2x_1 + 2x_2: arrivals at most 3(x_1 + x_2) + 6; stable by trees with correctors, which need
    uniform ties.
    """
    one, two = "a@1", "a@2"
    f = function({one: {one: "4"}, two: {two: "4"}}, {one: "2", two: "2"})
    tie = {f"class a / {n}": {"queue(1 - 2)": "3"} for n in "12"}
    components = {
        "class a": bounded({one: "3", two: "3"}, "6", tie),
        "server 1": bounded({one: "-4"}, "0", empty("1", one, "-4")),
        "server 2": bounded({two: "-4"}, "0", empty("2", two, "-4")),
    }
    words = f"routing jsq (ties {ties}), sequencing non-idling, holding none"
    claim = mean(words, {one: "1", two: "1"}, "the number of jobs", "F", upper="6")
    return means(claim, f_jsq_corrected(), upper=one_place(f, components))


def q_weighted_route() -> Json:
    """Routes 1 - 2 and 3, twice the first buffer is compared; f = 5x²/2 + 2xy + y² + 5z²/2 + 5x/2 + y + 5z/2.

    An arrival at x: 5x + 2y + 5, and 4(z - 2x - y) >= -3x - ..., at z: 5z + 5; both are at most 2x + y + 4z + 5.
    """
    x, y, z = "a.r1.1", "a.r1.2", "a.r2.1"
    network = route_network("1 2 3", job_class("a", "1", [("1", "1"), ("2", "1")], [("3", "1")]))
    f = function({x: {x: "5", y: "2"}, y: {y: "2"}, z: {z: "5"}}, {x: "5/2", y: "1", z: "5/2"})
    work = {"class a / r1": {"work(a:r1 - r2)": "4"}, "class a / r2": {"work(a:r1 - r2)": "1"}}
    evidence = {
        "class a": bounded({x: "2", y: "1", z: "4"}, "5", work),
        "server 1": bounded({x: "-3"}, "0", empty("1", x, "-3")),
        "server 2": bounded({y: "-2"}, "0", empty("2", y, "-2")),
        "server 3": bounded({z: "-5"}, "0", empty("3", z, "-5")),
    }
    words = "routing weighted-route (weights a.r1.1 2, a.r1.2 1, a.r2.1 1; ties in any way), sequencing non-idling, holding none"
    how = policy("weighted-route", "non-idling", route_weights={x: "2", y: "1", z: "1"})
    return q_proof(quadratic(words, "1", "5"), network, how, f, evidence, {x: "2", y: "1", z: "1"})


# ---- dominant, holding, pressures, moves ---------------------------------------------------------------------------
def q_dominant() -> Json:
    """Two queues apart; whichever piece is dominant, each server has a part: f = x_a² + x_b² + x_a + x_b, 2 - x_a - x_b."""
    a, b = "a.r1.1", "b.r1.1"
    network = route_network("1 2", job_class("a", "1/2", [("1", "1")]), job_class("b", "1/2", [("2", "1")]))
    f = function({a: {a: "2"}, b: {b: "2"}}, {a: "1", b: "1"})
    served = {"1": a, "2": b}
    parts = {f"dominant {i} / server {n}": {"form": {k: "-2"}} for i in (0, 1) for n, k in served.items()}
    idle = {f"dominant {i} / server {n} / (idle)": {f"x({k})": "-2"} for i in (0, 1) for n, k in served.items()}
    evidence = {
        "class a": bounded({a: "1"}, "1"),
        "class b": bounded({b: "1"}, "1"),
        "dominant": bounded({a: "-2", b: "-2"}, "0", idle, parts),
    }
    words = f"routing fixed, sequencing dominant, holding none, dominance function max(1 {a}, 1 {b}), tie order free"
    how = policy("fixed", "dominant", dominance_function={"pieces": [{a: "1"}, {b: "1"}]})
    return q_proof(quadratic(words, "1", "2"), network, how, f, evidence, {a: "1", b: "1"})


SERIES = function({"a.r1.1": {"a.r1.1": "4"}, "a.r1.2": {"a.r1.2": "4"}}, {"a.r1.1": "6", "a.r1.2": "2"})


def _series(words: str, how: Json, first: Json, second: Json) -> Json:
    """f = 2x_1² + 2x_2² + 6x_1 + 2x_2; server 1 works where x_1 >= x_2: -4x_1 + 4x_2 <= -3x_1 + 3x_2, and may idle where
    x_1 <= x_2: 0 <= -3x_1 + 3x_2. Arrivals 2x_1 + 4, server 2 -4x_2.
    """
    evidence = {
        "class a": bounded({"a.r1.1": "2"}, "4"),
        "server 1": bounded({"a.r1.1": "-3", "a.r1.2": "3"}, "0", first),
        "server 2": bounded({"a.r1.2": "-4"}, "0", second),
    }
    return q_proof(quadratic(words, "1", "4"), TANDEM, how, SERIES, evidence, DOWN)


def q_spillback() -> Json:
    first = {"server 1 / a.r1.1": {"hold(a.r1.1)": "1"}, "server 1 / (idle)": {"hold(a.r1.1)": "3"}}
    how = policy("fixed", "non-idling", holding="spillback")
    words = f"routing fixed, sequencing non-idling, holding {SPILLBACK}"
    return _series(words, how, first, empty("2", "a.r1.2", "-4"))


def q_back_pressure() -> Json:
    first = {"server 1 / a.r1.1": {"pressure(1: a.r1.1)": "1"}, "server 1 / (idle)": {"pressure(1: a.r1.1)": "3"}}
    second = {"server 2 / (idle)": {"pressure(2: a.r1.2)": "4"}}
    words = "routing fixed, sequencing back-pressure, holding none"
    return _series(words, policy("fixed", "back-pressure"), first, second)


def q_fork() -> Json:
    """Half of the jobs of q1 go on to q2; 25f = 17q1² + 12q1q2 + 26q2² + 37q1 + 26q2."""
    value = back_pressure_fork()
    f = function({"q1": {"q1": "34", "q2": "12"}, "q2": {"q2": "52"}}, {"q1": "37", "q2": "26"})
    evidence = {
        "arrival q1": bounded({"q1": "17", "q2": "6"}, "27"),
        "server A": bounded({"q1": "-42", "q2": "21"}, "0", {"server A / (idle)": {"pressure(A: q1)": "28"}}),
        "server B": bounded({"q2": "-52"}, "0", {"server B / (idle)": {"pressure(B: q2)": "52"}}),
    }
    claim = quadratic("routing fixed, sequencing back-pressure, holding none", "25", "27")
    return q_proof(claim, value["network"], value["policy"], f, evidence, {"q1": "2", "q2": "1"})


def q_fork_by_heights() -> Json:
    """The same; A works at the longer queue: 3(q1 - q2/2)/2 is positive where q2 <= q1."""
    return q_fork() | {"potential": {"q1": "1", "q2": "1"}, "heights": {"q1": "1", "q2": "1"}}


def mean_fork_by_heights() -> Json:
    """The number of jobs, with 25 for each, is at most 27."""
    stable = q_fork_by_heights()
    claim = mean(
        "routing fixed, sequencing back-pressure, holding none", {"q1": "25", "q2": "25"}, "25 q1 + 25 q2", upper="27"
    )
    return means(claim, stable, upper=one_place(stable["function"], stable["evidence"]))


def q_moves() -> Json:
    """jsq-as on routes 1 - 2 and 1 - 3, whatever server 1 does; with x, y on the first route and u, v on the second
    f = 3(x² + y² + u² + v²)/2 + xu + 9(x + u)/2 + 3(y + v)/2.

    Server 1 is at most -2(x - y) - 2(u - v), server 2 -3y, arrivals x + u + 3: together 3 - x - y - u - v.
    """
    x, y, u, v = names = ("c.r1.1", "c.r1.2", "c.r2.1", "c.r2.2")
    network = route_network("1 2 3", job_class("c", "1/2", [("1", "1"), ("2", "1")], [("1", "1"), ("3", "1")]))
    square = {x: {x: "3", u: "1"}, y: {y: "3"}, u: {u: "3"}, v: {v: "3"}}
    f = function(square, {x: "9/2", y: "3/2", u: "9/2", v: "3/2"})
    longer, after = f"length({x} - {u})", f"length({y} - {v})"
    first, second = f"length({x} - {y})", f"length({u} - {v})"
    moves = {
        f"{x} > {y} from {x}": {longer: "1", after: "1"},
        f"{x} > {y} from {x} blocked {v}": {first: "1", second: "1"},
        f"{x} > {v} from {u}": {longer: "1", after: "1"},
        f"{x} > {v} from {u} blocked {y}": {longer: "2", second: "1", first: "1"},
        f"{u} > {y} from {x}": {longer: "1", after: "1"},
        f"{u} > {y} from {x} blocked {v}": {longer: "2", first: "1", second: "1"},
        f"{u} > {v} from {u}": {longer: "1", after: "1"},
        f"{u} > {v} from {u} blocked {y}": {second: "1", first: "1"},
        "(held)": {first: "2", second: "2"},
    }
    evidence = {
        "class c": bounded({x: "1", u: "1"}, "3", {f"class c / {k}": {longer: "1/2"} for k in (x, u)}),
        "server 1": bounded(
            {x: "-2", y: "2", u: "-2", v: "2"}, "0", {f"server 1 / {k}": row for k, row in moves.items()}
        ),
        "server 2": bounded({y: "-3"}, "0", {"server 2 / (held)": {f"x({y})": "-3"}}),
        "server 3": bounded({v: "-3"}, "0", {"server 3 / (held)": {f"x({v})": "-3"}}),
    }
    phi = dict(zip(names, ("2", "1", "2", "1"), strict=True))
    claim = quadratic("preset jsq-as (ties in any way)", "1", "3")
    return q_proof(claim, network, {"preset": "jsq-as"}, f, evidence, phi)


# ---- product form --------------------------------------------------------------------------------------------------
def product_tandem() -> Json:
    """1/(2 - 1) + 1/(3 - 1)."""
    claim = product(FIXED, BOTH, "the number of jobs", "3/2")
    return written(claim, UNEQUAL, NON_IDLING, throughputs=BOTH)


def product_feedback() -> Json:
    """a_1 = 1 + a_2/2, a_2 = a_1/2: 4/3 and 2/3; (4/3)/(3/2 - 4/3) = 8 and (2/3)/(4/5 - 2/3) = 5, 2·8 - 5 = 11."""
    claim = product("routing fixed, sequencing max-weight, holding none", {"q1": "2", "q2": "-1"}, "2 q1 - 1 q2", "11")
    how = policy("fixed", "max-weight")
    return written(claim, feedback_network("1"), how, throughputs={"q1": "4/3", "q2": "2/3"})


def product_bernoulli() -> Json:
    """Arrivals 1 split 3/4, 1/4: 3/4 over 1/4, 1/4 over 3/4; the first alone, below 0."""
    how = policy("bernoulli", "fifo", probabilities={"a": {"r1": "3/4", "r2": "1/4"}})
    fifo = "non-idling (fifo is one of the adapted ones)"
    words = f"routing bernoulli (a: r1 3/4, r2 1/4), sequencing {fifo}, holding none"
    claim = product(words, {"a.r1.1": "-1"}, "-1 a.r1.1", "-3")
    return written(claim, parallel("1"), how, throughputs={"a.r1.1": "3/4", "a.r2.1": "1/4"})


ACCEPTED: dict[str, Callable[[], Json]] = {
    "q-mm1": q_mm1,
    "q-tandem": q_tandem,
    "q-equal-rates": q_equal,
    "q-squares": q_squares,
    "q-pair": q_pair,
    "q-shared-max-weight": q_shared_max_weight,
    "q-shared-pressures": q_shared_pressures,
    "q-shared-holding": q_shared_holding,
    "q-jsq": q_jsq,
    "q-weighted-route": q_weighted_route,
    "q-dominant": q_dominant,
    "q-spillback": q_spillback,
    "q-back-pressure": q_back_pressure,
    "q-fork": q_fork,
    "q-fork-by-heights": q_fork_by_heights,
    "q-moves": q_moves,
    "mean-tandem": mean_tandem,
    "mean-difference": mean_difference,
    "mean-cut": mean_cut,
    "mean-pair": mean_pair,
    "mean-shared-max-weight": mean_shared_max_weight,
    "mean-by-heights": mean_fork_by_heights,
    "mean-by-F": lambda: mean_mm1(mm1_faces(), "F"),
    "mean-by-F-corrected": lambda: mean_mm1(f_mm1_corrected(), "F"),
    "mean-jsq-by-F-corrected": mean_jsq,
    "mean-by-S": lambda: mean_mm1(mm1_strict(), "S"),
    "mean-by-H": lambda: mean_mm1(h_mm1(), "H"),
    "product-tandem": product_tandem,
    "product-feedback": product_feedback,
    "product-bernoulli": product_bernoulli,
}
