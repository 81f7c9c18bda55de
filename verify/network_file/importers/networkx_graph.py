"""Networks as networkx graphs, and back: nothing is lost on the way.

Nodes are buffers, edges the moves of jobs between them; the node ``(exit)`` (``kind="exit"``) is the outside.  Exact
numbers are strings "p/q".  The order of nodes is the order of classes, routes, positions and buffers.

Route network (``graph.graph["kind"] == "route"``): one node for each subserver ``class.route.position``, also under
routing jsq, with ``class``, ``route``, ``position`` (from 1), ``buffer`` (the coordinate of the state it belongs to),
``server``, ``rate``; on position 1 also ``arrival_rate`` (of the whole class) and, under bernoulli, ``probability`` (of
the route).  Edges: ``class``, ``route``, ``probability="1"``.

Buffer network (``"buffer"``): one node for each buffer with ``arrival_rate``, and ``server`` and ``rate`` where one
activity serves it.  One edge for each activity and destination: ``server``, ``rate``, ``probability``, ``activity``
(its number in the list, from 0); the edge to ``(exit)`` carries the probability to leave.

Priority (on nodes of a route network, on edges of a buffer network): ``priority=1`` is served first, 2 next, and so on
within its server.  Graph attributes: ``kind``, ``servers``, ``title``, ``source``, ``policy`` (without priority and
probabilities), ``test_function`` and ``rates`` in the form of a network file.
"""

from __future__ import annotations

from fractions import Fraction

import networkx

from verify.errors import InputError
from verify.network.model import BufferNetwork, JobClass, Route, RouteNetwork
from verify.network.names import Coordinates, Subserver
from verify.network.read_rates import rows_to_json
from verify.network.write import function_to_json
from verify.network_file.importers.graph_document import EXIT, graph_document
from verify.network_file.read import read_document
from verify.policies.instance import Instance
from verify.rational import text


def to_networkx(instance: Instance) -> networkx.MultiDiGraph:
    """The network of an instance as a ``MultiDiGraph``, in the form described above.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 2}}\\nclasses = [{name = "a", arrival_rate = 1, routes = {r = ["A"]}}]'
    >>> graph = to_networkx(read_text(line, format="toml"))
    >>> graph.nodes["a.r.1"]["server"], graph.nodes["a.r.1"]["rate"], graph.nodes["a.r.1"]["arrival_rate"]
    ('A', '2', '1')
    """
    network = instance.network
    policy = instance.policy.to_json()
    for key in ("priority", "probabilities"):
        policy.pop(key, None)
    graph = networkx.MultiDiGraph(
        kind=network.kind,
        servers=list(network.servers),
        title=instance.title,
        source=instance.source,
        policy=policy,
    )
    if instance.test_function is not None:
        graph.graph["test_function"] = function_to_json(instance.test_function)
    if instance.rates is not None:
        graph.graph["rates"] = rows_to_json(instance.rates)
    if isinstance(network, RouteNetwork):
        _add_routes(graph, network, instance)
    else:
        _add_buffers(graph, network, instance)
    return graph


def from_networkx(graph: networkx.MultiDiGraph) -> Instance:
    """The instance in a graph of the form described above.

    Priority convention: 1 is the highest.  Raises ``InputError``: an attribute is missing, attributes contradict one
    another, or the network they state is refused by the reader of network files.
    """
    if not isinstance(graph, networkx.MultiDiGraph):
        raise InputError("graph", "a networkx.MultiDiGraph", type(graph).__name__)
    return read_document(graph_document(graph))


def _ranks(instance: Instance) -> dict[tuple[str, str], int]:
    """(server, buffer) -> 1 for the highest priority, 2 for the next."""
    orders = instance.policy.orders
    return {(server, name): rank for server, order in orders.items() for rank, name in enumerate(order, 1)}


def _add_routes(graph: networkx.MultiDiGraph, network: RouteNetwork, instance: Instance) -> None:
    for job_class in network.classes:
        for route in job_class.routes:
            _add_subservers(graph, job_class, route, instance)
    graph.add_node(EXIT, kind="exit")
    for job_class in network.classes:
        for route in job_class.routes:
            names = [one.name for one in _subservers(job_class, route)]
            for name, following in zip(names, [*names[1:], EXIT], strict=True):
                move = {"class": job_class.name, "route": route.name, "probability": "1"}
                graph.add_edge(name, following, key=route.name, **move)


def _subservers(job_class: JobClass, route: Route) -> list[Subserver]:
    return [Subserver(job_class.name, route.name, i, visit.server) for i, visit in enumerate(route.visits, 1)]


def _add_subservers(graph: networkx.MultiDiGraph, job_class: JobClass, route: Route, instance: Instance) -> None:
    ranks, split = _ranks(instance), instance.policy.split
    pairs = instance.policy.meeting(instance.network) is Coordinates.PAIRS
    listed = _subservers(job_class, route)
    for one, visit in zip(listed, route.visits, strict=True):
        buffer = one.pair if pairs else one.name
        node = {
            "kind": "buffer",
            "class": job_class.name,
            "route": route.name,
            "position": one.position,
            "buffer": buffer,
            "server": visit.server,
            "rate": text(visit.rate),
        }
        if (visit.server, buffer) in ranks:
            node["priority"] = ranks[visit.server, buffer]
        graph.add_node(one.name, **node)
    graph.nodes[listed[0].name]["arrival_rate"] = text(job_class.arrival_rate)
    if split is not None:
        graph.nodes[listed[0].name]["probability"] = text(split[job_class.name][route.name])


def _add_buffers(graph: networkx.MultiDiGraph, network: BufferNetwork, instance: Instance) -> None:
    ranks = _ranks(instance)
    for buffer in network.buffers:
        node: dict[str, object] = {"kind": "buffer", "arrival_rate": text(buffer.arrival_rate)}
        served = [activity for activity in network.activities if activity.buffer == buffer.name]
        if len(served) == 1:
            node |= {"server": served[0].server, "rate": text(served[0].rate)}
        graph.add_node(buffer.name, **node)
    graph.add_node(EXIT, kind="exit")
    for number, activity in enumerate(network.activities):
        common = {"activity": number, "server": activity.server, "rate": text(activity.rate)}
        if (activity.server, activity.buffer) in ranks:
            common["priority"] = ranks[activity.server, activity.buffer]
        leaving = 1 - sum(activity.next.values(), Fraction(0))
        for destination, chance in {**activity.next, **({EXIT: leaving} if leaving else {})}.items():
            graph.add_edge(activity.buffer, destination, key=activity.server, probability=text(chance), **common)
