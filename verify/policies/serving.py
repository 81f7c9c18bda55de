"""What a stream or a server does, as jumps and alternatives: the parts of which all words build theirs."""

from __future__ import annotations

from fractions import Fraction

from verify.chain.components import Alternative, Component, Jump, single
from verify.chain.guards import Guard, Normals
from verify.linear_form import LinearForm
from verify.network.expansion import Destination, Expansion, Service, Stream
from verify.policies.rules import RoutingRule, Setting


def arrival_components(routing: RoutingRule, expansion: Expansion, normals: Normals) -> tuple[Component, ...]:
    """One component for each stream: where its jobs go."""
    return tuple(single(stream.name, _arrivals(routing, stream, expansion, normals)) for stream in expansion.streams)


def _arrivals(routing: RoutingRule, stream: Stream, expansion: Expansion, normals: Normals) -> tuple[Alternative, ...]:
    """Ties are split uniformly.  The split is a mixture of the listed alternatives, and the closed cone of each of them contains
    the tie, so no alternative of its own stands for it (theory 2.2)."""
    found = []
    for destination in stream.destinations:
        guard = routing.guard(stream, destination, expansion, normals)
        decision = stream.name if guard else ""
        name = f"{stream.name} / {destination.label}"
        found.append(Alternative(name, guard, arrival_jumps(stream, destination), None, decision))
    return tuple(found)


def arrival_jumps(stream: Stream, destination: Destination) -> tuple[Jump, ...]:
    """+e at the entry buffer, with its probability."""
    return tuple(
        Jump(stream.rate * p, stream.symbol, p, LinearForm.unit(k)) for k, p in destination.distribution.items()
    )


def service_jumps(service: Service, destination: Destination) -> tuple[Jump, ...]:
    """−e_k + e_next for every next buffer, −e_k for a departure."""
    jumps = []
    rest = Fraction(1)
    leaves = -LinearForm.unit(service.buffer)
    for target, p in destination.distribution.items():
        rest -= p
        jumps.append(Jump(service.rate * p, service.symbol, p, leaves + LinearForm.unit(target)))
    if rest:
        jumps.append(Jump(service.rate * rest, service.symbol, rest, leaves))
    return tuple(jumps)


def serving(server: str, addition: str, service: Service, guard: Guard, setting: Setting) -> list[Alternative]:
    """The alternatives of working on one buffer: one, or one for each next server that a job may choose.

    Parameters: ``server`` the name of the decision, ``addition`` to the name of the buffer."""
    label = f"{server} / {setting.expansion.names[service.buffer]}{addition}"
    guard = {**guard, **setting.readiness.ready(service.buffer)}
    choices = service.destinations
    if len(choices) == 1:
        return [Alternative(label, guard, service_jumps(service, choices[0]), service.buffer)]
    return [
        Alternative(
            f"{label} > {choice.label}",
            {**guard, **setting.routing.guard(service, choice, setting.expansion, setting.normals)},
            service_jumps(service, choice),
            service.buffer,
            label,
        )
        for choice in choices
    ]


def idle(server: str, guard: Guard) -> Alternative:
    """The server has nothing to do."""
    return Alternative(f"{server} / (idle)", guard, ())
