"""Buffers with several servers: who may pass over a job, and from how many jobs on one is left (FORMAT.md section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.checker.data import Policy
from verify.checker.errors import require
from verify.checker.state import State

Groups = Mapping[str, tuple[tuple[int, ...], ...]]


@dataclass(frozen=True)
class Sharing:
    """The shared buffers with their servers, and with their server order where they have one (both by buffer)."""

    servers: Mapping[int, tuple[str, ...]]
    order: Mapping[int, tuple[str, ...]]

    def spare(self, server: str, buffer: int) -> int:
        """A server passes over a ready buffer only where it holds at most so many jobs; 0 for a single server.

        Sound because all its jobs are then with other servers, one job each, before this one in the order if there is one.
        """
        if buffer not in self.servers:
            return 0
        return len(self.servers[buffer]) - 1 if buffer not in self.order else self.order[buffer].index(server)

    def least(self, server: str, buffer: int, groups: Groups) -> int:
        """A server serves a buffer only where it holds at least so many jobs; 1 without an order.

        Sound because each server before it in the order that prefers this buffer to all its others has a job there:
        otherwise it would have taken this server's.
        """
        order = self.order.get(buffer, ())
        before = order[: order.index(server)] if server in order else ()
        return 1 + sum(groups[other][0] == (buffer,) for other in before)


def sharing(state: State, policy: Policy) -> Sharing:
    """Who shares what, in a state of a policy that satisfies **policy**."""
    found: dict[int, tuple[str, ...]] = {}
    for service in state.services:
        found[service.buffer] = (*found.get(service.buffer, ()), service.server)
    shared = {k: servers for k, servers in found.items() if len(servers) > 1}
    order = policy.server_order or {}
    return Sharing(shared, {k: order[state.names[k]] for k in shared if state.names[k] in order})


def require_cells_admit(state: State, policy: Policy, where: str) -> None:
    """**shared-buffer**: in pattern cells a shared buffer only without holding, and with a sequencing by groups.

    Sound because only there `spare` and `least` say what a server may do at few jobs.
    """
    for k, servers in sharing(state, policy).servers.items():
        at = f"{where}, {state.names[k]} with servers {', '.join(servers)}"
        require(policy.holding == "none", "shared-buffer", at, f"holding {policy.holding}", "none")
        by_groups = policy.sequencing in ("priority", "non-idling", "fifo")
        require(by_groups, "shared-buffer", at, f"sequencing {policy.sequencing}", "priority or non-idling")
