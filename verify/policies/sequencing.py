"""Sequencing decisions as components (theory 1.3): which buffer a server works on.

All sequencing is preemptive-resume; free ties are alternatives, every one of which must satisfy the conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from verify.chain.components import Alternative, Branch, Component, Part, single
from verify.chain.guards import Guard, Normal, Normals, Signs
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion, Service
from verify.network.model import Policy, Sequencing
from verify.policies.comparing import Comparison
from verify.policies.holding import Readiness, coordinate
from verify.policies.routing import service_jumps, shortest_queue

#: Sequencings that serve whenever some buffer is ready, and whose guards only ask which buffers are ready.
#: fifo, whose state is more than x, is walked as one of the non-idling policies.
STATIC = frozenset({Sequencing.PRIORITY, Sequencing.FBFS, Sequencing.LBFS, Sequencing.NON_IDLING, Sequencing.FIFO})


@dataclass(frozen=True)
class Setting:
    """What every sequencing needs to build its alternatives."""

    policy: Policy
    expansion: Expansion
    normals: Normals
    readiness: Readiness

    def spare(self, server: str, buffers: Iterable[int]) -> dict[Normal, int]:
        """For each of the buffers that several servers share: up to how many jobs of it may all be with other servers."""
        found = {}
        for k in buffers:
            servers = self.expansion.shared.get(k, ())
            order = self.policy.server_order.get(self.expansion.names[k], ())
            most = order.index(server) if order else len(servers) - 1
            if servers and most:
                found[coordinate(k, self.expansion, self.normals)] = most
        return found

    def least(self, service: Service) -> int:
        """The server works on the buffer only where it holds so many jobs: one for itself, and one for each server before it
        in the server order that prefers this buffer to all its others (it would take this server's job otherwise)."""
        order = self.policy.server_order.get(self.expansion.names[service.buffer], ())
        before = order[: order.index(service.server)] if order else ()
        highest = [priority_groups(server, self.policy, self.expansion)[0] for server in before]
        return 1 + sum(group == (service.buffer,) for group in highest)


def server_components(
    policy: Policy, expansion: Expansion, normals: Normals, dominance: PiecewiseLinear | None
) -> tuple[Component, ...]:
    """One component for each server, or one for all of them under ``dominant``.  Raises ``NotWalked``."""
    setting = Setting(policy, expansion, normals, Readiness(expansion, normals, policy.holding))
    if policy.sequencing is Sequencing.DOMINANT:
        if dominance is None:
            raise ValueError("dominant sequencing needs its dominance function")
        return (_dominant(setting, dominance),)
    build = _static if policy.sequencing in STATIC else _comparing
    return tuple(
        single(f"server {server}", tuple(build(f"server {server}", server, setting)))
        for server in expansion.busy_servers
    )


def _static(name: str, server: str, setting: Setting) -> Iterator[Alternative]:
    """Priorities, and non-idling as a single group: serve K where no buffer of a higher group is ready."""
    groups = priority_groups(server, setting.policy, setting.expansion)
    level = {k: number for number, group in enumerate(groups) for k in group}
    services = setting.expansion.at(server)
    for service in services:
        higher = [k for k in level if level[k] < level[service.buffer]]
        for a in _serving(name, "", service, setting.readiness.unready(higher), setting):
            yield replace(a, least=setting.least(service), spare=setting.spare(server, higher))
    yield replace(_idle(name, setting.readiness.unready(level)), spare=setting.spare(server, level))


def _comparing(name: str, server: str, setting: Setting) -> Iterator[Alternative]:
    """Longest queue, max-weight, back-pressure."""
    services = setting.expansion.at(server)
    comparison = Comparison(_sequencing(setting.policy), services, setting.expansion, setting.normals)
    for service in services:
        for addition, guard in comparison.guards(service.buffer, setting.readiness):
            yield from _serving(name, addition, service, guard, setting)
    yield _idle(name, comparison.idle(setting.readiness))


def _sequencing(policy: Policy) -> Sequencing:
    return policy.sequencing or Sequencing.NON_IDLING


def priority_groups(server: str, policy: Policy, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
    """Buffers of the server, highest priority group first; free choice inside a group (non-idling, fifo: one group)."""
    buffers = expansion.queue(server)
    if policy.sequencing is Sequencing.PRIORITY:
        return tuple((expansion.index[name],) for name in policy.priority[server])
    if policy.sequencing in (Sequencing.FBFS, Sequencing.LBFS):
        positions = {k: expansion.buffers[k].position for k in buffers}
        ordered = sorted(set(positions.values()), reverse=policy.sequencing is Sequencing.LBFS)
        return tuple(tuple(k for k in buffers if positions[k] == position) for position in ordered)
    return (buffers,)


def _serving(name: str, addition: str, service: Service, guard: Guard, setting: Setting) -> list[Alternative]:
    """The alternatives of working on one buffer: one, or one for each next server that may be the shortest."""
    label = f"{name} / {setting.expansion.names[service.buffer]}{addition}"
    guard = {**guard, **setting.readiness.ready(service.buffer)}
    choices = service.destinations
    if len(choices) == 1:
        return [Alternative(label, guard, service_jumps(service, choices[0]), service.buffer)]
    labels = [choice.label for choice in choices]
    return [
        Alternative(
            f"{label} > {choice.label}",
            {**guard, **shortest_queue(choice.label, labels, setting.expansion, setting.normals)},
            service_jumps(service, choice),
            service.buffer,
            label,
        )
        for choice in choices
    ]


def _idle(name: str, guard: Guard) -> Alternative:
    """The server has nothing to do."""
    return Alternative(f"{name} / (idle)", guard, ())


def maximal_piece(i: int, function: PiecewiseLinear, normals: Normals, word: str) -> dict[Normal, Signs]:
    """Piece i is maximal: w_i·x >= w_j·x for every other j.  ``word``: "dominance" for U, "piece" for V."""
    guard: dict[Normal, Signs] = {}
    owner = function if word == "piece" else None
    for j in range(len(function)):
        if j != i:
            first, second = min(i, j), max(i, j)
            normal = normals.get(f"{word}({first} - {second})", partial(function.difference, first, second), owner)
            guard[normal] = Signs.NOT_NEGATIVE if i == first else Signs.NOT_POSITIVE
    return guard


def bottlenecks(i: int, function: PiecewiseLinear, expansion: Expansion) -> frozenset[int]:
    """Subservers k with w_k > w_{k_s} in piece i (0 after the last): the end of a dominant prefix."""
    weights: Mapping[int, Fraction] = function.pieces[i]
    zero = Fraction(0)
    found = []
    for k, weight in weights.items():
        after = expansion.successor(k)
        if weight > (zero if after is None else weights.get(after, zero)):
            found.append(k)
    return frozenset(found)


def _dominant(setting: Setting, function: PiecewiseLinear) -> Component:
    """All servers follow the dominant piece: one branch for each piece (its guard closed, so ties belong to all)."""
    branches = []
    for i in range(len(function)):
        name, marked = f"dominant {i}", bottlenecks(i, function, setting.expansion)
        parts = tuple(
            Part(label, tuple(_follow(label, server, marked, setting)))
            for server in setting.expansion.busy_servers
            for label in (f"{name} / server {server}",)
        )
        branches.append(Branch(name, maximal_piece(i, function, setting.normals, "dominance"), parts, i))
    return Component("dominant", tuple(branches))


def _follow(name: str, server: str, marked: frozenset[int], setting: Setting) -> Iterator[Alternative]:
    """A ready bottleneck of the dominant piece first, in the tie order if there is one; then any ready duplicate."""
    services, expansion = setting.expansion.at(server), setting.expansion
    mine = [service.buffer for service in services if service.buffer in marked]
    order = [expansion.index[listed] for listed in setting.policy.tie_order.get(server, ())]
    for service in sorted(services, key=lambda service: service.buffer not in marked):
        if service.buffer not in marked:
            before = mine
        else:
            before = [k for k in order[: order.index(service.buffer)] if k in marked] if order else []
        yield from _serving(name, "", service, setting.readiness.unready(before), setting)
    yield _idle(name, setting.readiness.unready(service.buffer for service in services))
