"""Names of buffers: the coordinates of the state, who serves them, and which other names denote them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from verify.network.model import BufferNetwork, JobClass, Network, RouteNetwork


class Coordinates(Enum):
    """What the state counts (theory 1.2): jobs in the subservers of a route expansion, in the pairs of a class and a server
    (where jobs of a class meet again after different routes), or in the buffers of a buffer network."""

    SUBSERVERS = auto()
    PAIRS = auto()
    BUFFERS = auto()


@dataclass(frozen=True)
class Subserver:
    """One visit of one route of one class: ``position`` from 1, ``server`` where it is."""

    class_name: str
    route: str
    position: int
    server: str

    @property
    def name(self) -> str:
        """``class.route.position``."""
        return f"{self.class_name}.{self.route}.{self.position}"

    @property
    def pair(self) -> str:
        """``class@server``."""
        return pair_name(self.class_name, self.server)


def subservers(network: RouteNetwork) -> Iterator[Subserver]:
    """All subservers, classes, routes, positions in listed order."""
    for job_class in network.classes:
        for route in job_class.routes:
            for position, visit in enumerate(route.visits, 1):
                yield Subserver(job_class.name, route.name, position, visit.server)


def pair_name(class_name: str, server: str) -> str:
    """The buffer of a class at a server, where routes of one class share it."""
    return f"{class_name}@{server}"


def subserver_names(network: RouteNetwork) -> tuple[str, ...]:
    """The subservers ``class.route.position`` of the route expansion, classes, routes, positions in listed order.

    >>> from verify.network.model import JobClass, Route, Visit
    >>> line = Route("r", (Visit("A", 1), Visit("A", 1)))
    >>> subserver_names(RouteNetwork(("A",), (JobClass("a", 1, (line,)),)))
    ('a.r.1', 'a.r.2')
    """
    return tuple(one.name for one in subservers(network))


def class_server_names(network: RouteNetwork) -> tuple[str, ...]:
    """The pairs ``class@server``: for each class its servers in order of first appearance."""
    return tuple(pair_name(c.name, server) for c in network.classes for server in class_servers(c))


def class_servers(job_class: JobClass) -> tuple[str, ...]:
    """The servers of a class, in order of first appearance on its routes."""
    return tuple(dict.fromkeys(visit.server for route in job_class.routes for visit in route.visits))


def coordinate_names(network: Network, coordinates: Coordinates) -> tuple[str, ...]:
    """The coordinates in their order (verify/checker/FORMAT.md, section 4).  A buffer network has its buffers only."""
    if isinstance(network, BufferNetwork):
        return tuple(buffer.name for buffer in network.buffers)
    return class_server_names(network) if coordinates is Coordinates.PAIRS else subserver_names(network)


def server_buffers(network: Network, coordinates: Coordinates) -> dict[str, tuple[str, ...]]:
    """Server -> its buffers in coordinate order; servers in listed order, those without buffers included."""
    found: dict[str, dict[str, None]] = {server: {} for server in network.servers}
    if isinstance(network, BufferNetwork):
        served = {(activity.server, activity.buffer) for activity in network.activities}
        return {server: tuple(b.name for b in network.buffers if (server, b.name) in served) for server in found}
    for one in subservers(network):
        found[one.server][one.pair if coordinates is Coordinates.PAIRS else one.name] = None
    return {server: tuple(buffers) for server, buffers in found.items()}


def buffer_aliases(network: Network, coordinates: Coordinates) -> dict[str, str]:
    """Every accepted name of a buffer -> its canonical name, the canonical ones first.

    ``class.position`` is accepted for a class with one route; where the state counts pairs also the subservers that a buffer
    ``class@server`` stands for.
    """
    aliases = {name: name for name in coordinate_names(network, coordinates)}
    if isinstance(network, BufferNetwork):
        return aliases
    single = {job_class.name for job_class in network.classes if len(job_class.routes) == 1}
    for one in subservers(network):
        canonical = one.pair if coordinates is Coordinates.PAIRS else one.name
        aliases[one.name] = canonical
        if one.class_name in single:
            aliases[f"{one.class_name}.{one.position}"] = canonical
    return aliases
