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

    def guard(self, place: Stream | Service, chosen: Destination, expansion: Expansion, normals: Normals) -> Guard:
        """X_chosen <= X_other for every other route of the class."""
        if isinstance(place, Service):
            return {}
        labels = [destination.label for destination in place.destinations]
        own = labels.index(chosen.label)
        return shortest(
            [_difference(place, own, other, expansion, normals) for other in range(len(labels)) if other != own]
        )


def _difference(stream: Stream, a: int, b: int, expansion: Expansion, normals: Normals) -> tuple[Normal, int]:
    """X_a − X_b up to sign: the route listed first comes first in the name."""
    first, second = (stream.destinations[i].label for i in sorted((a, b)))

    def form() -> LinearForm:
        members = (LinearForm.sum_of(expansion.route_members(stream.class_name, route)) for route in (first, second))
        return next(members) - next(members)

    return normals.get(f"route({stream.class_name}:{first} - {second})", form), 1 if a < b else -1
