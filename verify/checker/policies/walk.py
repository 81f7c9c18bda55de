"""What the words build components from: facts, drifts, who is ready, and the alternatives of a service (FORMAT.md 8.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verify.checker.core.components import Alternative, Drifts, Guard
from verify.checker.core.forms import Form
from verify.checker.core.guards import Guards
from verify.checker.core.policy import Groups
from verify.checker.core.state import Service, State
from verify.checker.policies.holding import Holding
from verify.checker.policies.key import Details
from verify.checker.policies.sharing import Sharing


@dataclass(frozen=True)
class Walk:
    """A state under a policy whose components are built.

    details: what the keys of the policy say. groups: for a sequencing by groups. pieces: of the policy's own function.
    """

    state: State
    guards: Guards
    drifts: Drifts
    details: Details
    holding: Holding
    sharing: Sharing
    groups: Groups | None
    pieces: tuple[Form, ...]

    def unready(self, server: str, buffers: Iterable[int]) -> Guard:
        """The server may pass over all of these buffers."""
        return tuple(self.holding.unready(self.guards, k, self.sharing.spare(server, k)) for k in buffers)

    def serve(self, prefix: str, service: Service, guard: Guard, note: str = "") -> list[Alternative]:
        """The alternatives that serve a buffer: one, or one for each next server that the routing may choose."""
        name = f"{prefix}{self.state.names[service.buffer]}{note}"
        choices = [destination.server for destination in service.destinations]
        guard = guard + self.holding.ready(self.guards, service.buffer)
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

    def idle(self, prefix: str, guard: Guard) -> Alternative:
        """The alternative of serving nothing."""
        return Alternative(f"{prefix}(idle)", self.guards.listed(guard), self.drifts.number([]))
