"""Small certificates with pattern cells, worked out by hand (conditions H and U, leaves with a corrector), and changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .examples import (
    FIXED,
    MM1,
    MODEL,
    SUBJECT,
    Json,
    certificate,
    drift,
    evidence,
    job_class,
    parallel,
    policy,
    put,
    route_network,
    stable,
    trees,
    with_rate,
)


# ---- building blocks -----------------------------------------------------------------------------------------------
def feature(normal: str, low: int, high: int) -> Json:
    return {"normal": normal, "low": str(low), "high": str(high)}


def corrector(*features: Json, **h: str) -> Json:
    """h by cell; in keyword arguments a cell is written with `_` for `,` and a leading `c`."""
    return {"features": list(features), "h": {cell[1:].replace("_", ","): value for cell, value in h.items()}}


def falls(words: str, epsilon: str) -> Json:
    sentence = (
        f"STABLE: {SUBJECT} is positive recurrent from every start under every Markov policy with {words}; under every "
        f"adapted one the mean time to reach the exempt set is at most (V(x) + const)/epsilon (condition H, epsilon "
        f"{epsilon}). {MODEL}"
    )
    return {"verdict": "stable", "condition": "corrected", "epsilon": epsilon, "words": sentence}


def grows(words: str, epsilon: str, witness: str = "") -> Json:
    """`witness`: in words, with what it orders."""
    never = f"{SUBJECT}, started empty, with positive probability never becomes empty again under"
    rate = f"(condition U, growth rate of V at least {epsilon})"
    sentence = f"UNSTABLE: {never} every adapted policy with {words} {rate}. {MODEL}"
    if witness:
        sentence = (
            f"UNSTABLE: for one witness policy, so that its class is not globally stable: {never} {witness} {rate}; "
            f"the class: policies with {words}. {MODEL}"
        )
    return {"verdict": "unstable", "condition": "growth", "epsilon": epsilon, "words": sentence}


def growth(claim: Json, network: Json, how: Json, pieces: list[Json], corrected: Json, path: list[Json]) -> Json:
    return certificate(claim, network, how, pieces=pieces, corrector=corrected, v0="0", path=path)


# ---- U -------------------------------------------------------------------------------------------------------------
EXITS = {"1": ["b.r1.2", "a.r1.1"], "2": ["a.r1.2", "b.r1.1"]}
EXITS_WORDS = "1: b.r1.2 > a.r1.1; 2: a.r1.2 > b.r1.1"
CROSSED = ["a.r1.1", "a.r1.2", "b.r1.1", "b.r1.2"]


def crossed_lines() -> Json:
    """The network of Rybko and Stolyar: entries of mean 1/10, exits of mean 3/5."""
    return route_network(
        "1 2", job_class("a", "1", [("1", "10"), ("2", "5/3")]), job_class("b", "1", [("2", "10"), ("1", "5/3")])
    )


def u_crossed() -> Json:
    """V = number of jobs: both exits are never busy, so 12 of 16 cells are reached and V grows by 2 - 5/3."""
    how, one = policy("fixed", "priority", priority=EXITS), dict.fromkeys(CROSSED, "1")
    busy = corrector(*(feature(f"x({name})", 0, 1) for name in CROSSED))
    claim = grows(f"routing fixed, sequencing priority {EXITS_WORDS}, holding none", "1/3")
    return growth(claim, crossed_lines(), how, [one], busy, [{"change": {"a.r1.1": "1"}, "times": "4"}])


def u_witness() -> Json:
    """The same for non-idling: the priority of the exits is one of its policies."""
    value = u_crossed() | {"witness": EXITS, "policy": policy("fixed", "non-idling")}
    return value | {"claim": grows(FIXED, "1/3", f"sequencing priority {EXITS_WORDS}")}


def u_mm1() -> Json:
    """Arrivals at 2, service at 1: one cell for all states."""
    how, network = policy("fixed", "non-idling"), with_rate(lambda: {"network": MM1}, "2")()["network"]
    return growth(grows(FIXED, "1"), network, how, [{"a.r1.1": "1"}], corrector(), [{"a.r1.1": "1"}])


def u_fifo() -> Json:
    return put(
        put(u_mm1, "policy|sequencing", "fifo"),
        "claim",
        grows(FIXED.replace("non-idling", "non-idling (fifo is one of the adapted ones)"), "1"),
    )()


def u_corrected() -> Json:
    """V = 2x + h: in the cell x = 1 a service falls to h = -1 or below, and the arrivals at 0 lose 1/2."""
    h = corrector(feature("x(a.r1.1)", 0, 1), c1="-1/2")
    value = put(u_mm1, "pieces", [{"a.r1.1": "2"}])() | {"corrector": h, "v0": "-1"}
    return value | {"claim": grows(FIXED, "2")}


def u_two_pieces() -> Json:
    """Two queues at 2 and service 1, V = max(x_a, x_b): where they tie both pieces count, far apart one alone."""
    classes = [job_class(name, "2", [(server, "1")]) for name, server in (("a", "1"), ("b", "2"))]
    tie = corrector(feature("difference(a.r1.1 - b.r1.1)", -1, 1))
    pieces = [{"a.r1.1": "1"}, {"b.r1.1": "1"}]
    path = [{"a.r1.1": "1"}, {"b.r1.1": "1"}, {"a.r1.1": "-1"}, {"a.r1.1": "1"}]
    return growth(grows(FIXED, "1"), route_network("1 2", *classes), policy("fixed", "non-idling"), pieces, tie, path)


def u_two_policies() -> Json:
    """One server, two classes at 1, service at rate 1: V = number of jobs grows whoever is served."""
    classes = [job_class(name, "1", [("1", "1")]) for name in "ab"]
    one = {"a.r1.1": "1", "b.r1.1": "1"}
    path = [{"a.r1.1": "1"}, {"a.r1.1": "-1"}, {"b.r1.1": "1"}]
    network = route_network("1", *classes)
    return growth(grows(FIXED, "1"), network, policy("fixed", "non-idling"), [one], corrector(), path)


def u_jsq() -> Json:
    """Two servers of rate 1 under jsq at 3: at a tie an arrival goes to each with positive probability."""
    path = [{"a@1": "1"}, {"a@2": "1"}, {"a@2": "1"}, {"a@1": "1"}]
    one, claim = (
        {"a@1": "1", "a@2": "1"},
        grows("routing jsq (ties split uniformly), sequencing non-idling, holding none", "1"),
    )
    return growth(claim, parallel("3"), policy("jsq", "non-idling"), [one], corrector(), path)


def u_uniform() -> Json:
    """jsq at 2 > 1 + 1/2, V = 2 x_1 + x_2: on the tie, which is a cell, half of the arrivals go to each queue."""
    network = put(lambda: {"network": parallel("4")}, "network|classes|0|routes|1|visits|0|rate", "1/2")()["network"]
    tie = corrector(feature("queue(1 - 2)", -1, 1))
    claim = grows("routing jsq (ties split uniformly), sequencing non-idling, holding none", "3/2")
    pieces = [{"a@1": "2", "a@2": "1"}]
    return growth(claim, network, policy("jsq", "non-idling"), pieces, tie, [{"a@1": "1"}])


# ---- H -------------------------------------------------------------------------------------------------------------
def _corrected(claim: Json, network: Json, how: Json, weights: Json, corrected: Json) -> Json:
    phi = {name: str(len(weights) - i) for i, name in enumerate(weights)}
    return certificate(claim, network, how, weights=weights, corrector=corrected, potential=phi)


def h_mm1() -> Json:
    one, low = {"a.r1.1": "1"}, corrector(feature("x(a.r1.1)", 0, 1))
    return _corrected(falls(FIXED, "1/2"), MM1, policy("fixed", "non-idling"), one, low)


def h_tandem() -> Json:
    """Arrivals 1/4, rates 1, V = x_1 + x_2 + h with h = 1/2, 0 at x_2 = 0, 1: it pays for idling of server 2.

    x_2 = 0, x_1 >= 1: 1/4 + (h(1) - h(0)) = -1/4. x_2 = 1: 1/4 - 1 + 1/2 = -1/4. x_2 >= 2: 1/4 - 1 = -3/4.
    """
    network = route_network("1 2", job_class("a", "1/4", [("1", "1"), ("2", "1")]))
    values = {f"c{x}_0": "1/2" for x in (0, 1)}
    h = corrector(feature("x(a.r1.1)", 0, 1), feature("x(a.r1.2)", 0, 2), **values)
    weights = {"a.r1.1": "1", "a.r1.2": "1"}
    return _corrected(falls(FIXED, "1/4"), network, policy("fixed", "non-idling"), weights, h)


# ---- leaves with a corrector ---------------------------------------------------------------------------------------
MM1_LEAF = "evidence|trees|0|corrector"


def f_mm1_corrected() -> Json:
    idle = {"server 1 / (idle)": evidence("1", {"x(a.r1.1)": "-1"})}
    leaf = {"leaf": {}, "exclude": idle, "corrector": corrector(feature("x(a.r1.1)", 0, 1))}
    how, one = policy("fixed", "non-idling"), {"a.r1.1": "1"}
    return drift(stable(FIXED, "1/2"), MM1, how, [dict(one)], ({"0": "1"}, "1"), dict(one), trees(leaf))


def f_jsq_corrected() -> Json:
    """jsq at 3/2, rates 1: where a queue vanishes, h = 3/4, 1/4, 0 at 0, 1, 2 of its jobs does what eta would do.

    0 jobs: 3/2 - 1 - 3/2 * 1/2 = -1/4. 1: 3/2 - 2 - 3/2 * 1/4 + 1/2 = -3/8. 2 or more: -1/2 + 1/4 = -1/4.
    """

    def leaf(empty: int, sign: str) -> Json:
        other = 3 - empty
        lone = {f"class a / {other}": evidence("1", {f"x(a@{empty})": "-2", "queue(1 - 2)": sign})}
        if empty == 1:  # else the node says x(a@1) > 0
            lone["server 2 / (idle)"] = evidence("1", {"x(a@1)": "-1", "x(a@2)": "-1"})
        h = corrector(feature(f"x(a@{empty})", 0, 2), c0="3/4", c1="1/4")
        return {"leaf": {}, "exclude": lone, "corrector": h}

    inner = {"split": "x(a@2)", "children": {"=": leaf(2, "-1"), ">": {"leaf": {}}}}
    tree = {"split": "x(a@1)", "children": {"=": leaf(1, "1"), ">": inner}}
    claim, one = (
        stable("routing jsq (ties split uniformly), sequencing non-idling, holding none", "1/4"),
        {"a@1": "1", "a@2": "1"},
    )
    how = policy("jsq", "non-idling")
    return drift(claim, parallel("3/2"), how, [dict(one)], ({"0": "1"}, "1"), dict(one), trees(tree))


ACCEPTED: dict[str, Callable[[], Json]] = {
    "u-crossed": u_crossed,
    "u-witness": u_witness,
    "u-mm1": u_mm1,
    "u-fifo": u_fifo,
    "u-corrected": u_corrected,
    "u-two-pieces": u_two_pieces,
    "u-two-policies": u_two_policies,
    "u-jsq": u_jsq,
    "u-uniform": u_uniform,
    "h-mm1": h_mm1,
    "h-tandem": h_tandem,
    "f-mm1-corrected": f_mm1_corrected,
    "f-jsq-corrected": f_jsq_corrected,
}


# ---- one violated rule each ----------------------------------------------------------------------------------------
def two(make: Callable[[], Json], *changes: tuple[str, Any]) -> Callable[[], Json]:
    """Several changes."""
    for path, new in changes:
        make = put(make, path, new)
    return make


def many_cells() -> Json:
    """Three features that fall by 50 with one service: 51^3 target cells of one jump."""
    listed = [feature(f"combination(50 a.r1.1 - {n} b.r1.1)", -50, 50) for n in (1, 2, 3)]
    return put(u_two_policies, "corrector", corrector(*listed))()


def million_cells() -> Json:
    """Two coordinates to 1, and three combinations to 50: 101^3 cells where both are at their ends."""
    loose = [feature(f"combination({n} a.r1.1 - 1 a.r1.2)", -50, 50) for n in (2, 3, 4)]
    ends = [feature(f"x({name})", 0, 1) for name in ("a.r1.1", "a.r1.2")]
    return put(h_tandem, "corrector", corrector(*ends, *loose))()


def dominant_in_cells(make: Callable[[], Json]) -> Callable[[], Json]:
    function = {"pieces": [{"a.r1.1": "1"}]}
    return two(make, ("policy|sequencing", "dominant"), ("policy|dominance_function", function))


X = "x(a.r1.1)"
OPTIMIST = corrector(feature(X, 0, 3), c1="5", c2="9", c3="12")
SLOW = with_rate(u_mm1, "1/2")
TWO_X = [feature(X, 0, 1), feature(X, 0, 2)]

REJECTED: dict[str, Callable[[], Json]] = {
    "policy--dominant-under-H": dominant_in_cells(h_mm1),
    "policy--dominant-under-U": dominant_in_cells(u_mm1),
    "policy--preset-under-U": put(u_mm1, "policy", {"preset": "jsq-as"}),
    "policy--unknown-sequencing-under-U": put(u_mm1, "policy|sequencing", "lifo"),
    "function--none-under-U": put(u_mm1, "pieces", []),
    "function--empty-under-U": put(u_mm1, "pieces", [{}]),
    "function--equal-under-U": put(u_mm1, "pieces", [{"a.r1.1": "1"}] * 2),
    "function--unknown-under-U": put(u_mm1, "pieces", [{"b": "1"}]),
    "features": put(h_mm1, "corrector|features|0|low", "-1"),
    "features--difference-from-0": put(u_two_pieces, "corrector|features|0|low", "0"),
    "features--high-51": put(h_mm1, "corrector|features|0|high", "51"),
    "features--high-1-2": put(h_mm1, "corrector|features|0|high", "1/2"),
    "features--twice": put(h_mm1, "corrector|features", TWO_X),
    "features--13": put(
        u_two_policies,
        "corrector|features",
        [feature(f"combination({n} a.r1.1 - 1 b.r1.1)", -1, 1) for n in range(1, 14)],
    ),
    "features--unknown": put(h_mm1, "corrector|features|0|normal", "x(a)"),
    "features--no-guard-row": put(u_jsq, "corrector", corrector(feature("queue(2 - 1)", -1, 1))),
    "features--piece": put(u_two_pieces, "corrector|features|0|normal", "piece(0 - 1)"),
    "features--wrong-order": put(u_two_pieces, "corrector|features|0|normal", "difference(b.r1.1 - a.r1.1)"),
    "features--combination-order": put(u_two_pieces, "corrector|features|0|normal", "combination(1 b.r1.1 - 1 a.r1.1)"),
    "features--combination-0": put(u_two_pieces, "corrector|features|0|normal", "combination(0 a.r1.1 - 1 b.r1.1)"),
    "features--cell-outside": put(u_corrected, "corrector|h", {"2": "1"}),
    "features--cell-too-long": put(u_corrected, "corrector|h", {"1,1": "1"}),
    "features--cell-spelled": put(u_corrected, "corrector|h", {"01": "1"}),
    "features--no-cell": put(u_corrected, "corrector|h", {"": "1"}),
    "features--too-many-cells": million_cells,
    "H-weights": put(h_tandem, "weights|a.r1.1", "-1"),
    "H-weights--0": put(h_tandem, "weights|a.r1.1", "0"),
    "H-weights--missing": put(h_tandem, "weights", {"a.r1.1": "1"}),
    "H-features": put(h_tandem, "corrector", corrector(feature(X, 0, 1))),
    "H-features--difference-alone": put(
        h_tandem, "corrector", corrector(feature(X, 0, 1), feature("difference(a.r1.1 - a.r1.2)", -2, 2))
    ),
    "H-cell": with_rate(h_mm1, "3/4"),
    "H-cell--no-corrector": put(h_tandem, "corrector|h", {}),
    "H-cell--jump-out-of-the-end": put(h_tandem, "corrector|h", {"0,0": "1", "1,0": "1"}),
    "R-potential--under-H": put(h_tandem, "potential|a.r1.1", "1"),
    "epsilon--under-H": put(h_mm1, "claim", falls(FIXED, "1/3")),
    "epsilon--under-U": put(u_mm1, "claim", grows(FIXED, "1/2")),
    "epsilon--0-under-U": two(with_rate(u_mm1, "1"), ("claim", grows(FIXED, "0"))),
    "U-witness": put(u_witness, "witness|1", ["b.r1.2", "b.r1.2"]),
    "U-witness--one-buffer": put(u_witness, "witness|1", ["b.r1.2"]),
    "U-witness--one-server": put(u_witness, "witness", {"1": EXITS["1"]}),
    "U-witness--fifo": put(u_witness, "policy|sequencing", "fifo"),
    "U-witness--priority": put(u_crossed, "witness", EXITS),
    "U-cells": many_cells,
    "U-pieces": put(u_two_pieces, "corrector", corrector()),
    "U-pieces--wide-tie": put(u_two_pieces, "corrector", corrector(feature("combination(1 a.r1.1 - 2 b.r1.1)", -1, 1))),
    "U-cell": put(SLOW, "corrector", OPTIMIST),
    "U-cell--not-skipped": two(SLOW, ("v0", "1000"), ("corrector", corrector(feature(X, 0, 3)))),
    "U-cell--entries-first": two(
        u_crossed, ("policy|priority", {"1": EXITS["1"][::-1], "2": EXITS["2"][::-1]}), ("claim", grows("", "1/3"))
    ),
    "U-cell--non-idling": two(u_witness, ("witness", None), ("claim", grows(FIXED, "1/3"))),
    "U-cell--jump-out-of-the-end": put(u_corrected, "corrector|h", {"1": "3"}),
    "U-path": put(u_two_policies, "path", [{"a.r1.1": "1"}, {"b.r1.1": "1"}, {"a.r1.1": "-1"}]),
    "U-path--longer-queue": put(u_jsq, "path", [{"a@1": "1"}, {"a@1": "1"}]),
    "U-path--empty": put(u_mm1, "path", [{"a.r1.1": "-1"}]),
    "U-path--jump-of-two": put(u_mm1, "path", [{"a.r1.1": "2"}]),
    "U-path--half-a-job": put(u_mm1, "path", [{"a.r1.1": "1/2"}]),
    "U-path--nothing-happens": put(u_mm1, "path", [{}]),
    "U-path--no-step": put(u_mm1, "path", []),
    "U-path--not-above-v0": put(u_mm1, "v0", "1"),
    "U-path--not-above-0": two(u_mm1, ("v0", "-1"), ("path", [{"a.r1.1": "1"}, {"a.r1.1": "-1"}])),
    "U-path--times-0": put(u_crossed, "path|0|times", "0"),
    "U-path--times-1-2": put(u_crossed, "path|0|times", "1/2"),
    "U-path--too-long": put(u_crossed, "path|0|times", "100001"),
    "U-path--unknown": put(u_mm1, "path", [{"b": "1"}]),
    "bound--corrector": put(f_jsq_corrected, "evidence|trees|0|children|=|corrector|h", {"0": "1"}),
    "bound--corrected-mm1": with_rate(f_mm1_corrected, "3/4"),
    "features--of-a-leaf": put(f_mm1_corrected, MM1_LEAF + "|features|0|low", "1"),
    "words--ties-in-any-way": put(
        f_jsq_corrected,
        "claim",
        stable("routing jsq (ties in any way), sequencing non-idling, holding none", "1/4"),
    ),
    "words--under-H": put(h_mm1, "claim|words", stable(FIXED, "1/2")["words"]),
    "words--under-U": put(u_witness, "claim|words", grows(FIXED, "1/3")["words"]),
    "words--other-witness": put(
        u_witness, "claim|words", grows(FIXED, "1/3", "sequencing priority " + EXITS_WORDS.replace("; ", ", "))["words"]
    ),
}

MALFORMED: dict[str, Callable[[], Json]] = {
    "corrector-under-S": two(f_mm1_corrected, ("claim|condition", "strict")),
    "corrector-of-an-empty-node": put(
        f_mm1_corrected, "evidence|trees|0", {"empty": evidence("1", {}), "corrector": corrector()}
    ),
    "corrector-of-a-face": put(
        f_mm1_corrected,
        "evidence",
        {"kind": "faces", "faces": [[{"busy": {"1": "a.r1.1"}, "eta": {}, "corrector": corrector()}]]},
    ),
    "corrector-0": put(u_corrected, "corrector|h", {"0": "0"}),
    "witness-under-H": put(h_mm1, "witness", {"1": ["a.r1.1"]}),
    "verdict-of-H": put(h_mm1, "claim|verdict", "unstable"),
    "path-bare-times": put(u_crossed, "path|0|times", 4),
    "path-change-alone": put(u_crossed, "path|0", {"change": {"a.r1.1": "1"}}),
    "path-0": put(u_mm1, "path|0", {"a.r1.1": "0"}),
    "growth-without-path": put(u_mm1, "path", None),
    "feature-without-low": put(h_mm1, "corrector|features|0", {"normal": X, "high": "1"}),
}
