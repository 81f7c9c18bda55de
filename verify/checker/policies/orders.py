"""Maps with given keys, and orders of buffers: what several words ask of their keys (rule **policy**)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verify.checker.core.data import Orders
from verify.checker.core.errors import require
from verify.checker.core.state import State


def same_keys(rule: str, where: str, found: Mapping[str, object], expected: Sequence[str]) -> None:
    """A map with exactly these keys."""
    require(set(found) == set(expected), rule, where, set(found), set(expected))


def check_order(rule: str, where: str, orders: Orders, state: State) -> None:
    """Each listed server with all its buffers, each once."""
    for server, order in orders.items():
        buffers = [state.names[buffer] for buffer in state.buffers_of(server)]
        require(bool(buffers), rule, where, server, "a server with buffers")
        require(sorted(order) == sorted(buffers), rule, f"{where} of server {server}", order, buffers)
