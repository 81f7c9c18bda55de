"""A routing, a sequencing and a holding, each chosen separately."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from verify.chain.components import Alternative, Component
from verify.chain.guards import Normals
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion, Split, buffer_graph
from verify.network.model import BufferNetwork, FunctionSpec, Network
from verify.network.names import Coordinates
from verify.policies.fixed import Fixed
from verify.policies.no_holding import NoHolding
from verify.policies.non_idling import NonIdling
from verify.policies.orders import orders_to_json
from verify.policies.policy import AtIntegers, Policy
from verify.policies.priority import Priority
from verify.policies.rules import NO_ORDERS, HoldingRule, Orders, RoutingRule, SequencingRule, Setting
from verify.policies.server_order import KEY, server_order_words
from verify.policies.serving import arrival_components


@dataclass(frozen=True)
class ComposedPolicy(Policy):
    """Routing, sequencing and holding, each chosen separately.

    ``server_order`` (buffer networks): buffer -> its servers, the first to take a job first; at a buffer left out it is free
    which of several servers takes a scarce job.
    """

    routing: RoutingRule = field(default_factory=Fixed)
    sequencing: SequencingRule = field(default_factory=NonIdling)
    holding: HoldingRule = field(default_factory=NoHolding)
    server_order: Orders = field(default_factory=lambda: NO_ORDERS)

    @property
    def choices(self) -> Mapping[str, str]:
        """The three words."""
        return {"routing": str(self.routing), "sequencing": str(self.sequencing), "holding": str(self.holding)}

    def to_json(self) -> dict[str, object]:
        """Words, their details, the server order."""
        rules = (self.routing, self.sequencing, self.holding)
        details = {key: value for rule in rules for key, value in rule.details().items()}
        return {**self.choices, **details, **orders_to_json(KEY, self.server_order)}

    def claim(self, network: Network, ties: str) -> str:
        """Details in full; who takes a job that several servers could take."""
        words = (
            f"routing {self.routing.claim(ties)}, sequencing {self.sequencing.claim(network)}, "
            f"holding {self.holding.claim()}{self.sequencing.addition(network)}"
        )
        return words + server_order_words(self.server_order, self.expansion(network))

    def scope(self, network: Network, ties: str) -> str:
        """In a buffer network nothing is routed."""
        if not network.has_routes:
            return "its activities in any order"
        return f"routing {self.routing.claim(ties)} and any sequencing and holding"

    def choice_words(self, options: Mapping[str, str]) -> str:
        """As the routing."""
        return f"{self.routing.chooses} {', '.join(f'{label} ({name})' for label, name in options.items())}"

    def coordinates(self, network: Network) -> Coordinates:
        """As the routing says; a buffer network counts its buffers."""
        return self.routing.coordinates if network.has_routes else Coordinates.BUFFERS

    def expansion(self, network: Network) -> Expansion:
        """As the routing says; a buffer network is its own."""
        return buffer_graph(network) if isinstance(network, BufferNetwork) else self.routing.expansion(network)

    def components(
        self, expansion: Expansion, normals: Normals, dominance: PiecewiseLinear | None
    ) -> tuple[Component, ...]:
        """Streams as the routing says, servers as the sequencing says."""
        readiness = self.holding.readiness(expansion, normals)
        setting = Setting(expansion, normals, readiness, self.routing, self.server_order, dominance)
        return (*arrival_components(self.routing, expansion, normals), *self.sequencing.components(setting))

    def at_integers(self, expansion: Expansion, normals: Normals) -> Callable[[Alternative], AtIntegers]:
        """The buffer served is not empty and not held."""
        readiness = self.holding.readiness(expansion, normals)

        def read(alternative: Alternative) -> AtIntegers:
            k, group = alternative.serves, alternative.decision or alternative
            if k is None:
                return AtIntegers((), (), group)
            surplus = readiness.surplus(k)
            return AtIntegers((LinearForm.unit(k), *([] if surplus is None else [surplus.form])), (), group)

        return read

    @property
    def is_preset(self) -> bool:
        """It is none."""
        return False

    @property
    def by_state(self) -> bool:
        """As the routing."""
        return self.routing.by_state

    @property
    def holds(self) -> bool:
        """As the holding."""
        return self.holding.holds

    @property
    def work_conserving(self) -> bool:
        """As the sequencing."""
        return self.sequencing.work_conserving

    @property
    def static(self) -> bool:
        """As the sequencing."""
        return self.sequencing.static

    @property
    def compares(self) -> bool:
        """As the sequencing."""
        return self.sequencing.compares

    @property
    def follows_pieces(self) -> bool:
        """As the sequencing."""
        return self.sequencing.follows_pieces

    @property
    def free(self) -> bool:
        """As the sequencing."""
        return self.sequencing.free

    @property
    def remembers(self) -> bool:
        """As the sequencing."""
        return self.sequencing.remembers

    @property
    def rate_free(self) -> bool:
        """As the sequencing."""
        return self.sequencing.rate_free

    @property
    def split(self) -> Split | None:
        """As the routing."""
        return self.routing.split

    @property
    def orders(self) -> Orders:
        """As the sequencing."""
        return self.sequencing.orders

    @property
    def dominance_function(self) -> FunctionSpec | None:
        """As the sequencing."""
        return self.sequencing.dominance_function

    @property
    def tie_order(self) -> Orders:
        """As the sequencing."""
        return self.sequencing.tie_order

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """As the sequencing."""
        return self.sequencing.groups(server, expansion)


def with_priority(policy: Policy, priority: Orders) -> Policy:
    """One policy of a free class: this priority in place of the free choice."""
    return dataclasses.replace(composed(policy), sequencing=Priority(priority))


def with_server_order(policy: Policy, more: Orders) -> Policy:
    """One policy of a class: these orders of servers too."""
    parts = composed(policy)
    return dataclasses.replace(parts, server_order={**parts.server_order, **more})


def with_dominance(policy: Policy, function: FunctionSpec, tie_order: Orders) -> Policy:
    """A policy that follows pieces, with this dominance function and tie order."""
    parts = composed(policy)
    return dataclasses.replace(parts, sequencing=parts.sequencing.following(function, tie_order))


def non_idling(policy: Policy) -> Policy:
    """All non-idling policies, with the same routing and holding."""
    return dataclasses.replace(composed(policy), sequencing=NonIdling())


def composed(policy: Policy) -> ComposedPolicy:
    """The policy, if it is put together from parts.  Raises ``ValueError``."""
    if not isinstance(policy, ComposedPolicy):
        raise ValueError("a preset has no sequencing of its own")
    return policy
