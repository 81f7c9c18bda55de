"""From the ``policy`` table of a file to a policy that fits the network (theory 1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from verify.network.fields import Field, Table
from verify.network.messages import listed
from verify.network.model import Network, RouteNetwork
from verify.network.names import Coordinates, server_buffers
from verify.policies import server_order
from verify.policies.composed import ComposedPolicy
from verify.policies.hints import word_hint
from verify.policies.no_holding import NoHolding
from verify.policies.non_idling import NonIdling
from verify.policies.policy import Policy
from verify.policies.registry import HOLDINGS, PRESETS, ROUTINGS, RULES, SEQUENCINGS
from verify.policies.rules import RoutingRule, Rule, SequencingRule

#: Keys of details -> the choice that has them and the word that uses them; words with few of them first.
_DETAILS = {
    key: (choice, rule)
    for choice, rules in RULES.items()
    for rule in sorted(rules.values(), key=lambda rule: len(rule.keys))
    for key in rule.keys
}
_KEYS = (*RULES, "preset", *_DETAILS, server_order.KEY)


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
    coordinates = routing.coordinates if network.has_routes else Coordinates.BUFFERS
    sequencing = _sequencing(table, network, coordinates, routing.word)
    _check_details(table, "routing", routing)
    _check_details(table, "sequencing", sequencing)
    holding = HOLDINGS[_choice(table.get("holding", NoHolding.word), "holding", list(HOLDINGS))]
    _check_details(table, "holding", holding)
    return ComposedPolicy(
        routing.read(table, network, coordinates),
        sequencing.read(table, network, coordinates),
        holding.read(table, network, coordinates),
        server_order.read_server_order(table, network),
    )


def _choice(field: Field, choice: str, words: Sequence[str]) -> str:
    return field.choice(words, f"the {choice}s", partial(word_hint, choice=choice))


def _preset(table: Table, network: Network) -> Policy:
    for key in (*RULES, *_DETAILS, server_order.KEY):
        if key in table:
            raise table.entries[key].refused("nothing beside preset", f"remove {key} or preset")
    field = table.entries["preset"]
    preset = PRESETS[_choice(field, "preset", list(PRESETS))]
    if not isinstance(network, RouteNetwork):
        raise field.refused("no preset in a buffer network")
    preset.check(network)
    return preset()


def _routing(table: Table, network: Network) -> type[RoutingRule]:
    words = list(ROUTINGS)
    only = [word for word, rule in ROUTINGS.items() if rule.one_route]
    if not isinstance(network, RouteNetwork):
        field = table.get("routing", only[0])
        word = _choice(field, "routing", words)
        if word not in only:
            raise field.refused(f"the routing {listed(only)}, the only one in a buffer network")
        return ROUTINGS[word]
    several = [job_class for job_class in network.classes if len(job_class.routes) > 1]
    if not several:
        field = table.get("routing", only[0])
    else:
        words = [word for word in words if word not in only]
        why = f"as class {several[0].name} has {len(several[0].routes)} routes"
        field = table.need("routing", f"one of the routings {listed(words)}, {why}")
        if field.value in only:
            raise field.refused(f"one of the routings {listed(words)}, {why}", ROUTINGS[str(field.value)].misuse)
    routing = ROUTINGS[_choice(field, "routing", words)]
    routing.check(network)
    return routing


def _sequencing(table: Table, network: Network, coordinates: Coordinates, routing: str) -> type[SequencingRule]:
    several = [
        (server, buffers) for server, buffers in server_buffers(network, coordinates).items() if len(buffers) > 1
    ]
    words = [word for word, rule in SEQUENCINGS.items() if coordinates in rule.defined_on]
    if "sequencing" not in table:
        if not several:
            return NonIdling
        server, buffers = several[0]
        why = f"as server {server} has {len(buffers)} buffers"
        table.need("sequencing", f"one of the sequencings {listed(words)}, {why}", _hint_by_detail(table))
    field, every = table.entries["sequencing"], list(SEQUENCINGS)
    if field.value not in words and field.value in every:
        where = f"under routing {routing}" if network.has_routes else "in a buffer network"
        raise field.refused(f"one of the sequencings {listed(words)} {where}")
    sequencing = SEQUENCINGS[_choice(field, "sequencing", every)]
    if isinstance(network, RouteNetwork):
        sequencing.check(network, coordinates, field.place)
    return sequencing


def _hint_by_detail(table: Table) -> str:
    """A detail that is there says which sequencing is meant."""
    for key, (choice, rule) in _DETAILS.items():
        if choice == "sequencing" and key in table:
            return f'as there is {key}: write sequencing = "{rule.word}"'
    return ""


def _check_details(table: Table, choice: str, chosen: type[Rule]) -> None:
    """Each detail stands only beside the word that uses it."""
    for key, (its_choice, rule) in _DETAILS.items():
        if key in table and its_choice == choice and key not in chosen.keys:
            cure = f'remove it, or write {choice} = "{rule.word}"'
            raise table.entries[key].refused(f"no {key} with {choice} {chosen.word}", cure, "one")
