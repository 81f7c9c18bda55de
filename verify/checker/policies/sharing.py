"""Buffers with several servers: who may pass over a job, and from how many jobs on one is left (FORMAT.md section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.checker.core.data import Orders
from verify.checker.core.errors import require
from verify.checker.core.phrases import by_buffer
from verify.checker.core.policy import Groups
from verify.checker.core.state import State

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


def sharing(state: State, orders: Orders | None, groups: Groups | None = None) -> Sharing:
    """Who shares what: `orders` of servers, and `groups` of buffers if the sequencing has any, satisfy **policy**."""
    found: dict[int, list[str]] = {}
    for service in state.services:
        found.setdefault(service.buffer, []).append(service.server)
    shared = {k: servers for k, servers in found.items() if len(servers) > 1}
    rank: dict[int, dict[str, int]] = {}
    ahead: dict[int, dict[str, int]] = {}
    for k in shared if orders else ():
        order = (orders or {}).get(state.names[k])
        if order is None:
            continue
        rank[k] = {server: place for place, server in enumerate(order)}
        ahead[k], number = {}, 0
        for server in order:
            ahead[k][server] = number
            number += groups is not None and groups[server][0] == (k,)
    return Sharing(shared, rank, ahead)


def check_server_order(rule: str, where: str, orders: Orders, state: State) -> None:
    """At least one buffer; each listed buffer is shared and has all its servers, each once."""
    require(bool(orders), rule, where, "no buffer", "one at least")
    for buffer, order in orders.items():
        servers = [service.server for service in state.services if state.names[service.buffer] == buffer]
        require(len(servers) > 1, rule, f"{where} of {buffer}", servers, "two or more servers")
        require(sorted(order) == sorted(servers), rule, f"{where} of {buffer}", order, servers)


def server_order_phrase(state: State, orders: Orders | None) -> str:
    """Who takes a job where there are several servers."""
    number = len(sharing(state, orders).servers)
    if not number:
        return ""
    given = orders or {}
    listed = [by_buffer(state, given)] if given else []
    if len(given) < number:
        listed.append("else free" if given else "free")
    return f"server order {'; '.join(listed)}"
