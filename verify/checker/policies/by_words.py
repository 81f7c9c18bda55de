"""A policy by its words: routing, sequencing, holding, and who takes a job of a shared buffer (FORMAT.md sections 3 and 6)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.components import Component, Drifts
from verify.checker.core.data import BufferNetwork, Network, Orders
from verify.checker.core.errors import Rejected, require
from verify.checker.core.forms import Form
from verify.checker.core.guards import Guards
from verify.checker.core.policy import Groups, Policy
from verify.checker.core.state import State, Stream
from verify.checker.policies.holding import Holding
from verify.checker.policies.key import Details
from verify.checker.policies.priority import BY_PRIORITY, PRIORITY
from verify.checker.policies.registry import HOLDINGS, ROUTINGS, SEQUENCINGS, owners
from verify.checker.policies.routing import Routing
from verify.checker.policies.sequencing import Sequencing
from verify.checker.policies.sharing import check_server_order, server_order_phrase, sharing
from verify.checker.policies.walk import Walk

KeyWord = Routing | Sequencing


@dataclass(frozen=True)
class WordPolicy(Policy):
    """Three words; `details`: what their keys say."""

    routing: Routing
    sequencing: Sequencing
    holding: Holding
    details: Details
    server_order: Orders | None = None

    # ---- rules
    def check_network(self, network: Network) -> None:
        """Sound because section 8 defines the routing's alternatives only under these requirements."""
        word = self.routing
        _check_known("routing", word, ROUTINGS)
        if isinstance(network, BufferNetwork):
            require(word.for_buffers, "policy", "routing of a buffer network", word.name, "fixed")
        else:
            word.check_network(network)
        self._check_keys("routing", word, ROUTINGS, "")
        if not isinstance(network, BufferNetwork):
            word.check_details(self.details, network)

    def check_state(self, state: State, condition: str) -> None:
        """Sound because F, S, H and U bound the alternatives of exactly these words; N every activity whatever the order."""
        word = self.sequencing
        _check_known("sequencing", word, SEQUENCINGS)
        _check_known("holding", self.holding, HOLDINGS)
        word.check_state(state)
        self._check_keys("sequencing", word, SEQUENCINGS, condition)
        word.check_details(self.details, state)
        if self.server_order is not None:
            check_server_order("policy", "server_order", self.server_order, state)
        admitted = word.in_cells or condition not in ("corrected", "growth")
        require(admitted, "policy", f"sequencing (condition {condition})", word.name, "another one")
        if condition != "capacity":
            word.check_walked(state)
            self.holding.check(state, word.comparing)

    def _check_keys(self, kind: str, chosen: KeyWord, words: Sequence[KeyWord], condition: str) -> None:
        for key, owner in owners(words).items():
            key.check_given(f"{kind} {owner}", key in chosen.keys, self.details, condition)

    def check_cells(self, state: State, where: str) -> None:
        """A shared buffer only without holding, and with a sequencing by groups.

        Sound because only there `spare` and `least` say what a server may do at few jobs.
        """
        by_groups = self.groups(state) is not None
        for k in sharing(state, self.server_order).servers:
            at = f"{where}, {state.names[k]} with several servers"
            require(not self.holding.holds, "shared-buffer", at, f"holding {self.holding.name}", "none")
            require(by_groups, "shared-buffer", at, f"sequencing {self.sequencing.name}", "priority or non-idling")

    def check_faces(self, state: State) -> Groups:
        """Fixed or bernoulli routing, one server for each buffer, no holding, sequencing by groups.

        Sound because only then the alternatives at x depend on nothing but each server's highest busy group.
        """
        static, groups = self.routing.static, self.groups(state)
        require(static, "faces-policy", "routing", self.routing.name, "fixed or bernoulli")
        for k, name in enumerate(state.names):
            servers = [service.server for service in state.services_at(k)]
            require(len(servers) == 1, "faces-policy", f"servers of {name}", servers, "one")
        require(not self.holding.holds, "faces-policy", "holding", self.holding.name, "none")
        if groups is None:
            raise Rejected("faces-policy", "sequencing", self.sequencing.name, "priority, fbfs, lbfs or non-idling")
        return groups

    def check_product(self, state: State) -> None:
        """Fixed or bernoulli routing, a server for each buffer and a buffer for each server, which never idles beside it.

        Sound because buffer K then loses jobs at rate mu_K wherever x_K >= 1, and where they go depends on nothing: Jackson's
        network [Jackson 1957].
        """
        require(self.routing.static, "product-form", "routing", self.routing.name, "fixed or bernoulli")
        for k, name in enumerate(state.names):
            servers = [service.server for service in state.services_at(k)]
            require(len(servers) == 1, "product-form", f"servers of {name}", servers, "one")
        for server in state.busy_servers():
            buffers = [state.names[k] for k in state.buffers_of(server)]
            require(len(buffers) == 1, "product-form", f"buffers of server {server}", buffers, "one")
        require(not self.holding.holds, "product-form", "holding", self.holding.name, "none")
        word = self.sequencing
        require(word.works_alone, "product-form", "sequencing", word.name, "one that never idles beside a job")

    # ---- the walk
    def state(self, network: Network, condition: str) -> State:
        """As the routing says."""
        return self.routing.state(network, self.details)

    def groups(self, state: State) -> Groups | None:
        """For a sequencing by groups."""
        return self.sequencing.groups(self.details, state)

    def pieces(self, state: State) -> tuple[Form, ...]:
        """Those of the sequencing."""
        return self.sequencing.pieces(self.details, state)

    def components(self, state: State, guards: Guards, drifts: Drifts, pieces: tuple[Form, ...]) -> list[Component]:
        """Arrivals, as the routing says; then servers, as the sequencing says."""
        groups = self.groups(state)
        shared = sharing(state, self.server_order, groups)
        walk = Walk(state, guards, drifts, self.details, self.holding, shared, groups, pieces)
        arrivals = [self.routing.arrivals(walk, number) for number in range(len(state.streams))]
        return arrivals + self.sequencing.components(walk)

    def entry_value(self, stream: Stream, workload: Form) -> Fraction:
        """As the routing says."""
        return self.routing.entry_value(stream, workload)

    # ---- words
    def scope(self, network: Network) -> str:
        """The routing alone, whatever the servers do."""
        if isinstance(network, BufferNetwork):
            return "its activities in any order"
        return f"routing {self.routing.phrase(self.details, uniform=False)} and any sequencing and holding"

    def phrase(self, state: State, uniform: bool) -> str:
        """The words, what their keys say, the order of servers."""
        routing, sequencing = self.routing.phrase(self.details, uniform), self.sequencing.phrase(self.details, state)
        words = f"routing {routing}, sequencing {sequencing}, holding {self.holding.phrase()}"
        added = (self.sequencing.addition(self.details, state), server_order_phrase(state, self.server_order))
        return ", ".join(filter(None, (words, *added)))

    # ---- other policies
    def with_priority(self, order: Orders) -> WordPolicy:
        """The same with sequencing `priority`."""
        return dataclasses.replace(self, sequencing=BY_PRIORITY, details={**self.details, PRIORITY.name: order})

    def with_server_order(self, orders: Orders) -> WordPolicy:
        """The same with these orders of servers besides."""
        return dataclasses.replace(self, server_order={**(self.server_order or {}), **orders})


def _check_known(kind: str, word: KeyWord | Holding, words: Sequence[KeyWord | Holding]) -> None:
    """A word that is defined."""
    names = tuple(known.name for known in words)
    require(word.name in names, "policy", kind, word.name, names)
