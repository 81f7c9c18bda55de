"""Certificates written to fool the checker: each claims something false.  `table` says which rule stops it."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oracles.claimed import added, numbers, pieces
from oracles.spoken import sentence
from oracles.well_formed import buffers_of

Json = dict[str, Any]


# ---- building blocks -------------------------------------------------------------------------------------------------
def network(**classes: tuple[str, dict[str, str]]) -> Json:
    """class = (arrival rate, {route: "server:rate server:rate"})."""
    listed: list[Json] = []
    for name, (rate, routes) in classes.items():
        visits = {
            r: [dict(zip(("server", "rate"), v.split(":"), strict=True)) for v in t.split()] for r, t in routes.items()
        }
        named = [{"name": r, "visits": found} for r, found in visits.items()]
        listed.append({"name": name, "arrival_rate": rate, "routes": named})
    servers = sorted({v["server"] for c in listed for r in c["routes"] for v in r["visits"]})
    return {"kind": "route", "servers": servers, "classes": listed}


def policy(routing: str, sequencing: str, holding: str = "none", **more: Any) -> Json:
    return {"routing": routing, "sequencing": sequencing, "holding": holding, **more}


def certificate(claim: Json, where: Json, how: Json, **proof: Any) -> Json:
    """With its words."""
    verdict = "unstable" if claim["condition"] in ("capacity", "growth") else "stable"
    found = {
        "format": "queueproof-certificate-1",
        "claim": {"verdict": verdict, **claim},
        "network": where,
        "policy": how,
        **copy.deepcopy(proof),
    }
    found["claim"]["words"] = sentence(found)
    return found


def drift(
    epsilon: str,
    where: Json,
    how: Json,
    function: Any,
    theta: Mapping[str, str],
    evidence: Json,
    condition: str = "fluid",
) -> Json:
    """F or S, with c and a potential that fit."""
    spec = {"pieces": function} if isinstance(function, list) else function
    names = [name for found in buffers_of(where, how).values() for name in found]
    lower = {"theta": dict(theta), "c": str(lower_end(spec, where, names, theta))}
    return certificate(
        {"condition": condition, "epsilon": epsilon}, where, how, test_function=spec, lower_bound=lower,
        potential=potential(names), evidence=evidence,
    )  # fmt: skip


def lower_end(spec: Json, where: Json, names: Sequence[str], theta: Mapping[str, str]) -> Fraction:
    """The least coefficient of Σ θ w."""
    place = {name: k for k, name in enumerate(dict.fromkeys(names))}
    function = pieces(spec, where, place)
    mixed = added(*((t, function[int(i)]) for i, t in numbers(theta).items()))
    return min(mixed.get(k, Fraction(0)) for k in place.values())


def potential(names: Sequence[str]) -> dict[str, str]:
    """Positions counted from the end of each route; 1 where there are none."""
    longest: dict[str, int] = {}
    for name in names:
        head, _, last = name.rpartition(".")
        if last.isdigit():
            longest[head] = max(longest.get(head, 0), int(last))
    level = {
        n: longest[n.rpartition(".")[0]] + 1 - int(n.rpartition(".")[2])
        for n in names
        if n.rpartition(".")[2].isdigit()
    }
    return {name: str(level.get(name, 1)) for name in names}


def trees(*roots: Json) -> Json:
    return {"kind": "tree", "trees": list(roots)}


def faces(*lists: list[Json]) -> Json:
    return {"kind": "faces", "faces": list(lists)}


def face(eta: Mapping[str, str] | None = None, **busy: str) -> Json:
    return {"busy": {name.removeprefix("s"): buffer for name, buffer in busy.items()}, "eta": dict(eta or {})}


def evidence(kappa: str, multipliers: Mapping[str, str] | None = None) -> Json:
    return {"kappa": kappa, "multipliers": dict(multipliers or {})}


# ---- networks that diverge -------------------------------------------------------------------------------------------
def mm1(rate: str) -> Json:
    return network(a=(rate, {"r1": "1:1"}))


def tandem(rate: str, first: str, second: str) -> Json:
    return network(a=(rate, {"r1": f"1:{first} 2:{second}"}))


def crossing(**more: Any) -> Json:
    """Rybko-Stolyar with means 1/10 and 3/5: diverges with exits first, loads 7/10."""
    return network(a=("1", {"r1": "1:10 2:5/3"}), b=("1", {"r1": "2:10 1:5/3"}), **more)


def line() -> Json:
    """Lu-Kumar with means 1/10, 3/5, 1/10, 3/5: diverges with last buffers first, loads 7/10."""
    return network(a=("1", {"r1": "1:10 2:5/3 2:10 1:5/3"}))


def parallel(rate: str) -> Json:
    return network(a=(rate, {"r1": "1:1", "r2": "2:1"}))


NON_IDLING = policy("fixed", "non-idling")
JSQ = policy("jsq", "non-idling")
STATION_1 = {"a.r1.1": "1/10", "b.r1.1": "3/5", "b.r1.2": "3/5"}
STATION_2 = {"a.r1.1": "1/10", "a.r1.2": "1/10", "b.r1.1": "1/60"}
LINEAR = {"a.r1.1": "1", "a.r1.2": "1", "a.r1.3": "4/13", "a.r1.4": "4/13"}


# ---- wrong domination ------------------------------------------------------------------------------------------------
def isolated_station() -> list[Json]:
    """Workload of station 1, a sixth of that of station 2, and a third piece that equals the first but for station 3."""
    return [STATION_1, STATION_2, {**STATION_1, "c.r1.1": "1"}]


def idle(server: str, multipliers: Mapping[str, str], kappa: str = "0") -> Json:
    return {f"server {server} / (idle)": evidence(kappa, multipliers)}


def domination_strict() -> Json:
    where = crossing(c=("1/10", {"r1": "3:1"}))
    roots = [
        {"leaf": {}, "exclude": idle("1", {"piece(0 - 2)": "1"})},
        {"leaf": {}, "exclude": idle("2", {"piece(1 - 2)": "1", "x(a.r1.2)": "-1/10"})},
        {"leaf": {}, "exclude": idle("3", {"piece(0 - 2)": "-1", "x(c.r1.1)": "-1"})},
    ]
    return drift("1/20", where, NON_IDLING, isolated_station(), {"1": "1/2", "2": "1/2"}, trees(*roots), "strict")


def domination_fluid() -> Json:
    """The same under F: the split makes the exclusion strict on one side; on the tie the server may idle."""
    where = crossing(c=("1/10", {"r1": "3:1"}))

    def split(normal: str, sign: str, exclude: Json, eta: Json) -> Json:
        return {"split": normal, "children": {sign: {"leaf": {}, "exclude": exclude}, "=": {"leaf": eta}}}

    roots = [
        split("piece(0 - 2)", ">", idle("1", {"piece(0 - 2)": "1"}), {"piece(0 - 2)": "1"}),
        split("piece(1 - 2)", ">", idle("2", {"piece(1 - 2)": "1", "x(a.r1.2)": "-1/10"}), {"piece(1 - 2)": "1"}),
        split("piece(0 - 2)", "<", idle("3", {"piece(0 - 2)": "-1", "x(c.r1.1)": "-1"}), {"piece(0 - 2)": "-1"}),
    ]
    return drift("1/20", where, NON_IDLING, isolated_station(), {"1": "1/2", "2": "1/2"}, trees(*roots))


def domination_not_there() -> Json:
    """The two workloads dominate each other nowhere, which is said nevertheless."""
    roots = [
        {"leaf": {}, "exclude": idle("1", {"piece(0 - 1)": "1"}, "1/100")},
        {"leaf": {}, "exclude": idle("2", {"piece(0 - 1)": "-1"}, "1/100")},
    ]
    return drift(
        "1/20", crossing(), NON_IDLING, [STATION_1, STATION_2], {"0": "1/2", "1": "1/2"}, trees(*roots), "strict"
    )


# ---- priorities and faces --------------------------------------------------------------------------------------------
FBFS_FACES = [
    face(s1="a.r1.1", s2="a.r1.2"),
    face(s1="a.r1.1", s2="a.r1.3", eta={"a.r1.2": "-3/26"}),
    face(s1="a.r1.1", eta={"a.r1.2": "-3/26"}),
    face(s1="a.r1.4", s2="a.r1.2", eta={"a.r1.1": "2/39"}),
    face(s1="a.r1.4", s2="a.r1.3", eta={"a.r1.1": "-25/39", "a.r1.2": "-9/13"}),
    face(s1="a.r1.4", eta={"a.r1.1": "-25/39", "a.r1.2": "-9/13"}),
    face(s2="a.r1.2", eta={"a.r1.4": "-4/13"}),
    face(s2="a.r1.3", eta={"a.r1.4": "-4/13"}),
]
FBFS_ORDER = {"1": ["a.r1.1", "a.r1.4"], "2": ["a.r1.2", "a.r1.3"]}


def first_buffers_first_for_all() -> Json:
    return drift("2/13", line(), NON_IDLING, [LINEAR], {"0": "1"}, faces(FBFS_FACES))


def first_buffers_first_words() -> Json:
    """All of it is right for first buffers first; the sentence says every non-idling policy."""
    found = bad_priority(FBFS_ORDER)
    order = "priority 1: a.r1.1 > a.r1.4; 2: a.r1.2 > a.r1.3"
    found["claim"]["words"] = found["claim"]["words"].replace(order, "non-idling")
    return found


def bad_priority(order: Json, rule_faces: list[Json] = FBFS_FACES) -> Json:
    return drift("2/13", line(), policy("fixed", "priority", priority=order), [LINEAR], {"0": "1"}, faces(rule_faces))


def last_buffers_first() -> Json:
    """The evidence of first buffers first, face by face, under the order that diverges."""
    etas: list[dict[str, str]] = [
        {},
        {"a.r1.2": "-3/26"},
        {"a.r1.2": "-3/26"},
        {},
        {"a.r1.2": "-9/13"},
        {"a.r1.2": "-9/13"},
        {},
        {},
    ]
    found = copy.deepcopy(FBFS_FACES)
    for one, eta in zip(found, etas, strict=True):
        swap = {"a.r1.1": "a.r1.4", "a.r1.4": "a.r1.1"}
        one["busy"] = {server: swap.get(buffer, buffer) for server, buffer in one["busy"].items()}
        one["eta"] = eta
    return bad_priority({**FBFS_ORDER, "1": ["a.r1.4", "a.r1.1"]}, found)


def order_with_aliases() -> Json:
    return bad_priority({"1": ["a.1", "a.4"], "2": ["a.2", "a.3"]})


def order_without_the_last() -> Json:
    return bad_priority({"1": ["a.r1.1"], "2": ["a.r1.2", "a.r1.3"]})


def order_with_one_twice() -> Json:
    return bad_priority({"1": ["a.r1.1", "a.r1.1"], "2": ["a.r1.2", "a.r1.3"]})


def fifo_by_first_buffers() -> Json:
    return drift("2/13", line(), policy("fixed", "fifo"), [LINEAR], {"0": "1"}, faces(FBFS_FACES))


def flexible(rate: str = "9/10") -> Json:
    """Server A may work on p and q and prefers q, server B on q: load (9/10 + 1) / (3/2)."""
    return {
        "kind": "buffer",
        "servers": ["A", "B"],
        "buffers": [{"name": "p", "arrival_rate": rate}, {"name": "q", "arrival_rate": "1"}],
        "activities": [
            {"server": "A", "buffer": "p", "rate": "1", "next": {}},
            {"server": "A", "buffer": "q", "rate": "1", "next": {}},
            {"server": "B", "buffer": "q", "rate": "1/2", "next": {}},
        ],
    }


def flexible_servers() -> Json:
    order = {"A": ["q", "p"], "B": ["q"]}
    every = [face(A="q", B="q"), face(A="q"), face(A="p", B="q"), face(A="p"), face(B="q")]
    for found in every[1:]:
        found["eta"] = {"q": "-2"} if "q" not in found["busy"].values() else {}
    return drift(
        "1/10",
        flexible(),
        policy("fixed", "priority", priority=order),
        [{"p": "1", "q": "2"}],
        {"0": "1"},
        faces(every),
    )


def missing_face() -> Json:
    """Server 2 alone busy is where the line grows: the face is left out."""
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1", eta={"a.r1.2": "-1"})]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, [{"a.r1.1": "4", "a.r1.2": "1"}], {"0": "1"}, faces(every))


def empty_face() -> Json:
    """The same face, called empty."""
    gone = {"busy": {"2": "a.r1.2"}, "empty": evidence("0", {"x(a.r1.2)": "1", "x(a.r1.1)": "-1"})}
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1", eta={"a.r1.2": "-1"}), gone]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, [{"a.r1.1": "4", "a.r1.2": "1"}], {"0": "1"}, faces(every))


def face_twice() -> Json:
    """The same face, with another one listed twice in its place."""
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1", eta={"a.r1.2": "-1"})]
    function = [{"a.r1.1": "4", "a.r1.2": "1"}]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, function, {"0": "1"}, faces([*every, every[1]]))


def face_of_spillback() -> Json:
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1"), face(s2="a.r1.2")]
    how = policy("fixed", "non-idling", "spillback")
    return drift("2", tandem("1", "2", "1/2"), how, [{"a.r1.1": "4", "a.r1.2": "1"}], {"0": "1"}, faces(every))


def correction_of_a_busy_buffer() -> Json:
    every = [
        face(s1="a.r1.1", s2="a.r1.2"),
        face(s1="a.r1.1", eta={"a.r1.2": "-1"}),
        face(s2="a.r1.2", eta={"a.r1.1": "-4", "a.r1.2": "2"}),
    ]
    function = [{"a.r1.1": "4", "a.r1.2": "1"}]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, function, {"0": "1"}, faces(every))


# ---- ties of JSQ -----------------------------------------------------------------------------------------------------
MAX = [{"a@1": "1"}, {"a@2": "1"}]
LONGER = {
    ">": {
        "class a / 1": evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"}),
        "server 1 / (idle)": evidence("0", {"piece(0 - 1)": "1", "x(a@1)": "-1"}),
    },
    "<": {
        "class a / 2": evidence("0", {"piece(0 - 1)": "-1", "queue(1 - 2)": "1"}),
        "server 2 / (idle)": evidence("0", {"piece(0 - 1)": "-1", "x(a@2)": "-1"}),
    },
}


def overloaded_jsq(tie: Json | None, above: Mapping[str, Json] | None = None) -> Json:
    """λ = 21/10 over two servers of rate 1, V = max: where the queues differ all is well."""

    def root(sign: str, piece: int) -> Json:
        children = {sign: {"leaf": {}, "exclude": {} if above else LONGER[sign]}}
        if tie is not None:
            children["="] = tie
        found: Json = {"split": "piece(0 - 1)", "children": children}
        return {**found, "exclude": above[sign]} if above else found

    return drift("1", parallel("21/10"), JSQ, MAX, {"0": "1/2", "1": "1/2"}, trees(root(">", 0), root("<", 1)))


IDLE_AT_THE_TIE = {
    "server 1 / (idle)": evidence("1", {"piece(0 - 1)": "1", "x(a@1)": "-2"}),
    "server 2 / (idle)": evidence("1", {"piece(0 - 1)": "-1", "x(a@2)": "-2"}),
}


def tie_left_out() -> Json:
    return overloaded_jsq(None)


def tie_called_empty() -> Json:
    return overloaded_jsq({"empty": evidence("0")})


def tie_contradicts_itself() -> Json:
    """`queue(1 - 2)` and `piece(0 - 1)` are one form under two names."""
    above = {"empty": evidence("0", {"piece(0 - 1)": "-1", "queue(1 - 2)": "1"})}
    below = {"empty": evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"})}
    return overloaded_jsq({"split": "queue(1 - 2)", "children": {"<": below, "=": below, ">": above}})


def tie_averaged() -> Json:
    return overloaded_jsq({"leaf": {"piece(0 - 1)": "-1/2"}, "exclude": IDLE_AT_THE_TIE})


def tie_excluded_above() -> Json:
    """What is excluded strictly on one side is excluded at the root, and used after the split on the tie."""
    return overloaded_jsq({"leaf": {}}, LONGER)


def tie_excluded_again() -> Json:
    tie = {"leaf": {}, "exclude": {"class a / 1": evidence("0", {"piece(0 - 1)": "1", "queue(1 - 2)": "-1"})}}
    return overloaded_jsq(tie)


def tie_corrected() -> Json:
    """A corrector on the difference of the queues, as if it could hide the load."""
    features = [{"normal": "queue(1 - 2)", "low": "-2", "high": "2"}]
    corrector = {"features": features, "h": {"-2": "1", "2": "1", "-1": "1/2", "1": "1/2"}}
    return overloaded_jsq({"leaf": {"piece(0 - 1)": "-1/2"}, "exclude": IDLE_AT_THE_TIE, "corrector": corrector})


def correction_without_a_tie() -> Json:
    root = {"leaf": {"piece(0 - 1)": "-1/2"}}
    return drift("1/20", parallel("21/10"), JSQ, MAX, {"0": "1/2", "1": "1/2"}, trees(root, root))


def open_signs_under_strict() -> Json:
    """S with the signs of F: the tie is left to none of its children."""

    def root(sign: str) -> Json:
        return {"split": "piece(0 - 1)", "children": {sign: {"leaf": {}, "exclude": LONGER[sign]}}}

    return drift("1", parallel("21/10"), JSQ, MAX, {"0": "1/2", "1": "1/2"}, trees(root(">"), root("<")), "strict")


def correction_under_strict() -> Json:
    """S with the correction of F on both closed sides."""
    leaf = {"leaf": {"piece(0 - 1)": "-1/2"}}
    root = {"split": "piece(0 - 1)", "children": {"<=": leaf, ">=": leaf}}
    return drift("1/4", parallel("21/10"), JSQ, MAX, {"0": "1/2", "1": "1/2"}, trees(root, root), "strict")


# ---- pieces ----------------------------------------------------------------------------------------------------------
def active_piece_called_empty() -> Json:
    """Piece 0 is never active, and its evidence is used for piece 1, which always is."""
    never = {"empty": evidence("1", {"piece(0 - 1)": "1"})}
    return drift("1", mm1("2"), NON_IDLING, [{"a.r1.1": "1"}, {"a.r1.1": "2"}], {"1": "1"}, trees(never, never))


def no_leaf_at_all() -> Json:
    """A tree without leaves proves any epsilon: server idle at 0 only, so all is called empty by x ≥ 1."""
    zero, more = evidence("1", {"x(a.r1.1)": "-1"}), evidence("0", {"x(a.r1.1)": "1"})
    root = {"split": "x(a.r1.1)", "children": {"=": {"empty": zero}, ">": {"empty": more}}}
    return drift("1", mm1("2"), NON_IDLING, [{"a.r1.1": "1"}], {"0": "1"}, trees(root))


def tree_of_one_piece_missing() -> Json:
    """V = max of both queues of an overloaded tandem; only the queue that is well has a tree."""
    root = {"leaf": {}, "exclude": idle("1", {"piece(0 - 1)": "1", "x(a.r1.1)": "-2"}, "1")}
    function = [{"a.r1.1": "1"}, {"a.r1.2": "1"}]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, function, {"0": "1/2", "1": "1/2"}, trees(root))


def function_that_ignores_a_buffer() -> Json:
    root = {"split": "x(a.r1.1)", "children": {"=": {"leaf": {"x(a.r1.1)": "-1"}}, ">": {"leaf": {}}}}
    return drift("0", tandem("1", "2", "1/2"), NON_IDLING, [{"a.r1.1": "1"}], {"0": "1"}, trees(root))


def negative_weights_by_template() -> Json:
    spec = {"template": "explicit", "alpha": ["-1", "-1"], "beta": ["1"], "gamma": ["1"]}
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1"), face(s2="a.r1.2")]
    return drift("1", tandem("3", "1", "1"), NON_IDLING, spec, {"1": "1"}, faces(every, every))


def negative_weights_by_sign() -> Json:
    """V = x1 − x2 falls while jobs pile up at server 2."""
    every = [face(s1="a.r1.1", s2="a.r1.2"), face(s1="a.r1.1"), face(s2="a.r1.2")]
    return drift("1", tandem("1", "2", "1/2"), NON_IDLING, [{"a.r1.1": "1", "a.r1.2": "-1"}], {"0": "1"}, faces(every))


def template_where_there_are_no_routes() -> Json:
    spec = {"template": "explicit", "alpha": ["1"], "beta": ["1", "1/2"], "gamma": ["1"]}
    found = overloaded_jsq({"leaf": {}})
    found["test_function"] = spec
    return found


def dominance_with_a_gap() -> Json:
    """A U that lets server 1 wait for jobs it never sees: weight on the second visit only."""
    how = policy("fixed", "dominant", dominance_function={"pieces": [{"a.r1.2": "1"}]})
    root = {"split": "x(a.r1.2)", "children": {"=": {"leaf": {}}, ">": {"leaf": {}}}}
    return drift("1", tandem("2", "1", "4"), how, [{"a.r1.1": "1", "a.r1.2": "1"}], {"0": "1"}, trees(root))


# ---- servers that are said never to idle -----------------------------------------------------------------------------
BUSY = [{"a.r1.1": "4", "a.r1.2": "1"}]


def never_idle(how: Json, exclude: Json, epsilon: str = "2") -> Json:
    """V = 4 x1 + x2 falls as long as server 1 works, whatever happens at server 2, which is overloaded."""
    return drift(epsilon, tandem("1", "2", "1/2"), how, BUSY, {"0": "1"}, trees({"leaf": {}, "exclude": exclude}))


def spillback_never_holds() -> Json:
    lie = idle("1", {"hold(a.r1.1)": "1", "x(a.r1.1)": "-2"}, "1")
    return never_idle(policy("fixed", "non-idling", "spillback"), lie)


def pressure_never_negative() -> Json:
    lie = idle("1", {"pressure(1: a.r1.1)": "-1"}, "1")
    return never_idle(policy("fixed", "back-pressure"), lie)


def preset_never_holds() -> Json:
    lie = {"server 1 / (held)": evidence("1", {"length(a.r1.1 - a.r1.2)": "-1", "x(a.r1.2)": "-2"})}
    return never_idle({"preset": "jsq-as"}, lie)


def server_never_idles() -> Json:
    return never_idle(NON_IDLING, idle("1", {"x(a.r1.1)": "-1"}, "1"))


def idle_by_another_name() -> Json:
    """The exclusion speaks of an alternative that does not exist, and the real one is not mentioned."""
    return never_idle(NON_IDLING, {"server 1 / idle": evidence("1", {"x(a.r1.1)": "-1", "x(a.r1.2)": "-1"})})


def idle_left_out() -> Json:
    return never_idle(NON_IDLING, {})


def normal_of_another_rule() -> Json:
    """`length` is a row of longest-queue; under non-idling there is no such fact."""
    where = network(a=("1", {"r1": "1:1"}), b=("1", {"r1": "1:1"}))
    lie = {"server 1 / a.r1.1": evidence("1", {"length(a.r1.1 - b.r1.1)": "-1"})}
    root = {"leaf": {}, "exclude": lie}
    return drift("1", where, NON_IDLING, [{"a.r1.1": "1", "b.r1.1": "1"}], {"0": "1"}, trees(root))


# ---- numbers and text ------------------------------------------------------------------------------------------------
def at_the_boundary(epsilon: str) -> Json:
    root = {"leaf": {}, "exclude": idle("1", {"x(a.r1.1)": "-1"}, "1")}
    return drift(epsilon, mm1("1"), NON_IDLING, [{"a.r1.1": "1"}], {"0": "1"}, trees(root))


def smallest_epsilon() -> Json:
    return at_the_boundary(f"1/1{'0' * 3990}")


def epsilon_zero() -> Json:
    return at_the_boundary("0")


def other_digits() -> Json:
    return at_the_boundary("\uff11/\uff12")


def longest_number() -> Json:
    return at_the_boundary(f"1/1{'0' * 4000}")


def rate_twice() -> str:
    """A reader that takes the first rate sees a light network, one that takes the last an overloaded one."""
    found = json.dumps(at_the_boundary("1/2"), indent=1)
    return found.replace('"arrival_rate": "1"', '"arrival_rate": "2", "arrival_rate": "1/2"')


def name_of_an_alternative() -> Json:
    """A buffer called like an alternative of a server."""
    found = json.loads(json.dumps(at_the_boundary("1/2")).replace('"name": "a"', '"name": "a / (idle)"'))
    return dict(found)


# ---- networks that are none ------------------------------------------------------------------------------------------
def buffers(rates: Mapping[str, str], *activities: tuple[str, str, str, dict[str, str]]) -> Json:
    listed = [dict(zip(("server", "buffer", "rate", "next"), found, strict=True)) for found in activities]
    named = [{"name": name, "arrival_rate": rate} for name, rate in rates.items()]
    return {
        "kind": "buffer",
        "servers": sorted({found[0] for found in activities}),
        "buffers": named,
        "activities": listed,
    }


def of_buffers(where: Json, epsilon: str = "1") -> Json:
    names = [buffer["name"] for buffer in where["buffers"]]
    first = where["activities"][0]["buffer"]
    every = [face(A=first)]
    return drift(epsilon, where, NON_IDLING, [dict.fromkeys(names, "1")], {"0": "1"}, faces(every))


def comes_back_for_ever() -> Json:
    return of_buffers(buffers({"q": "1"}, ("A", "q", "2", {"q": "1"})))


def goes_round_for_ever() -> Json:
    return of_buffers(buffers({"q": "1", "p": "0"}, ("A", "q", "2", {"p": "1"}), ("A", "p", "2", {"q": "1"})))


def more_than_all_leave() -> Json:
    """Probabilities of 3/2: the mean of what is left is negative."""
    return of_buffers(buffers({"q": "1", "p": "0"}, ("A", "q", "2", {"q": "-1/2"}), ("A", "p", "1", {})))


def arrivals_below_zero() -> Json:
    return of_buffers(buffers({"q": "-1"}, ("A", "q", "1", {})))


# ---- condition N on networks that are stable -------------------------------------------------------------------------
def load(value: str, where: Json, how: Json, prices: Json, potentials: Json) -> Json:
    return certificate({"condition": "capacity", "load": value}, where, how, prices=prices, potentials=potentials)


def two_routes_alone() -> Json:
    """Routes A-B-C and D-B-E, and A-B-E, D-B-C as well: under jsq a job at B may go on to E, whose rate is 1."""
    rates = {"A": "1", "B": "10", "C": "1/10", "D": "1/10", "E": "1"}
    paths = ("ABC", "ABE", "DBC", "DBE")
    routes = {f"r{i}": " ".join(f"{n}:{rates[n]}" for n in path) for i, path in enumerate(paths, start=1)}
    where = network(c=("1/2", routes))
    v = {"c@A": "5", "c@B": "5", "c@C": "5", "c@D": "5"}
    return load("5/2", where, policy("jsq", "non-idling"), {"C": "1/2", "D": "1/2"}, v)


def every_job_takes_the_first_route() -> Json:
    """JSR over two servers, load 1/2: the potential of the dearer entry is taken."""
    return load("1", parallel("1"), policy("jsr", "non-idling"), {"1": "1"}, {"a.r1.1": "1"})


def prices_of_two() -> Json:
    return load("1", parallel("1"), policy("jsr", "non-idling"), {"1": "1", "2": "1"}, {"a.r1.1": "1", "a.r2.1": "1"})


def price_below_zero() -> Json:
    where = tandem("1/2", "1", "1")
    return load("1", where, NON_IDLING, {"1": "2", "2": "-1"}, {"a.r1.1": "2"})


def nearly_critical() -> Json:
    return load("1", mm1("999999999999/1000000000000"), NON_IDLING, {"1": "1"}, {"a.r1.1": "1"})


def below_one() -> Json:
    return load(
        "999999999999/1000000000000", mm1("999999999999/1000000000000"), NON_IDLING, {"1": "1"}, {"a.r1.1": "1"}
    )


def potential_of_a_stranger() -> Json:
    return load("1", mm1("1/2"), NON_IDLING, {"1": "1"}, {"a.r1.1": "1", "a.r1.2": "1"})


def preset_on_its_routes() -> Json:
    """jsq-as over 1-3 and 2-3, 2-4: jobs from 2 may also be sent to 4; the potential of 3 alone counts."""
    where = network(c=("1", {"r1": "1:2 3:1", "r2": "2:2 3:1", "r3": "2:2 4:2", "r4": "1:2 4:2"}))
    return load("1", where, {"preset": "jsq-as"}, {"3": "1"}, {"c@1": "1", "c@2": "1", "c@3": "1"})


def recombination_hidden() -> Json:
    """The same with the two routes only: the paths that make the load 5/11 are not listed."""
    routes = {"r1": "A:1 B:10 C:1/10", "r2": "D:1/10 B:10 E:1"}
    v = {"c@A": "5", "c@B": "5", "c@C": "5", "c@D": "5"}
    return load("5/2", network(c=("1/2", routes)), policy("jsq", "non-idling"), {"C": "1/2", "D": "1/2"}, v)


# ---- condition U on networks that are stable -------------------------------------------------------------------------
def feature(normal: str, low: str = "0", high: str = "1") -> Json:
    return {"normal": normal, "low": low, "high": high}


def grows(
    epsilon: str, where: Json, how: Json, weights: Json, features: list[Json], path: list[Json], **more: Any
) -> Json:
    corrector = {"features": features, "h": more.pop("h", {})}
    proof = {"pieces": [weights], "corrector": corrector, "v0": more.pop("v0", "0"), "path": path, **more}
    return certificate({"condition": "growth", "epsilon": epsilon}, where, how, **proof)


X1, UP = feature("x(a.r1.1)"), {"change": {"a.r1.1": "1"}, "times": "4"}


def grows_nevertheless() -> Json:
    return grows("1/10", mm1("1/2"), NON_IDLING, {"a.r1.1": "1"}, [X1], [UP])


def grows_only_above_the_sky() -> Json:
    """v0 so large that nothing seems to be left to check."""
    return grows("1/10", mm1("1/2"), NON_IDLING, {"a.r1.1": "1"}, [X1], [UP], v0=f"1{'0' * 50}")


def grows_because_it_shrinks() -> Json:
    """V = −x rises in every busy state."""
    return grows("1/2", mm1("1/2"), NON_IDLING, {"a.r1.1": "-1"}, [X1], [UP], v0="-100")


def grows_by_a_bump() -> Json:
    """h puts a hill on x = 1: from 0 the path climbs it."""
    more = {"h": {"1": "5"}, "v0": "3"}
    path = [{"change": {"a.r1.1": "1"}, "times": "1"}]
    return grows("1/2", mm1("1/2"), NON_IDLING, {"a.r1.1": "-1"}, [feature("x(a.r1.1)", "0", "3")], path, **more)


def exits(first: bool) -> Json:
    order = {"1": ["b.r1.2", "a.r1.1"], "2": ["a.r1.2", "b.r1.1"]}
    return order if first else {server: names[::-1] for server, names in order.items()}


WORKLOAD = {"a.r1.1": "1", "a.r1.2": "1", "b.r1.1": "1", "b.r1.2": "1"}
CROSSED = [feature(f"x({name})") for name in WORKLOAD]


def entries_first_grow() -> Json:
    """The virtual workload of exits first, claimed of entries first, which is stable."""
    how = policy("fixed", "priority", priority=exits(False))
    return grows("1/3", crossing(), how, WORKLOAD, CROSSED, [UP])


def all_policies_grow() -> Json:
    """What one priority does, claimed of every non-idling policy."""
    return grows("1/3", crossing(), NON_IDLING, WORKLOAD, CROSSED, [UP])


def witness_without_a_server() -> Json:
    return grows("1/3", crossing(), NON_IDLING, WORKLOAD, CROSSED, [UP], witness={"1": exits(True)["1"]})


def witness_of_another_class() -> Json:
    """Longest queue first is no priority: the witness is not one of its policies."""
    how = policy("fixed", "longest-queue")
    return grows("1/3", crossing(), how, WORKLOAD, CROSSED, [UP], witness=exits(True))


def nothing_left_to_grow() -> Json:
    """V = −x and v0 = 0: every cell is skipped, and nothing has to grow."""
    return grows("1/2", mm1("1/2"), NON_IDLING, {"a.r1.1": "-1"}, [X1], [UP])


def pieces_that_cross() -> Json:
    """JSQ over two servers at load 1/2: V = max(x1 − 2 x2, x2 − 2 x1) grows on neither side of the tie for long."""
    features = [feature("x(a@1)"), feature("x(a@2)")]
    path = [{"change": {"a@1": "1"}, "times": "1"}]
    found = grows("1/10", parallel("1"), JSQ, {"a@1": "1", "a@2": "-2"}, features, path)
    found["pieces"].append({"a@1": "-2", "a@2": "1"})
    return found


# ---- condition H on networks that are not stable ---------------------------------------------------------------------
def corrected(epsilon: str, where: Json, how: Json, weights: Json, features: list[Json], h: Json | None = None) -> Json:
    names = [name for found in buffers_of(where, how).values() for name in found]
    proof = {"weights": weights, "corrector": {"features": features, "h": h or {}}, "potential": potential(names)}
    return certificate({"condition": "corrected", "epsilon": epsilon}, where, how, **proof)


def exempt_for_ever() -> Json:
    """Server 2 of the tandem is overloaded; x2 is no feature, so "all coordinates below their ends" is said of all x2."""
    return corrected("1", tandem("1", "2", "1/2"), NON_IDLING, {"a.r1.1": "4", "a.r1.2": "1"}, [feature("x(a.r1.1)")])


def weight_of_nothing() -> Json:
    both = [feature("x(a.r1.1)"), feature("x(a.r1.2)")]
    return corrected("1", tandem("1", "2", "1/2"), NON_IDLING, {"a.r1.1": "1", "a.r1.2": "-1"}, both)


def hill_that_ends() -> Json:
    """h falls along the thresholds and ends where the queue goes on."""
    h = {"1": "-2", "2": "-4", "3": "-6"}
    return corrected("1/2", mm1("3/2"), NON_IDLING, {"a.r1.1": "1"}, [feature("x(a.r1.1)", "0", "3")], h)


# ---- beside another network ------------------------------------------------------------------------------------------
def true_claim() -> Json:
    """M/M/1 at 1/2: right, but not what the file asks."""
    root = {"leaf": {}, "exclude": idle("1", {"x(a.r1.1)": "-1"}, "1")}
    return drift("1/2", mm1("1/2"), NON_IDLING, [{"a.r1.1": "1"}], {"0": "1"}, trees(root))


MM1_FILE = """[parameters]
load = "{load}"
[servers]
1 = {{ rate = "1" }}
[[classes]]
name = "a"
arrival_rate = "load"
[classes.routes]
r1 = ["1"]
[policy]
sequencing = "{sequencing}"
"""


def file_of_one_server(sequencing: str = "non-idling", load: str = "1/2") -> str:
    """A network file (TOML)."""
    return MM1_FILE.format(load=load, sequencing=sequencing)
