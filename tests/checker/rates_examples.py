"""Small certificates of condition F for all rates (FORMAT.md section 24), worked out by hand, and changes that violate one rule each.

In the docstrings 1, 2, … are buffers and servers, λ is the arrival rate, σ a speed, V is written as a form in x.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .examples import (
    FIXED,
    MODEL,
    SUBJECT,
    TANDEM,
    Json,
    certificate,
    dominant,
    evidence,
    feedback_network,
    job_class,
    jsq_as,
    jsq_max,
    jsr_jobs,
    policy,
    route_network,
    trees,
)

NON_IDLING = policy("fixed", "non-idling")
JSR = "routing jsr (ties in any way), sequencing longest-duplicate, holding none"
DOMINANT = (
    "routing fixed, sequencing dominant, holding none, dominance function explicit alpha=(1) beta=(3/4) gamma=(1, 1/2), "
    "tie order 1: b.r1.1 > a.r1.1"
)


# ---- building blocks -----------------------------------------------------------------------------------------------
def all_rates(words: str, load: str = "1", rows: str = "") -> Json:
    """The claim; `rows` in words."""
    limit = "below 1" if load == "1" else f"at most {load}"
    sentence = (
        f"STABLE: at all arrival rates and all speeds of servers with load {limit}{', with ' if rows else ''}{rows}, {SUBJECT} "
        f"is positive recurrent from every start under every Markov policy with {words}; under every adapted one the mean "
        f"time to reach a bounded set is at most C(1+|x|), C depending on the rates (condition F for all rates). {MODEL}"
    )
    return {"verdict": "stable", "condition": "all-rates", "load_at_most": load, "words": sentence}


def prices(servers: Json, potentials: Json, multipliers: Json | None = None) -> Json:
    """A branch of a leaf."""
    return {"prices": servers, "potentials": potentials, "multipliers": multipliers or {}}


def leaf(eta: Json, branch: Json, *empty_servers: str, buffers: Sequence[str] = ()) -> Json:
    """A leaf with the one branch `all`; the servers named do not idle there, as not all `buffers` are empty."""
    some = evidence("1", {f"x({buffer})": "-1" for buffer in buffers})
    exclude = {f"server {server} / (idle)": some for server in empty_servers}
    return {"leaf": eta} | ({"exclude": exclude} if exclude else {}) | {"branches": {"all": branch}}


def split(normal: str, **children: Json) -> Json:
    """Cases by a normal: `less`, `equal`, `greater`."""
    signs = {"less": "<", "equal": "=", "greater": ">"}
    return {"split": normal, "children": {signs[name]: child for name, child in children.items()}}


def written(claim: Json, network: Json, how: Json, weights: Json, phi: Json, tree: Json, **rows: list[Json]) -> Json:
    """A certificate with a linear V; no two parts of it are one object, so that one can be changed alone."""
    value: Json = certificate(
        claim,
        network,
        how,
        test_function={"pieces": [weights]},
        lower_bound={"theta": {"0": "1"}, "c": str(min(map(int, weights.values())))},
        potential=phi,
        rates={"at_least_zero": [], "zero": []} | rows,
        evidence=trees(tree),
    )
    found: Json = json.loads(json.dumps(value))
    return found


def of_fluid(value: Json, claim: Json, *leaves: Json, **rows: list[Json]) -> Json:
    """A certificate of condition F with this claim, its leaves with these branches in the order of the file."""
    found: Json = json.loads(json.dumps(value | {"claim": claim, "rates": {"at_least_zero": [], "zero": []} | rows}))
    left = iter(leaves)

    def fill(node: Json) -> None:
        if "leaf" in node:
            node["branches"] = json.loads(json.dumps(next(left)))
        for child in node.get("children", {}).values():
            fill(child)

    for tree in found["evidence"]["trees"]:
        fill(tree)
    return found


# ---- accepted ------------------------------------------------------------------------------------------------------
ONE = {"a.r1.1": "1"}
BOTH = {"a.r1.1": "1", "a.r1.2": "1"}
SERIES = {"a.r1.1": "2", "a.r1.2": "1"}
MM1 = route_network("1", job_class("a", "1/2", [("1", "1")]))
TOTAL = leaf({}, prices({"1": "1"}, ONE), "1", buffers=["a.r1.1"])


def all_mm1() -> Json:
    """V = x: λ - σ < 0 if the load λ/σ is below 1."""
    return written(all_rates(FIXED), MM1, NON_IDLING, ONE, ONE, TOTAL)


def all_mm1_bounded() -> Json:
    """V = x with λ <= 1 and σ >= 2, without prices: λ - σ <= 1 - 2."""
    rows = [{"arrival(a)": "-1", "1": "1"}, {"speed(1)": "1", "1": "-2"}]
    words = "-1 arrival(a) + 1 >= 0, 1 speed(1) - 2 >= 0"
    branch = prices({}, {}, {"at_least_zero[0]": "1", "at_least_zero[1]": "1"})
    tree = leaf({}, branch, "1", buffers=["a.r1.1"])
    return written(all_rates(FIXED, "1", words), MM1, NON_IDLING, ONE, ONE, tree, at_least_zero=rows)


def all_tandem() -> Json:
    """The example of FORMAT.md, section 24.4."""
    tree = split(
        "x(a.r1.2)",
        equal=leaf({"x(a.r1.2)": "-1"}, prices({"1": "1"}, ONE), "1", buffers=list(BOTH)),
        greater=leaf({}, prices({"2": "1"}, BOTH)),
    )
    return written(all_rates(FIXED), TANDEM, NON_IDLING, BOTH, SERIES, tree)


def _double(second: Json) -> Json:
    """V = x_1 + 2 x_2; where x_2 > 0 server 1 raises it by σ_1, server 2 lowers it by 2 σ_2."""
    first = leaf({"x(a.r1.2)": "-2"}, prices({"1": "1"}, ONE), "1", buffers=list(BOTH))
    return split("x(a.r1.2)", equal=first, greater=leaf({}, second))


DOUBLE = {"a.r1.1": "1", "a.r1.2": "2"}


def all_equal_speeds() -> Json:
    """V = x_1 + 2 x_2 at equal speeds: λ + σ_1 - 2 σ_2 = λ - σ_2; the multiplier of σ_1 - σ_2 = 0 is negative."""
    tree = _double(prices({"2": "1"}, BOTH, {"zero[0]": "-1"}))
    claim = all_rates(FIXED, "1/2", "1 speed(1) - 1 speed(2) = 0")
    return written(claim, TANDEM, NON_IDLING, DOUBLE, SERIES, tree, zero=[{"speed(1)": "1", "speed(2)": "-1"}])


def all_faster_second() -> Json:
    """V = x_1 + 2 x_2 where the second speed is at least the first: λ + σ_1 - 2 σ_2 <= λ - σ_2."""
    tree = _double(prices({"2": "1"}, BOTH, {"at_least_zero[0]": "1"}))
    rows = [{"speed(2)": "1", "speed(1)": "-1"}]
    claim = all_rates(FIXED, "1", "-1 speed(1) + 1 speed(2) >= 0")
    return written(claim, TANDEM, NON_IDLING, DOUBLE, SERIES, tree, at_least_zero=rows)


CLASSES = route_network("1", job_class("a", "1/4", [("1", "1")]), job_class("b", "1/4", [("1", "2")]))
EACH = {"a.r1.1": "1", "b.r1.1": "1"}


def two_classes(load: str, how: Json, words: str) -> Json:
    """V = number of jobs of two classes at rates 1 and 2: λ_a + λ_b <= 2 ρ* σ, so the load must be below 1/2."""
    tree = leaf({}, prices({"1": "2"}, {"a.r1.1": "2", "b.r1.1": "1"}), "1", buffers=list(EACH))
    return written(all_rates(words, load), CLASSES, how, EACH, EACH, tree)


def all_two_classes() -> Json:
    return two_classes("2/5", NON_IDLING, FIXED)


def all_jsr() -> Json:
    """Two servers that are joined by the route with fewer jobs; V = number of jobs."""
    empty1, empty2 = ({"all": prices({s: "1"}, {})} for s in ("2", "1"))
    busy = {"all": prices({"1": "1", "2": "1"}, {"a.r1.1": "1", "a.r2.1": "1"})}
    return of_fluid(jsr_jobs(), all_rates(JSR), empty1, empty2, busy)


def all_jsq() -> Json:
    """V = max(x_1, x_2) under jsq; on the tie half of each gradient. Where one queue is longer no price is needed: it
    gets no arrivals."""
    tie = {"all": prices({"1": "1/2", "2": "1/2"}, {"a@1": "1/2", "a@2": "1/2"})}
    longer = {"all": prices({}, {})}
    claim = all_rates("routing jsq (ties in any way), sequencing non-idling, holding none")
    return of_fluid(jsq_max(), claim, tie, longer, tie, longer)


def all_bernoulli() -> Json:
    """Arrivals split at 1/3 and 2/3 between two servers; V = 3 x_1 + 3 x_2. Where queue 2 is empty only the first potential
    is needed: the mean of the potentials at entry counts, not the least."""
    routes = ["a.r1.1", "a.r2.1"]
    network = route_network("1 2", job_class("a", "1/2", [("1", "1")], [("2", "1")]))
    how = policy("bernoulli", "non-idling", probabilities={"a": {"r1": "1/3", "r2": "2/3"}})
    first = leaf({"x(a.r2.1)": "-3"}, prices({"1": "3"}, {"a.r1.1": "3"}), "1", buffers=routes)
    second = leaf({"x(a.r1.1)": "-3"}, prices({"2": "3"}, {"a.r2.1": "3"}))
    both = leaf({}, prices({"1": "3", "2": "3"}, dict.fromkeys(routes, "3")))
    tree = split("x(a.r2.1)", equal=first, greater=split("x(a.r1.1)", equal=second, greater=both))
    words = "routing bernoulli (a: r1 1/3, r2 2/3), sequencing non-idling, holding none"
    three, one = dict.fromkeys(routes, "3"), dict.fromkeys(routes, "1")
    return written(all_rates(words), network, how, three, one, tree)


def all_feedback() -> Json:
    """A buffer network with random routing; V = 8 q1 + 10 q2, potentials of mean work at both servers."""
    tree = split(
        "x(q1)",
        equal=leaf({"x(q1)": "-3"}, prices({"B": "6"}, {"q1": "5", "q2": "10"}), "B", buffers=["q1", "q2"]),
        greater=split(
            "x(q2)",
            equal=leaf({"x(q2)": "-6"}, prices({"A": "9"}, {"q1": "8", "q2": "4"})),
            greater=leaf({}, prices({"A": "9/2", "B": "24/5"}, {"q1": "8", "q2": "10"})),
        ),
    )
    phi = {"q1": "1", "q2": "1"}
    return written(all_rates(FIXED), feedback_network("1"), NON_IDLING, {"q1": "8", "q2": "10"}, phi, tree)


def all_lbfs() -> Json:
    """Three visits 1 - 2 - 1; V = 3 x_1 + 2 x_2 + 2 x_3 is the work at server 1, on which server 2 works where it is empty."""
    three = ["a.r1.1", "a.r1.2", "a.r1.3"]
    network = route_network("1 2", job_class("a", "1/2", [("1", "2"), ("2", "1"), ("1", "1")]))
    weights = dict(zip(three, "322", strict=True))
    work = prices({"1": "2"}, weights)
    last = leaf(
        {"x(a.r1.1)": "-1", "x(a.r1.3)": "-2"}, prices({"2": "2"}, dict.fromkeys(three[:2], "2")), "2", buffers=three
    )
    tree = split("x(a.r1.3)", greater=leaf({}, work), equal=split("x(a.r1.1)", greater=leaf({}, work), equal=last))
    words = "routing fixed, sequencing lbfs, holding none"
    phi = dict(zip(three, "321", strict=True))
    return written(all_rates(words), network, policy("fixed", "lbfs"), weights, phi, tree)


def all_dominant() -> Json:
    """One server, two classes: in each branch that is possible it works."""
    works = prices({"1": "1"}, EACH)
    branches = [{f"dominant {i}": works for i in possible} for possible in ((1, 2), (0, 1, 2), (0, 2))]
    return of_fluid(dominant(), all_rates(DOMINANT), *branches)


def all_dominant_one_piece() -> Json:
    """A dominance function with one piece: the one branch has its name all the same."""
    idle = {"dominant 0 / server 1 / (idle)": evidence("1", {f"x({k})": "-1" for k in EACH})}
    tree = {"leaf": {}, "exclude": idle, "branches": {"dominant 0": prices({"1": "2"}, {"a.r1.1": "2", "b.r1.1": "1"})}}
    how = policy("fixed", "dominant", dominance_function={"pieces": [EACH]})
    words = (
        "routing fixed, sequencing dominant, holding none, dominance function max(1 a.r1.1 + 1 b.r1.1), tie order free"
    )
    return written(all_rates(words, "2/5"), CLASSES, how, EACH, EACH, tree)


def all_jsq_as() -> Json:
    """Routes 1 - 2 and 1 - 3 under the preset; speeds of 2 and 3 equal, load at most 2/5. Potentials are of servers' buffers:
    where 2 is busy λ <= 2/5 (σ_2 + σ_3) = 4/5 σ_2, less σ_2."""
    ends = dict.fromkeys(("c@1", "c@2", "c@3"), "1")
    first = prices({"1": "1"}, {"c@1": "1"})
    second, third = (prices({"2": "1", "3": "1"}, ends, {"zero[0]": y}) for y in ("1/2", "-1/2"))
    claim = all_rates("preset jsq-as (ties in any way)", "2/5", "1 speed(2) - 1 speed(3) = 0")
    leaves = ({"all": branch} for branch in (first, third, second))
    return of_fluid(jsq_as(), claim, *leaves, zero=[{"speed(2)": "1", "speed(3)": "-1"}])


ACCEPTED: dict[str, Callable[[], Json]] = {
    "all-mm1": all_mm1,
    "all-mm1-bounded": all_mm1_bounded,
    "all-tandem": all_tandem,
    "all-equal-speeds": all_equal_speeds,
    "all-faster-second": all_faster_second,
    "all-two-classes": all_two_classes,
    "all-jsr": all_jsr,
    "all-jsq": all_jsq,
    "all-bernoulli": all_bernoulli,
    "all-feedback": all_feedback,
    "all-lbfs": all_lbfs,
    "all-dominant": all_dominant,
    "all-dominant-one-piece": all_dominant_one_piece,
    "all-jsq-as": all_jsq_as,
}
