"""The graph in which a state lives: route expansion, union graph of the routes, or the buffers themselves.

*Route expansion* (paper, section 3): all routes side by side, one subserver for each (class, route, position); subservers
of one server are duplicates.  Actual transitions follow routes, imaginary ones move a job between duplicates and change
no original queue: the queue of server n is the sum over its subservers.  The *union graph* has one buffer for each
(class, server); a buffer network is its own expansion.  Which one a policy walks on is for the policy to say.
Coordinates are numbered from 0 in the order of ``verify/checker/FORMAT.md``, section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from verify.network.model import BufferNetwork, JobClass, RouteNetwork
from verify.network.names import Coordinates, pair_name
from verify.network.symbols import Symbol

ONE = Fraction(1)


@dataclass(frozen=True)
class ExpandedBuffer:
    """One coordinate of the state.  ``route`` and ``position`` (from 1) are empty / 0 where they have no meaning."""

    name: str
    class_name: str = ""
    route: str = ""
    position: int = 0


@dataclass(frozen=True)
class Destination:
    """Where a job goes after an arrival or a service: buffer index -> probability, the rest leaves.

    ``label`` names the choice if the policy has one (a route under jsr, a server under jsq)."""

    label: str
    distribution: Mapping[int, Fraction]


@dataclass(frozen=True)
class Service:
    """Server ``server`` works on buffer ``buffer`` at ``rate``; the policy chooses one of ``destinations``.
    ``symbol`` is the rate's name in formulas."""

    server: str
    buffer: int
    rate: Fraction
    symbol: Symbol
    destinations: tuple[Destination, ...]


@dataclass(frozen=True)
class Stream:
    """A Poisson stream of rate ``rate``; the policy chooses one of ``destinations`` for each job.  ``class_name``: whose jobs
    they are, empty in a buffer network."""

    name: str
    rate: Fraction
    symbol: Symbol
    destinations: tuple[Destination, ...]
    class_name: str = ""


@dataclass(frozen=True)
class Expansion:
    """Buffers, streams and services of the chain.  ``coordinates``: what the buffers are."""

    coordinates: Coordinates
    servers: tuple[str, ...]
    buffers: tuple[ExpandedBuffer, ...]
    streams: tuple[Stream, ...]
    services: tuple[Service, ...]

    @property
    def has_routes(self) -> bool:
        """Does the state consist of subservers of routes?"""
        return self.coordinates is Coordinates.SUBSERVERS

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Buffer name -> coordinate."""
        return {buffer.name: k for k, buffer in enumerate(self.buffers)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Buffer names in the order of the coordinates."""
        return tuple(buffer.name for buffer in self.buffers)

    def at(self, server: str) -> tuple[Service, ...]:
        """Services of one server, in the order of their buffers."""
        return tuple(service for service in self.services if service.server == server)

    @property
    def busy_servers(self) -> tuple[str, ...]:
        """Servers that have a buffer, in listed order."""
        used = {service.server for service in self.services}
        return tuple(server for server in self.servers if server in used)

    @cached_property
    def shared(self) -> Mapping[int, tuple[str, ...]]:
        """The buffers at which several servers work, with these servers in listed order."""
        found: dict[int, tuple[str, ...]] = {}
        for server in self.busy_servers:
            for service in self.at(server):
                found[service.buffer] = (*found.get(service.buffer, ()), server)
        return {buffer: servers for buffer, servers in sorted(found.items()) if len(servers) > 1}

    def queue(self, server: str) -> tuple[int, ...]:
        """Coordinates whose sum is the original queue of the server."""
        return tuple(service.buffer for service in self.at(server))

    def route_members(self, class_name: str, route: str) -> tuple[int, ...]:
        """Coordinates of the subservers of one route."""
        return tuple(k for k, b in enumerate(self.buffers) if (b.class_name, b.route) == (class_name, route))

    def imaginary_transitions(self) -> tuple[tuple[int, int], ...]:
        """Pairs of duplicates (k, k'), both ways: moves that change no original queue."""
        groups = [self.queue(server) for server in self.busy_servers]
        return tuple((k, other) for group in groups for k in group for other in group if k != other)

    def successor(self, buffer: int) -> int | None:
        """The next subserver on the route, None at its end.  Route expansions only."""
        here = self.buffers[buffer]
        follower = buffer + 1
        if follower < len(self.buffers):
            there = self.buffers[follower]
            if (there.class_name, there.route, there.position) == (here.class_name, here.route, here.position + 1):
                return follower
        return None


def _one_rate(network: RouteNetwork) -> frozenset[str]:
    """Servers all of whose visits have the same rate."""
    rates: dict[str, set[Fraction]] = {}
    for job_class in network.classes:
        for route in job_class.routes:
            for visit in route.visits:
                rates.setdefault(visit.server, set()).add(visit.rate)
    return frozenset(server for server, found in rates.items() if len(found) == 1)


def _service_symbol(one_rate: frozenset[str], server: str, buffer: str) -> Symbol:
    """mu_n where all visits at server n have one rate, else mu with the buffer's name."""
    return Symbol("mu", server if server in one_rate else buffer)


def _stream(job_class: JobClass, entries: Sequence[Destination]) -> Stream:
    name = job_class.name
    return Stream(f"class {name}", job_class.arrival_rate, Symbol("lambda", name), tuple(entries), name)


Split: TypeAlias = Mapping[str, Mapping[str, Fraction]]
"""Class -> route -> probability."""


def route_expansion(network: RouteNetwork, split: Split | None = None) -> Expansion:
    """All routes side by side.  ``split``: the routes are not chosen but drawn with these probabilities."""
    buffers: list[ExpandedBuffer] = []
    services: list[Service] = []
    streams: list[Stream] = []
    one_rate = _one_rate(network)
    for job_class in network.classes:
        entries: list[Destination] = []
        for route in job_class.routes:
            entries.append(Destination(route.name, {len(buffers): ONE}))
            for i, visit in enumerate(route.visits, start=1):
                k = len(buffers)
                buffers.append(ExpandedBuffer(f"{job_class.name}.{route.name}.{i}", job_class.name, route.name, i))
                symbol = _service_symbol(one_rate, visit.server, buffers[k].name)
                onward = Destination("", {} if i == len(route) else {k + 1: ONE})
                services.append(Service(visit.server, k, visit.rate, symbol, (onward,)))
        if split is not None:
            shares = split[job_class.name]
            mixed = {k: shares[entry.label] for entry in entries for k in entry.distribution}
            entries = [Destination("split", mixed)]
        streams.append(_stream(job_class, entries))
    return Expansion(Coordinates.SUBSERVERS, network.servers, tuple(buffers), tuple(streams), tuple(services))


def followers(job_class: JobClass, server: str) -> tuple[str | None, ...]:
    """Servers that come right after ``server`` on some route of the class, in order of first appearance; None: the exit."""
    found: dict[str | None, None] = {}
    for route in job_class.routes:
        stops = [visit.server for visit in route.visits]
        for here, there in zip(stops, [*stops[1:], None], strict=True):
            if here == server:
                found[there] = None
    return tuple(found)


def first_position(job_class: JobClass, server: str) -> int:
    """Position (from 1) of ``server`` on the first route through it."""
    stops = ([visit.server for visit in route.visits] for route in job_class.routes)
    return next(path.index(server) + 1 for path in stops if server in path)


def union_graph(network: RouteNetwork) -> Expansion:
    """One buffer for each class and server; a job goes on to any server that follows on some route of its class."""
    buffers: list[ExpandedBuffer] = []
    services: list[Service] = []
    streams: list[Stream] = []
    one_rate = _one_rate(network)
    for job_class in network.classes:
        rates = {visit.server: visit.rate for route in job_class.routes for visit in route.visits}
        place = {server: len(buffers) + offset for offset, server in enumerate(rates)}
        for server, rate in rates.items():
            choices = tuple(
                Destination(next_server or "", {} if next_server is None else {place[next_server]: ONE})
                for next_server in followers(job_class, server)
            )
            name = pair_name(job_class.name, server)
            services.append(Service(server, place[server], rate, _service_symbol(one_rate, server, name), choices))
            buffers.append(ExpandedBuffer(name, job_class.name, position=first_position(job_class, server)))
        first = dict.fromkeys(route.visits[0].server for route in job_class.routes)
        entries = tuple(Destination(server, {place[server]: ONE}) for server in first)
        streams.append(_stream(job_class, entries))
    return Expansion(Coordinates.PAIRS, network.servers, tuple(buffers), tuple(streams), tuple(services))


def buffer_graph(network: BufferNetwork) -> Expansion:
    """A buffer network is its own expansion."""
    place = {buffer.name: k for k, buffer in enumerate(network.buffers)}
    ordered = sorted(network.activities, key=lambda activity: place[activity.buffer])
    services = tuple(
        Service(
            a.server, place[a.buffer], a.rate, Symbol("mu", f"{a.server},{a.buffer}"),
            (Destination("", {place[name]: p for name, p in a.next.items()}),),
        )
        for a in ordered
    )  # fmt: skip
    streams = tuple(
        Stream(
            f"arrival {b.name}",
            b.arrival_rate,
            Symbol("lambda", b.name),
            (Destination("arrive", {place[b.name]: ONE}),),
        )
        for b in network.buffers
        if b.arrival_rate
    )
    buffers = tuple(ExpandedBuffer(b.name) for b in network.buffers)
    return Expansion(Coordinates.BUFFERS, network.servers, buffers, streams, services)
