"""Sequencing decisions as components (THEORY 1): which buffer a server works on.

All sequencing is preemptive-resume; free ties are alternatives, every one of which must satisfy the conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial

from verify.network.expansion import Expansion, Service
from verify.network.model import Policy, Sequencing
from verify.policy.routing import service_jumps, shortest_queue
from verify.testfunctions.piecewise import PiecewiseLinear, Vector
from verify.walk.components import Alternative, Branch, Component, Part, single
from verify.walk.guards import Guard, Normal, Normals, Signs

#: Sequencings that serve whenever the server has a job, and whose guards only ask which buffers are empty.
STATIC = frozenset({Sequencing.PRIORITY, Sequencing.FBFS, Sequencing.LBFS, Sequencing.NON_IDLING})


def coordinate(k: int, expansion: Expansion, normals: Normals) -> Normal:
    """The normal x_k."""
    return normals.get(f"x({expansion.names[k]})", lambda: {k: Fraction(1)})


def server_components(
    policy: Policy, expansion: Expansion, normals: Normals, dominance: PiecewiseLinear | None
) -> tuple[Component, ...]:
    """One component for each server, or one for all of them under ``dominant``."""
    if policy.sequencing is Sequencing.DOMINANT:
        if dominance is None:
            raise ValueError("dominant sequencing needs its dominance function")
        return (_dominant(policy, expansion, normals, dominance),)
    return tuple(
        single(f"server {server}", _server(f"server {server}", server, policy, expansion, normals))
        for server in expansion.busy_servers
    )


def _server(name: str, server: str, policy: Policy, expansion: Expansion, normals: Normals) -> tuple[Alternative, ...]:
    services = expansion.at(server)
    groups = {k: level for level, group in enumerate(priority_groups(server, policy, expansion)) for k in group}
    result: list[Alternative] = []
    for service in services:
        if policy.sequencing in STATIC:
            higher = [s.buffer for s in services if groups[s.buffer] < groups[service.buffer]]
            guard: Guard = empty(higher, expansion, normals)
        else:
            guard = _longest(service.buffer, [s.buffer for s in services], expansion, normals)
        result += serving(name, service, guard, expansion, normals)
    return (*result, idle(name, services, expansion, normals))


def priority_groups(server: str, policy: Policy, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
    """Buffers of the server, highest priority group first; free choice inside a group (non-idling: one group)."""
    buffers = expansion.queue(server)
    if policy.sequencing is Sequencing.PRIORITY:
        return tuple((expansion.index[name],) for name in policy.priority[server])
    if policy.sequencing in (Sequencing.FBFS, Sequencing.LBFS):
        positions = {k: expansion.buffers[k].position for k in buffers}
        ordered = sorted(set(positions.values()), reverse=policy.sequencing is Sequencing.LBFS)
        return tuple(tuple(k for k in buffers if positions[k] == position) for position in ordered)
    return (buffers,)


def serving(name: str, service: Service, guard: Guard, expansion: Expansion, normals: Normals) -> list[Alternative]:
    """The alternatives of working on one buffer: one, or one for each next server that may be the shortest."""
    label = f"{name} / {expansion.names[service.buffer]}"
    choices = service.destinations
    if len(choices) == 1:
        return [Alternative(label, guard, service_jumps(service, choices[0]), service.buffer)]
    labels = [choice.label for choice in choices]
    return [
        Alternative(
            f"{label} > {choice.label}",
            {**guard, **shortest_queue(choice.label, labels, expansion, normals)},
            service_jumps(service, choice),
            service.buffer,
        )
        for choice in choices
    ]


def idle(name: str, services: Iterable[Service], expansion: Expansion, normals: Normals) -> Alternative:
    """The server has no job at all."""
    return Alternative(f"{name} / (idle)", empty((s.buffer for s in services), expansion, normals), ())


def empty(buffers: Iterable[int], expansion: Expansion, normals: Normals) -> dict[Normal, Signs]:
    """x_k = 0 for every listed buffer."""
    return {coordinate(k, expansion, normals): Signs.ZERO for k in buffers}


def _longest(buffer: int, buffers: Iterable[int], expansion: Expansion, normals: Normals) -> Guard:
    guard: dict[Normal, Signs] = {}
    for other in buffers:
        if other != buffer:
            first, second = min(buffer, other), max(buffer, other)
            name = f"length({expansion.names[first]} - {expansion.names[second]})"
            normal = normals.get(name, partial(_one_minus_one, first, second))
            guard[normal] = Signs.NOT_NEGATIVE if first == buffer else Signs.NOT_POSITIVE
    return guard


def _one_minus_one(first: int, second: int) -> Vector:
    """x_first − x_second."""
    return {first: Fraction(1), second: Fraction(-1)}


def _dominant(policy: Policy, expansion: Expansion, normals: Normals, function: PiecewiseLinear) -> Component:
    """All servers follow the dominant piece: one branch for each piece (its guard closed, so ties belong to all)."""
    branches = []
    for i in range(len(function)):
        name = f"dominant {i}"
        parts = tuple(
            Part(
                f"{name} / server {server}",
                _follow(f"{name} / server {server}", server, i, policy, expansion, normals, function),
            )
            for server in expansion.busy_servers
        )
        branches.append(Branch(name, maximal_piece(i, function, normals, "dominance"), parts, i))
    return Component("dominant", tuple(branches))


def maximal_piece(i: int, function: PiecewiseLinear, normals: Normals, word: str) -> dict[Normal, Signs]:
    """Piece i is maximal: w_i·x >= w_j·x for every other j.  ``word``: "dominance" for U, "piece" for V."""
    guard: dict[Normal, Signs] = {}
    for j in range(len(function)):
        if j != i:
            first, second = min(i, j), max(i, j)
            normal = normals.get(f"{word}({first} - {second})", partial(function.difference, first, second))
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


def _follow(
    name: str, server: str, i: int, policy: Policy, expansion: Expansion, normals: Normals, function: PiecewiseLinear
) -> tuple[Alternative, ...]:
    """A non-empty bottleneck of the dominant piece first, in the tie order if there is one; then any non-empty duplicate."""
    services = expansion.at(server)
    marked = bottlenecks(i, function, expansion)
    mine = [s.buffer for s in services if s.buffer in marked]
    order = [expansion.index[name] for name in policy.tie_order.get(server, ())]
    result: list[Alternative] = []
    for service in services:
        before = order[: order.index(service.buffer)] if order and service.buffer in marked else []
        blocked = [k for k in before if k in marked] if service.buffer in marked else mine
        result += serving(name, service, empty(blocked, expansion, normals), expansion, normals)
    result.sort(key=lambda alternative: alternative.serves not in marked)
    return (*result, idle(name, services, expansion, normals))
