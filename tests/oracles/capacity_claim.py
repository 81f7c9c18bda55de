"""Condition N again: the inequalities of prices and potentials exactly, and the smallest possible load by a program of its own, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .claimed import Json, Unreadable, number, numbers
from .linear_program import Optimum, Row, minimum

Name = tuple[Any, ...]
Matrix = list[list[Fraction]]


@dataclass(frozen=True)
class Work:
    """A server working on jobs at a node, which then go on: one of ``ways`` (a decision), each a random split."""

    server: str
    node: Name
    rate: Fraction
    ways: tuple[Mapping[Name | None, Fraction], ...]


@dataclass(frozen=True)
class Flow:
    """Jobs entering at a rate by one of ``ways``."""

    rate: Fraction
    ways: tuple[Mapping[Name | None, Fraction], ...]


@dataclass
class Graph:
    """Where jobs are (nodes), may be worked on, and may go; ``fixed``: servers by node, so that a job has one server."""

    flows: list[Flow] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)


ZERO, ONE = Fraction(0), Fraction(1)


def graph(network: Json, policy: Json) -> Graph:
    """The graph in which the jobs of this policy move (theory 7)."""
    if network["kind"] == "buffer":
        return _buffer_graph(network)
    if policy.get("routing") == "jsq" or policy.get("preset") == "jsq-as":
        return _union_graph(network)
    found = Graph()
    for c in network["classes"]:
        entries: list[Mapping[Name | None, Fraction]] = []
        for route in c["routes"]:
            nodes = [(c["name"], route["name"], i) for i in range(1, len(route["visits"]) + 1)]
            for node, after, visit in zip(nodes, [*nodes[1:], None], route["visits"], strict=True):
                found.works.append(Work(visit["server"], node, number(visit["rate"]), ({after: ONE},)))
            entries.append({nodes[0]: ONE})
        if policy["routing"] == "bernoulli":
            shares = numbers(policy["probabilities"][c["name"]])
            entries = [{(c["name"], name, 1): p for name, p in shares.items()}]
        found.flows.append(Flow(number(c["arrival_rate"]), tuple(entries)))
    return found


def _union_graph(network: Json) -> Graph:
    found = Graph()
    for c in network["classes"]:
        routes = [[visit["server"] for visit in route["visits"]] for route in c["routes"]]
        rates = {visit["server"]: number(visit["rate"]) for route in c["routes"] for visit in route["visits"]}
        for n, rate in rates.items():
            after = dict.fromkeys(b for route in routes for a, b in pairwise(route) if a == n)
            ways: list[Mapping[Name | None, Fraction]] = [{(c["name"], b): ONE} for b in after]
            ways += [{None: ONE}] if any(route[-1] == n for route in routes) else []
            found.works.append(Work(n, (c["name"], n), rate, tuple(ways)))
        entries: list[Mapping[Name | None, Fraction]] = [
            {(c["name"], n): ONE} for n in dict.fromkeys(r[0] for r in routes)
        ]
        found.flows.append(Flow(number(c["arrival_rate"]), tuple(entries)))
    return found


def _buffer_graph(network: Json) -> Graph:
    found = Graph()
    for activity in network["activities"]:
        shares: dict[Name | None, Fraction] = {(t,): p for t, p in numbers(activity["next"]).items()}
        shares[None] = ONE - sum(shares.values(), Fraction(0))
        found.works.append(Work(activity["server"], (activity["buffer"],), number(activity["rate"]), (shares,)))
    for buffer in network["buffers"]:
        found.flows.append(Flow(number(buffer["arrival_rate"]), ({(buffer["name"],): ONE},)))
    return found


def least_load(found: Graph) -> Optimum:
    """Minimise the largest load over all flows, exactly.

    Variables: the share of its server's time each kind of work takes, the share of each stream that enters somewhere, and the
    load.
    """
    works = [(work, way) for work in found.works for way in work.ways]
    entries = [(flow, way) for flow in found.flows for way in flow.ways if flow.rate]
    flows = [flow for flow in found.flows if flow.rate]
    node = {name: i for i, name in enumerate(dict.fromkeys(work.node for work in found.works))}
    server = {name: i for i, name in enumerate(dict.fromkeys(work.server for work in found.works))}
    size = len(works) + len(entries) + 1
    limits, balance, shares = _zeros(len(server), size), _zeros(len(node), size), _zeros(len(flows), size)
    for row in limits:
        row[-1] = -ONE
    for j, (work, way) in enumerate(works):
        limits[server[work.server]][j] = ONE
        balance[node[work.node]][j] -= work.rate
        _reach(balance, node, j, work.rate, way)
    for j, (flow, way) in enumerate(entries, start=len(works)):
        shares[flows.index(flow)][j] = ONE
        _reach(balance, node, j, flow.rate, way)
    rows: list[Row] = [(row, None, ZERO) for row in limits]
    rows += [(row, ZERO, ZERO) for row in balance] + [(row, ONE, ONE) for row in shares]
    rows += [([ONE if i == j else ZERO for i in range(size)], ZERO, None) for j in range(size)]
    return minimum([*[ZERO] * (size - 1), ONE], rows)


def _zeros(rows: int, columns: int) -> Matrix:
    return [[ZERO] * columns for _ in range(rows)]


def _reach(
    balance: Matrix, node: Mapping[Name, int], j: int, rate: Fraction, way: Mapping[Name | None, Fraction]
) -> None:
    for target, p in way.items():
        if target is not None:
            balance[node[target]][j] += rate * p


def objections(certificate: Json) -> Iterator[str]:
    """What is wrong with a claim of condition N."""
    found = graph(certificate["network"], certificate["policy"])
    prices, load = numbers(certificate["prices"]), number(certificate["claim"]["load"])
    potential = {_node(name, certificate): v for name, v in numbers(certificate["potentials"]).items()}
    if not set(prices) <= set(certificate["network"]["servers"]) or not set(potential) <= {w.node for w in found.works}:
        yield "unknown servers or buffers"
    if sum(prices.values()) != 1 or min(prices.values(), default=Fraction(-1)) < 0:
        yield f"prices {prices}"

    def worth(way: Mapping[Name | None, Fraction]) -> Fraction:
        return sum((p * potential.get(k, Fraction(0)) for k, p in way.items() if k is not None), Fraction(0))

    for work in found.works:
        gain = work.rate * (potential.get(work.node, Fraction(0)) - min(map(worth, work.ways)))
        if gain > prices.get(work.server, Fraction(0)):
            yield f"the price of {work.server} is below {gain} at {work.node}"
    bound = sum((flow.rate * min(map(worth, flow.ways)) for flow in found.flows), Fraction(0))
    if bound != load or load < 1:
        yield f"load {load}, potentials say {bound}"
    least = least_load(found)
    if not isinstance(least, Fraction) or least < load:
        yield f"the least load is {least}, claimed {load}"


def _node(name: str, certificate: Json) -> Name:
    network, policy = certificate["network"], certificate["policy"]
    if network["kind"] == "buffer":
        return (name,)
    if policy.get("routing") == "jsq" or policy.get("preset") == "jsq-as":
        parts = name.split("@")
        return tuple(parts)
    parts = name.split(".")
    if len(parts) != 3 or not parts[2].isascii() or not parts[2].isdigit():
        raise Unreadable(f"buffer {name}")
    return (parts[0], parts[1], int(parts[2]))
