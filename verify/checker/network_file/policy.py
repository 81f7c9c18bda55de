"""Reads the policy of a network file: words with their defaults, the keys of the words, and names for buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from verify.checker.core.data import BufferNetwork, Explicit, Function, JobClass, Network, Orders, Pieces, RouteNetwork
from verify.checker.core.errors import Malformed, show
from verify.checker.core.policy import Policy
from verify.checker.core.values import fields, items, mapping, table, text, word
from verify.checker.network_file.expression import bounded
from verify.checker.policies.by_words import WordPolicy
from verify.checker.policies.fixed import FIXED
from verify.checker.policies.holding import NONE
from verify.checker.policies.jsq_as import Preset
from verify.checker.policies.non_idling import NON_IDLING
from verify.checker.policies.registry import KEYS, ROUTINGS, SEQUENCINGS, holding, owners, routing, sequencing
from verify.checker.policies.routing import Routing
from verify.checker.policies.sequencing import Sequencing

Number = Callable[[object, str], Fraction]


def read_policy(value: object, network: Network, number: Number) -> Policy:
    """The policy of a file with this network; `number` reads what it writes for a number. Raises: Malformed."""
    if "preset" in table(value, "policy"):
        return Preset(text(fields(value, "policy", ("preset",))["preset"], "policy.preset"))
    optional = ("routing", "sequencing", "holding", *(key.name for key in KEYS), "server_order")
    found = fields(value, "policy", (), optional)
    chosen = routing(text(found["routing"] if "routing" in found else _default_routing(network), "policy.routing"))
    reader = _Reader(network, chosen, number)
    order = sequencing(text(found.get("sequencing", reader.default_sequencing), "policy.sequencing"))
    _check_keys(found, chosen, order)
    read = {key.name: key.read_file(reader, found) for key in (*chosen.keys, *order.keys)}
    servers = mapping(found.get("server_order", {}), "policy.server_order", lambda v, at: items(v, at, text))
    return WordPolicy(
        routing=chosen,
        sequencing=order,
        holding=holding(text(found.get("holding", NONE.name), "policy.holding")),
        details={key: detail for key, detail in read.items() if detail is not None},
        server_order=servers or None,
    )


def _check_keys(found: Mapping[str, object], chosen: Routing, order: Sequencing) -> None:
    """Keys only where a word owns them."""
    for key, owner in owners(SEQUENCINGS).items():
        if key.name in found and key not in order.keys:
            raise Malformed(f"policy.{key.name}", f"sequencing {owner}", show(order.name))
    for key, owner in owners(ROUTINGS).items():
        if key.name in found and key not in chosen.keys:
            raise Malformed("policy", f"{key.name} only if the routing is {owner}", show(chosen.name))


def _default_routing(network: Network) -> str:
    if isinstance(network, RouteNetwork) and any(len(one.routes) != 1 for one in network.classes):
        raise Malformed("policy.routing", "a routing (some class has several routes)", "none")
    return FIXED.name


class _Reader:
    """The buffers of each server under a routing, all names by which a file may call them, and what is read by these."""

    def __init__(self, network: Network, chosen: Routing, number: Number) -> None:
        self.classes: tuple[JobClass, ...] = network.classes if isinstance(network, RouteNetwork) else ()
        self.number = number
        self.aliases: dict[str, str] = {}
        self.buffers: dict[str, dict[str, None]] = {}
        for activity in network.activities if isinstance(network, BufferNetwork) else ():
            self._add(activity.buffer, [], activity.server)
        for one in self.classes:
            for route in one.routes:
                for position, visit in enumerate(route.visits, start=1):
                    subserver = f"{one.name}.{route.name}.{position}"
                    short = [f"{one.name}.{position}"] if len(one.routes) == 1 else []
                    buffer = f"{one.name}@{visit.server}" if chosen.by_queues else subserver
                    self._add(buffer, [subserver, *short], visit.server)

    def _add(self, buffer: str, others: list[str], server: str) -> None:
        self.aliases.update(dict.fromkeys([buffer, *others], buffer))
        self.buffers.setdefault(server, {})[buffer] = None

    def buffer(self, value: object, place: str) -> str:
        written = text(value, place)
        if written not in self.aliases:
            raise Malformed(place, "a buffer of the network", show(written))
        return self.aliases[written]

    def orders(self, value: object, place: str) -> Orders:
        return mapping(value, place, lambda inner, at: items(inner, at, self.buffer))

    @property
    def names(self) -> Iterable[str]:
        return dict.fromkeys(self.aliases.values())

    def single_buffers(self) -> Orders:
        return {server: tuple(buffers) for server, buffers in self.buffers.items() if len(buffers) == 1}

    @property
    def default_sequencing(self) -> str | None:
        """non-idling where every server has one buffer, else none."""
        return NON_IDLING.name if all(len(buffers) == 1 for buffers in self.buffers.values()) else None

    # ---- functions
    def function(self, value: object, place: str) -> Function:
        if "pieces" in table(value, place):
            found = fields(value, place, ("pieces",))
            pieces = items(found["pieces"], f"{place}.pieces", self._piece)
            return Pieces(tuple({frozenset(piece.items()): piece for piece in reversed(pieces)}.values())[::-1])
        found = fields(value, place, ("template", "alpha", "beta", "gamma"))
        word(found["template"], f"{place}.template", ("explicit",))
        longest = max((len(route.visits) for one in self.classes for route in one.routes), default=0)
        most = max((len(one.routes) for one in self.classes), default=0)
        return Explicit(
            self._scale(found["alpha"], f"{place}.alpha", range(longest)),
            self._scale(found["beta"], f"{place}.beta", range(1, most + 1)),
            self._scale(found["gamma"], f"{place}.gamma", range(1, len(self.classes) + 1)),
        )

    def _scale(self, value: object, place: str, powers: range) -> tuple[Fraction, ...]:
        """A list of weights, or a number whose powers they are."""
        if isinstance(value, list):
            return items(value, place, self.number)
        base = self.number(value, place)
        result: list[Fraction] = []
        for power in powers:
            result.append(bounded(result[-1] * base if result else base**power, place))
        return tuple(result)

    def _piece(self, value: object, place: str) -> dict[str, Fraction]:
        return {buffer: weight for buffer, weight in self.weights(value, place).items() if weight != 0}

    def weights(self, value: object, place: str) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for key, weight in mapping(value, place, self.number).items():
            buffer = self.buffer(key, place)
            if buffer in found:
                raise Malformed(place, "every buffer once", show(buffer))
            found[buffer] = weight
        return found
