"""The expansion as JSON (``queueproof expand --json``): what ``expansion_text`` says in words; exact numbers are text "p/q"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.network.expansion import Destination, expand, is_route_expansion
from verify.network.model import Instance, RouteNetwork, Routing
from verify.rational import text
from verify.report.expansion_text import queues


def expansion_json(instance: Instance) -> dict[str, Any]:
    """Buffers, arrivals and services of the state's graph; the buffers of one server are duplicates of each other.

    ``destinations``: what the policy chooses from, each a distribution over buffers (the rest leaves the network).  Under the
    preset jsq-as a finished job may also go to any duplicate of the next buffer named here.

    >>> from verify.network.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> expansion_json(read_text(line, format="toml"))["services"]
    [{'buffer': 'a.r.1', 'server': 'A', 'rate': '1', 'destinations': [{'choice': '', 'next': {}}]}]
    """
    network, policy = instance.network, instance.policy
    expansion = expand(network, policy)
    names = expansion.names
    kind = "route expansion" if is_route_expansion(network, policy) else "buffers"
    if policy.routing is Routing.JSQ and isinstance(network, RouteNetwork):
        kind = "union graph"
    return {
        "title": instance.title,
        "kind": kind,
        "policy": {
            "preset": policy.preset,
            "routing": policy.routing,
            "sequencing": policy.sequencing,
            "holding": policy.holding,
        },
        "buffers": [
            {"name": b.name, "class": b.class_name or None, "route": b.route or None, "position": b.position or None}
            for b in expansion.buffers
        ],
        "servers": {server: [names[k] for k in members] for server, members in queues(expansion).items()},
        "arrivals": [
            {"name": s.name, "rate": text(s.rate), "destinations": _destinations(s.destinations, names)}
            for s in expansion.streams
        ],
        "services": [
            {
                "buffer": names[s.buffer],
                "server": s.server,
                "rate": text(s.rate),
                "destinations": _destinations(s.destinations, names),
            }
            for s in expansion.services
        ],
    }


def _destinations(options: Sequence[Destination], names: Sequence[str]) -> list[dict[str, Any]]:
    return [{"choice": o.label, "next": {names[k]: text(p) for k, p in o.distribution.items()}} for o in options]
