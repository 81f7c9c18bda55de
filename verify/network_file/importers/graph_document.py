"""From a networkx graph (see :mod:`verify.network_file.importers.networkx_graph`) to the tables of a network file.

Works on the graph's own methods and does not import networkx.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from verify.errors import InputError
from verify.network.fields import Field
from verify.network.messages import did_you_mean, listed, shown, shown_number
from verify.network.names import Coordinates, Subserver
from verify.policies.registry import ROUTINGS

EXIT = "(exit)"
_KINDS = ("route", "buffer")


def graph_document(graph: Any) -> dict[str, object]:
    """The tables that ``read_document`` reads, from a ``networkx.MultiDiGraph``.

    Raises ``InputError``: an attribute is missing or of another kind, or attributes contradict one another.
    """
    kind = _need(graph.graph, "kind", "graph")
    if kind not in _KINDS:
        raise InputError("graph.kind", f"one of {listed(_KINDS)}", shown(kind), did_you_mean(kind, _KINDS))
    policy = graph.graph.get("policy", {})
    if not isinstance(policy, dict):
        raise InputError("graph.policy", "a table", shown(policy))
    policy = dict(policy)
    document: dict[str, object] = {
        key: graph.graph[key] for key in ("title", "source", "test_function", "rates") if key in graph.graph
    }
    servers = _need(graph.graph, "servers", "graph")
    if not isinstance(servers, (list, tuple)) or not all(isinstance(server, str) for server in servers):
        raise InputError("graph.servers", "a list of server names", shown(servers))
    document["servers"] = {server: {} for server in servers}
    document |= _routes(graph, policy) if kind == "route" else _buffers(graph, policy)
    return document | {"policy": policy}


def _need(attributes: Mapping[str, Any], key: str, place: str) -> Any:
    if key not in attributes:
        raise InputError(f"{place}.{key}", "an attribute of this name", "nothing")
    return attributes[key]


def _word(attributes: Mapping[str, Any], key: str, place: str) -> str:
    value = _need(attributes, key, place)
    if not isinstance(value, str):
        raise InputError(f"{place}.{key}", "a string", shown(value))
    return value


def _count(attributes: Mapping[str, Any], key: str, place: str) -> int:
    value = _need(attributes, key, place)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{place}.{key}", "an integer", shown(value))
    return value


def _inner_nodes(graph: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The nodes that are buffers, with their attributes, in order."""
    return ((node, data) for node, data in graph.nodes(data=True) if data.get("kind") != "exit")


def _place(node: Any) -> str:
    return f"nodes[{shown(node)}]"


def _agreed(store: dict[Any, Any], key: Any, value: Any, place: str) -> None:
    """Keep ``value`` under ``key``; refuse another value than the one already there."""
    if store.setdefault(key, value) != value:
        raise InputError(place, f"{shown(store[key])} as elsewhere in the graph", shown(value))


def _orders(ranks: Mapping[tuple[str, str], int], place: str) -> dict[str, list[str]]:
    """Server -> buffers by rank, from (server, buffer) -> rank; ranks of one server are distinct."""
    orders: dict[str, dict[int, str]] = {}
    for (server, buffer), rank in ranks.items():
        _agreed(orders.setdefault(server, {}), rank, buffer, f"{place}.priority {rank} of server {shown(server)}")
    return {server: [order[rank] for rank in sorted(order)] for server, order in orders.items()}


def _routes(graph: Any, policy: dict[str, Any]) -> dict[str, object]:
    """The ``classes`` of a route network; puts ``priority`` and ``probabilities`` into the policy."""
    classes: dict[str, dict[str, dict[int, Any]]] = {}
    for node, data in _inner_nodes(graph):
        place = _place(node)
        routes = classes.setdefault(_word(data, "class", place), {})
        positions = routes.setdefault(_word(data, "route", place), {})
        _agreed(positions, _count(data, "position", place), node, f"{place}.position")
    for name, routes in classes.items():
        for route, positions in routes.items():
            if sorted(positions) != list(range(1, len(positions) + 1)):
                raise InputError(
                    f"nodes of route {shown(route)} of class {shown(name)}",
                    f"the positions 1 to {len(positions)}",
                    listed(map(str, sorted(positions))),
                )
    _check_moves(graph, classes)
    _node_policy(graph, classes, policy)
    return {"classes": [_job_class(graph, name, routes) for name, routes in classes.items()]}


def _job_class(graph: Any, name: str, routes: Mapping[str, Mapping[int, Any]]) -> dict[str, object]:
    arrival: dict[str, Any] = {}
    for positions in routes.values():
        place = _place(positions[1])
        _agreed(arrival, "rate", _need(graph.nodes[positions[1]], "arrival_rate", place), f"{place}.arrival_rate")
    return {
        "name": name,
        "arrival_rate": arrival["rate"],
        "routes": {
            route: [_visit(graph.nodes[positions[i]], _place(positions[i])) for i in sorted(positions)]
            for route, positions in routes.items()
        },
    }


def _visit(data: Mapping[str, Any], place: str) -> dict[str, object]:
    return {"server": _word(data, "server", place), "rate": _need(data, "rate", place)}


def _check_moves(graph: Any, classes: Mapping[str, Mapping[str, Mapping[int, Any]]]) -> None:
    """The edges are the moves along the routes (edges to the exit may be left out)."""
    moves: Counter[tuple[Any, Any]] = Counter()
    leaving: set[Any] = set()
    for routes in classes.values():
        for positions in routes.values():
            moves.update((positions[i], positions[i + 1]) for i in range(1, len(positions)))
            leaving.add(positions[len(positions)])
    for start, end in graph.edges():
        out = graph.nodes[end].get("kind") == "exit"
        if (out and start not in leaving) or (not out and not moves[start, end]):
            raise InputError(f"edge {shown(start)} -> {shown(end)}", "a move along a route", "another one")
        moves[start, end] -= 0 if out else 1
    for (start, end), missing in moves.items():
        if missing:
            raise InputError(f"edge {shown(start)} -> {shown(end)}", "the move along the route", "no such edge")


def _node_policy(graph: Any, classes: Mapping[str, Mapping[str, Mapping[int, Any]]], policy: dict[str, Any]) -> None:
    ranks: dict[tuple[str, str], int] = {}
    chances: dict[str, dict[str, Any]] = {}
    routing = ROUTINGS.get(str(policy.get("routing")))
    pairs = routing is not None and routing.coordinates is Coordinates.PAIRS
    for name, routes in classes.items():
        for route, positions in routes.items():
            for position, node in positions.items():
                data, place = graph.nodes[node], _place(node)
                server = _word(data, "server", place)
                one = Subserver(name, route, position, server)
                buffer = one.pair if pairs else one.name
                if "priority" in data:
                    _agreed(ranks, (server, buffer), _count(data, "priority", place), f"{place}.priority")
                if "probability" in data:
                    chances.setdefault(name, {})[route] = data["probability"]
    _add(policy, "priority", _orders(ranks, "nodes"))
    _add(policy, "probabilities", chances)


def _add(policy: dict[str, Any], key: str, value: dict[str, Any]) -> None:
    if value and key in policy:
        raise InputError(f"graph.policy.{key}", f"no {key} beside the attributes of nodes or edges", "one")
    if value:
        policy[key] = value


def _buffers(graph: Any, policy: dict[str, Any]) -> dict[str, object]:
    """The ``buffers`` and ``activities`` of a buffer network; puts ``priority`` into the policy."""
    buffers: list[object] = []
    for node, data in _inner_nodes(graph):
        if not isinstance(node, str):
            raise InputError(_place(node), "a string as the name of the buffer", shown(node))
        buffers.append({"name": node, "arrival_rate": data.get("arrival_rate", 0)})
    groups: dict[tuple[str, str], list[Any]] = {}
    for start, end, data in graph.edges(data=True):
        server = _word(data, "server", f"edge {shown(start)} -> {shown(end)}")
        groups.setdefault((server, start), []).append((end, data))
    activities: list[tuple[int, dict[str, Any]]] = []
    ranks: dict[tuple[str, str], int] = {}
    for (server, buffer), edges in groups.items():
        common = _common(graph, buffer, edges)
        moves = {end: data["probability"] for end, data in edges if graph.nodes[end].get("kind") != "exit"}
        _check_exit(graph, buffer, edges, moves)
        activity = {"server": server, "buffer": buffer, "rate": common["rate"], "next": moves}
        activities.append((common["activity"], activity))
        if "priority" in common:
            ranks[server, buffer] = common["priority"]
        _check_node(graph, buffer, activity, sum(start == buffer for _, start in groups))
    _add(policy, "priority", _orders(ranks, "edges"))
    activities.sort(key=lambda numbered: numbered[0])
    return {"buffers": buffers, "activities": [activity for _, activity in activities]}


def _common(graph: Any, buffer: str, edges: list[Any]) -> dict[str, Any]:
    """What the edges of one activity say alike: rate, activity, priority; and that each destination comes once."""
    common: dict[str, Any] = {}
    for end, data in edges:
        place = f"edge {shown(buffer)} -> {shown(end)}"
        _agreed(common, ("to", end), data, place)
        _need(data, "probability", place)
        _agreed(common, "rate", _need(data, "rate", place), f"{place}.rate")
        _agreed(common, "activity", _count(data, "activity", place), f"{place}.activity")
        if "priority" in data:
            _agreed(common, "priority", _count(data, "priority", place), f"{place}.priority")
    return common


def _check_exit(graph: Any, buffer: str, edges: list[Any], moves: Mapping[str, Any]) -> None:
    """The edge to the exit, if there is one, carries what is missing to 1."""
    for end, data in edges:
        if graph.nodes[end].get("kind") == "exit":
            place = f"edge {shown(buffer)} -> {shown(end)}.probability"
            rest = 1 - sum((Field(place, chance, {}).probability() for chance in moves.values()), Fraction(0))
            stated = Field(place, data["probability"], {}).number()
            if stated != rest:
                raise InputError(place, f"{shown_number(rest)}, what is missing to 1", shown_number(stated))


def _check_node(graph: Any, buffer: str, activity: Mapping[str, Any], count: int) -> None:
    """Server and rate on a node, if they are there, are those of its one activity."""
    for key in ("server", "rate"):
        if key in graph.nodes[buffer]:
            if count != 1:
                raise InputError(f"{_place(buffer)}.{key}", f"no {key}, as {count} activities serve the buffer", "one")
            _agreed({key: activity[key]}, key, graph.nodes[buffer][key], f"{_place(buffer)}.{key}")
