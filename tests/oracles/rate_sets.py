"""Sets of rates with rows and a load, as polyhedra: with the flows of jobs as variables the load is linear (theory 7).

A point gives each symbol a number: `arrival(C)`, `speed(N)`, `1` (FORMAT.md, section 24.1).
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from .capacity_claim import Graph, graph, least_load
from .claimed import Json, numbers
from .linear_program import Row, minimiser, minimum

Rates = dict[str, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)
#: Speeds are at least the first and all rates at most the second; a load below 1 is at most the third.
SLOWEST, FASTEST, NEARLY_ONE = Fraction(1, 10**6), Fraction(10**6), 1 - Fraction(1, 10**6)


def symbols(network: Json) -> list[str]:
    """Of arrivals, of speeds, and 1."""
    if network["kind"] == "buffer":
        streams = [b["name"] for b in network["buffers"] if b["arrival_rate"] != "0"]
        used = {a["server"] for a in network["activities"]}
    else:
        streams = [c["name"] for c in network["classes"]]
        used = {v["server"] for c in network["classes"] for r in c["routes"] for v in r["visits"]}
    return [*(f"arrival({s})" for s in streams), *(f"speed({n})" for n in network["servers"] if n in used), "1"]


@dataclasses.dataclass(frozen=True)
class RateSet:
    """All rates that satisfy the rows and a limit on the load, within a box. ``columns``: symbols but 1, then flows."""

    names: list[str]
    size: int
    rows: list[Row]
    given: list[tuple[Rates, bool]]
    graph: Graph
    limit: Fraction

    def worst(self, slopes: Mapping[str, Fraction]) -> Fraction | None:
        """The largest Σ slope · rate, exactly; None if the set is empty."""
        found = minimum([-slopes.get(s, ZERO) for s in self.names] + [ZERO] * (self.size - len(self.names)), self.rows)
        return -found if isinstance(found, Fraction) else None

    def vertex(self, rng: random.Random) -> Rates | None:
        """Where a random form is least."""
        costs = [Fraction(rng.randint(-9, 9)) * 10 ** rng.choice((0, 0, 3)) for _ in self.names]
        found = minimiser(costs + [ZERO] * (self.size - len(self.names)), self.rows)
        return None if found is None else dict(zip(self.names, found, strict=False)) | {"1": ONE}

    def holds(self, rates: Rates) -> bool:
        """The rows."""
        values = [(sum((a * rates[s] for s, a in row.items()), ZERO), equal) for row, equal in self.given]
        return all(value == 0 if equal else value >= 0 for value, equal in values)

    def scattered(self, rng: random.Random) -> Rates | None:
        """Rates between 10^-6 and 10^6, some arrivals 0, then arrivals scaled to a load: the limit, or less. None: not in the set."""
        rates = {s: Fraction(10) ** rng.randint(-6, 6) * Fraction(rng.randint(10, 99), 10) for s in self.names}
        for s in self.names:
            if s.startswith("arrival(") and rng.random() < 0.25:
                rates[s] = ZERO
        load = least_load(at_rates(self.graph, self.names, rates))
        if not isinstance(load, Fraction):
            return None
        if load:
            factor = self.limit * rng.choice((ONE, ONE, Fraction(1, 2), Fraction(1, 1000))) / load
            rates |= {s: r * factor for s, r in rates.items() if s.startswith("arrival(")}
        rates["1"] = ONE
        return rates if self.holds(rates) else None


def at_rates(found: Graph, names: Sequence[str], rates: Rates) -> Graph:
    """The graph with these rates."""
    arrivals = (s for s in names if s.startswith("arrival("))
    flows = [dataclasses.replace(f, rate=rates[next(arrivals)]) for f in found.flows]
    works = [dataclasses.replace(w, rate=w.rate * rates[f"speed({w.server})"]) for w in found.works]
    return Graph(flows, works)


def rate_set(certificate: Json) -> RateSet:
    """That of a claim."""
    parts = (certificate["network"], certificate["policy"], certificate["rates"], certificate["claim"]["load_at_most"])
    return _rate_set(json.dumps(parts))


@cache
def _rate_set(parts: str) -> RateSet:
    network, policy, rates, most = json.loads(parts)
    names = symbols(network)[:-1]
    limit = min(Fraction(most), NEARLY_ONE)
    found = graph(network, policy)
    found.flows = [f for f in found.flows if f.rate]
    column = {s: j for j, s in enumerate(names)}
    entries = [(i, way) for i, flow in enumerate(found.flows) for way in flow.ways]
    works = [(work, way) for work in found.works for way in work.ways]
    size = len(names) + len(entries) + len(works)

    def row(values: Mapping[int, Fraction], lower: Fraction | None, upper: Fraction | None) -> Row:
        return [values.get(j, ZERO) for j in range(size)], lower, upper

    rows: list[Row] = []
    for j in range(size):
        server = j < len(names) and names[j].startswith("speed(")
        rows.append(row({j: ONE}, SLOWEST if server else ZERO, FASTEST if j < len(names) else None))
    shares: list[dict[int, Fraction]] = [{i: -ONE} for i in range(len(found.flows))]  # arrivals come first
    balance: dict[object, dict[int, Fraction]] = {work.node: {} for work in found.works}
    use: dict[str, dict[int, Fraction]] = {w.server: {column[f"speed({w.server})"]: -limit} for w in found.works}
    for j, (i, way) in enumerate(entries, start=len(names)):
        shares[i][j] = ONE
        for node, p in way.items():
            balance[node][j] = balance[node].get(j, ZERO) + p
    for j, (work, way) in enumerate(works, start=len(names) + len(entries)):
        use[work.server][j] = ONE
        balance[work.node][j] = balance[work.node].get(j, ZERO) - work.rate
        for node, p in way.items():
            if node is not None:
                balance[node][j] = balance[node].get(j, ZERO) + work.rate * p
    rows += [row(found_row, ZERO, ZERO) for found_row in (*shares, *balance.values())]
    rows += [row(found_row, None, ZERO) for found_row in use.values()]
    given = [(numbers(r), equal) for key, equal in (("at_least_zero", False), ("zero", True)) for r in rates[key]]
    for values, equal in given:
        own = {column[s]: a for s, a in values.items() if s != "1"}
        rows.append(row(own, -values.get("1", ZERO), -values.get("1", ZERO) if equal else None))
    return RateSet(names, size, rows, given, found, limit)


def sample(certificate: Json, count: int, seed: int) -> list[Rates]:
    """Rates of the claim: scattered ones, vertices, and mixtures of vertices. Kept between calls."""
    found = rate_set(certificate)
    key = (tuple(found.names), json.dumps([certificate[k] for k in ("network", "policy", "rates")]), str(found.limit))
    if (key, count, seed) not in _SAMPLES:
        _SAMPLES[key, count, seed] = list(_sampled(found, count, random.Random(seed)))
    return _SAMPLES[key, count, seed]


_SAMPLES: dict[object, list[Rates]] = {}


def _sampled(found: RateSet, count: int, rng: random.Random) -> Iterator[Rates]:
    scattered = (found.scattered(rng) for _ in range(count // 2))
    yield from (rates for rates in scattered if rates is not None)
    vertices = [vertex for vertex in (found.vertex(rng) for _ in range(count // 10 + 2)) if vertex is not None]
    yield from vertices
    for _ in range(count // 2 if vertices else 0):
        weights = [Fraction(10) ** rng.randint(-6, 6) for _ in vertices]
        total = sum(weights, ZERO)
        yield {
            s: sum((w * vertex[s] for w, vertex in zip(weights, vertices, strict=True)), ZERO) / total
            for s in (*found.names, "1")
        }
