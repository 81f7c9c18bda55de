"""Sequencing ``priority``: a static order of the buffers of each server (theory 1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from verify.network.expansion import Expansion
from verify.network.fields import Table
from verify.network.messages import listed
from verify.network.model import Network
from verify.network.names import Coordinates, server_buffers
from verify.policies.orders import order_words, orders_to_json, read_orders
from verify.policies.rules import Orders, also
from verify.policies.static import StaticSequencing


@dataclass(frozen=True)
class Priority(StaticSequencing):
    """``priority``: server -> all its buffers, highest first, for every server that has buffers."""

    word = "priority"
    keys: ClassVar[tuple[str, ...]] = ("priority",)
    synonyms: ClassVar[Mapping[str, str]] = {
        **also("static-priority", "preemptive-priority", "prio", "preemptive"),
        **also("cmu", "c-mu", "cmu-rule", cure='write "priority", the buffers in order of cost times rate'),
    }

    priority: Orders

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> Priority:
        """A server with one buffer may be left out."""
        field = table.get("priority", {})
        given = read_orders(field, network, coordinates)
        orders: dict[str, tuple[str, ...]] = {}
        for server, buffers in server_buffers(network, coordinates).items():
            if len(buffers) > 1 and server not in given:
                raise field.child(server, None).refused(
                    f"the buffers of server {server}, highest first: {listed(buffers)}", found="nothing"
                )
            if buffers:
                orders[server] = given.get(server, buffers)
        return cls(MappingProxyType(orders))

    def details(self) -> dict[str, object]:
        """The orders."""
        return orders_to_json("priority", self.priority)

    @property
    def orders(self) -> Orders:
        """The orders."""
        return self.priority

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """Every buffer is a group."""
        return tuple((expansion.index[name],) for name in self.priority[server])

    def claim(self, network: Network) -> str:
        """All orders in full."""
        return f"{self.word} {order_words(network.servers, self.priority)}"
