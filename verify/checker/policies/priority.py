"""`priority`: each server serves its buffers in a given order, the highest first (FORMAT.md sections 3.3, 5, 8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.data import Orders
from verify.checker.core.phrases import by_server
from verify.checker.core.state import State
from verify.checker.core.values import orders
from verify.checker.policies.key import AnyKey, Details, FileReader, Key
from verify.checker.policies.orders import check_order, same_keys
from verify.checker.policies.sequencing import Grouped


def _read_file(reader: FileReader, found: Mapping[str, object]) -> Orders:
    """A server with one buffer may be left out."""
    return {**reader.single_buffers(), **reader.orders(found.get("priority", {}), "policy.priority")}


PRIORITY = Key("priority", orders, _read_file)


@dataclass(frozen=True)
class Priority(Grouped):
    """A group for each buffer."""

    name: str = "priority"
    keys: ClassVar[tuple[AnyKey, ...]] = (PRIORITY,)

    def check_details(self, details: Details, state: State) -> None:
        """Every server that has a buffer, each of its buffers once."""
        check_priority("policy", "priority", PRIORITY.of(details) or {}, state)

    def rank(self, details: Details, state: State, server: str) -> Mapping[int, int]:
        """The place in the order."""
        order = {name: place for place, name in enumerate((PRIORITY.of(details) or {})[server])}
        return {k: order[state.names[k]] for k in state.buffers_of(server)}

    def phrase(self, details: Details, state: State) -> str:
        """With the order."""
        return f"{self.name} {by_server(state, PRIORITY.of(details) or {})}"


def check_priority(rule: str, where: str, order: Orders, state: State) -> None:
    """A priority order, of a policy or of a witness."""
    same_keys(rule, where, order, state.busy_servers())
    check_order(rule, where, order, state)


BY_PRIORITY = Priority()
