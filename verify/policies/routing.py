"""Routing decisions as components (theory 1.5): which route, or which next server, a job takes.

Ties of jsr and jsq are split uniformly.  The split is a mixture of the listed alternatives, and the closed cone of each of
them contains the tie, so no alternative of its own stands for it (theory 2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from verify.chain.components import Alternative, Component, Jump, single
from verify.chain.guards import Guard, Normal, Normals, Signs
from verify.linear_form import LinearForm
from verify.network.expansion import Destination, Expansion, Service, Stream
from verify.network.model import BufferNetwork, Network, Policy, Routing


def arrival_components(
    network: Network, policy: Policy, expansion: Expansion, normals: Normals
) -> tuple[Component, ...]:
    """One component for each stream: where its jobs go."""
    return tuple(
        single(
            stream.name,
            _arrivals(stream, expansion, None if isinstance(network, BufferNetwork) else policy.routing, normals),
        )
        for stream in expansion.streams
    )


def _arrivals(
    stream: Stream, expansion: Expansion, routing: Routing | None, normals: Normals
) -> tuple[Alternative, ...]:
    labels = [destination.label for destination in stream.destinations]
    result = []
    for destination in stream.destinations:
        guard: Guard = {}
        if routing is Routing.JSR:
            guard = shortest(
                destination.label, labels, lambda a, b: _route_difference(stream, a, b, labels, expansion, normals)
            )
        elif routing is Routing.JSQ:
            guard = shortest_queue(destination.label, labels, expansion, normals)
        decision = stream.name if guard else ""
        name = f"{stream.name} / {destination.label}"
        result.append(Alternative(name, guard, arrival_jumps(stream, destination), None, decision))
    return tuple(result)


def arrival_jumps(stream: Stream, destination: Destination) -> tuple[Jump, ...]:
    """+e at the entry buffer, with its probability."""
    return tuple(
        Jump(stream.rate * p, stream.symbol, p, LinearForm.unit(k)) for k, p in destination.distribution.items()
    )


def service_jumps(service: Service, destination: Destination) -> tuple[Jump, ...]:
    """−e_k + e_next for every next buffer, −e_k for a departure."""
    jumps = []
    rest = Fraction(1)
    for target, p in destination.distribution.items():
        rest -= p
        change: dict[int, Fraction] = {service.buffer: Fraction(-1)}
        change[target] = change.get(target, Fraction(0)) + 1
        jumps.append(Jump(service.rate * p, service.symbol, p, LinearForm(change)))
    if rest:
        jumps.append(Jump(service.rate * rest, service.symbol, rest, -LinearForm.unit(service.buffer)))
    return tuple(jumps)


def shortest_queue(label: str, labels: Sequence[str], expansion: Expansion, normals: Normals) -> Guard:
    """Q_label <= Q_other for every other server."""
    return shortest(label, labels, lambda a, b: _queue_difference(a, b, expansion, normals))


def shortest(label: str, labels: Sequence[str], difference: Callable[[str, str], tuple[Normal, int]]) -> Guard:
    """The guard "label is a shortest of labels"."""
    guard: dict[Normal, Signs] = {}
    for other in labels:
        if other != label:
            normal, sign = difference(label, other)
            guard[normal] = Signs.NOT_POSITIVE if sign > 0 else Signs.NOT_NEGATIVE
    return guard


def _route_difference(
    stream: Stream, a: str, b: str, labels: Sequence[str], expansion: Expansion, normals: Normals
) -> tuple[Normal, int]:
    """X_a − X_b up to sign: the route listed first comes first in the name."""
    sign = 1 if labels.index(a) < labels.index(b) else -1
    first, second = (a, b) if sign > 0 else (b, a)
    class_name = stream.name.removeprefix("class ")

    def form() -> LinearForm:
        return LinearForm.sum_of(expansion.route_members(class_name, first)) - LinearForm.sum_of(
            expansion.route_members(class_name, second)
        )

    return normals.get(f"route({class_name}:{first} - {second})", form), sign


def _queue_difference(a: str, b: str, expansion: Expansion, normals: Normals) -> tuple[Normal, int]:
    """Q_a − Q_b up to sign: the server listed first comes first in the name."""
    sign = 1 if expansion.servers.index(a) < expansion.servers.index(b) else -1
    first, second = (a, b) if sign > 0 else (b, a)
    return normals.get(
        f"queue({first} - {second})",
        lambda: difference(expansion.queue(first), expansion.queue(second)),
    ), sign


def difference(plus: Sequence[int], minus: Sequence[int]) -> LinearForm:
    """Σ plus − Σ minus."""
    return LinearForm.sum_of(plus) - LinearForm.sum_of(minus)
