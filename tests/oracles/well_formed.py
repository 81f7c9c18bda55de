"""Is the network and policy one that theory 1 defines at all?  Claims about something undefined are objected to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import networkx

from .claimed import Json

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_HEAD = {"format", "claim", "network", "policy"}
_EMPTYING = {"potential", "heights"}
_DRIFT = _EMPTYING | {"test_function", "lower_bound", "evidence"}
KEYS = {
    "capacity": _HEAD | {"prices", "potentials"},
    "fluid": _HEAD | _DRIFT,
    "strict": _HEAD | _DRIFT,
    "corrected": _HEAD | _EMPTYING | {"weights", "corrector"},
    "growth": _HEAD | {"pieces", "corrector", "v0", "path", "witness", "witness_server_order"},
    "quadratic": _HEAD | _EMPTYING | {"function", "squares", "evidence"},
    "mean": _HEAD | {"stability", "upper", "lower"},
    "product-form": _HEAD | {"throughputs"},
}
RULES = (
    "priority", "fbfs", "lbfs", "non-idling", "longest-queue", "longest-duplicate", "dominant", "max-weight",
    "back-pressure", "fifo",
)  # fmt: skip


def objections(certificate: Json) -> Iterator[str]:
    """What is not defined."""
    condition, network, policy = certificate["claim"]["condition"], certificate["network"], certificate["policy"]
    if not set(certificate) <= KEYS[condition] or certificate["format"] != "queueproof-certificate-1":
        yield f"keys {sorted(certificate)}"
    yield from _names(network)
    if "preset" in policy:
        yield from _preset(network, policy)
        return
    wanted = {"routing", "sequencing", "holding"}
    wanted |= {"probabilities"} if policy["routing"] == "bernoulli" else set()
    wanted |= {"route_weights"} if policy["routing"] == "weighted-route" else set()
    wanted |= {"priority"} if policy["sequencing"] == "priority" else set()
    optional = {"tie_order", "dominance_function"} if policy["sequencing"] == "dominant" else set()
    wanted |= {"dominance_function"} if optional and condition != "capacity" else set()
    optional |= {"buffer_weights"} if policy["sequencing"] == "max-weight" else set()
    optional |= {"server_order"} if network["kind"] == "buffer" else set()
    if not wanted <= set(policy) <= wanted | optional:
        yield f"policy has {sorted(policy)}, wanted {sorted(wanted)} and perhaps {sorted(optional)}"
    if policy["sequencing"] not in RULES or policy["holding"] not in ("none", "spillback"):
        yield f"sequencing {policy['sequencing']}, holding {policy['holding']}"
    if network["kind"] == "buffer" and policy["routing"] != "fixed":
        yield "routing of a buffer network"
    if policy["routing"] == "jsq":
        yield from _jsq(network, policy)
    yield from _orders(network, policy)


def _names(network: Json) -> Iterator[str]:
    lists: list[Sequence[Any]] = [network["servers"]]
    if network["kind"] == "buffer":
        lists.append([buffer["name"] for buffer in network["buffers"]])
    else:
        lists.append([c["name"] for c in network["classes"]])
        lists += [[route["name"] for route in c["routes"]] for c in network["classes"]]
    for names in lists:
        if len(set(names)) < len(names) or not all(isinstance(n, str) and _NAME.fullmatch(n) for n in names):
            yield f"names {names}"


def _paths(network: Json) -> Iterator[tuple[list[list[str]], Json]]:
    for c in network["classes"]:
        yield [[visit["server"] for visit in route["visits"]] for route in c["routes"]], c


def _jsq(network: Json, policy: Json) -> Iterator[str]:
    """All paths are routes, the graph has no cycle, a server is last on all or none, one rate at a server."""
    if policy["sequencing"] in ("dominant", "longest-duplicate"):
        yield f"{policy['sequencing']} under jsq"
    for routes, c in _paths(network):
        graph = networkx.DiGraph([step for route in routes for step in pairwise(route)])
        graph.add_nodes_from(n for route in routes for n in route)
        if not networkx.is_directed_acyclic_graph(graph):
            yield "a cycle under jsq"
            return
        firsts, lasts = {route[0] for route in routes}, {route[-1] for route in routes}
        if any(graph.out_degree(n) for n in lasts):
            yield "last on some routes only"
        paths = {(a,) for a in firsts & lasts}
        paths |= {tuple(p) for a in firsts for b in lasts if a != b for p in networkx.all_simple_paths(graph, a, b)}
        if paths != {tuple(route) for route in routes}:
            yield "paths that are no routes"
        yield from _one_rate(c)


def _one_rate(job_class: Json) -> Iterator[str]:
    rates: dict[str, str] = {}
    for route in job_class["routes"]:
        for visit in route["visits"]:
            if rates.setdefault(visit["server"], visit["rate"]) != visit["rate"]:
                yield f"two rates at {visit['server']}"


def _preset(network: Json, policy: Json) -> Iterator[str]:
    if policy != {"preset": "jsq-as"} or network["kind"] != "route" or len(network["classes"]) != 1:
        yield "the preset is jsq-as, alone, for a route network with one class"
        return
    (routes, job_class), *_ = _paths(network)
    yield from _one_rate(job_class)
    graph = networkx.DiGraph([step for route in routes for step in pairwise(route)])
    if not networkx.is_directed_acyclic_graph(graph) or any(len(set(route)) < len(route) for route in routes):
        yield "a cycle under jsq-as"
    for first in routes:
        for second in routes:
            for i, n in enumerate(first):
                if n in second and [*first[:i], *second[second.index(n) :]] not in routes:
                    yield f"prefix and suffix at {n} make no route"
                    return


def _orders(network: Json, policy: Json) -> Iterator[str]:
    """Orders list every buffer of their server once."""
    buffers = buffers_of(network, policy)
    for key in ("priority", "tie_order"):
        for n, order in policy.get(key, {}).items():
            if sorted(order) != sorted(buffers.get(n, [])) or not order:
                yield f"{key} of {n}: {order}"
    for buffer, servers in policy.get("server_order", {}).items():
        if len(servers) < 2 or sorted(servers) != sorted(n for n, found in buffers.items() if buffer in found):
            yield f"server_order of {buffer}: {servers}"
    if policy.get("server_order") == {}:
        yield "an empty server_order"
    if "priority" in policy and set(policy["priority"]) != {n for n, found in buffers.items() if found}:
        yield "servers without an order"


def buffers_of(network: Json, policy: Json) -> dict[str, list[str]]:
    """Server -> its buffers by name."""
    found: dict[str, list[str]] = {n: [] for n in network["servers"]}
    if network["kind"] == "buffer":
        for activity in network["activities"]:
            found[activity["server"]].append(activity["buffer"])
        return found
    for c in network["classes"]:
        for route in c["routes"]:
            for i, visit in enumerate(route["visits"], start=1):
                jsq = policy.get("routing") == "jsq"
                name = f"{c['name']}@{visit['server']}" if jsq else f"{c['name']}.{route['name']}.{i}"
                if name not in found[visit["server"]]:
                    found[visit["server"]].append(name)
    return found
