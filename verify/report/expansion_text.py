"""The expansion in words (``queueproof expand``), and the labelled graphs that ``expansion_plot`` draws.

THEORY 1: the subservers of a server are duplicates; the original queue of server n is the sum over its subservers; actual
transitions follow routes, imaginary ones move a job between duplicates and change no original queue.  Under ``jsq`` the
state is one buffer for each (class, server); a buffer network is its own expansion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from verify.network.expansion import Expansion, Service, Stream, expand, is_route_expansion
from verify.network.model import BufferNetwork, Instance, Preset, RouteNetwork, Routing

_LONGEST_NUMBER = 9
_LONGEST_NAME = 22

#: What an arriving job (jsq: also a served one) compares where it has a choice.
_CHOICE = {Routing.JSR: "the route with the fewest jobs of", Routing.JSQ: "the server with the shortest queue of"}
_JSQ_AS = (
    "jsq-as: a server serves its longest subserver; the finished job makes the allowed move with the fewest jobs at its end,",
    "from any non-empty duplicate k of that subserver to one of the places listed for k; allowed if that place has fewer jobs",
    "than k (outside the network counts as 0), else the job is held",
)


class Role(StrEnum):
    """What a node of a picture stands for."""

    ORIGIN = "origin"
    SERVER = "server"
    BUFFER = "buffer"
    EXIT = "exit"


@dataclass(frozen=True)
class Node:
    """A node with its lines of text; ``group`` numbers its colour (class, or server of a buffer network), -1 is neutral."""

    role: Role
    lines: tuple[str, ...] = ()
    group: int = -1


@dataclass(frozen=True)
class Arrow:
    """Jobs move from node ``tail`` to node ``head``; colour as in :class:`Node`."""

    tail: str
    head: str
    group: int = -1
    label: str = ""


@dataclass(frozen=True)
class Graph:
    """Nodes by key, arrows, and links: for each server a chain through its buffers.  ``lanes``: key -> (route, position),
    both from 0, in route expansions; there the links stand for imaginary transitions."""

    nodes: Mapping[str, Node]
    arrows: tuple[Arrow, ...]
    links: tuple[tuple[str, str], ...] = ()
    lanes: Mapping[str, tuple[int, int]] = field(default_factory=dict)


# Words -------------------------------------------------------------------------------------------


def expansion_lines(instance: Instance) -> Iterator[str]:
    """The expansion line by line: arrivals with their choices, subservers with server, rate and successor, duplicates.

    >>> from verify.network.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> list(expansion_lines(read_text(line, format="toml")))[-4:]
    ['subserver  server  rate  then', 'a.r.1      A       1     leaves', '', 'servers with one subserver: A']
    """
    expansion = expand(instance.network, instance.policy)
    if title := printable(instance.title):
        yield title
    yield _headline(instance, expansion)
    yield _policy(instance)
    yield ""
    yield "arrivals"
    yield from (
        f"  {stream.name}, rate {stream.rate}: {_entry(stream, instance, expansion)}" for stream in expansion.streams
    )
    yield ""
    yield from _service_table(instance, expansion)
    yield from _JSQ_AS if instance.policy.preset is Preset.JSQ_AS else ()
    yield ""
    yield from _duplicates(instance, expansion)


def printable(title: str) -> str:
    """A title on one line without control characters.

    >>> printable(" two\\nlines\\x1b[31m ")
    'two lines[31m'
    """
    return "".join(c for c in " ".join(title.split()) if c.isprintable())


def _word(instance: Instance) -> str:
    return "subserver" if is_route_expansion(instance.network, instance.policy) else "buffer"


def _headline(instance: Instance, expansion: Expansion) -> str:
    network = instance.network
    counts = [(len(network.servers), "server"), (len(expansion.buffers), _word(instance))]
    if isinstance(network, BufferNetwork):
        return f"buffer network, its own expansion: {_counted([*counts, (len(network.activities), 'activity')])}"
    routes = (len([route for job_class in network.classes for route in job_class.routes]), "route")
    kind = "union graph of the routes (jsq)" if instance.policy.routing is Routing.JSQ else "route expansion"
    return f"{kind}: {_counted([(len(network.classes), 'class'), routes, *counts])}"


def _counted(counts: Sequence[tuple[int, str]]) -> str:
    plural = {"class": "classes", "activity": "activities"}
    return ", ".join(f"{n} {word if n == 1 else plural.get(word, word + 's')}" for n, word in counts)


def _policy(instance: Instance) -> str:
    policy = instance.policy
    if policy.preset is not None:
        return f"policy: {policy.preset}"
    return f"policy: routing {policy.routing}, sequencing {policy.sequencing}, holding {policy.holding}"


def _entry(stream: Stream, instance: Instance, expansion: Expansion) -> str:
    """Where an arriving job goes."""
    names, options = expansion.names, stream.destinations
    if len(options) == 1:
        return _random(options[0].distribution, names)
    entries = {option.label: names[k] for option in options for k in option.distribution}
    if instance.policy.preset is Preset.JSQ_AS:
        return f"the first subserver with the fewest jobs of {', '.join(entries.values())}"
    return f"{_CHOICE[instance.policy.routing or Routing.JSR]} {', '.join(f'{a} ({b})' for a, b in entries.items())}"


def _random(distribution: Mapping[int, Fraction], names: Sequence[str]) -> str:
    """A job's next place, with probabilities where chance decides."""
    left = 1 - sum(distribution.values(), Fraction(0))
    places = [(names[k], p) for k, p in distribution.items()] + ([("leaves", left)] if left else [])
    return places[0][0] if len(places) == 1 else ", ".join(f"{place} with {p}" for place, p in places)


def _then(service: Service, instance: Instance, expansion: Expansion) -> str:
    names, options = expansion.names, service.destinations
    if len(options) > 1:
        words = ", ".join(f"{option.label} ({names[k]})" for option in options for k in option.distribution)
        return f"{_CHOICE[Routing.JSQ]} {words}"
    follower = next(iter(options[0].distribution), None)
    if instance.policy.preset is Preset.JSQ_AS and follower is not None:
        server = next(one.server for one in expansion.services if one.buffer == follower)
        return " or ".join(names[k] for k in expansion.queue(server))
    return _random(options[0].distribution, names)


def _service_table(instance: Instance, expansion: Expansion) -> Iterator[str]:
    rows = [(_word(instance), "server", "rate", "then")]
    for service in expansion.services:
        then = _then(service, instance, expansion)
        rows.append((expansion.names[service.buffer], service.server, str(service.rate), then))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)) + f"  {row[3]}"


def queues(expansion: Expansion) -> dict[str, tuple[int, ...]]:
    """Server -> coordinates of its buffers, each once (a server may have several activities on a buffer)."""
    return {server: tuple(dict.fromkeys(expansion.queue(server))) for server in expansion.servers}


def _duplicates(instance: Instance, expansion: Expansion) -> Iterator[str]:
    names, found, word = expansion.names, queues(expansion), _word(instance)
    if any(len(members) > 1 for members in found.values()):
        yield "duplicates" if word == "subserver" else f"servers with several {word}s"
    for server, members in found.items():
        if len(members) > 1:
            yield f"  server {server}: queue = {' + '.join(names[k] for k in members)}"
            if word == "subserver":
                yield f"    imaginary transitions: {_imaginary([names[k] for k in members])}"
    single = [server for server, members in found.items() if len(members) == 1]
    idle = [server for server, members in found.items() if not members]
    yield from [f"servers with one {word}: {', '.join(single)}"] if single else []
    yield from [f"servers without a {word}: {', '.join(idle)}"] if idle else []


def _imaginary(names: Sequence[str]) -> str:
    if len(names) == 2:
        return f"{names[0]} ↔ {names[1]}"
    return f"between any two of them ({len(names) * (len(names) - 1) // 2} pairs, both ways)"


# Pictures ----------------------------------------------------------------------------------------


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
    expansion, names = expand(instance.network, instance.policy), expand(instance.network, instance.policy).names
    routes = isinstance(instance.network, RouteNetwork)
    order = [(buffer.class_name, buffer.route) for buffer in expansion.buffers]
    classes, lanes = (list(dict.fromkeys(keys)) for keys in ([one for one, _ in order], order))
    at: dict[int, list[Service]] = {k: [s for s in expansion.services if s.buffer == k] for k in range(len(names))}
    groups = [classes.index(order[k][0]) if routes else expansion.servers.index(at[k][0].server) for k in at]
    in_lanes = is_route_expansion(instance.network, instance.policy)
    nodes = {
        names[k]: Node(Role.BUFFER, (short(names[k]), *_servers(at[k], expansion, in_lanes)), groups[k]) for k in at
    }
    arrows = []
    for g, stream in enumerate(expansion.streams):
        words = (short(instance.network.classes[g].name),) if isinstance(instance.network, RouteNetwork) else ()
        nodes[f"origin {g}"] = Node(Role.ORIGIN, (*words, equation("λ", stream.rate)), g if routes else -1)
        entries = [(k, p) for option in stream.destinations for k, p in option.distribution.items()]
        for k, p in entries:
            label = _label(expansion.buffers[k].route if len(entries) > 1 else "", p)
            arrows.append(Arrow(f"origin {g}", names[k], groups[k] if routes else -1, label))
    for i, service in enumerate(expansion.services):
        server = service.server if len(at[service.buffer]) > 1 else ""
        group = groups[service.buffer] if routes else expansion.servers.index(service.server)
        for option in service.destinations:
            ways = [(names[k], p) for k, p in option.distribution.items()]
            if left := 1 - sum(option.distribution.values(), Fraction(0)):
                nodes[f"exit {i}"] = Node(Role.EXIT, (), group)
                ways.append((f"exit {i}", left))
            arrows += [Arrow(names[service.buffer], end, group, _label(server, p)) for end, p in ways]
    links = [(names[a], names[b]) for members in queues(expansion).values() for a, b in pairwise(members)]
    place = {names[k]: (lanes.index(order[k]), buffer.position - 1) for k, buffer in enumerate(expansion.buffers)}
    return Graph(nodes, tuple(arrows), tuple(links), place if in_lanes else {})


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
    exact = str(value)
    return exact if len(exact) <= _LONGEST_NUMBER else f"≈ {float(value):.4g}"


def equation(symbol: str, value: Fraction) -> str:
    """A rate for a picture: ``μ = 3/4``, or ``μ ≈ 0.1887``."""
    words = number(value)
    return f"{symbol} {words}" if words.startswith("≈") else f"{symbol} = {words}"


def short(name: str) -> str:
    """A name for a picture, its middle left out if it is long."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half + 1 :]}"
