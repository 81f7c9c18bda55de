"""Routing ``bernoulli``: a job of a class takes a route at random, with fixed probabilities (theory 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar

from verify.network.expansion import Split
from verify.network.fields import Field, Table
from verify.network.messages import listed, shown_number
from verify.network.model import JobClass, Network
from verify.network.names import Coordinates
from verify.network.write import numbers_to_json
from verify.policies.orders import check_keys
from verify.policies.rules import RoutingRule, also


@dataclass(frozen=True)
class Bernoulli(RoutingRule):
    """``probabilities``: class -> route -> probability > 0, for every class."""

    word = "bernoulli"
    keys: ClassVar[tuple[str, ...]] = ("probabilities",)
    synonyms = also(
        "random", "probabilistic", "split", "markov", cure='write "bernoulli", with [policy.probabilities]'
    )  # fmt: skip

    probabilities: Split

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> Bernoulli:
        """A class with one route may be left out."""
        field = table.get("probabilities", {})
        entries = field.entries('a table like { c1 = { r1 = "1/2", r2 = "1/2" } }')
        check_keys(entries, "classes", [job_class.name for job_class in network.classes])
        found: dict[str, Mapping[str, Fraction]] = {}
        for job_class in network.classes:
            if job_class.name in entries or len(job_class.routes) > 1:
                found[job_class.name] = _split(entries.get(job_class.name), field, job_class)
            else:
                found[job_class.name] = MappingProxyType({job_class.routes[0].name: Fraction(1)})
        return cls(MappingProxyType(found))

    def details(self) -> dict[str, object]:
        """The probabilities by class."""
        return {"probabilities": {name: numbers_to_json(split) for name, split in self.probabilities.items()}}

    @property
    def split(self) -> Split:
        """The probabilities."""
        return self.probabilities

    def claim(self, ties: str) -> str:
        """All probabilities; there are no ties."""
        splits = (f"{name}: {_words(split)}" for name, split in sorted(self.probabilities.items()))
        return f"{self.word} ({'; '.join(splits)})"


def _words(split: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{route} {probability}" for route, probability in sorted(split.items()))


def _split(field: Field | None, parent: Field, job_class: JobClass) -> Mapping[str, Fraction]:
    routes = [route.name for route in job_class.routes]
    every = f"a probability for each of the routes {listed(routes)}"
    if field is None:
        raise parent.child(job_class.name, None).refused(every, found="nothing")
    entries = field.entries('a table like { r1 = "1/2", r2 = "1/2" }')
    check_keys(entries, "routes", routes)
    missing = [route for route in routes if route not in entries]
    if missing:
        raise field.refused(every, found=f"none for {listed(missing)}")
    split = {route: entries[route].probability() for route in routes}
    total = sum(split.values(), Fraction(0))
    if total != 1:
        raise field.refused("probabilities with sum 1", found=f"the sum {shown_number(total)}")
    return MappingProxyType(split)
