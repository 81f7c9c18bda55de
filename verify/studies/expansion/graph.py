"""The labelled graphs that ``queueproof expand --plot`` draws: the original network, and the graph in which the state lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from verify.drawing.graph import Arrow, Graph, Node, Role
from verify.network.expansion import Expansion, Service
from verify.network.model import Network, RouteNetwork
from verify.policies.instance import Instance
from verify.studies.expansion.text import queues

_LONGEST_NUMBER = 9
_LONGEST_NAME = 22


def server_graph(network: RouteNetwork) -> Graph:
    """The original network: an arrow for each class and pair of consecutive servers on one of its routes."""
    nodes: dict[str, Node] = {}
    arrows: dict[Arrow, None] = {}
    rates: dict[str, set[Fraction]] = {}
    for group, job_class in enumerate(network.classes):
        origin, label = f"origin {group}", job_class.name if len(network.classes) > 1 else ""
        nodes[origin] = Node(Role.ORIGIN, (short(job_class.name), equation("λ", job_class.arrival_rate)), group)
        for route in job_class.routes:
            for visit in route.visits:
                rates.setdefault(visit.server, set()).add(visit.rate)
            stops = [visit.server for visit in route.visits]
            end = f"exit {group} {stops[-1]}"
            nodes[end] = Node(Role.EXIT, (), group)
            arrows[Arrow(origin, stops[0], group)] = None
            arrows |= dict.fromkeys(Arrow(a, b, group, short(label)) for a, b in pairwise([*stops, end]))
    for server, found in rates.items():
        nodes[server] = Node(Role.SERVER, (short(server), *(equation("μ", rate) for rate in found if len(found) == 1)))
    return Graph(nodes, tuple(arrows))


def state_graph(instance: Instance) -> Graph:
    """The graph in which the state lives, a node for each coordinate; see :class:`Graph`."""
    network, expansion = instance.network, instance.expansion()
    names, groups = expansion.names, _groups(network, expansion)
    in_lanes = expansion.has_routes
    nodes, arrows = _arrivals(network, expansion)
    for k, name in enumerate(names):
        services = [service for service in expansion.services if service.buffer == k]
        nodes[name] = Node(Role.BUFFER, (short(name), *_servers(services, expansion, in_lanes)), groups[k])
    for number, service in enumerate(expansion.services):
        group = groups[service.buffer] if network.has_routes else expansion.servers.index(service.server)
        ways = _departures(service, expansion, group, f"exit {number}")
        nodes |= {way.head: Node(Role.EXIT, (), way.group) for way in ways if way.head not in expansion.index}
        arrows += ways
    links = [(names[a], names[b]) for members in queues(expansion).values() for a, b in pairwise(members)]
    routes = [(buffer.class_name, buffer.route) for buffer in expansion.buffers]
    rows = {route: row for row, route in enumerate(dict.fromkeys(routes))}
    lanes = {names[k]: (rows[routes[k]], buffer.position - 1) for k, buffer in enumerate(expansion.buffers)}
    return Graph(nodes, tuple(arrows), tuple(links), lanes if in_lanes else {})


def _groups(network: Network, expansion: Expansion) -> dict[int, int]:
    """Colour of each coordinate: its class, or in a buffer network the first server that works on it."""
    if network.has_routes:
        order = {job_class.name: group for group, job_class in enumerate(network.classes)}
        return {k: order[buffer.class_name] for k, buffer in enumerate(expansion.buffers)}
    return {service.buffer: expansion.servers.index(service.server) for service in reversed(expansion.services)}


def _arrivals(network: Network, expansion: Expansion) -> tuple[dict[str, Node], list[Arrow]]:
    """Origins with their arrows, labelled by routes where a class has several."""
    nodes, arrows = {}, []
    for number, stream in enumerate(expansion.streams):
        group, words = (number, (stream.class_name,)) if network.has_routes else (-1, ())
        origin = f"origin {number}"
        nodes[origin] = Node(Role.ORIGIN, (*map(short, words), equation("λ", stream.rate)), group)
        entries = [(k, p) for option in stream.destinations for k, p in option.distribution.items()]
        for k, p in entries:
            route = expansion.buffers[k].route if len(entries) > 1 else ""
            arrows.append(Arrow(origin, expansion.names[k], group, _label(route, p)))
    return nodes, arrows


def _departures(service: Service, expansion: Expansion, group: int, end: str) -> list[Arrow]:
    """Arrows of one activity, labelled by its server where the buffer has several; ``end`` is the key of its exit."""
    name = expansion.names[service.buffer]
    several = len([one for one in expansion.services if one.buffer == service.buffer]) > 1
    ways = []
    for option in service.destinations:
        ways += [(expansion.names[k], p) for k, p in option.distribution.items()]
        left = 1 - sum(option.distribution.values(), Fraction(0))
        ways += [(end, left)] if left else []
    return [Arrow(name, head, group, _label(service.server if several else "", p)) for head, p in ways]


def _servers(services: Sequence[Service], expansion: Expansion, in_lanes: bool) -> Iterator[str]:
    """Who works on a buffer; in lanes the rate only where the visits at the server differ (else the network shows it)."""
    for service in services:
        rate = equation("μ", service.rate)
        differ = len({one.rate for one in expansion.at(service.server)}) > 1
        yield f"server {short(service.server)}" + ("" if in_lanes else f", {rate}")
        yield from [rate] if in_lanes and differ else []


def _label(name: str, probability: Fraction) -> str:
    words = [short(name)] if name else []
    return ": ".join([*words, number(probability)] if probability != 1 else words)


def number(value: Fraction) -> str:
    """A number for a picture: exact if short, else with a sign that it is rounded.

    >>> number(Fraction(3, 4)), number(Fraction(123456, 654321))
    ('3/4', '≈ 0.1887')
    """
    return f"≈ {Decimal(value.numerator) / value.denominator:.4g}" if _is_long(value) else str(value)


def _is_long(value: Fraction) -> bool:
    return len(str(value)) > _LONGEST_NUMBER


def equation(symbol: str, value: Fraction) -> str:
    """A rate for a picture: ``μ = 3/4``, or ``μ ≈ 0.1887``."""
    return f"{symbol} {number(value)}" if _is_long(value) else f"{symbol} = {number(value)}"


def short(name: str) -> str:
    """A name for a picture, its middle left out if it is long."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half + 1 :]}"
