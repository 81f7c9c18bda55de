"""What a routing word says, with defaults (FORMAT.md sections 3.2, 4.1, 8.4, 9 and 24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.components import Alternative, Component, Guard, plain_component
from verify.checker.core.data import BufferNetwork, Network, RouteNetwork
from verify.checker.core.forms import Form
from verify.checker.core.state import State, Stream, buffer_state, expansion, queue_state
from verify.checker.policies.key import AnyKey, Details
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class Routing:
    """A routing word, by its name; one that no room knows is one of this class (rule **policy** rejects it).

    keys: what it owns in a policy. static: it depends on nothing (rule **faces-policy**). by_queues: buffers are classes
    at servers, not subservers of routes. for_buffers: it is for buffer networks too.
    """

    name: str
    keys: ClassVar[tuple[AnyKey, ...]] = ()
    static: ClassVar[bool] = False
    by_queues: ClassVar[bool] = False
    for_buffers: ClassVar[bool] = False

    # ---- what it asks
    def check_network(self, network: RouteNetwork) -> None:
        """**policy**: the word is defined on this network."""

    def check_details(self, details: Details, network: RouteNetwork) -> None:
        """**policy**: its own keys, which are given, speak of this network."""

    # ---- the walk
    def state(self, network: Network, details: Details) -> State:
        """The coordinates (section 4.1)."""
        if isinstance(network, BufferNetwork):
            return buffer_state(network)
        if self.by_queues:
            return queue_state(network)
        return expansion(network, lambda job_class, route: self.share(details, job_class, route))

    def share(self, details: Details, job_class: str, route: str) -> Fraction | None:
        """The probability of a route; None where routes are chosen otherwise."""
        return None

    def arrivals(self, walk: Walk, number: int) -> Component:
        """The component of the stream of this number: an alternative for each way in."""
        stream = walk.state.streams[number]
        alternatives = [
            Alternative(
                f"{stream.name} / {entry.label}",
                walk.guards.listed(guard),
                walk.drifts.number([(None, entry.buffer, stream.rate)]),
            )
            for entry, guard in zip(stream.entries, self.entry_guards(walk, number), strict=True)
        ]
        return plain_component(stream.name, "", alternatives)

    def entry_guards(self, walk: Walk, number: int) -> Iterator[Guard]:
        """Where each way into the stream of this number is taken."""
        return (() for _ in walk.state.streams[number].entries)

    def entry_value(self, stream: Stream, workload: Form) -> Fraction:
        """**N-load**: what an arrival adds to the workload, at least."""
        return Fraction(min(workload.entries.get(entry.buffer, 0) for entry in stream.entries), workload.denominator)

    # ---- words
    def phrase(self, details: Details, uniform: bool) -> str:
        """The word in a claim; `uniform`: ties are split uniformly."""
        return self.name


def ties_phrase(name: str, uniform: bool, more: str = "") -> str:
    """A word that compares, with what it is told, and how its ties are split."""
    return f"{name} ({more}ties {'split uniformly' if uniform else 'in any way'})"
