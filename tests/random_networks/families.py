"""Seeded random networks, family by family, as documents (network files in JSON's structure).

A family is a function of a random generator; what is true of its networks is the business of ``oracles``, not of this file.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracles.dai_vande_vate import nominal_loads, worst_virtual_station

from verify.network.model import RouteNetwork
from verify.network_file.read import read_document

Document = dict[str, Any]
Family = Callable[[random.Random], Document]

TINY = Fraction(1, 10**6)
#: How far from a boundary: exactly on it, a millionth off, or well inside.
OFFSETS = (Fraction(0), -TINY, TINY, -Fraction(1, 10), Fraction(1, 10))
ANY_WORK_CONSERVING = ("non-idling", "priority", "fbfs", "lbfs", "longest-queue")


@dataclass(frozen=True)
class Type:
    """A job type with a fixed route: rate λ, servers, mean service times."""

    rate: Fraction
    servers: Sequence[str]
    means: Sequence[Fraction]


# ---- documents -----------------------------------------------------------------------------------------------------
def document(types: Sequence[Type], policy: Mapping[str, Any], names: str = "abcdefgh") -> Document:
    """Fixed routes."""
    classes = [
        {
            "name": name,
            "arrival_rate": str(found.rate),
            "routes": {"r1": [{"server": s, "mean": str(m)} for s, m in zip(found.servers, found.means, strict=True)]},
        }
        for name, found in zip(names, types, strict=False)
    ]
    servers = sorted({server for found in types for server in found.servers})
    return {"servers": {server: {} for server in servers}, "classes": classes, "policy": dict(policy)}


def sequenced(rng: random.Random, types: Sequence[Type], rule: str) -> dict[str, Any]:
    """A policy with this sequencing; a random order for ``priority``."""
    if rule != "priority":
        return {"sequencing": rule}
    buffers: dict[str, list[str]] = {}
    for name, found in zip("abcdefgh", types, strict=False):
        for position, server in enumerate(found.servers, start=1):
            buffers.setdefault(server, []).append(f"{name}.{position}")
    return {
        "sequencing": rule,
        "priority": {server: rng.sample(names, len(names)) for server, names in buffers.items()},
    }


def loaded(rng: random.Random, shapes: Sequence[Sequence[str]], low: int = 50, high: int = 99) -> list[Type]:
    """Random uneven means that load every server to a percentage between ``low`` and ``high``; rates 1/2, 1 or 2."""
    rates = [rng.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(2))) for _ in shapes]
    parts = [[rng.choice((1, 2, 5, 12, 30)) for _ in shape] for shape in shapes]
    total: dict[str, int] = {}
    for shape, shares in zip(shapes, parts, strict=True):
        for server, part in zip(shape, shares, strict=True):
            total[server] = total.get(server, 0) + part
    target = {server: Fraction(rng.randint(low, high), 100) for server in sorted(total)}
    return [
        Type(rate, shape, [target[s] * Fraction(p, total[s]) / rate for s, p in zip(shape, shares, strict=True)])
        for rate, shape, shares in zip(rates, shapes, parts, strict=True)
    ]


def scaled(types: Sequence[Type], factor: Fraction) -> list[Type]:
    """All arrival rates times a factor."""
    return [Type(found.rate * factor, found.servers, found.means) for found in types]


def network(types: Sequence[Type]) -> RouteNetwork:
    """The route network of some types."""
    found = read_document(document(types, {"sequencing": "non-idling"})).network
    if not isinstance(found, RouteNetwork):
        raise TypeError("a route network is expected")
    return found


def at_load(types: Sequence[Type], load: Fraction) -> list[Type]:
    """Arrival rates scaled so that the largest load is exactly ``load``."""
    return scaled(types, load / max(nominal_loads(network(types)).values()))


def some_weights(rng: random.Random, names: Sequence[str]) -> dict[str, str]:
    """Weights of some buffers, some of them extreme; the others weigh 1."""
    return {name: rng.choice(("2", "1/2", "3/5", "1", "1000", str(TINY))) for name in names if rng.random() < 0.7}


def word(rng: random.Random, letters: str, least: int, most: int) -> str:
    return "".join(rng.choice(letters) for _ in range(rng.randint(least, most)))


# ---- fixed routes --------------------------------------------------------------------------------------------------
def two_stations(rng: random.Random) -> Document:
    """Every non-idling policy, up to six buffers on two stations."""
    shapes = [word(rng, "12", 4, 6)] if rng.random() < 0.5 else [word(rng, "12", 2, 3), word(rng, "12", 2, 3)]
    return document(loaded(rng, shapes, 75), {"sequencing": "non-idling"})


def two_stations_at_a_virtual_load(rng: random.Random) -> Document:
    """The worst virtual load is exactly 1, or a millionth off, where no push start is involved; else as it comes."""
    shapes = rng.choice(
        (["1221"], ["12", "21"], ["12121"], ["11221"], ["121212"], ["121", "212"], ["12211"], ["1", "1221"])
    )
    types = loaded(rng, shapes, 60, 90)
    worst = worst_virtual_station(network(types))
    if worst.load > max(nominal_loads(network(types)).values()) and not any(worst.pushed):
        types = scaled(types, (1 + rng.choice(OFFSETS)) / worst.load)
    return document(types, {"sequencing": "non-idling"})


def at_the_nominal_load(rng: random.Random) -> Document:
    """The largest load is exactly 1, or a millionth off; any sequencing, one to three stations."""
    letters = rng.choice(("1", "12", "123"))
    types = loaded(rng, [word(rng, letters, 1, 3) for _ in range(rng.randint(1, 2))])
    types = at_load(types, 1 + rng.choice(OFFSETS))
    return document(types, sequenced(rng, types, rng.choice(ANY_WORK_CONSERVING)))


def bad_priorities(rng: random.Random) -> Document:
    """Lu-Kumar, last buffers first, and Rybko-Stolyar, exits first, about m2 + m4 = 1."""
    big = Fraction(rng.randint(45, 60), 100)
    means = [Fraction(rng.randint(5, 30), 100), big, Fraction(rng.randint(5, 30), 100), 1 - big + rng.choice(OFFSETS)]
    if rng.random() < 0.5:
        types = [Type(Fraction(1), "1221", means)]
        order = {"1": ["a.4", "a.1"], "2": ["a.2", "a.3"]}
    else:
        types = [Type(Fraction(1), "12", means[:2]), Type(Fraction(1), "21", means[2:])]
        order = {"1": ["b.2", "a.1"], "2": ["a.2", "b.1"]}
    return document(types, {"sequencing": "priority", "priority": order})


def random_priorities(rng: random.Random) -> Document:
    """Static priorities on two or three stations."""
    letters = rng.choice(("12", "12", "123"))
    types = loaded(rng, [word(rng, letters, 1, 4) for _ in range(rng.randint(1, 2))], 50, 104)
    return document(types, sequenced(rng, types, "priority"))


def feed_forward(rng: random.Random) -> Document:
    """Stations in increasing order, any sequencing."""
    shapes = ["".join(sorted(word(rng, "1234", 1, 3))) for _ in range(rng.randint(1, 3))]
    types = loaded(rng, shapes, 60, 100)
    return document(types, sequenced(rng, types, rng.choice(ANY_WORK_CONSERVING)))


def ring(rng: random.Random) -> Document:
    """Unidirectional, one mean per station, at most once around."""
    size = rng.randint(2, 4)
    stations = "1234"[:size]
    shapes = []
    for _ in range(rng.randint(2, 3)):
        start, length = rng.randrange(size), rng.randint(1, size)
        shapes.append("".join(stations[(start + i) % size] for i in range(length)))
    means = {station: Fraction(rng.randint(1, 9), 10) for station in stations}
    types = [Type(Fraction(1), shape, [means[s] for s in shape]) for shape in shapes]
    types = at_load(types, rng.choice((Fraction(7, 10), Fraction(9, 10), Fraction(99, 100), Fraction(1))))
    return document(types, sequenced(rng, types, rng.choice(ANY_WORK_CONSERVING)))


def first_or_last_buffer_first(rng: random.Random) -> Document:
    """Re-entrant lines under FBFS and LBFS."""
    types = at_load(loaded(rng, [word(rng, "123", 2, 6)]), 1 + rng.choice((-TINY, -Fraction(1, 20), Fraction(0))))
    return document(types, {"sequencing": rng.choice(("fbfs", "lbfs"))})


def three_buffers(rng: random.Random) -> Document:
    """Lines of three buffers, any sequencing."""
    types = at_load(loaded(rng, [word(rng, "123", 3, 3)]), rng.choice((Fraction(19, 20), 1 - TINY, Fraction(1))))
    return document(types, sequenced(rng, types, rng.choice(ANY_WORK_CONSERVING)))


def back_pressure(rng: random.Random) -> Document:
    """Back-pressure on fixed routes."""
    types = loaded(rng, [word(rng, "12", 1, 3) for _ in range(rng.randint(1, 2))], 50, 101)
    return document(types, {"sequencing": "back-pressure"})


def max_weight(rng: random.Random) -> Document:
    """Max-weight on fixed routes, often with weights."""
    types = loaded(rng, [word(rng, "12", 1, 2) for _ in range(rng.randint(1, 3))], 50, 101)
    names = [f"{n}.{i}" for n, found in zip("abc", types, strict=False) for i in range(1, len(found.servers) + 1)]
    weights = some_weights(rng, names)
    return document(types, {"sequencing": "max-weight"} | ({"buffer_weights": weights} if weights else {}))


def spillback(rng: random.Random) -> Document:
    """Jobs are held back while the next queue is not shorter."""
    types = loaded(rng, [word(rng, "12", 1, 3) for _ in range(rng.randint(1, 2))], 30, 101)
    rule = rng.choice(("non-idling", "priority", "lbfs", "longest-queue", "max-weight"))
    return document(types, {**sequenced(rng, types, rule), "holding": "spillback"})


# ---- routing -------------------------------------------------------------------------------------------------------
def jsq_as(rng: random.Random) -> Document:
    """The preset on two routes that share a server or not."""
    routes = rng.choice(
        (
            {"r1": ["1", "2"], "r2": ["3"]},
            {"r1": ["1", "3"], "r2": ["2", "3"]},
            {"r1": ["1", "2"], "r2": ["1"]},
            {"r1": ["1", "2"], "r2": ["1", "3"]},
        )
    )
    used = sorted({server for route in routes.values() for server in route})
    servers = {server: {"rate": str(Fraction(rng.randint(2, 6), 4))} for server in used}
    rate = Fraction(rng.randint(2, 8), 4)
    return {
        "servers": servers,
        "classes": [{"name": "a", "arrival_rate": str(rate), "routes": routes}],
        "policy": {"preset": "jsq-as"},
    }


def shortest_route_dominant(rng: random.Random) -> Document:
    """JSR with the tool's dominance function."""
    routes = rng.choice(({"r1": ["1", "2"], "r2": ["3"]}, {"r1": ["1"], "r2": ["2"]}, {"r1": ["1", "2"], "r2": ["2"]}))
    classes = [{"name": "a", "arrival_rate": str(Fraction(rng.randint(2, 8), 4)), "routes": routes}]
    if rng.random() < 0.4:
        classes.append({"name": "b", "arrival_rate": str(Fraction(rng.randint(1, 3), 8)), "routes": {"r1": ["2"]}})
    used = sorted({server for route in routes.values() for server in route} | {"2"})
    servers = {server: {"rate": str(Fraction(rng.randint(3, 6), 4))} for server in used}
    return {"servers": servers, "classes": classes, "policy": {"routing": "jsr", "sequencing": "dominant"}}


def routed(rng: random.Random, routing: str, names: Sequence[str]) -> dict[str, Any]:
    """This routing, with some weights if it asks for them."""
    return {"routing": routing} | ({"route_weights": some_weights(rng, names)} if routing == "weighted-route" else {})


def parallel_servers(rng: random.Random) -> Document:
    """JSQ, JSR or weighted-route over two or three servers, with dedicated streams under JSQ; exact boundaries of some subset."""
    size = rng.randint(2, 3)
    servers = {str(n): {"rate": str(Fraction(rng.randint(1, 6), 3))} for n in range(1, size + 1)}
    off = rng.choice(OFFSETS)
    routing = rng.choice(("jsq", "jsr", "weighted-route"))
    total = sum((Fraction(found["rate"]) for found in servers.values()), Fraction(0))
    classes = []
    if routing == "jsq" and rng.random() < 0.6:
        share = rng.choice((1 + off, Fraction(1, 2)))
        dedicated = Fraction(servers["1"]["rate"]) * share
        classes.append({"name": "d", "arrival_rate": str(dedicated), "routes": {"r1": ["1"]}})
        total = max(total - dedicated, total / 5)
    every = {f"r{n}": [n] for n in servers}
    classes.append({"name": "s", "arrival_rate": str(total * rng.choice((1 + off, Fraction(4, 5)))), "routes": every})
    policy = {"sequencing": "non-idling", **routed(rng, routing, [f"s.{name}.1" for name in every])}
    return {"servers": servers, "classes": classes, "policy": policy}


def bernoulli(rng: random.Random) -> Document:
    """Fixed probabilities over two or three routes on two stations."""
    letters = rng.choice(("12", "123"))
    number = rng.randint(2, 3)
    routes = {f"r{i}": list(word(rng, letters, 1, 2)) for i in range(1, number + 1)}
    weights = [rng.randint(1, 4) for _ in routes]
    shares = {name: str(Fraction(w, sum(weights))) for name, w in zip(routes, weights, strict=True)}
    used = sorted({server for route in routes.values() for server in route})
    servers = {server: {"rate": str(Fraction(rng.randint(2, 6), 2))} for server in used}
    return {
        "servers": servers,
        "classes": [{"name": "a", "arrival_rate": str(Fraction(rng.randint(4, 16), 8)), "routes": routes}],
        "policy": {"routing": "bernoulli", "sequencing": "non-idling", "probabilities": {"a": shares}},
    }


def flexible_routes(rng: random.Random) -> Document:
    """JSR, JSQ or weighted-route over two-stage routes, with the sequencings of the paper and the plain ones."""
    first, last = rng.sample(("1", "2", "3"), rng.randint(1, 2)), rng.sample(("4", "5"), rng.randint(1, 2))
    routes = {f"r{i}": [a, b] for i, (a, b) in enumerate([(a, b) for a in first for b in last], start=1)}
    used = sorted({server for route in routes.values() for server in route})
    servers = {server: {"rate": str(Fraction(rng.randint(2, 6), 4))} for server in used}
    capacity = min(sum(Fraction(servers[s]["rate"]) for s in stage) for stage in (first, last))
    rate = capacity * rng.choice((Fraction(1, 2), Fraction(4, 5), Fraction(1), Fraction(11, 10), 1 - TINY, 1 + TINY))
    names = [f"a.{name}.{position}" for name in routes for position in (1, 2)]
    routing = rng.choice(("jsr", "jsq", "weighted-route"))
    policy = {**routed(rng, routing, names), "sequencing": rng.choice(("non-idling", "longest-queue"))}
    return {
        "servers": servers,
        "classes": [{"name": "a", "arrival_rate": str(rate), "routes": routes}],
        "policy": policy,
    }


# ---- buffer networks -----------------------------------------------------------------------------------------------
def jackson(rng: random.Random) -> Document:
    """One buffer per server, feedback and self-loops."""
    names = [f"q{i}" for i in range(1, rng.randint(2, 5))]
    activities = []
    for number, name in enumerate(names):
        targets = rng.sample(names, rng.randint(0, len(names)))
        weights = [rng.randint(1, 4) for _ in range(len(targets) + 1)]
        following = {t: str(Fraction(w, sum(weights))) for t, w in zip(targets, weights, strict=False)}
        rate = Fraction(rng.randint(4, 40), 4)
        activities.append({"server": f"S{number}", "buffer": name, "rate": str(rate), "next": following})
    buffers = [{"name": name, "arrival_rate": str(Fraction(rng.choice((0, 1, 2, 3)), 2))} for name in names]
    buffers[0]["arrival_rate"] = "1"
    return {
        "servers": {activity["server"]: {} for activity in activities},
        "buffers": buffers,
        "activities": activities,
        "policy": {"sequencing": rng.choice(("non-idling", "longest-queue"))},
    }


def cross_trained_pair(rng: random.Random) -> Document:
    """The X-model: own rate 1, cross rate 1/2."""
    near = (
        Fraction(1, 4),
        Fraction(1, 2) - TINY,
        Fraction(1, 2) + TINY,
        Fraction(3, 4),
        1 - TINY,
        Fraction(1),
        1 + TINY,
    )
    pairs = [("1", "q1", "1"), ("2", "q2", "1"), ("1", "q2", "1/2"), ("2", "q1", "1/2")]
    order = rng.choice(({"1": ["q2", "q1"], "2": ["q1", "q2"]}, {"1": ["q1", "q2"], "2": ["q2", "q1"]}))
    return {
        "servers": {"1": {}, "2": {}},
        "buffers": [{"name": name, "arrival_rate": str(rng.choice(near))} for name in ("q1", "q2")],
        "activities": [{"server": s, "buffer": k, "rate": mu} for s, k, mu in pairs],
        "policy": {"sequencing": "priority", "priority": order},
    }


# ---- changes that leave the truth alone ----------------------------------------------------------------------------
def all_rates_times(found: Document, factor: Fraction) -> Document:
    """Time in other units."""

    def times(entry: Any, keys: Sequence[str] = ("rate", "arrival_rate")) -> Any:
        if isinstance(entry, str):  # a visit without a rate of its own
            return entry
        changed = {k: str(Fraction(v) * factor) for k, v in entry.items() if k in keys}
        changed |= {k: str(Fraction(v) / factor) for k, v in entry.items() if k == "mean"}
        return {**entry, **changed}

    result = {**found, "servers": {name: times(server) for name, server in found["servers"].items()}}
    if "classes" in found:
        result["classes"] = [
            times({**c, "routes": {name: [times(v) for v in visits] for name, visits in c["routes"].items()}})
            for c in found["classes"]
        ]
    for key in ("buffers", "activities"):
        if key in found:
            result[key] = [times(entry) for entry in found[key]]
    return result


def seven_thirds(found: Document, rng: random.Random) -> Document:
    return all_rates_times(found, Fraction(7, 3))


def slow_and_fast_types(found: Document, rng: random.Random) -> Document:
    """Each type's λ times 10^6, 1 or 10^-6, its means divided by the same: every λm stays (fixed routes with means)."""
    visits = [v for c in found.get("classes", ()) for route in c["routes"].values() for v in route]
    if "classes" not in found or any(isinstance(v, str) for v in visits):
        return all_rates_times(found, rng.choice((1 / TINY, TINY)))
    changed = []
    for job_class in found["classes"]:
        factor = rng.choice((1 / TINY, Fraction(1), TINY))
        changed.append(all_rates_times({"servers": {}, "classes": [job_class]}, factor)["classes"][0])
    return {**found, "classes": changed}


CHANGES: dict[str, Callable[[Document, random.Random], Document]] = {
    "as it is": lambda found, rng: found,
    "rates times 7/3": seven_thirds,
    "rates 10^-6 beside 10^6": slow_and_fast_types,
}

FAMILIES: dict[str, Family] = {
    family.__name__.replace("_", " "): family
    for family in (
        two_stations, two_stations_at_a_virtual_load, at_the_nominal_load, bad_priorities, random_priorities, feed_forward,
        ring, first_or_last_buffer_first, three_buffers, back_pressure, max_weight, spillback, jsq_as,
        shortest_route_dominant, parallel_servers, bernoulli, flexible_routes, jackson, cross_trained_pair,
    )
}  # fmt: skip
