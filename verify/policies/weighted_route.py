"""Routing ``weighted-route``: the route with the least weighted number of jobs on all of it (theory 1.5).

With a_k the mean service times it is the route with the least expected work before a job that joins it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.linear_form import LinearForm
from verify.network.expansion import Expansion
from verify.network.fields import Table
from verify.network.model import Network, RouteNetwork
from verify.network.names import Coordinates, subservers
from verify.network.read_function import read_positive_weights
from verify.network.write import numbers_to_json
from verify.policies.jsr import JoinShortestRoute
from verify.policies.rules import also

#: Of the weights of a class as coprime integers: the searches propose in floats, which end soon after.
_LARGEST = 10**300
_EXAMPLE = 'a table like { "a.r1.1" = "1/2" }: subserver -> weight'


@dataclass(frozen=True)
class WeightedRoute(JoinShortestRoute):
    """``route_weights``: subserver -> a_k > 0, for every subserver, in the order of the coordinates."""

    word = "weighted-route"
    keys: ClassVar[tuple[str, ...]] = ("route_weights",)
    synonyms = also(
        "least-expected-work", "weighted-jsr",
        cure='write "weighted-route", with mean service times in [policy.route_weights]',
    )  # fmt: skip
    chooses: ClassVar[str] = "the route with the least weighted number of jobs of"
    difference: ClassVar[str] = "work"

    route_weights: Mapping[str, Fraction]

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> WeightedRoute:
        """A subserver left out weighs 1; the table itself is needed."""
        field = table.need("route_weights", _EXAMPLE)
        weights = read_positive_weights(field, network, coordinates)
        if isinstance(network, RouteNetwork):
            for job_class in network.classes:
                own = (one.name for one in subservers(network) if one.class_name == job_class.name)
                if max(LinearForm((k, weights[name]) for k, name in enumerate(own)).coprime().values()) > _LARGEST:
                    what = f"weights of class {job_class.name} that are multiples, up to 10^300, of one number"
                    raise field.refused(what, "round them", "others")
        return cls(weights)

    def details(self) -> dict[str, object]:
        """All weights."""
        return {"route_weights": numbers_to_json(self.route_weights)}

    def length(self, class_name: str, route: str, expansion: Expansion) -> LinearForm:
        """W_r = Σ a_k x_k along the route, the weights of the class as coprime integers."""
        buffers = (k for k, buffer in enumerate(expansion.buffers) if buffer.class_name == class_name)
        weights = LinearForm((k, self.route_weights[expansion.names[k]]) for k in buffers).coprime()
        return LinearForm((k, weights[k]) for k in expansion.route_members(class_name, route))

    def claim(self, ties: str) -> str:
        """With all weights, in alphabetical order."""
        weights = ", ".join(f"{name} {weight}" for name, weight in sorted(self.route_weights.items()))
        return f"{self.word} (weights {weights}; ties {ties})"
