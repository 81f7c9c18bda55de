"""What a leaf for all rates asks of prices, potentials and multipliers (FORMAT.md, section 24.3), as numbers of servers, streams
and buffers of the graph of condition N.

Everything is in the network with arrival rates 1 and the fastest rate of every server 1, so that programs in floats do not
depend on the rates that the file states: there t_N, π_N are those of the certificate divided by ``unit`` of N.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.network.model import BufferNetwork, Network
from verify.network.rates import ONE, RateSet, arrival, arrivals, busy_servers, speed
from verify.policies.instance import Instance


@dataclass(frozen=True)
class Work:
    """Server number ``server`` works on ``buffer`` at ``rate``, which then is ``following`` (the rest leaves)."""

    server: int
    buffer: int
    rate: Fraction
    following: Mapping[int, Fraction]


@dataclass(frozen=True)
class RateRow:
    """A row of the set of rates by numbers of streams and servers; ``free``: it is an equality."""

    name: str
    streams: Mapping[int, Fraction]
    servers: Mapping[int, Fraction]
    one: Fraction
    free: bool


@dataclass(frozen=True)
class RateFlows:
    """``units`` of the servers; ``streams`` by the names of their components; ``entries``: for each stream where its jobs may
    come first."""

    load: Fraction
    servers: tuple[str, ...]
    units: tuple[Fraction, ...]
    streams: tuple[str, ...]
    names: tuple[str, ...]
    works: tuple[Work, ...]
    entries: tuple[tuple[Mapping[int, Fraction], ...], ...]
    rows: tuple[RateRow, ...]


def fastest(network: Network) -> dict[str, Fraction]:
    """Server -> the largest rate at which it serves."""
    if isinstance(network, BufferNetwork):
        rates = [(activity.server, activity.rate) for activity in network.activities]
    else:
        rates = [(visit.server, visit.rate) for c in network.classes for route in c.routes for visit in route.visits]
    return {server: max(rate for name, rate in rates if name == server) for server in busy_servers(network)}


def at_rates(network: Network, rates: Mapping[str, Fraction]) -> Network:
    """The network with other arrival rates and speeds (symbol -> number)."""
    if isinstance(network, BufferNetwork):
        buffers = tuple(
            dataclasses.replace(b, arrival_rate=rates[arrival(b.name)]) if b.arrival_rate else b
            for b in network.buffers
        )
        faster = tuple(dataclasses.replace(a, rate=a.rate * rates[speed(a.server)]) for a in network.activities)
        return dataclasses.replace(network, buffers=buffers, activities=faster)
    classes = []
    for c in network.classes:
        routes = tuple(
            dataclasses.replace(
                route,
                visits=tuple(dataclasses.replace(v, rate=v.rate * rates[speed(v.server)]) for v in route.visits),
            )
            for route in c.routes
        )
        classes.append(dataclasses.replace(c, arrival_rate=rates[arrival(c.name)], routes=routes))
    return dataclasses.replace(network, classes=tuple(classes))


def normalised(instance: Instance) -> Instance:
    """The same with arrival rates 1 and the fastest rate of every server 1; guards that contain no rates stay as they are."""
    network = instance.network
    rates = {arrival(name): Fraction(1) for name in arrivals(network)}
    rates |= {speed(server): 1 / rate for server, rate in fastest(network).items()}
    return dataclasses.replace(instance, network=at_rates(network, rates))


def rate_flows(instance: Instance, rates: RateSet) -> RateFlows:
    """What leaves are asked for; ``instance`` as the file states it."""
    network, units = instance.network, fastest(instance.network)
    servers = tuple(units)
    graph = instance.policy.capacity_graph(normalised(instance).network)
    works = tuple(
        Work(servers.index(service.server), service.buffer, service.rate, destination.distribution)
        for service in graph.services
        for destination in service.destinations
    )
    sources = arrivals(network)
    rows = tuple(
        RateRow(
            name,
            {c: row[arrival(source)] for c, source in enumerate(sources) if arrival(source) in row},
            {n: row[speed(server)] / units[server] for n, server in enumerate(servers) if speed(server) in row},
            row.get(ONE, Fraction(0)),
            zero,
        )
        for name, row, zero in rates.rows()
    )
    return RateFlows(
        rates.load_at_most,
        servers,
        tuple(units.values()),
        tuple(stream.name for stream in graph.streams),
        graph.names,
        works,
        tuple(tuple(destination.distribution for destination in stream.destinations) for stream in graph.streams),
        rows,
    )
