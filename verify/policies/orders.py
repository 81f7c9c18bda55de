"""Orders by server or by buffer, as files state them: priorities, tie orders, server orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from verify.network.fields import Field
from verify.network.messages import did_you_mean, listed, shown
from verify.network.model import Network
from verify.network.names import Coordinates, buffer_aliases, server_buffers
from verify.network.read_function import canonical_buffer
from verify.policies.rules import Orders


def orders_to_json(key: str, orders: Orders) -> dict[str, object]:
    """The detail ``key`` in the form of the certificate, left out where it is empty."""
    return {key: {name: list(order) for name, order in orders.items()}} if orders else {}


def order_words(keys: Sequence[str], orders: Orders) -> str:
    """For claims: the orders of these keys, in this order."""
    return "; ".join(f"{key}: {' > '.join(orders[key])}" for key in keys if key in orders)


def check_keys(entries: Mapping[str, Field], what: str, names: Sequence[str]) -> None:
    """Only these names are keys of a table.  Raises ``InputError``."""
    for name, entry in entries.items():
        if name not in names:
            raise entry.refused(f"one of the {what} {listed(names)}", did_you_mean(name, names), shown(name))


def read_orders(field: Field, network: Network, coordinates: Coordinates) -> dict[str, tuple[str, ...]]:
    """The orders a file states: server -> each of its buffers once, under canonical names.  Raises ``InputError``."""
    served, aliases = server_buffers(network, coordinates), buffer_aliases(network, coordinates)
    entries = field.entries('a table like { 1 = ["b.2", "a.1"] }: server -> its buffers')
    _check_servers(entries, network, aliases)
    return {server: _order(entry, server, served[server], aliases) for server, entry in entries.items()}


def _ranks(value: object, aliases: Mapping[str, str]) -> bool:
    """Does the file give numbers, or a number for each buffer, in place of an order?"""
    if isinstance(value, dict):
        return True
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(type(one) is int and str(one) not in aliases for one in value)


def _check_servers(entries: Mapping[str, Field], network: Network, aliases: Mapping[str, str]) -> None:
    """The keys of orders are servers; buffers or classes in their place are orders the wrong way round."""
    classes = [job_class.name for job_class in network.classes]
    for name, entry in entries.items():
        if name not in network.servers and (name in aliases or name in classes):
            kind = "buffer" if name in aliases else "class"
            raise entry.refused(
                f"one of the servers {listed(network.servers)}",
                "write each server with the list of its buffers",
                f"the {kind} {name}",
            )
    check_keys(entries, "servers", network.servers)


def _order(field: Field, server: str, buffers: Sequence[str], aliases: Mapping[str, str]) -> tuple[str, ...]:
    if not buffers:
        raise field.refused(f"no order for server {server}, which has no buffer", "remove it", "one")
    what = f"the list of all buffers of server {server}: {listed(buffers)}"
    if _ranks(field.value, aliases):
        raise field.refused(what, "no ranks: the order of the list says which comes first", "ranks")
    items = field.items(what)
    order = [canonical_buffer(item, item.text("the name of a buffer"), aliases, buffers) for item in items]
    for buffer, count in Counter(order).items():
        if count > 1:
            again = max(index for index, name in enumerate(order) if name == buffer)
            raise items[again].refused("each buffer once", f"first at {items[order.index(buffer)].place}")
    missing = [buffer for buffer in buffers if buffer not in order]
    if missing:
        raise field.refused(f"every buffer of server {server}: {listed(buffers)}", found=f"no {listed(missing)}")
    return tuple(order)
