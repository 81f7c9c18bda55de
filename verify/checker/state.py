"""The state of a network under a policy: coordinates, services with their destinations, arrival streams.

Rebuilt from section 3 of FORMAT.md. Coordinates are numbered from 0; a destination None is the exit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.data import BufferNetwork, JobClass, Network, Policy, RouteNetwork


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
    """A way in: a route, a first server, or a buffer; its first buffer, and its probability under `bernoulli`."""

    label: str
    buffer: int
    probability: Fraction | None = None


@dataclass(frozen=True)
class Stream:
    """A Poisson stream and its ways in; `name` is that of its component."""

    name: str
    rate: Fraction
    entries: tuple[Entry, ...]


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

    def services_of(self, server: str) -> list[Service]:
        """The services of one server in the order of coordinates."""
        return [service for service in self.services if service.server == server]

    def buffers_of(self, server: str) -> list[int]:
        """The buffers of one server in the order of coordinates."""
        return [service.buffer for service in self.services_of(server)]

    def successors(self, buffer: int) -> set[int | None]:
        """Where a job of this buffer may go next, whoever serves it; None is the exit."""
        found = [d.outcomes for service in self.services if service.buffer == buffer for d in service.destinations]
        return {outcome.target for outcomes in found for outcome in outcomes}

    def successor(self, buffer: int) -> int | None:
        """The one place where a job of this buffer goes next (route expansions, and spillback: rule **policy**)."""
        (only,) = self.successors(buffer)
        return only

    def busy_servers(self) -> list[str]:
        """The servers that have buffers, in the network's order."""
        return [server for server in self.servers if self.buffers_of(server)]


def build_state(network: Network, policy: Policy, condition: str = "fluid") -> State:
    """The state of a network and policy that satisfy **network** and **policy** (routing).

    Under jsq-as jobs change routes: condition N sees only servers, F and S the subservers that the policy looks at.
    """
    if isinstance(network, BufferNetwork):
        return _buffer_state(network)
    if policy.routing == "jsq" or (policy.preset and condition == "capacity"):
        return _queue_state(network)
    return _expansion(network, policy)


def _sorted(services: Iterable[Service], servers: Sequence[str]) -> tuple[Service, ...]:
    rank = {server: index for index, server in enumerate(servers)}
    return tuple(sorted(services, key=lambda service: (rank[service.server], service.buffer)))


def _expansion(network: RouteNetwork, policy: Policy) -> State:
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
            split = (policy.probabilities or {}).get(job_class.name, {})
            entries.append(Entry(route.name, span.start, split.get(route.name)))
            spans.append(span)
        streams.append(Stream(f"class {job_class.name}", job_class.arrival_rate, tuple(entries)))
        routes.append(tuple(spans))
    positions = [frozenset({at - span.start + 1}) for spans in routes for span in spans for at in span]
    ordered = _sorted(services, network.servers)
    return State(tuple(names), tuple(positions), network.servers, ordered, tuple(streams), tuple(routes))


def _queue_state(network: RouteNetwork) -> State:
    """One buffer for each class and server, for jsq, and for jsq-as under condition N."""
    names: list[str] = []
    positions: list[frozenset[int]] = []
    services: list[Service] = []
    streams: list[Stream] = []
    for job_class in network.classes:
        visited = _distinct(visit.server for route in job_class.routes for visit in route.visits)
        number = {server: len(names) + index for index, server in enumerate(visited)}
        for server in visited:
            names.append(f"{job_class.name}@{server}")
            positions.append(_positions(job_class, server))
            services.append(_queue_service(job_class, server, number))
        first = _distinct(route.visits[0].server for route in job_class.routes)
        entries = tuple(Entry(server, number[server]) for server in first)
        streams.append(Stream(f"class {job_class.name}", job_class.arrival_rate, entries))
    return State(tuple(names), tuple(positions), network.servers, _sorted(services, network.servers), tuple(streams))


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _positions(job_class: JobClass, server: str) -> frozenset[int]:
    found = [[visit.server for visit in route.visits] for route in job_class.routes]
    return frozenset(path.index(server) + 1 for path in found if server in path)


def _queue_service(job_class: JobClass, server: str, number: dict[str, int]) -> Service:
    """All next servers in order of first appearance, and the exit if the server is last on some route."""
    following: list[str] = []
    leaves, rate = False, Fraction(0)
    for route in job_class.routes:
        for index, visit in enumerate(route.visits):
            if visit.server == server:
                rate = visit.rate
                leaves = leaves or index + 1 == len(route.visits)
                following += [after.server for after in route.visits[index + 1 : index + 2]]
    destinations = [Destination((Outcome(number[after]),), after) for after in _distinct(following)]
    if leaves:
        destinations.append(Destination((Outcome(None),)))
    return Service(server, number[server], rate, tuple(destinations))


def _buffer_state(network: BufferNetwork) -> State:
    """The buffers of a buffer network; the next buffer is random."""
    names = tuple(buffer.name for buffer in network.buffers)
    number = {name: index for index, name in enumerate(names)}
    services = []
    for activity in network.activities:
        outcomes = [Outcome(number[name], probability) for name, probability in activity.next.items()]
        rest = 1 - sum(activity.next.values(), Fraction(0))
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
