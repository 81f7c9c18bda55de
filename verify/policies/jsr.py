"""Routing ``jsr``, join the shortest route: the one with the fewest jobs on all of it (theory 1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.chain.guards import Guard, Normal, Normals
from verify.linear_form import LinearForm
from verify.network.expansion import Destination, Expansion, Service, Stream
from verify.policies.rules import RoutingRule, also, shortest


@dataclass(frozen=True)
class JoinShortestRoute(RoutingRule):
    """An arriving job compares the numbers of jobs on the routes of its class."""

    word = "jsr"
    synonyms = also("shortest-route", "join-the-shortest-route", "join-shortest-route")
    by_state: ClassVar[bool] = True
    chooses: ClassVar[str] = "the route with the fewest jobs of"
    #: How certificates call the difference of two lengths, which are integer forms.
    difference: ClassVar[str] = "route"

    def guard(self, place: Stream | Service, chosen: Destination, expansion: Expansion, normals: Normals) -> Guard:
        """X_chosen <= X_other for every other route of the class."""
        if isinstance(place, Service):
            return {}
        labels = [destination.label for destination in place.destinations]
        own = labels.index(chosen.label)
        others = [other for other in range(len(labels)) if other != own]
        return shortest([self._difference(place, own, other, expansion, normals) for other in others])

    def length(self, class_name: str, route: str, expansion: Expansion) -> LinearForm:
        """What is compared: X_r, the number of jobs on a route."""
        return LinearForm.sum_of(expansion.route_members(class_name, route))

    def _difference(self, stream: Stream, a: int, b: int, expansion: Expansion, normals: Normals) -> tuple[Normal, int]:
        """The difference of two lengths up to sign: the route listed first comes first in the name."""
        first, second = (stream.destinations[i].label for i in sorted((a, b)))

        def form() -> LinearForm:
            lengths = [self.length(stream.class_name, route, expansion) for route in (first, second)]
            return lengths[0] - lengths[1]

        return normals.get(f"{self.difference}({stream.class_name}:{first} - {second})", form), 1 if a < b else -1
