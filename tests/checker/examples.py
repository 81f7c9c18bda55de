"""Small certificates worked out by hand, and changes that violate one rule each.

`python -m checker.examples` in `tests/` writes them to `tests/corpus/`; `test_corpus` checks that the files are these.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
Json = dict[str, Any]


# ---- building blocks -----------------------------------------------------------------------------------------------
SUBJECT = "the network of this certificate"
MODEL = "Poisson arrivals, exponential service, preemptive resume."
SPILLBACK = "spillback (no service of a buffer while the next one holds at least as many jobs)"


def stable(policy: str, epsilon: str, condition: str = "fluid") -> Json:
    letter = "F" if condition == "fluid" else "S"
    words = (
        f"STABLE: {SUBJECT} is positive recurrent from every start under every Markov policy with {policy}; under every "
        f"adapted one the mean time to reach a bounded set is at most C(1+|x|) (condition {letter}, epsilon {epsilon}). "
        f"{MODEL}"
    )
    return {"verdict": "stable", "condition": condition, "epsilon": epsilon, "words": words}


def unstable(scope: str, load: str) -> Json:
    loaded = "critically loaded" if load == "1" else "overloaded"
    words = (
        f"UNSTABLE: {SUBJECT} is positive recurrent under no Markov policy with {scope}; load {load}, {loaded} "
        "(condition N). Poisson arrivals, exponential service."
    )
    return {"verdict": "unstable", "condition": "capacity", "load": load, "words": words}


def job_class(name: str, rate: str, *routes: list[tuple[str, str]]) -> Json:
    visits = [[{"server": server, "rate": mu} for server, mu in route] for route in routes]
    named = [{"name": f"r{i}", "visits": route} for i, route in enumerate(visits, start=1)]
    return {"name": name, "arrival_rate": rate, "routes": named}


def route_network(servers: str, *classes: Json) -> Json:
    return {"kind": "route", "servers": servers.split(), "classes": list(classes)}


def policy(routing: str, sequencing: str, *, holding: str = "none", **more: Any) -> Json:
    return {"routing": routing, "sequencing": sequencing, "holding": holding, **more}


def evidence(kappa: str, multipliers: dict[str, str]) -> Json:
    return {"kappa": kappa, "multipliers": multipliers}


def certificate(claim: Json, network: Json, how: Json, **proof: Any) -> Json:
    value = {"format": "queueproof-certificate-1", "claim": claim, "network": network, "policy": how, **proof}
    return copy.deepcopy(value)


def drift(claim: Json, network: Json, how: Json, pieces: Any, bound: tuple[Json, str], phi: Json, proof: Json) -> Json:
    function = {"pieces": pieces} if isinstance(pieces, list) else pieces
    lower = {"theta": bound[0], "c": bound[1]}
    return certificate(claim, network, how, test_function=function, lower_bound=lower, potential=phi, evidence=proof)


def trees(*roots: Json) -> Json:
    return {"kind": "tree", "trees": list(roots)}


def faces(*lists: list[Json]) -> Json:
    return {"kind": "faces", "faces": list(lists)}


# ---- M/M/1 ---------------------------------------------------------------------------------------------------------
MM1 = route_network("1", job_class("a", "1/2", [("1", "1")]))
FIXED = "routing fixed, sequencing non-idling, holding none"
MM1_TREE = {"leaf": {}, "exclude": {"server 1 / (idle)": evidence("1", {"x(a.r1.1)": "-1"})}}


def _mm1(proof: Json, condition: str = "fluid") -> Json:
    claim, how = stable(FIXED, "1/2", condition), policy("fixed", "non-idling")
    return drift(claim, MM1, how, [{"a.r1.1": "1"}], ({"0": "1"}, "1"), {"a.r1.1": "1"}, proof)


def mm1_faces() -> Json:
    return _mm1(faces([{"busy": {"1": "a.r1.1"}, "eta": {}}]))


def mm1_tree() -> Json:
    return _mm1(trees(MM1_TREE))


def mm1_strict() -> Json:
    return _mm1(trees(MM1_TREE), "strict")


# ---- a tandem with faces -------------------------------------------------------------------------------------------
TANDEM = route_network("1 2", job_class("a", "1/2", [("1", "1"), ("2", "1")]))
TANDEM_FACES = [
    {"busy": {"1": "a.r1.1", "2": "a.r1.2"}, "eta": {}},
    {"busy": {"1": "a.r1.1"}, "eta": {"a.r1.2": "-1"}},
    {"busy": {"2": "a.r1.2"}, "eta": {}},
]


def tandem_faces() -> Json:
    phi, how = {"a.r1.1": "2", "a.r1.2": "1"}, policy("fixed", "non-idling")
    one = [{"a.r1.1": "1", "a.r1.2": "1"}]
    return drift(stable(FIXED, "1/2"), TANDEM, how, one, ({"0": "1"}, "1"), phi, faces(TANDEM_FACES))


def tandem_two_pieces() -> Json:
    """The second piece is half the first: it is nowhere active, and each of its faces is excluded."""
    phi, how = {"a.r1.1": "2", "a.r1.2": "1"}, policy("fixed", "non-idling")
    two = [{"a.r1.1": "1", "a.r1.2": "1"}, {"a.r1.1": "1/2", "a.r1.2": "1/2"}]
    never = [{"busy": face["busy"], "empty": evidence("1", {"piece(0 - 1)": "-2"})} for face in TANDEM_FACES]
    proof = faces(TANDEM_FACES, never)
    return drift(stable(FIXED, "1/2"), TANDEM, how, two, ({"0": "1", "1": "0"}, "1"), phi, proof)


# ---- one server, priorities ----------------------------------------------------------------------------------------
def reentrant(sequencing: str, words: str = "", **more: Any) -> Json:
    """A route that visits server 1 twice; first visit first. `words`: the order of priority in the claim."""
    network = route_network("1", job_class("a", "1/4", [("1", "1"), ("1", "1")]))
    proof = faces([{"busy": {"1": "a.r1.1"}, "eta": {}}, {"busy": {"1": "a.r1.2"}, "eta": {}}])
    claim = stable(f"routing fixed, sequencing {sequencing}{words}, holding none", "1/2")
    how, phi = policy("fixed", sequencing, **more), {"a.r1.1": "2", "a.r1.2": "1"}
    return drift(claim, network, how, [{"a.r1.1": "2", "a.r1.2": "1"}], ({"0": "1"}, "1"), phi, proof)


def reentrant_fbfs() -> Json:
    return reentrant("fbfs")


def reentrant_priority() -> Json:
    return reentrant("priority", " 1: a.r1.1 > a.r1.2", priority={"1": ["a.r1.1", "a.r1.2"]})


def tandem_priority() -> Json:
    """Two servers with an order each: the words list the servers in the network's order, joined by a semicolon."""
    value, order = tandem_faces(), {"2": ["a.r1.2"], "1": ["a.r1.1"]}
    words = "routing fixed, sequencing priority 1: a.r1.1; 2: a.r1.2, holding none"
    return value | {"claim": stable(words, "1/2"), "policy": policy("fixed", "priority", priority=order)}


# ---- one server, two classes ---------------------------------------------------------------------------------------
TWO = route_network("1", job_class("a", "1/4", [("1", "1")]), job_class("b", "1/4", [("1", "1")]))
BOTH_EMPTY = evidence("1", {"x(a.r1.1)": "-1", "x(b.r1.1)": "-1"})


def _two_classes(sequencing: str, tree: Json, words: str = "", **more: Any) -> Json:
    claim = stable(f"routing fixed, sequencing {sequencing}, holding none{words}", "1/2")
    phi = {"a.r1.1": "1", "b.r1.1": "1"}
    return drift(claim, TWO, policy("fixed", sequencing, **more), [dict(phi)], ({"0": "1"}, "1"), phi, trees(tree))


def longest_queue() -> Json:
    return _two_classes("longest-queue", {"leaf": {}, "exclude": {"server 1 / (idle)": BOTH_EMPTY}})


def dominant() -> Json:
    """Three dominant pieces (of `b`, of `a`, of both); where one is strictly smaller its branch needs no evidence."""
    idle = [f"dominant {i} / server 1 / (idle)" for i in range(3)]
    children: Json = {
        "<": {"leaf": {}, "exclude": {idle[1]: BOTH_EMPTY}},
        "=": {"leaf": {}, "exclude": {idle[0]: BOTH_EMPTY, idle[1]: BOTH_EMPTY}},
        ">": {"leaf": {}, "exclude": {idle[0]: BOTH_EMPTY}},
    }
    tree = {"split": "dominance(0 - 1)", "children": children, "exclude": {idle[2]: BOTH_EMPTY}}
    function = {"template": "explicit", "alpha": ["1"], "beta": ["3/4"], "gamma": ["1", "1/2"]}
    words = ", dominance function explicit alpha=(1) beta=(3/4) gamma=(1, 1/2), tie order 1: b.r1.1 > a.r1.1"
    order = {"1": ["b.r1.1", "a.r1.1"]}
    return _two_classes("dominant", tree, words, dominance_function=function, tie_order=order)


# ---- routing decisions ---------------------------------------------------------------------------------------------
def parallel(rate: str) -> Json:
    return route_network("1 2", job_class("a", rate, [("1", "1")], [("2", "1")]))


def jsq_max() -> Json:
    """V = max(x_1, x_2) under jsq at rate 19/10: the gradient is corrected on the tie."""
    idle = {
        "server 1 / (idle)": evidence("1", {"piece(0 - 1)": "1", "x(a@1)": "-2"}),
        "server 2 / (idle)": evidence("1", {"piece(0 - 1)": "-1", "x(a@2)": "-2"}),
    }
    larger1 = {
        "class a / 1": evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"}),
        "server 1 / (idle)": evidence("0", {"piece(0 - 1)": "1", "x(a@1)": "-1"}),
    }
    larger2 = {
        "class a / 2": evidence("0", {"piece(0 - 1)": "-1", "queue(1 - 2)": "1"}),
        "server 2 / (idle)": evidence("0", {"piece(0 - 1)": "-1", "x(a@2)": "-1"}),
    }
    tie = {"leaf": {"piece(0 - 1)": "-1/2"}, "exclude": idle}
    tie2 = {"leaf": {"piece(0 - 1)": "1/2"}, "exclude": idle}
    proof = trees(
        {"split": "piece(0 - 1)", "children": {"=": tie, ">": {"leaf": {}, "exclude": larger1}}},
        {"split": "piece(0 - 1)", "children": {"=": tie2, "<": {"leaf": {}, "exclude": larger2}}},
    )
    claim = stable("routing jsq (ties in any way), sequencing non-idling, holding none", "1/20")
    pieces, phi = [{"a@1": "1"}, {"a@2": "1"}], {"a@1": "1", "a@2": "1"}
    how = policy("jsq", "non-idling")
    return drift(claim, parallel("19/10"), how, pieces, ({"0": "1/2", "1": "1/2"}, "1/2"), phi, proof)


def jsr_jobs() -> Json:
    """V = number of jobs under jsr at rate 3/2, corrected where a route is empty."""
    one, two = "x(a.r1.1)", "x(a.r2.1)"
    first_empty = {
        "class a / r2": evidence("1", {one: "-2", "route(a:r1 - r2)": "1"}),
        "server 2 / (idle)": evidence("1", {one: "-1", two: "-1"}),
    }
    second_empty = {"class a / r1": evidence("1", {two: "-2", "route(a:r1 - r2)": "-1"})}
    inner = {"=": {"leaf": {two: "-1"}, "exclude": second_empty}, ">": {"leaf": {}}}
    tree = {
        "split": one,
        "children": {"=": {"leaf": {one: "-1"}, "exclude": first_empty}, ">": {"split": two, "children": inner}},
    }
    claim = stable("routing jsr (ties in any way), sequencing longest-duplicate, holding none", "1/2")
    phi, how = {"a.r1.1": "1", "a.r2.1": "1"}, policy("jsr", "longest-duplicate")
    return drift(claim, parallel("3/2"), how, [dict(phi)], ({"0": "1"}, "1"), phi, trees(tree))


def weighted_route() -> Json:
    """The same where a job of the second route weighs two of the first."""
    one, two = "x(a.r1.1)", "x(a.r2.1)"
    first_empty = {
        "class a / r2": evidence("1", {one: "-3/2", "work(a:r1 - r2)": "1/2"}),
        "server 2 / (idle)": evidence("1", {one: "-1", two: "-1"}),
    }
    second_empty = {"class a / r1": evidence("1", {two: "-3", "work(a:r1 - r2)": "-1"})}
    inner = {"=": {"leaf": {two: "-1"}, "exclude": second_empty}, ">": {"leaf": {}}}
    tree = {
        "split": one,
        "children": {"=": {"leaf": {one: "-1"}, "exclude": first_empty}, ">": {"split": two, "children": inner}},
    }
    routing = "weighted-route (weights a.r1.1 1/3, a.r2.1 2/3; ties in any way)"
    claim = stable(f"routing {routing}, sequencing longest-duplicate, holding none", "1/2")
    weights, phi = {"a.r1.1": "1/3", "a.r2.1": "2/3"}, {"a.r1.1": "1", "a.r2.1": "1"}
    how = policy("weighted-route", "longest-duplicate", route_weights=weights)
    return drift(claim, parallel("3/2"), how, [dict(phi)], ({"0": "1"}, "1"), phi, trees(tree))


# ---- a buffer network ----------------------------------------------------------------------------------------------
def feedback_network(rate: str) -> Json:
    first = {"server": "A", "buffer": "q1", "rate": "3/2", "next": {"q2": "1/2"}}
    second = {"server": "B", "buffer": "q2", "rate": "4/5", "next": {"q1": "1/2"}}
    buffers = [{"name": "q1", "arrival_rate": rate}, {"name": "q2", "arrival_rate": "0"}]
    return {"kind": "buffer", "servers": ["A", "B"], "buffers": buffers, "activities": [first, second]}


def feedback() -> Json:
    listed = [
        {"busy": {"A": "q1", "B": "q2"}, "eta": {}},
        {"busy": {"A": "q1"}, "eta": {"q2": "-6"}},
        {"busy": {"B": "q2"}, "eta": {"q1": "-3"}},
    ]
    how, phi = policy("fixed", "non-idling"), {"q1": "1", "q2": "1"}
    network, pieces = feedback_network("1"), [{"q1": "8", "q2": "10"}]
    return drift(stable(FIXED, "1"), network, how, pieces, ({"0": "1"}, "8"), phi, faces(listed))


# ---- pressures, weights and holding --------------------------------------------------------------------------------
def _tandem(how: Json, words: str, idle: dict[str, dict[str, str]]) -> Json:
    """V = number of jobs. Where the second buffer is empty the first is served, and else the second is."""
    empty = {"server 1 / (idle)": evidence("1", idle["1"])}
    busy = {"server 2 / (idle)": evidence("0", idle["2"])} if "2" in idle else {}
    children = {"=": {"leaf": {"x(a.r1.2)": "-1"}, "exclude": empty}, ">": {"leaf": {}, "exclude": busy}}
    proof, phi = trees({"split": "x(a.r1.2)", "children": children}), {"a.r1.1": "2", "a.r1.2": "1"}
    one = [{"a.r1.1": "1", "a.r1.2": "1"}]
    return drift(stable(words, "1/2"), TANDEM, how, one, ({"0": "1"}, "1"), phi, proof)


def back_pressure() -> Json:
    idle = {
        "1": {"pressure(1: a.r1.1)": "-1", "x(a.r1.2)": "-2"},
        "2": {"pressure(2: a.r1.2)": "-1", "x(a.r1.2)": "1"},
    }
    return _tandem(policy("fixed", "back-pressure"), "routing fixed, sequencing back-pressure, holding none", idle)


def spillback() -> Json:
    how = policy("fixed", "non-idling", holding="spillback")
    idle = {"1": {"hold(a.r1.1)": "-1", "x(a.r1.2)": "-2"}}
    return _tandem(how, f"routing fixed, sequencing non-idling, holding {SPILLBACK}", idle)


def spillback_longest_queue() -> Json:
    """Server 1 serves the longer of a.r1.1, which may be held by a.r1.2, and b.r1.1, which leaves."""
    network = route_network("1 2", job_class("a", "1/4", [("1", "1"), ("2", "1")]), job_class("b", "1/4", [("1", "1")]))
    idle = evidence("1", {"hold(a.r1.1)": "-1", "x(b.r1.1)": "-1", "x(a.r1.2)": "-2"})
    empty = {"leaf": {"x(a.r1.2)": "-1"}, "exclude": {"server 1 / (idle)": idle}}
    phi = {"a.r1.1": "2", "a.r1.2": "1", "b.r1.1": "1"}
    claim = stable(f"routing fixed, sequencing longest-queue, holding {SPILLBACK}", "1/2")
    how, proof = policy("fixed", "longest-queue", holding="spillback"), {"=": empty, ">": {"leaf": {}}}
    tree = trees({"split": "x(a.r1.2)", "children": proof})
    return drift(claim, network, how, [dict.fromkeys(phi, "1")], ({"0": "1"}, "1"), phi, tree)


def max_weight() -> Json:
    """Rates 1 and 2, V = max(x_a, 2 x_b): the larger weight is served, and on the tie the gradient is corrected."""
    network = route_network("1", job_class("a", "1/4", [("1", "1")]), job_class("b", "1/4", [("1", "2")]))
    weight = "weight(1: a.r1.1 - b.r1.1)"
    larger = {"server 1 / b.r1.1": evidence("0", {"piece(0 - 1)": "1", weight: "-1"})}
    smaller = {"server 1 / a.r1.1": evidence("0", {"piece(0 - 1)": "-1", weight: "1"})}
    idle = {"server 1 / (idle)": BOTH_EMPTY}
    tie = [{"leaf": {"piece(0 - 1)": eta}} for eta in ("-1/5", "4/5")]
    proof = trees(
        {"split": "piece(0 - 1)", "exclude": idle, "children": {"=": tie[0], ">": {"leaf": {}, "exclude": larger}}},
        {"split": "piece(0 - 1)", "exclude": idle, "children": {"=": tie[1], "<": {"leaf": {}, "exclude": smaller}}},
    )
    claim, phi = stable("routing fixed, sequencing max-weight, holding none", "1/2"), {"a.r1.1": "1", "b.r1.1": "1"}
    pieces, how = [{"a.r1.1": "1"}, {"b.r1.1": "2"}], policy("fixed", "max-weight")
    return drift(claim, network, how, pieces, ({"0": "1/2", "1": "1/2"}, "1/2"), phi, proof)


def max_weight_with_weights() -> Json:
    """The same comparison by weights 1 and 2 where both rates are 1."""
    value = max_weight()
    value["network"]["classes"][1]["routes"][0]["visits"][0]["rate"] = "1"
    value["policy"]["buffer_weights"] = {"a.r1.1": "1", "b.r1.1": "2"}
    for tree, eta in zip(value["evidence"]["trees"], ("-1/3", "2/3"), strict=True):
        tree["children"]["="]["leaf"] = {"piece(0 - 1)": eta}
    words = "routing fixed, sequencing max-weight (weights a.r1.1 1, b.r1.1 2), holding none"
    return {**value, "claim": stable(words, "1/3")}


def back_pressure_fork() -> Json:
    """Half of the jobs of q1 go on to q2; q1 has no pressure where q2 is longer, so q1 needs the larger potential."""
    first = {"server": "A", "buffer": "q1", "rate": "3/2", "next": {"q2": "1/2"}}
    second = {"server": "B", "buffer": "q2", "rate": "1", "next": {}}
    buffers = [{"name": "q1", "arrival_rate": "1/2"}, {"name": "q2", "arrival_rate": "0"}]
    network = {"kind": "buffer", "servers": ["A", "B"], "buffers": buffers, "activities": [first, second]}
    empty = {"server A / (idle)": evidence("1", {"pressure(A: q1)": "-2/3", "x(q2)": "-3/2"})}
    busy = {"server B / (idle)": evidence("0", {"pressure(B: q2)": "-1", "x(q2)": "1"})}
    children = {"=": {"leaf": {"x(q2)": "-1"}, "exclude": empty}, ">": {"leaf": {}, "exclude": busy}}
    claim, phi = stable("routing fixed, sequencing back-pressure, holding none", "1/2"), {"q1": "2", "q2": "1"}
    one, proof = [{"q1": "1", "q2": "1"}], trees({"split": "x(q2)", "children": children})
    return drift(claim, network, policy("fixed", "back-pressure"), one, ({"0": "1"}, "1"), phi, proof)


# ---- the preset jsq-as ---------------------------------------------------------------------------------------------
def _jsq_as(paths: list[str], split: list[str], held: dict[str, str], phi: dict[str, str]) -> Json:
    """V = number of jobs at rate 1/2: where all buffers of `split` are empty server 1 works, else one of theirs."""
    network = route_network("1 2 3", job_class("c", "1/2", *([(s, "1") for s in path] for path in paths)))
    normals = [f"x({name})" for name in split]
    tree = {"leaf": dict.fromkeys(normals, "-1"), "exclude": {"server 1 / (held)": evidence("1", held)}}
    for normal in reversed(normals):
        tree = {"split": normal, "children": {"=": tree, ">": {"leaf": {}}}}
    claim, one = stable("preset jsq-as (ties in any way)", "1/2"), [dict.fromkeys(phi, "1")]
    return drift(claim, network, {"preset": "jsq-as"}, one, ({"0": "1"}, "1"), phi, trees(tree))


def jsq_as() -> Json:
    """Routes 1 - 2 and 1 - 3: server 1 is held only where both its queues are at most as long as those after them."""
    held = {"length(c.r1.1 - c.r1.2)": "-1", "length(c.r2.1 - c.r2.2)": "-1", "x(c.r1.2)": "-2", "x(c.r2.2)": "-2"}
    phi = {"c.r1.1": "2", "c.r1.2": "1", "c.r2.1": "2", "c.r2.2": "1"}
    return _jsq_as(["12", "13"], ["c.r1.2", "c.r2.2"], held, phi)


def jsq_as_exit() -> Json:
    """Routes 1 - 2 and 1: server 1 may let its longest subserver's job leave while c.r2.1 is not empty."""
    held = {"length(c.r1.1 - c.r1.2)": "-1", "x(c.r2.1)": "-1", "x(c.r1.2)": "-2"}
    return _jsq_as(["12", "1"], ["c.r1.2"], held, {"c.r1.1": "2", "c.r1.2": "1", "c.r2.1": "2"})


def fifo() -> Json:
    claim = stable("routing fixed, sequencing non-idling (fifo is one of the adapted ones), holding none", "1/2")
    return mm1_faces() | {"claim": claim, "policy": policy("fixed", "fifo")}


# ---- condition N ---------------------------------------------------------------------------------------------------
def _capacity(claim: Json, network: Json, how: Json, prices: Json, potentials: Json) -> Json:
    return certificate(claim, network, how, prices=prices, potentials=potentials)


def n_fixed() -> Json:
    network = route_network("1", job_class("a", "1", [("1", "1")]))
    return _capacity(
        unstable("routing fixed and any sequencing and holding", "1"),
        network,
        policy("fixed", "fifo"),
        {"1": "1"},
        {"a.r1.1": "1"},
    )


def n_bernoulli() -> Json:
    how = policy("bernoulli", "non-idling", probabilities={"a": {"r1": "3/4", "r2": "1/4"}})
    claim = unstable("routing bernoulli (a: r1 3/4, r2 1/4) and any sequencing and holding", "1")
    return _capacity(claim, parallel("4/3"), how, {"1": "1"}, {"a.r1.1": "1"})


HALVES = {"1": "1/2", "2": "1/2"}


def n_jsr() -> Json:
    how = policy("jsr", "dominant")
    return _capacity(
        unstable("routing jsr (ties in any way) and any sequencing and holding", "1"),
        parallel("2"),
        how,
        HALVES,
        {"a.r1.1": "1/2", "a.r2.1": "1/2"},
    )


def n_jsr_tie_order() -> Json:
    """The dominance function is left to nobody: condition N holds for every one, and for every tie order."""
    return put(n_jsr, "policy|tie_order", {"1": ["a.r1.1"]})()


def n_jsq() -> Json:
    how = policy("jsq", "back-pressure") | {"holding": "spillback"}
    return _capacity(
        unstable("routing jsq (ties in any way) and any sequencing and holding", "1"),
        parallel("2"),
        how,
        HALVES,
        {"a@1": "1/2", "a@2": "1/2"},
    )


BRIDGE = route_network(
    "1 2 3 4 5",
    job_class("c", "31/20", *([(s, "3/4") for s in path] for path in ("12", "135", "45"))),
)


def n_jsq_as() -> Json:
    claim, prices = unstable("the moves of preset jsq-as in any order", "31/30"), {"1": "1/2", "4": "1/2"}
    return _capacity(claim, BRIDGE, {"preset": "jsq-as"}, prices, {"c@1": "2/3", "c@4": "2/3"})


def n_buffer() -> Json:
    claim, potentials = unstable("its activities in any order", "1"), {"q1": "8/9", "q2": "4/9"}
    return _capacity(claim, feedback_network("9/8"), policy("fixed", "max-weight"), {"A": "1"}, potentials)


ACCEPTED: dict[str, Callable[[], Json]] = {
    "names-apart": lambda: clash(),
    "names-apart-idle": lambda: idle_buffer(),
    "mm1-faces": mm1_faces,
    "mm1-tree": mm1_tree,
    "mm1-strict": mm1_strict,
    "tandem-faces": tandem_faces,
    "tandem-two-pieces": tandem_two_pieces,
    "reentrant-fbfs": reentrant_fbfs,
    "reentrant-priority": reentrant_priority,
    "tandem-priority": tandem_priority,
    "longest-queue": longest_queue,
    "dominant": dominant,
    "jsq-max": jsq_max,
    "jsr-jobs": jsr_jobs,
    "weighted-route": weighted_route,
    "feedback": feedback,
    "fifo": fifo,
    "back-pressure": back_pressure,
    "back-pressure-fork": back_pressure_fork,
    "spillback": spillback,
    "spillback-longest-queue": spillback_longest_queue,
    "max-weight": max_weight,
    "max-weight-with-weights": max_weight_with_weights,
    "jsq-as": jsq_as,
    "jsq-as-exit": jsq_as_exit,
    "n-fixed": n_fixed,
    "n-bernoulli": n_bernoulli,
    "n-jsr": n_jsr,
    "n-jsr-tie-order": n_jsr_tie_order,
    "n-jsq": n_jsq,
    "n-jsq-as": n_jsq_as,
    "n-buffer": n_buffer,
}


# ---- one violated rule each ----------------------------------------------------------------------------------------
def put(make: Callable[[], Json], path: str, new: Any) -> Callable[[], Json]:
    """The certificate with another value at a path whose keys are separated by `|`; None removes the key."""

    def changed() -> Json:
        value = copy.deepcopy(make())
        *parents, last = path.split("|")
        inner: Any = value
        for key in parents:
            inner = inner[int(key)] if isinstance(inner, list) else inner[key]
        if isinstance(inner, list):
            inner[int(last)] = new
        elif new is None:
            del inner[last]
        else:
            inner[last] = new
        return value

    return changed


def with_rate(make: Callable[[], Json], rate: str) -> Callable[[], Json]:
    return put(make, "network|classes|0|arrival_rate", rate)


def clash() -> Json:
    """Routes r, s-t, r-s, t of one class: no two normals may come to have one name."""
    network = route_network("1", job_class("a", "1/2", *[[("1", "1")]] * 4))
    for route, name in zip(network["classes"][0]["routes"], ("r", "r-s", "s-t", "t"), strict=True):
        route["name"] = name
    names = [f"a.{name}.1" for name in ("r", "r-s", "s-t", "t")]
    claim = stable("routing jsr (ties in any way), sequencing longest-duplicate, holding none", "1/2")
    idle = evidence("1", {f"x({name})": "-1" for name in names})
    tree = {"leaf": {}, "exclude": {"server 1 / (idle)": idle}}
    one, how = dict.fromkeys(names, "1"), policy("jsr", "longest-duplicate")
    return drift(claim, network, how, [dict(one)], ({"0": "1"}, "1"), one, trees(tree))


def idle_buffer() -> Json:
    """A buffer called idle: serving it is not idling."""
    activity = {"server": "A", "buffer": "idle", "rate": "1", "next": {}}
    buffers = [{"name": "idle", "arrival_rate": "1/2"}]
    network = {"kind": "buffer", "servers": ["A"], "buffers": buffers, "activities": [activity]}
    tree = {"leaf": {}, "exclude": {"server A / (idle)": evidence("1", {"x(idle)": "-1"})}}
    claim, how = stable(FIXED, "1/2"), policy("fixed", "non-idling")
    return drift(claim, network, how, [{"idle": "1"}], ({"0": "1"}, "1"), {"idle": "1"}, trees(tree))


def two_servers() -> Json:
    """The trap of the reduction: buffer k has servers A, B, and faces are not allowed."""
    activities = [{"server": n, "buffer": "k", "rate": "1", "next": {}} for n in "AB"]
    buffers = [{"name": "k", "arrival_rate": "1/2"}]
    network = {"kind": "buffer", "servers": ["A", "B"], "buffers": buffers, "activities": activities}
    proof = faces([{"busy": {"A": "k", "B": "k"}, "eta": {}}])
    claim, how = stable(FIXED, "3/2"), policy("fixed", "non-idling")
    return drift(claim, network, how, [{"k": "1"}], ({"0": "1"}, "1"), {"k": "1"}, proof)


def no_way_out() -> Json:
    return put(put(feedback, "network|activities|0|next", {"q2": "1"}), "network|activities|1|next", {"q1": "1"})()


def overloaded_jsq() -> Json:
    """The trap: V = max(x_1, x_2) falls inside both regimes at rate 5/2 > 2; only the tie tells."""
    return put(
        with_rate(jsq_max, "5/2"),
        "claim",
        stable("routing jsq (ties in any way), sequencing non-idling, holding none", "1/20"),
    )()


IDLE_AT_1 = "evidence|trees|0|exclude|server 1 / (idle)"
TREE, TIE = "evidence|trees|0", "evidence|trees|0|children|=|exclude|server 1 / (idle)"
LARGER = "evidence|trees|0|children|>|exclude|server 1 / (idle)"
FACE = "evidence|faces|0|1"
STRANGE = {"kind": "buffer", "servers": ["A"], "buffers": [], "activities": []}


def fork(*paths: str) -> Callable[[], Json]:
    """n-jsq on other routes."""
    visits = [[{"server": s, "rate": "1"} for s in path] for path in paths]
    routes = [{"name": f"r{i}", "visits": route} for i, route in enumerate(visits)]
    network = {
        "kind": "route",
        "servers": list("1234"),
        "classes": [{"name": "a", "arrival_rate": "2", "routes": routes}],
    }
    return put(n_jsq, "network", network)


def two_successors() -> Json:
    """Server A lets jobs of q1 leave, server B sends them to q2."""
    rows = [("A", "q1", {}), ("B", "q1", {"q2": "1"}), ("B", "q2", {})]
    activities = [{"server": n, "buffer": k, "rate": "1", "next": after} for n, k, after in rows]
    how = policy("fixed", "non-idling", holding="spillback")
    return put(put(back_pressure_fork, "network|activities", activities), "policy", how)()


def jsq_choice(sequencing: str) -> Callable[[], Json]:
    """After server 1 a job has a choice."""
    network = route_network("1 2 3", job_class("a", "1", [("1", "1"), ("2", "1")], [("1", "1"), ("3", "1")]))
    return put(put(jsq_max, "network", network), "policy|sequencing", sequencing)


def seven_buffers() -> Json:
    return put(longest_queue, "network", route_network("1", *(job_class(c, "1", [("1", "1")]) for c in "abcdefg")))()


def seven_targets() -> Json:
    """Server 1 feeds 2 to 8 and lets jobs go: beside each of these, six others and the exit."""
    paths = ["1", *(f"1{n}" for n in "2345678")]
    routes = ([(server, "1") for server in path] for path in paths)
    return put(jsq_as, "network", route_network(" ".join("12345678"), job_class("c", "1", *routes)))()


REJECTED: dict[str, Callable[[], Json]] = {
    "network": put(mm1_faces, "network|classes|0|routes|0|visits|0|rate", "-1"),
    "network--no-classes": put(mm1_faces, "network|classes", []),
    "network--server-twice": put(mm1_faces, "network|servers", ["1", "1"]),
    "network--class-twice": put(mm1_faces, "network|classes", MM1["classes"] * 2),
    "network--unlisted-server": put(mm1_faces, "network|servers", ["2"]),
    "network--arrival-rate-0": with_rate(mm1_faces, "0"),
    "network--empty-route": put(mm1_faces, "network|classes|0|routes|0|visits", []),
    "network--no-routes": put(mm1_faces, "network|classes|0|routes", []),
    "network--no-way-out": no_way_out,
    "network--probabilities-above-1": put(feedback, "network|activities|0|next", {"q2": "3/4", "q1": "1/2"}),
    "network--probability-0": put(feedback, "network|activities|0|next", {"q2": "1/2", "q1": "0"}),
    "network--negative-arrivals": put(feedback, "network|buffers|1|arrival_rate", "-1"),
    "network--no-arrivals": put(feedback, "network|buffers|0|arrival_rate", "0"),
    "network--no-activity": put(feedback, "network|activities", feedback_network("1")["activities"][:1]),
    "network--activity-twice": put(feedback, "network|activities", feedback_network("1")["activities"] * 2),
    "network--no-buffers": put(feedback, "network", STRANGE),
    "policy": put(tandem_faces, "policy|sequencing", "shortest-queue"),
    "policy--holding": put(spillback, "policy|holding", "blocking"),
    "policy--spillback-random-next": put(back_pressure_fork, "policy|holding", "spillback"),
    "policy--spillback-two-successors": two_successors,
    "policy--spillback-jsq-choice": put(jsq_choice("non-idling"), "policy|holding", "spillback"),
    "policy--spillback-7-buffers": put(seven_buffers, "policy|holding", "spillback"),
    "policy--back-pressure-jsq-choice": jsq_choice("back-pressure"),
    "policy--jsq-as-7-targets": seven_targets,
    "policy--unknown-preset": put(n_jsq_as, "policy", {"preset": "jsq"}),
    "policy--preset-path-rule": put(n_jsq_as, "network|classes|0|routes|2|visits|1|server", "3"),
    "policy--preset-two-classes": put(n_jsq_as, "network|classes", [job_class(n, "2", [("1", "1")]) for n in "ab"]),
    "policy--fixed-two-routes": put(n_jsr, "policy|routing", "fixed"),
    "policy--routing-of-buffers": put(feedback, "policy|routing", "jsr"),
    "policy--probability-sum": put(n_bernoulli, "policy|probabilities|a|r1", "1/2"),
    "policy--probability-0": put(n_bernoulli, "policy|probabilities|a", {"r1": "1", "r2": "0"}),
    "policy--probability-missing": put(n_bernoulli, "policy|probabilities|a", {"r1": "1"}),
    "policy--no-probabilities": put(n_bernoulli, "policy|probabilities", None),
    "policy--unasked-probabilities": put(n_jsr, "policy|probabilities", {"a": {"r1": "1/2", "r2": "1/2"}}),
    "policy--no-route-weights": put(weighted_route, "policy|route_weights", None),
    "policy--route-weights-lack-a-subserver": put(weighted_route, "policy|route_weights", {"a.r1.1": "1"}),
    "policy--route-weight-0": put(weighted_route, "policy|route_weights|a.r2.1", "0"),
    "policy--unasked-route-weights": put(n_jsr, "policy|route_weights", {"a.r1.1": "1", "a.r2.1": "1"}),
    "exclusion--route-weights-the-other-way": put(
        weighted_route, "policy|route_weights", {"a.r1.1": "2/3", "a.r2.1": "1/3"}
    ),
    "policy--buffer-weights-lack-a-buffer": put(max_weight, "policy|buffer_weights", {"a.r1.1": "1"}),
    "policy--buffer-weight-0": put(max_weight_with_weights, "policy|buffer_weights|a.r1.1", "0"),
    "policy--unasked-buffer-weights": put(mm1_faces, "policy|buffer_weights", {"a.r1.1": "1"}),
    "exclusion--buffer-weights-the-other-way": put(
        max_weight_with_weights, "policy|buffer_weights", {"a.r1.1": "2", "b.r1.1": "1"}
    ),
    "policy--no-priority": put(reentrant_priority, "policy|priority", None),
    "policy--unasked-priority": put(mm1_faces, "policy|priority", {"1": ["a.r1.1"]}),
    "policy--priority-lacks-a-buffer": put(reentrant_priority, "policy|priority|1", ["a.r1.1"]),
    "policy--priority-buffer-twice": put(reentrant_priority, "policy|priority|1", ["a.r1.1", "a.r1.1"]),
    "policy--unasked-tie-order": put(mm1_faces, "policy|tie_order", {"1": ["a.r1.1"]}),
    "policy--tie-order-lacks-a-buffer": put(dominant, "policy|tie_order|1", ["a.r1.1"]),
    "policy--no-dominance-function": put(put(dominant, "policy|dominance_function", None), "policy|tie_order", None),
    "policy--unasked-tie-order-under-N": put(n_fixed, "policy|tie_order", {"1": ["a.r1.1"]}),
    "policy--tie-order-alone-of-another-server": put(n_jsr, "policy|tie_order", {"1": ["a.r2.1"]}),
    "policy--tie-order-alone-under-F": put(dominant, "policy|dominance_function", None),
    "policy--dominant-under-jsq": put(n_jsq, "policy|sequencing", "dominant"),
    "policy--fbfs-of-buffers": put(feedback, "policy|sequencing", "fbfs"),
    "policy--jsq-missing-path": fork("123", "24"),
    "policy--jsq-last-on-some": fork("12", "123"),
    "policy--jsq-cycle": fork("123", "324"),
    "policy--jsq-server-twice": fork("121"),
    "policy--jsq-two-rates": put(fork("13", "23"), "network|classes|0|routes|0|visits|1|rate", "2"),
    "policy--jsq-fbfs-positions": put(fork("12", "2"), "policy|sequencing", "fbfs"),
    "function": put(tandem_faces, "test_function|pieces|0|a.r1.2", "-1"),
    "function--unknown-buffer": put(mm1_faces, "test_function|pieces|0", {"b": "1"}),
    "function--no-piece": put(mm1_faces, "test_function|pieces", []),
    "function--empty-piece": put(mm1_faces, "test_function|pieces", [{}]),
    "function--equal-pieces": put(mm1_faces, "test_function|pieces", [{"a.r1.1": "1"}] * 2),
    "function--template-under-jsq": put(
        jsq_max, "test_function", {"template": "explicit", "alpha": ["1"], "beta": ["1", "1"], "gamma": ["1"]}
    ),
    "function--alpha-too-long": put(dominant, "policy|dominance_function|alpha", ["1", "1"]),
    "function--alpha-0": put(dominant, "policy|dominance_function|alpha", ["0"]),
    "function--dominance-gap": put(
        put(reentrant_fbfs, "policy", policy("fixed", "dominant")),
        "policy|dominance_function",
        {"pieces": [{"a.r1.2": "1"}]},
    ),
    "zero": put(tandem_faces, "lower_bound|c", "1/2"),
    "zero--sum": put(mm1_faces, "lower_bound|theta", {"0": "2"}),
    "zero--negative": put(tandem_two_pieces, "lower_bound|theta", {"0": "2", "1": "-1"}),
    "zero--unknown-piece": put(mm1_faces, "lower_bound|theta", {"1": "1"}),
    "zero--c-not-positive": put(put(jsq_max, "lower_bound|theta", {"0": "1"}), "lower_bound|c", "0"),
    "R-potential": put(tandem_faces, "potential", {"a.r1.1": "1", "a.r1.2": "1"}),
    "R-potential--of-a-duplicate": put(jsq_as_exit, "potential|c.r2.1", "1"),
    "R-potential--0": put(mm1_faces, "potential|a.r1.1", "0"),
    "R-potential--missing": put(tandem_faces, "potential", {"a.r1.1": "1"}),
    "R-work": put(back_pressure_fork, "potential", {"q1": "1", "q2": "1"}),
    "R-work--successor-above": put(back_pressure_fork, "potential", {"q1": "1", "q2": "2"}),
    "trees": put(mm1_tree, "evidence|trees", [MM1_TREE, MM1_TREE]),
    "trees--none": put(mm1_tree, "evidence|trees", []),
    "trees--faces": put(tandem_two_pieces, "evidence|faces", [TANDEM_FACES]),
    "children": put(jsq_max, TREE + "|children|=", None),
    "children--extra": put(jsq_max, TREE + "|children|<", {"leaf": {}}),
    "children--closed-under-F": put(jsr_jobs, TREE + "|children", {"<=": {"leaf": {}}, ">=": {"leaf": {}}}),
    "children--open-under-S": put(
        mm1_strict, TREE, {"split": "x(a.r1.1)", "children": {"=": {"leaf": {}}, ">": {"leaf": {}}}}
    ),
    "normal": put(jsq_max, TREE + "|split", "queue(2 - 1)"),
    "normal--no-guard-row": put(mm1_tree, TREE, {"split": "piece(0 - 0)", "children": {}}),
    "normal--one-sign": put(jsr_jobs, TREE + "|children|>|split", "x(a.r1.1)"),
    "normal--hold-without-spillback": put(back_pressure, TREE + "|split", "hold(a.r1.1)"),
    "normal--pressure-in-wrong-order": put(max_weight, TREE + "|split", "weight(1: b.r1.1 - a.r1.1)"),
    "eta": put(jsq_max, TREE + "|children|>|leaf", {"piece(0 - 1)": "-1/2"}),
    "eta--busy-buffer": put(tandem_faces, FACE + "|eta", {"a.r1.1": "-1", "a.r1.2": "-1"}),
    "eta--unknown": put(mm1_tree, TREE + "|leaf", {"b": "1"}),
    "eta--under-S": put(mm1_strict, TREE + "|leaf", {"x(a.r1.1)": "1"}),
    "bound": with_rate(mm1_faces, "3/4"),
    "bound--tie": overloaded_jsq,
    "bound--omitted-exclusion": put(mm1_tree, TREE, {"leaf": {}}),
    "bound--epsilon-too-large": put(mm1_faces, "claim", stable(FIXED, "2/3")),
    "bound--held-under-spillback": put(spillback, TREE + "|children|=|exclude", {}),
    "bound--held-under-jsq-as": put(jsq_as, TREE + "|children|=|children|=|exclude", {}),
    "bound--no-pressure": put(back_pressure, TREE + "|children|=|exclude", {}),
    "exclude-name--idle-under-jsq-as": put(
        jsq_as_exit, TREE + "|exclude", {"server 1 / (idle)": evidence("1", {"x(c.r1.1)": "-1"})}
    ),
    "exclude-name": put(mm1_tree, TREE + "|exclude|server 2 / (idle)", evidence("1", {"x(a.r1.1)": "-1"})),
    "exclude-name--again": put(
        jsr_jobs, TREE + "|children|>|exclude", {"server 1 / (idle)": evidence("1", {"x(a.r1.1)": "-1"})}
    ),
    "no-alternative": put(
        with_rate(jsq_max, "1"),
        TREE + "|children|>",
        {
            "split": "x(a@1)",
            "exclude": {"class a / 1": evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"})},
            "children": {
                "=": {"leaf": {}, "exclude": {"class a / 2": evidence("0", {"piece(0 - 1)": "1", "x(a@1)": "-1"})}},
                ">": {"leaf": {}},
            },
        },
    ),
    "exclusion": put(jsq_max, TIE, evidence("1", {"piece(0 - 1)": "1", "x(a@1)": "-1"})),
    "exclusion-strict": put(jsq_max, LARGER, evidence("0", {})),
    "exclusion-strict--kappa-0-under-S": put(mm1_strict, IDLE_AT_1, evidence("0", {"x(a.r1.1)": "-1"})),
    "exclusion-multiplier": put(jsq_max, LARGER, evidence("0", {"piece(0 - 1)": "-1"})),
    "exclusion-multiplier--negative-kappa": put(jsq_max, LARGER, evidence("-1", {"piece(0 - 1)": "2"})),
    "exclusion-multiplier--no-fact": put(jsq_max, LARGER, evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"})),
    "exclusion-multiplier--unknown": put(jsq_max, LARGER, evidence("0", {"piece(1 - 0)": "1"})),
    "faces-policy": two_servers,
    "faces-policy--longest-queue": put(longest_queue, "evidence", faces([{"busy": {"1": "a.r1.1"}, "eta": {}}])),
    "faces-policy--jsq": put(put(jsq_max, "evidence", faces([], [])), "policy|routing", "jsq"),
    "faces-policy--spillback": put(tandem_faces, "policy|holding", "spillback"),
    "faces-policy--jsq-as": put(jsq_as, "evidence", faces([{"busy": {"1": "c.r1.1"}, "eta": {}}])),
    "faces-complete": put(tandem_faces, "evidence|faces|0", TANDEM_FACES[:2]),
    "faces-complete--twice": put(tandem_faces, "evidence|faces|0", [*TANDEM_FACES, TANDEM_FACES[0]]),
    "faces-complete--all-idle": put(mm1_faces, "evidence|faces|0|0|busy", {}),
    "faces-complete--not-first-of-group": put(
        put(put(reentrant_fbfs, "policy|sequencing", "non-idling"), "claim", stable(FIXED, "1/2")),
        "evidence|faces|0",
        [{"busy": {"1": "a.r1.2"}, "eta": {}}],
    ),
    "faces-complete--unknown-server": put(mm1_faces, "evidence|faces|0|0|busy", {"1": "a.r1.1", "2": "a.r1.1"}),
    "epsilon": put(mm1_faces, "claim", stable(FIXED, "1/3")),
    "epsilon--0": put(put(mm1_faces, "claim", stable(FIXED, "0")), "network|classes|0|arrival_rate", "1"),
    "words": put(mm1_faces, "claim|words", "STABLE: always."),
    "words--other-condition": put(mm1_tree, "claim|words", stable(FIXED, "1/2", "strict")["words"]),
    "words--tie-order": put(dominant, "policy|tie_order", None),
    "words--priority-without-its-order": put(
        reentrant_priority, "claim", stable("routing fixed, sequencing priority, holding none", "1/2")
    ),
    "words--priority-other-order": put(
        tandem_priority,
        "claim",
        stable("routing fixed, sequencing priority 2: a.r1.2; 1: a.r1.1, holding none", "1/2"),
    ),
    "words--preset": put(jsq_as, "claim", stable("routing jsq-as, sequencing longest-duplicate, holding none", "1/2")),
    "words--holding": put(spillback, "claim", stable(FIXED, "1/2")),
    "N-prices": put(n_jsr, "prices", {"1": "1/2", "2": "1"}),
    "N-prices--negative": put(n_jsr, "prices", {"1": "2", "2": "-1"}),
    "N-prices--unknown": put(n_fixed, "prices", {"2": "1"}),
    "N-activity": put(n_fixed, "potentials|a.r1.1", "2"),
    "N-activity--unknown": put(n_fixed, "potentials|b", "1"),
    "N-activity--one-destination": put(n_jsq_as, "potentials|c@2", "2/3"),
    "N-load": put(n_fixed, "claim", unstable("routing fixed and any sequencing and holding", "2")),
    "N-load--below-1": put(
        with_rate(n_fixed, "1/2"), "claim", unstable("routing fixed and any sequencing and holding", "1/2")
    ),
}


# ---- beside a network file -----------------------------------------------------------------------------------------
MM1_FILE = """title = "M/M/1"
[parameters]
load = "0.5"
[servers]
1 = { rate = 1 }
[[classes]]
name = "a"
arrival_rate = "load"
[classes.routes]
r1 = ["1"]
"""
BESIDE: dict[str, str] = {
    "accepted/mm1-beside": MM1_FILE,
    "rejected/same-network": MM1_FILE.replace('"0.5"', '"0.49"'),
    "rejected/same-policy": MM1_FILE + '[policy]\nsequencing = "fbfs"\n',
}

# ---- not of the form -----------------------------------------------------------------------------------------------
MALFORMED: dict[str, Callable[[], Json]] = {
    "bare-number": put(mm1_faces, "lower_bound|c", 1),
    "boolean": put(mm1_faces, "lower_bound|c", True),
    "decimal": put(mm1_faces, "lower_bound|c", "1.0"),
    "not-lowest-terms": put(mm1_faces, "claim|epsilon", "2/4"),
    "denominator-1": put(mm1_faces, "lower_bound|c", "1/1"),
    "denominator-0": put(mm1_faces, "lower_bound|c", "1/0"),
    "minus-0": put(mm1_faces, "lower_bound|c", "-0"),
    "leading-0": put(mm1_faces, "lower_bound|c", "01"),
    "plus": put(mm1_faces, "lower_bound|c", "+1"),
    "space": put(mm1_faces, "lower_bound|c", " 1"),
    "newline": put(mm1_faces, "lower_bound|c", "1\n"),
    "arabic-digit": put(mm1_faces, "lower_bound|c", "\u0663"),
    "underscore": put(mm1_faces, "lower_bound|c", "1_0"),
    "too-long-number": put(mm1_faces, "lower_bound|c", "1" * 4001),
    "name": put(mm1_faces, "network|servers", ["1 2"]),
    "unknown-key": put(mm1_faces, "network|title", "M/M/1"),
    "missing-key": put(mm1_faces, "potential", None),
    "other-format": put(mm1_faces, "format", "queueproof-certificate-2"),
    "zero-entry": put(tandem_faces, "evidence|faces|0|0|eta", {"a.r1.2": "0"}),
    "verdict": put(mm1_faces, "claim|verdict", "unstable"),
    "faces-under-S": put(mm1_faces, "claim|condition", "strict"),
    "node-leaf-and-empty": put(mm1_tree, TREE + "|empty", evidence("1", {})),
    "sign": put(jsq_max, TREE + "|children|==", {"leaf": {}}),
    "preset-and-more": put(n_jsq_as, "policy|holding", "none"),
    "network-kind": put(mm1_faces, "network|kind", "fluid"),
    "claim-list": put(mm1_faces, "claim", []),
}


def nested(levels: int) -> str:
    """A tree of case splits as deep as JSON allows."""
    text = json.dumps(mm1_tree())
    old = json.dumps(MM1_TREE)
    deep = '{"split": "x", "children": {"=": ' * levels + old + "}}" * levels
    return text.replace(old, deep)


RAW_MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "not-json": b"{",
    "list": b"[]",
    "byte-order-mark": b"\xef\xbb\xbf" + json.dumps(mm1_faces()).encode(),
    "not-utf8": json.dumps(mm1_faces()).replace("STABLE", "\u00e9").encode("latin-1").replace(b"\\u00e9", b"\xe9"),
    "duplicate-key": json.dumps(mm1_faces()).replace('"c": "1"', '"c": "1", "c": "1"').encode(),
    "float": json.dumps(mm1_faces()).replace('"c": "1"', '"c": 1.0').encode(),
    "nan": json.dumps(mm1_faces()).replace('"c": "1"', '"c": NaN').encode(),
    "null": json.dumps(mm1_faces()).replace('"c": "1"', '"c": null').encode(),
    "format-not-first": json.dumps(dict(reversed(mm1_faces().items()))).encode(),
    "deep": nested(200).encode(),
    "very-deep": b'{"format": ' + b"[" * 100_000,
    "lone-surrogate": json.dumps(put(mm1_faces, "network|servers", ["\ud800"])()).encode(),
}


def corpus() -> dict[str, bytes]:
    """All files of `tests/corpus/` by their path."""
    from . import adversaries, quadratic_adversaries
    from . import cell_examples as cells  # which are made of the examples here
    from . import quadratic_changes as changes
    from . import quadratic_examples as quadratic
    from . import shared_examples as shared

    accepted = ACCEPTED | cells.ACCEPTED | shared.ACCEPTED | quadratic.ACCEPTED
    rejected = REJECTED | cells.REJECTED | shared.REJECTED | changes.REJECTED
    malformed = MALFORMED | cells.MALFORMED | shared.MALFORMED | changes.MALFORMED
    files = {f"accepted/{n}.json": make() for n, make in accepted.items()}
    files |= {f"rejected/{n}.json": make() for n, make in rejected.items()}
    files |= {f"malformed/{n}.json": make() for n, make in malformed.items()}
    files |= {f"{name}.json": mm1_faces() for name in BESIDE}
    text = {path: (json.dumps(value, indent=1) + "\n").encode() for path, value in files.items()}
    text |= {f"{name}.toml": content.encode() for name, content in BESIDE.items()}
    long = adversaries.REJECTED | quadratic_adversaries.REJECTED
    text |= {f"rejected/{name}.json": make().certificate for name, make in long.items()}
    text |= {f"malformed/{name}.json": make().certificate for name, make in adversaries.MALFORMED.items()}
    return text | {f"malformed/{name}.json": content for name, content in RAW_MALFORMED.items()}


def write() -> None:
    """Write the corpus; files that are not of it any more go."""
    for path in CORPUS.glob("*/*"):
        path.unlink()
    for name, content in corpus().items():
        (CORPUS / name).write_bytes(content)


if __name__ == "__main__":
    write()
