"""`weighted-route`: each arrival joins the route with the least sum of weight * jobs (FORMAT.md sections 3.2 and 8.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import ClassVar

from verify.checker.core.components import Guard
from verify.checker.core.data import Numbers, RouteNetwork
from verify.checker.core.errors import require
from verify.checker.core.forms import Family, Form, form
from verify.checker.core.values import mapping, number
from verify.checker.policies.key import AnyKey, Details, FileReader, Key
from verify.checker.policies.orders import same_keys
from verify.checker.policies.routing import Routing, ties_phrase
from verify.checker.policies.walk import Walk


def _read(value: object, place: str) -> Numbers:
    return mapping(value, place, number)


def _read_file(reader: FileReader, found: Mapping[str, object]) -> Numbers | None:
    """A subserver left out weighs 1."""
    if "route_weights" not in found:
        return None
    given = reader.weights(found["route_weights"], "policy.route_weights")
    return {name: given.get(name, Fraction(1)) for name in reader.names}


ROUTE_WEIGHTS = Key("route_weights", _read, _read_file)


@dataclass(frozen=True)
class WeightedRoute(Routing):
    """W_R <= W_S for every other route S."""

    name: str = "weighted-route"
    keys: ClassVar[tuple[AnyKey, ...]] = (ROUTE_WEIGHTS,)

    def check_details(self, details: Details, network: RouteNetwork) -> None:
        """A positive weight for every subserver.

        Sound because section 8 compares exactly these sums, and a difference of two routes is then no zero form.
        """
        given = ROUTE_WEIGHTS.of(details) or {}
        routes = [(one.name, route) for one in network.classes for route in one.routes]
        names = [f"{one}.{route.name}.{at}" for one, route in routes for at in range(1, len(route.visits) + 1)]
        same_keys("policy", "route_weights", given, names)
        for name, weight in given.items():
            require(weight > 0, "policy", f"route_weights, {name}", weight, "> 0")

    def entry_guards(self, walk: Walk, number: int) -> Iterator[Guard]:
        """Sound because a uniform split at a tie is a mixture of the alternatives whose guards hold there."""
        stream = walk.state.streams[number]
        labels = [entry.label for entry in stream.entries]
        family = Family(f"work({stream.job_class}:", labels, _sums(walk, number), walk.guards.normals, uniform=True)
        routes = range(len(labels))
        return (tuple(family.at_least(other, own) for other in routes if other != own) for own in routes)

    def phrase(self, details: Details, uniform: bool) -> str:
        """With all weights, subservers in alphabetical order, and how ties are split."""
        weights = ", ".join(f"{name} {weight}" for name, weight in sorted((ROUTE_WEIGHTS.of(details) or {}).items()))
        return ties_phrase(self.name, uniform, f"weights {weights}; ")


def _sums(walk: Walk, number: int) -> list[Form]:
    """W_R of each route: the weights of the class as coprime integers.

    Sound because one positive factor for all routes of a class changes no comparison.
    """
    weights, names, spans = ROUTE_WEIGHTS.of(walk.details) or {}, walk.state.names, walk.state.routes[number]
    whole = form({k: weights[names[k]] for span in spans for k in span}).entries
    shared = gcd(*whole.values())
    return [Form(1, {k: whole[k] // shared for k in span}) for span in spans]


WEIGHTED_ROUTE = WeightedRoute()
