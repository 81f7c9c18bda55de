"""The state of a network under a policy: coordinates, services with their destinations, arrival streams.

Rebuilt from FORMAT.md section 4. Coordinates are numbered from 0; a destination None is the exit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from verify.checker.core.data import BufferNetwork, JobClass, RouteNetwork
from verify.checker.core.work import exact_sum


@dataclass(frozen=True)
class Outcome:
    """Where a job goes, with which probability."""

    target: int | None
    probability: Fraction = Fraction(1)


@dataclass(frozen=True)
class Destination:
    """One decision of the routing after a service; `server` is the chosen next server where there is a choice."""

    outcomes: tuple[Outcome, ...]
    server: str = ""


@dataclass(frozen=True)
class Service:
    """A server serves a buffer at a rate; then one of the destinations is taken."""

    server: str
    buffer: int
    rate: Fraction
    destinations: tuple[Destination, ...]


@dataclass(frozen=True)
class Entry:
    """A way in: a route, a first server, or a buffer; its first buffer, and its probability if arrivals are split."""

    label: str
    buffer: int
    probability: Fraction | None = None


@dataclass(frozen=True)
class Stream:
    """A Poisson stream and its ways in; `name` is that of its component, `job_class` that of the class, if it is one."""

    name: str
    rate: Fraction
    entries: tuple[Entry, ...]
    job_class: str = ""

    @property
    def symbol(self) -> str:
        """What its rate is called (section 24.1)."""
        return f"arrival({self.job_class or self.name.removeprefix('arrival ')})"


ONE = "1"


def speed_symbol(server: str) -> str:
    """What the speed of a server is called (section 24.1)."""
    return f"speed({server})"


@dataclass(frozen=True)
class State:
    """Coordinates, services (in the order of servers and coordinates) and streams.

    positions: the positions a buffer has on the routes through it (none in buffer networks).
    routes: for each class, for each route, its subservers (route expansions only, else empty).
    """

    names: tuple[str, ...]
    positions: tuple[frozenset[int], ...]
    servers: tuple[str, ...]
    services: tuple[Service, ...]
    streams: tuple[Stream, ...]
    routes: tuple[tuple[range, ...], ...] = ()

    @cached_property
    def index(self) -> dict[str, int]:
        """The coordinate of each name."""
        return {name: k for k, name in enumerate(self.names)}

    @cached_property
    def server_rank(self) -> dict[str, int]:
        """The place of each server in the network's order."""
        return {server: rank for rank, server in enumerate(self.servers)}

    @cached_property
    def place(self) -> dict[int, str]:
        """The server of each buffer (where it has one)."""
        return {service.buffer: service.server for service in self.services}

    @cached_property
    def _by_server(self) -> dict[str, list[Service]]:
        return _grouped(self.services, lambda service: service.server)

    @cached_property
    def _by_buffer(self) -> dict[int, list[Service]]:
        return _grouped(self.services, lambda service: service.buffer)

    def services_of(self, server: str) -> list[Service]:
        """The services of one server in the order of coordinates."""
        return self._by_server.get(server, [])

    def services_at(self, buffer: int) -> list[Service]:
        """The services of one buffer in the order of servers."""
        return self._by_buffer.get(buffer, [])

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """What rates are called (section 24.1): those of arrivals, speeds, and 1."""
        speeds = (speed_symbol(server) for server in self.busy_servers())
        return (*(stream.symbol for stream in self.streams), *speeds, ONE)

    def buffers_of(self, server: str) -> list[int]:
        """The buffers of one server in the order of coordinates."""
        return [service.buffer for service in self.services_of(server)]

    def successors(self, buffer: int) -> set[int | None]:
        """Where a job of this buffer may go next, whoever serves it; None is the exit."""
        found = [d.outcomes for service in self.services_at(buffer) for d in service.destinations]
        return {outcome.target for outcomes in found for outcome in outcomes}

    def successor(self, buffer: int) -> int | None:
        """The one place where a job of this buffer goes next (route expansions, and spillback: rule **policy**)."""
        (only,) = self.successors(buffer)
        return only

    def busy_servers(self) -> list[str]:
        """The servers that have buffers, in the network's order."""
        return [server for server in self.servers if server in self._by_server]


Key = TypeVar("Key", str, int)


def _grouped(services: Iterable[Service], key: Callable[[Service], Key]) -> dict[Key, list[Service]]:
    found: dict[Key, list[Service]] = {}
    for service in services:
        found.setdefault(key(service), []).append(service)
    return found


def _sorted(services: Iterable[Service], servers: Sequence[str]) -> tuple[Service, ...]:
    rank = {server: index for index, server in enumerate(servers)}
    return tuple(sorted(services, key=lambda service: (rank[service.server], service.buffer)))


Share = Callable[[str, str], Fraction | None]  # of class and route: the probability of the route, if arrivals are split


def expansion(network: RouteNetwork, share: Share) -> State:
    """The route expansion: one subserver for each class, route and position."""
    names: list[str] = []
    services: list[Service] = []
    streams: list[Stream] = []
    routes: list[tuple[range, ...]] = []
    for job_class in network.classes:
        entries: list[Entry] = []
        spans: list[range] = []
        for route in job_class.routes:
            span = range(len(names), len(names) + len(route.visits))
            for buffer, visit in zip(span, route.visits, strict=True):
                names.append(f"{job_class.name}.{route.name}.{buffer - span.start + 1}")
                after = buffer + 1 if buffer + 1 in span else None
                services.append(Service(visit.server, buffer, visit.rate, (Destination((Outcome(after),)),)))
            entries.append(Entry(route.name, span.start, share(job_class.name, route.name)))
            spans.append(span)
        streams.append(_class_stream(job_class, entries))
        routes.append(tuple(spans))
    positions = [frozenset({at - span.start + 1}) for spans in routes for span in spans for at in span]
    ordered = _sorted(services, network.servers)
    return State(tuple(names), tuple(positions), network.servers, ordered, tuple(streams), tuple(routes))


def _class_stream(job_class: JobClass, entries: Iterable[Entry]) -> Stream:
    return Stream(f"class {job_class.name}", job_class.arrival_rate, tuple(entries), job_class.name)


def queue_state(network: RouteNetwork) -> State:
    """One buffer for each class and server."""
    names: list[str] = []
    positions: list[frozenset[int]] = []
    services: list[Service] = []
    streams: list[Stream] = []
    for job_class in network.classes:
        places = _places(job_class)
        number = {server: len(names) + index for index, server in enumerate(places)}
        for server, place in places.items():
            names.append(f"{job_class.name}@{server}")
            positions.append(frozenset(place.positions))
            destinations = [Destination((Outcome(number[after]),), after) for after in place.following]
            if place.leaves:
                destinations.append(Destination((Outcome(None),)))
            services.append(Service(server, number[server], place.rate, tuple(destinations)))
        first = dict.fromkeys(route.visits[0].server for route in job_class.routes)
        streams.append(_class_stream(job_class, [Entry(server, number[server]) for server in first]))
    return State(tuple(names), tuple(positions), network.servers, _sorted(services, network.servers), tuple(streams))


@dataclass
class _Place:
    """A server as a class sees it: rate, next servers in order of first appearance, positions, whether it is last."""

    rate: Fraction
    following: dict[str, None] = field(default_factory=dict)
    positions: set[int] = field(default_factory=set)
    leaves: bool = False


def _places(job_class: JobClass) -> dict[str, _Place]:
    """The servers of a class in order of first appearance."""
    found: dict[str, _Place] = {}
    for route in job_class.routes:
        for position, visit in enumerate(route.visits, start=1):
            place = found.setdefault(visit.server, _Place(visit.rate))
            place.positions.add(position)
            place.following.update((after.server, None) for after in route.visits[position : position + 1])
            place.leaves = place.leaves or position == len(route.visits)
    return found


def buffer_state(network: BufferNetwork) -> State:
    """The buffers of a buffer network; the next buffer is random."""
    names = tuple(buffer.name for buffer in network.buffers)
    number = {name: index for index, name in enumerate(names)}
    services = []
    for activity in network.activities:
        outcomes = [Outcome(number[name], probability) for name, probability in activity.next.items()]
        rest = 1 - exact_sum(activity.next.values(), "probabilities")
        if rest > 0:
            outcomes.append(Outcome(None, rest))
        destination = Destination(tuple(outcomes))
        services.append(Service(activity.server, number[activity.buffer], activity.rate, (destination,)))
    streams = [
        Stream(f"arrival {buffer.name}", buffer.arrival_rate, (Entry("arrive", number[buffer.name]),))
        for buffer in network.buffers
        if buffer.arrival_rate > 0
    ]
    nowhere = tuple(frozenset[int]() for _ in names)
    return State(names, nowhere, network.servers, _sorted(services, network.servers), tuple(streams))
