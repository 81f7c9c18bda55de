"""Seeded networks on which quadratic functions are at home: max-weight and back-pressure near capacity, and the shorter of two queues.

All of them are stable exactly below capacity [Tassiulas & Ephremides 1992]; ``at_capacity`` puts them where they are wanted, by the
exact ρ* of condition N.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from verify.conditions.capacity import capacity
from verify.network_file.read import read_document

from .families import Document, Family

#: Parts of capacity.
NEAR = (Fraction(4, 5), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100))
#: A pool of servers with one job in 8600 to spare.
VERY_NEAR = Fraction(8591, 8600)
#: Visits, one letter for each station: published shapes and plain repetitions.
LINES = ("1221", "11221", "121212", "123321", "ABCBAC", "12312312", "1234123412", "123412341234", "112233112233")


def load(document: Document) -> Fraction:
    """ρ*, the least load of the busiest server."""
    return capacity(read_document(document)).load


def at_capacity(document: Document, part: Fraction) -> Document:
    """All arrival rates times one factor, so that ρ* is exactly ``part``."""
    factor = part / load(document)
    streams = "classes" if "classes" in document else "buffers"
    scaled = [
        {**entry, "arrival_rate": str(Fraction(entry.get("arrival_rate", "0")) * factor)} for entry in document[streams]
    ]
    return {**document, streams: scaled}


def routes(lines: Mapping[str, Sequence[Mapping[str, str]]], policy: Mapping[str, Any], rate: str = "1") -> Document:
    """One class with one route for each line of visits."""
    servers = sorted({visit["server"] for line in lines.values() for visit in line})
    return {
        "servers": {server: {} for server in servers},
        "classes": [{"name": n, "arrival_rate": rate, "routes": {"r": list(line)}} for n, line in lines.items()],
        "policy": dict(policy),
    }


def buffers(
    arrivals: Mapping[str, Fraction], activities: Sequence[Mapping[str, Any]], policy: Mapping[str, Any]
) -> Document:
    """A buffer network; ``activities`` have keys server, buffer, rate and perhaps next."""
    return {
        "servers": {server: {} for server in sorted({entry["server"] for entry in activities})},
        "buffers": [{"name": name, "arrival_rate": str(rate)} for name, rate in arrivals.items()],
        "activities": [dict(entry) for entry in activities],
        "policy": dict(policy),
    }


def some_rate(rng: random.Random) -> Fraction:
    return Fraction(rng.choice((1, 2, 3, 5, 8, 12)), rng.choice((1, 2, 5)))


def visits(rng: random.Random, stations: Sequence[str]) -> list[dict[str, str]]:
    return [{"server": station, "mean": str(1 / some_rate(rng))} for station in stations]


def shuffled(rng: random.Random, stations: str, times: int) -> str:
    found = list(stations * times)
    rng.shuffle(found)
    return "".join(found)


# ---- back-pressure ---------------------------------------------------------------------------------------------------
BACK_PRESSURE = {"sequencing": "back-pressure"}


def reentrant_lines(rng: random.Random) -> Document:
    """Four to twelve visits to two to four stations under back-pressure, up to 99/100 of capacity."""
    stations = "1234"[: rng.randint(2, 4)]
    shape = rng.choice((*LINES, shuffled(rng, stations, 2), shuffled(rng, stations, 3)))
    return at_capacity(routes({"a": visits(rng, shape)}, BACK_PRESSURE), rng.choice(NEAR))


def grids(rng: random.Random) -> Document:
    """n × n stations, n from 2 to 4, a stream along each row and each column, either way, under back-pressure."""
    size = rng.choice((2, 2, 3, 3, 4))
    mean = {f"{i}{j}": str(1 / some_rate(rng)) for i in range(size) for j in range(size)}
    lines = {}
    for i in range(size):
        for name, line in (
            (f"row{i}", [f"{i}{j}" for j in range(size)]),
            (f"column{i}", [f"{j}{i}" for j in range(size)]),
        ):
            way = line if rng.random() < 0.7 else line[::-1]
            lines[name] = [{"server": server, "mean": mean[server]} for server in way]
    return at_capacity(routes(lines, BACK_PRESSURE), rng.choice(NEAR))


def several_hops(rng: random.Random) -> Document:
    """Several classes, or buffers with random routing to later ones, under back-pressure."""
    if rng.random() < 0.5:
        stations = "12345"[: rng.randint(2, 5)]
        lines = {
            name: visits(rng, [rng.choice(stations) for _ in range(rng.randint(1, 4))])
            for name in "abcd"[: rng.randint(1, 4)]
        }
        return at_capacity(routes(lines, BACK_PRESSURE), rng.choice(NEAR))
    return random_routing(rng, feedback=False)


def feedback(rng: random.Random) -> Document:
    """Random routing to any buffer, under back-pressure."""
    return random_routing(rng, feedback=True)


def random_routing(rng: random.Random, feedback: bool) -> Document:
    """Two to six buffers, about two for each server."""
    names = [f"q{i}" for i in range(rng.randint(2, 6))]
    activities = []
    for place, name in enumerate(names):
        possible = names if feedback else names[place + 1 :]
        targets = rng.sample(possible, rng.randint(0, min(3, len(possible))))
        weights = [rng.randint(1, 4) for _ in range(len(targets) + 1)]
        following = {t: str(Fraction(w, sum(weights))) for t, w in zip(targets, weights, strict=False)}
        server = f"S{rng.randint(1, max(1, len(names) // 2))}"
        activities.append({"server": server, "buffer": name, "rate": str(some_rate(rng)), "next": following})
    arrivals = {name: Fraction(rng.choice((0, 1, 2)), 2) for name in names} | {names[0]: Fraction(1)}
    return at_capacity(buffers(arrivals, activities, BACK_PRESSURE), rng.choice(NEAR))


# ---- max-weight ------------------------------------------------------------------------------------------------------
def max_weight(rng: random.Random, names: Sequence[str]) -> dict[str, Any]:
    """The policy, in half of the cases with weights."""
    if rng.random() < 0.5:
        return {"sequencing": "max-weight"}
    return {
        "sequencing": "max-weight",
        "buffer_weights": {name: rng.choice(("1", "2", "1/2", "3/5", "10")) for name in names},
    }


def flexible_pools(rng: random.Random) -> Document:
    """Two to four classes and as many pools, each class at some pools at rates of its own, up to 8591/8600 of capacity."""
    names = [f"q{i}" for i in range(1, rng.randint(2, 4) + 1)]
    pools = [f"S{i}" for i in range(1, rng.randint(2, 4) + 1)]
    pairs = {(rng.choice(pools), name) for name in names} | {(pool, rng.choice(names)) for pool in pools}
    pairs |= {(pool, name) for pool in pools for name in names if rng.random() < 0.3}
    activities = [{"server": n, "buffer": k, "rate": str(some_rate(rng))} for n, k in sorted(pairs)]
    arrivals = {name: Fraction(rng.randint(1, 6), 2) for name in names}
    document = buffers(arrivals, activities, max_weight(rng, names))
    return at_capacity(document, rng.choice((*NEAR, VERY_NEAR)))


def single_hops(rng: random.Random) -> Document:
    """Each job is served once: servers with queues of their own, a few of them shared."""
    arrivals: dict[str, Fraction] = {}
    activities = []
    servers = [f"S{i}" for i in range(1, rng.randint(1, 4) + 1)]
    for server in servers:
        for number in range(rng.randint(1, 4)):
            name = f"{server}-{number}"
            arrivals[name] = Fraction(rng.randint(1, 8), 4)
            activities.append({"server": server, "buffer": name, "rate": str(some_rate(rng))})
    for server in servers:
        other = rng.choice(list(arrivals))
        if rng.random() < 0.2 and not other.startswith(server):
            activities.append({"server": server, "buffer": other, "rate": str(some_rate(rng))})
    return at_capacity(buffers(arrivals, activities, max_weight(rng, list(arrivals))), rng.choice(NEAR))


# ---- the shorter of two queues ---------------------------------------------------------------------------------------
def shorter_of_two(rng: random.Random) -> Document:
    """Jobs look at two of four to eight servers, each pair with its own stream; a stream may be missing or larger."""
    size = rng.choice((4, 4, 5, 6, 7, 8))
    servers = {str(n): {"rate": rng.choice(("1", "1", "2"))} for n in range(1, size + 1)}
    even = rng.random() < 0.5
    classes = [
        {"name": f"p{a}{b}", "arrival_rate": "1" if even else str(rng.randint(1, 3)), "routes": {"a": [a], "b": [b]}}
        for a, b in combinations(servers, 2)
        if even or rng.random() < 0.9
    ]
    document = {"servers": servers, "classes": classes, "policy": {"routing": "jsq", "sequencing": "non-idling"}}
    return at_capacity(document, rng.choice((Fraction(1, 2), *NEAR)))


QUADRATIC_FAMILIES: dict[str, Family] = {
    family.__name__.replace("_", " "): family
    for family in (reentrant_lines, grids, several_hops, feedback, flexible_pools, single_hops, shorter_of_two)
}
