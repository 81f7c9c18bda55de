"""From the ``policy`` table of a file to a policy that fits the network (theory 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from verify.network.fields import Field, Table
from verify.network.messages import did_you_mean, listed, shown, shown_number
from verify.network.model import (
    Holding,
    JobClass,
    Network,
    Policy,
    Preset,
    RouteNetwork,
    Routing,
    Sequencing,
)
from verify.network.names import buffer_aliases, server_buffers
from verify.network.read_function import canonical_buffer, read_dominance_function
from verify.network.validate import check_jsq, check_jsq_as, check_same_positions

_CHOICES = ("routing", "sequencing", "holding")
_DETAILS = ("probabilities", "priority", "tie_order", "dominance_function", "server_order")
_KEYS = (*_CHOICES, "preset", *_DETAILS)
#: Details -> the sequencing that uses them.
_DETAIL_OF = {
    "priority": Sequencing.PRIORITY,
    "tie_order": Sequencing.DOMINANT,
    "dominance_function": Sequencing.DOMINANT,
}
_ROUTES_ONLY = (Sequencing.FBFS, Sequencing.LBFS, Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT)
_EXPANSION_ONLY = (Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT)


def read_policy(field: Field, network: Network) -> Policy:
    """The policy of a file.

    Parameters: ``field`` its table (an empty one if the file has none); ``network`` the network it is for.  Defaults:
    routing fixed when each class has one route, sequencing non-idling when every server has one buffer, holding none.
    Raises ``InputError`` with the place of the mistake.
    """
    table = field.table(_KEYS, "a table with routing, sequencing and holding, or preset")
    if "preset" in table:
        return _preset(table, network)
    routing = _routing(table, network)
    sequencing = _sequencing(table, network, routing)
    _check_details(table, routing, sequencing)
    base = Policy(routing=routing)
    holdings = [word.value for word in Holding]
    dominance = table.entries.get("dominance_function")
    return Policy(
        routing=routing,
        sequencing=sequencing,
        holding=Holding(table.get("holding", Holding.NONE.value).choice(holdings, "the holdings")),
        probabilities=_probabilities(table, network) if routing is Routing.BERNOULLI else MappingProxyType({}),
        priority=_priority(table, network, base) if sequencing is Sequencing.PRIORITY else MappingProxyType({}),
        tie_order=_tie_order(table, network, base),
        server_order=_server_order(table, network),
        dominance_function=read_dominance_function(dominance, network, base)
        if dominance is not None and isinstance(network, RouteNetwork)
        else None,
    )


def _preset(table: Table, network: Network) -> Policy:
    for key in (*_CHOICES, *_DETAILS):
        if key in table:
            raise table.entries[key].refused("nothing beside preset", f"remove {key} or preset")
    field = table.entries["preset"]
    preset = Preset(field.choice([word.value for word in Preset], "the presets"))
    if not isinstance(network, RouteNetwork):
        raise field.refused("no preset in a buffer network")
    check_jsq_as(network)
    return Policy(preset=preset)


def _routing(table: Table, network: Network) -> Routing:
    words = [word.value for word in Routing]
    if not isinstance(network, RouteNetwork):
        field = table.get("routing", Routing.FIXED.value)
        if field.choice(words, "the routings") != Routing.FIXED.value:
            raise field.refused("the routing fixed, the only one in a buffer network")
        return Routing.FIXED
    several = [job_class for job_class in network.classes if len(job_class.routes) > 1]
    if not several:
        field = table.get("routing", Routing.FIXED.value)
    else:
        words.remove(Routing.FIXED.value)
        why = f"as class {several[0].name} has {len(several[0].routes)} routes"
        field = table.need("routing", f"one of the routings {listed(words)}, {why}")
        if field.value == Routing.FIXED.value:
            raise field.refused(
                f"one of the routings {listed(words)}, {why}",
                "fixed means one route for each class; bernoulli splits at random with fixed probabilities",
            )
    routing = Routing(field.choice(words, "the routings"))
    if routing is Routing.JSQ:
        check_jsq(network)
    return routing


def _sequencing(table: Table, network: Network, routing: Routing) -> Sequencing:
    several = [
        (server, buffers)
        for server, buffers in server_buffers(network, Policy(routing=routing)).items()
        if len(buffers) > 1
    ]
    words = _sequencings(network, routing)
    if "sequencing" not in table:
        if not several:
            return Sequencing.NON_IDLING
        server, buffers = several[0]
        why = f"as server {server} has {len(buffers)} buffers"
        detail = next((key for key in _DETAIL_OF if key in table), None)
        cure = f'as there is {detail}: write sequencing = "{_DETAIL_OF[detail]}"' if detail else ""
        table.need("sequencing", f"one of the sequencings {listed(words)}, {why}", cure)
    field = table.entries["sequencing"]
    every = [word.value for word in Sequencing]
    if field.value not in words and field.value in every:
        where = "under routing jsq" if isinstance(network, RouteNetwork) else "in a buffer network"
        raise field.refused(f"one of the sequencings {listed(words)} {where}")
    sequencing = Sequencing(field.choice(every, "the sequencings"))
    by_position = sequencing in (Sequencing.FBFS, Sequencing.LBFS)
    if by_position and routing is Routing.JSQ and isinstance(network, RouteNetwork):
        check_same_positions(network, field.place, sequencing.value)
    return sequencing


def _sequencings(network: Network, routing: Routing) -> list[str]:
    """The words that make sense for this kind of network and routing."""
    refused: tuple[Sequencing, ...] = ()
    if not isinstance(network, RouteNetwork):
        refused = _ROUTES_ONLY
    elif routing is Routing.JSQ:
        refused = _EXPANSION_ONLY
    return [word.value for word in Sequencing if word not in refused]


def _check_details(table: Table, routing: Routing, sequencing: Sequencing) -> None:
    """Each detail stands only beside the choice that uses it."""
    uses = {
        "probabilities": (routing.value, Routing.BERNOULLI.value, "routing"),
        **{key: (sequencing.value, wanted.value, "sequencing") for key, wanted in _DETAIL_OF.items()},
    }
    for key, (chosen, wanted, choice) in uses.items():
        if key in table and chosen != wanted:
            raise table.entries[key].refused(
                f"no {key} with {choice} {chosen}", f'remove it, or write {choice} = "{wanted}"', "one"
            )


def _probabilities(table: Table, network: Network) -> Mapping[str, Mapping[str, Fraction]]:
    """Class -> route -> probability; a class with one route may be left out."""
    classes = network.classes if isinstance(network, RouteNetwork) else ()
    field = table.get("probabilities", {})
    entries = field.entries('a table like { c1 = { r1 = "1/2", r2 = "1/2" } }')
    _check_keys(entries, "classes", [job_class.name for job_class in classes])
    found: dict[str, Mapping[str, Fraction]] = {}
    for job_class in classes:
        if job_class.name in entries or len(job_class.routes) > 1:
            found[job_class.name] = _split(entries.get(job_class.name), field, job_class)
        else:
            found[job_class.name] = MappingProxyType({job_class.routes[0].name: Fraction(1)})
    return MappingProxyType(found)


def _split(field: Field | None, parent: Field, job_class: JobClass) -> Mapping[str, Fraction]:
    routes = [route.name for route in job_class.routes]
    every = f"a probability for each of the routes {listed(routes)}"
    if field is None:
        raise parent.child(job_class.name, None).refused(every, found="nothing")
    entries = field.entries('a table like { r1 = "1/2", r2 = "1/2" }')
    _check_keys(entries, "routes", routes)
    missing = [route for route in routes if route not in entries]
    if missing:
        raise field.refused(every, found=f"none for {listed(missing)}")
    split = {route: entries[route].probability() for route in routes}
    total = sum(split.values(), Fraction(0))
    if total != 1:
        raise field.refused("probabilities with sum 1", found=f"the sum {shown_number(total)}")
    return MappingProxyType(split)


def _check_keys(entries: Mapping[str, Field], what: str, names: Sequence[str]) -> None:
    for name, entry in entries.items():
        if name not in names:
            raise entry.refused(f"one of the {what} {listed(names)}", did_you_mean(name, names), shown(name))


def _priority(table: Table, network: Network, base: Policy) -> Mapping[str, tuple[str, ...]]:
    """Server -> all its buffers, highest first, for every server that has buffers."""
    field = table.get("priority", {})
    given = _orders(field, network, base)
    orders: dict[str, tuple[str, ...]] = {}
    for server, buffers in server_buffers(network, base).items():
        if len(buffers) > 1 and server not in given:
            raise field.child(server, None).refused(
                f"the buffers of server {server}, highest first: {listed(buffers)}", found="nothing"
            )
        if buffers:
            orders[server] = given.get(server, buffers)
    return MappingProxyType(orders)


def _tie_order(table: Table, network: Network, base: Policy) -> Mapping[str, tuple[str, ...]]:
    given = _orders(table.get("tie_order", {}), network, base)
    return MappingProxyType({server: given[server] for server in network.servers if server in given})


def _server_order(table: Table, network: Network) -> Mapping[str, tuple[str, ...]]:
    """Buffer -> all its servers, the first to take a job first; for buffers with several servers."""
    if "server_order" not in table:
        return MappingProxyType({})
    field = table.entries["server_order"]
    servers: dict[str, list[str]] = {}
    if not isinstance(network, RouteNetwork):
        for activity in network.activities:
            servers.setdefault(activity.buffer, []).append(activity.server)
    shared = {buffer: listed_servers for buffer, listed_servers in servers.items() if len(listed_servers) > 1}
    if not shared:
        raise field.refused("no server_order, as no buffer has several servers", "remove it", "one")
    entries = field.entries('a table like { K = ["A", "B"] }')
    if not entries:
        raise field.refused(f"the servers of one at least of the buffers {listed(list(shared))}", found="nothing")
    _check_keys(entries, "buffers with several servers", list(shared))
    found = {buffer: _takers(entry, buffer, shared[buffer]) for buffer, entry in entries.items()}
    return MappingProxyType({buffer: found[buffer] for buffer in shared if buffer in found})


def _takers(field: Field, buffer: str, servers: Sequence[str]) -> tuple[str, ...]:
    every = f"each server of buffer {buffer} once, the first to take a job first: {listed(servers)}"
    order = tuple(item.text("the name of a server") for item in field.items(every))
    if sorted(order) != sorted(servers):
        raise field.refused(every, found=listed(order) if order else "nothing")
    return order


def _orders(field: Field, network: Network, base: Policy) -> dict[str, tuple[str, ...]]:
    """The orders a file states: server -> each of its buffers once, under canonical names."""
    served, aliases = server_buffers(network, base), buffer_aliases(network, base)
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
    classes = [job_class.name for job_class in network.classes] if isinstance(network, RouteNetwork) else []
    for name, entry in entries.items():
        if name not in network.servers and (name in aliases or name in classes):
            kind = "buffer" if name in aliases else "class"
            raise entry.refused(
                f"one of the servers {listed(network.servers)}",
                "write each server with the list of its buffers",
                f"the {kind} {name}",
            )
    _check_keys(entries, "servers", network.servers)


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
