"""Which of several servers at one buffer takes a scarce job first (theory 1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from verify.network.expansion import Expansion
from verify.network.fields import Field, Table
from verify.network.messages import listed
from verify.network.model import BufferNetwork, Network
from verify.policies.orders import check_keys, order_words
from verify.policies.rules import NO_ORDERS, Orders

KEY = "server_order"


def read_server_order(table: Table, network: Network) -> Orders:
    """Buffer -> all its servers, the first to take a job first; for buffers with several servers.  Raises ``InputError``."""
    if KEY not in table:
        return NO_ORDERS
    field = table.entries[KEY]
    servers: dict[str, list[str]] = {}
    if isinstance(network, BufferNetwork):
        for activity in network.activities:
            servers.setdefault(activity.buffer, []).append(activity.server)
    shared = {buffer: listed_servers for buffer, listed_servers in servers.items() if len(listed_servers) > 1}
    if not shared:
        raise field.refused("no server_order, as no buffer has several servers", "remove it", "one")
    entries = field.entries('a table like { K = ["A", "B"] }')
    if not entries:
        raise field.refused(f"the servers of one at least of the buffers {listed(list(shared))}", found="nothing")
    check_keys(entries, "buffers with several servers", list(shared))
    found = {buffer: _takers(entry, buffer, shared[buffer]) for buffer, entry in entries.items()}
    return MappingProxyType({buffer: found[buffer] for buffer in shared if buffer in found})


def _takers(field: Field, buffer: str, servers: Sequence[str]) -> tuple[str, ...]:
    every = f"each server of buffer {buffer} once, the first to take a job first: {listed(servers)}"
    order = tuple(item.text("the name of a server") for item in field.items(every))
    if sorted(order) != sorted(servers):
        raise field.refused(every, found=listed(order) if order else "nothing")
    return order


def server_order_words(given: Orders, expansion: Expansion) -> str:
    """The end of a policy's words in a claim: nothing where no buffer has several servers."""
    if not expansion.shared:
        return ""
    stated = [order_words(expansion.names, given)] if given else []
    if len(given) < len(expansion.shared):
        stated.append("else free" if given else "free")
    return f", server order {'; '.join(stated)}"
