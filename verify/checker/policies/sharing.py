"""Buffers with several servers: who may pass over a job, and from how many jobs on one is left (FORMAT.md section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.checker.core.data import Policy
from verify.checker.core.errors import require
from verify.checker.core.state import State

Groups = Mapping[str, tuple[tuple[int, ...], ...]]
Places = Mapping[int, Mapping[str, int]]  # buffer, server -> a number


@dataclass(frozen=True)
class Sharing:
    """The shared buffers with their servers.

    rank: where the buffer has a server order, the place of each server in it; ahead: how many of those before it prefer
    this buffer to all their others.
    """

    servers: Mapping[int, list[str]]
    rank: Places
    ahead: Places

    def spare(self, server: str, buffer: int) -> int:
        """A server passes over a ready buffer only where it holds at most so many jobs; 0 for a single server.

        Sound because all its jobs are then with other servers, one job each, before this one in the order if there is one.
        """
        if buffer not in self.servers:
            return 0
        return self.rank[buffer][server] if buffer in self.rank else len(self.servers[buffer]) - 1

    def least(self, server: str, buffer: int) -> int:
        """A server serves a buffer only where it holds at least so many jobs; 1 without an order.

        Sound because each server before it in the order that prefers this buffer to all its others has a job there:
        otherwise it would have taken this server's.
        """
        return 1 + self.ahead.get(buffer, {}).get(server, 0)


def sharing(state: State, policy: Policy, groups: Groups | None = None) -> Sharing:
    """Who shares what, in a state of a policy that satisfies **policy**; `groups`: see `priority_groups`, if it has any."""
    found: dict[int, list[str]] = {}
    for service in state.services:
        found.setdefault(service.buffer, []).append(service.server)
    shared = {k: servers for k, servers in found.items() if len(servers) > 1}
    rank: dict[int, dict[str, int]] = {}
    ahead: dict[int, dict[str, int]] = {}
    for k in shared if policy.server_order else ():
        order = (policy.server_order or {}).get(state.names[k])
        if order is None:
            continue
        rank[k] = {server: place for place, server in enumerate(order)}
        ahead[k], number = {}, 0
        for server in order:
            ahead[k][server] = number
            number += groups is not None and groups[server][0] == (k,)
    return Sharing(shared, rank, ahead)


def require_cells_admit(state: State, policy: Policy, where: str) -> None:
    """**shared-buffer**: in pattern cells a shared buffer only without holding, and with a sequencing by groups.

    Sound because only there `spare` and `least` say what a server may do at few jobs.
    """
    for k in sharing(state, policy).servers:
        at = f"{where}, {state.names[k]} with several servers"
        require(policy.holding == "none", "shared-buffer", at, f"holding {policy.holding}", "none")
        by_groups = policy.sequencing in ("priority", "non-idling", "fifo")
        require(by_groups, "shared-buffer", at, f"sequencing {policy.sequencing}", "priority or non-idling")
