"""What servers may do (FORMAT.md sections 8.5 and 8.6): whom they serve, where the job goes, when they idle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from verify.checker.core.components import Alternative, Branch, Component, Drifts, Guard, Part, plain_component, subsets
from verify.checker.core.data import Policy
from verify.checker.core.forms import AT_LEAST, AT_MOST, Family, Form, piece_family
from verify.checker.core.guards import Guards
from verify.checker.core.state import Service, State
from verify.checker.policies.sharing import sharing

Groups = dict[str, tuple[tuple[int, ...], ...]]
COMPARING = ("longest-queue", "longest-duplicate", "max-weight", "back-pressure")


def priority_groups(state: State, policy: Policy) -> Groups | None:
    """For each server its buffers in groups, the highest first; it serves some buffer of its highest ready group.

    One group for non-idling (and fifo, which is one of these policies), single buffers for priority, equal positions for
    fbfs and lbfs; None for other words.
    """
    groups: Groups = {}
    for server in state.busy_servers():
        buffers = state.buffers_of(server)
        if policy.sequencing in ("non-idling", "fifo"):
            rank = dict.fromkeys(buffers, 0)
        elif policy.sequencing == "priority":
            order = {name: place for place, name in enumerate((policy.priority or {})[server])}
            rank = {k: order[state.names[k]] for k in buffers}
        elif policy.sequencing in ("fbfs", "lbfs"):
            sign = 1 if policy.sequencing == "fbfs" else -1
            rank = {k: sign * min(state.positions[k]) for k in buffers}
        else:
            return None
        levels = sorted(set(rank.values()))
        groups[server] = tuple(tuple(k for k in buffers if rank[k] == level) for level in levels)
    return groups


class Servers:
    """Builds the components of the servers."""

    def __init__(self, state: State, policy: Policy, guards: Guards, drifts: Drifts) -> None:
        self.state = state
        self.policy = policy
        self.guards = guards
        self.drifts = drifts
        self.groups = priority_groups(state, policy)
        self.sharing = sharing(state, policy, self.groups)

    # ---- helpers
    def unready(self, server: str, buffers: Iterable[int]) -> Guard:
        """The server may pass over all of these buffers."""
        return self.guards.unready(buffers, lambda k: self.sharing.spare(server, k))

    def serve(self, prefix: str, service: Service, guard: Guard, note: str = "") -> list[Alternative]:
        """The alternatives that serve a buffer: one, or one for each next server that jsq may choose."""
        name = f"{prefix}{self.state.names[service.buffer]}{note}"
        choices = [destination.server for destination in service.destinations]
        guard = guard + self.guards.ready(service.buffer)
        found = []
        for destination in service.destinations:
            outcomes, several = destination.outcomes, len(choices) > 1
            shortest = self.guards.shortest_queue(destination.server, choices) if several else ()
            found.append(
                Alternative(
                    name=f"{name} > {destination.server}" if several else name,
                    guard=self.guards.listed(guard + shortest),
                    drift=self.drifts.number(
                        (service.buffer, o.target, service.rate * o.probability) for o in outcomes
                    ),
                    serves=service.buffer,
                    targets=tuple(outcome.target for outcome in outcomes),
                    least=self.sharing.least(service.server, service.buffer),
                )
            )
        return found

    def idle(self, prefix: str, server: str) -> Alternative:
        """A server idles only when all its buffers are empty or held; under back-pressure, if no pressure is positive.

        Sound: a buffer that back-pressure does not serve is empty, so p_k <= 0, or held, or p_k itself forbids it.
        """
        if self.policy.sequencing == "back-pressure":
            guard = tuple(self.guards.pressure(service, AT_MOST) for service in self.state.services_of(server))
        else:
            guard = self.unready(server, self.state.buffers_of(server))
        return Alternative(f"{prefix}(idle)", self.guards.listed(guard), self.drifts.number([]))

    # ---- section 8.5: each server for itself
    def component(self, server: str) -> Component:
        """What a server serves and where the job goes, for all words but `dominant`."""
        prefix = f"server {server} / "
        found: list[Alternative] = []
        for service in self.state.services_of(server):
            if self.groups is not None:
                found += self.serve(prefix, service, self.higher_unready(server, service.buffer, self.groups[server]))
            else:
                found += self.compare(prefix, service)
        return plain_component(f"server {server}", server, (*found, self.idle(prefix, server)))

    def higher_unready(self, server: str, buffer: int, groups: Sequence[tuple[int, ...]]) -> Guard:
        """Every buffer of a higher group is empty or held, or its jobs are with other servers.

        Sound because the server serves the highest group in which something is ready; within it the choice is free.
        """
        own = next(index for index, group in enumerate(groups) if buffer in group)
        return self.unready(server, (k for group in groups[:own] for k in group))

    def compare(self, prefix: str, service: Service) -> list[Alternative]:
        """Serving the buffer with the largest length, weight or pressure; one entry for each set of held others.

        Sound because held buffers do not take part in the comparison; of the rest, an empty one has nothing to compare
        that is larger (x = 0, weight 0, pressure <= 0), one that may be held counts as held when it is empty, and one
        whose few jobs are all with other servers is empty in the closed cone.
        """
        others = [k for k in self.state.buffers_of(service.server) if k != service.buffer]
        found: list[Alternative] = []
        for held in subsets([k for k in others if self.guards.may_be_held(k)]):
            names = ", ".join(self.state.names[k] for k in held)
            guard = self.largest(service, [k for k in others if k not in held]) + self.unready(service.server, held)
            found += self.serve(prefix, service, guard, f" (held {names})" if held else "")
        return found

    def largest(self, service: Service, others: Iterable[int]) -> Guard:
        """The service's length, weight or pressure is at least that of the others; a pressure served is >= 0."""
        if self.policy.sequencing == "max-weight":
            return _at_least(self.state, self.guards.weights(service.server), service, others)
        if self.policy.sequencing == "back-pressure":
            own = self.guards.pressure(service, AT_LEAST)
            return (own, *_at_least(self.state, self.guards.pressures(service.server), service, others))
        return self.guards.longest(service.buffer, others)

    # ---- section 8.6: dominant
    def dominant(self, pieces: Sequence[Form]) -> Component:
        """One component for all servers: they follow one dominant piece."""
        family = piece_family("dominance", pieces, self.guards.normals)
        after = {k: self.state.successor(k) for k in range(len(self.state.names))}
        branches = []
        for i, piece in enumerate(pieces):
            guard = tuple(family.at_least(i, j) for j in range(len(pieces)) if j != i)
            parts = tuple(
                self.dominant_part(i, _bottlenecks(piece, after), server) for server in self.state.busy_servers()
            )
            branches.append(Branch(f"dominant {i}", guard, parts))
        return Component("dominant", tuple(branches))

    def dominant_part(self, number: int, ends: set[int], server: str) -> Part:
        """A server serves a ready bottleneck of the piece (in its tie order, else free), else any ready buffer.

        Sound because every bottleneck that should have come before what is served is then empty or held.
        """
        prefix = f"dominant {number} / server {server} / "
        names, services = self.state.names, self.state.services_of(server)
        bottlenecks = [service.buffer for service in services if service.buffer in ends]
        order = {name: place for place, name in enumerate((self.policy.tie_order or {}).get(server, ()))}
        found: list[Alternative] = []
        for service in services:
            if service.buffer not in ends:
                first = bottlenecks
            elif not order:
                first = []
            else:
                first = [k for k in bottlenecks if order[names[k]] < order[names[service.buffer]]]
            found += self.serve(prefix, service, self.unready(server, first))
        return Part(server, (*found, self.idle(prefix, server)))


def _at_least(state: State, family: Family, service: Service, others: Iterable[int]) -> Guard:
    """The family's member of this service is at least that of the other buffers of its server."""
    rank = {buffer: rank for rank, buffer in enumerate(state.buffers_of(service.server))}
    return tuple(family.at_least(rank[service.buffer], rank[other]) for other in others)


def _bottlenecks(piece: Form, after: Mapping[int, int | None]) -> set[int]:
    """The buffers in which a job weighs more than where it goes next (0 after the last)."""
    weight = piece.entries
    return {k for k, j in after.items() if weight.get(k, 0) > (0 if j is None else weight.get(j, 0))}
