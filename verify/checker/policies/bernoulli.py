"""`bernoulli`: each arrival chooses its route with given probabilities (FORMAT.md sections 3.2 and 8.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.components import Alternative, Component, plain_component
from verify.checker.core.data import Numbers, RouteNetwork
from verify.checker.core.errors import require
from verify.checker.core.forms import Form, form
from verify.checker.core.state import Stream
from verify.checker.core.values import mapping, number
from verify.checker.core.work import exact_sum
from verify.checker.policies.key import AnyKey, Details, FileReader, Key
from verify.checker.policies.orders import same_keys
from verify.checker.policies.routing import Routing
from verify.checker.policies.walk import Walk

Splits = Mapping[str, Numbers]


def _read(value: object, place: str) -> Splits:
    """`{class: {route: probability}}`."""
    return mapping(value, place, lambda inner, at: mapping(inner, at, number))


def _read_file(reader: FileReader, found: Mapping[str, object]) -> Splits:
    """The same; a class with one route may be left out."""
    place = "policy.probabilities"
    given = mapping(found.get("probabilities", {}), place, lambda inner, at: mapping(inner, at, reader.number))
    return {one.name: {one.routes[0].name: Fraction(1)} for one in reader.classes if len(one.routes) == 1} | given


PROBABILITIES = Key("probabilities", _read, _read_file)


@dataclass(frozen=True)
class Bernoulli(Routing):
    """Arrivals are split."""

    name: str = "bernoulli"
    keys: ClassVar[tuple[AnyKey, ...]] = (PROBABILITIES,)
    static: ClassVar[bool] = True

    def check_details(self, details: Details, network: RouteNetwork) -> None:
        """Every class, every route, p > 0, sum 1."""
        given = PROBABILITIES.of(details) or {}
        same_keys("policy", "probabilities", given, [job_class.name for job_class in network.classes])
        for job_class in network.classes:
            split, where = given[job_class.name], f"probabilities of class {job_class.name}"
            same_keys("policy", where, split, [route.name for route in job_class.routes])
            for route, probability in split.items():
                require(probability > 0, "policy", f"{where}, route {route}", probability, "> 0")
            total = exact_sum(split.values(), "probabilities")
            require(total == 1, "policy", f"sum of {where}", total, 1)

    def share(self, details: Details, job_class: str, route: str) -> Fraction | None:
        """The given probability."""
        return (PROBABILITIES.of(details) or {})[job_class][route]

    def arrivals(self, walk: Walk, number: int) -> Component:
        """One alternative, with a jump for each route."""
        stream = walk.state.streams[number]
        split = [(None, e.buffer, stream.rate * (e.probability or 0)) for e in stream.entries]
        return plain_component(stream.name, "", [Alternative(f"{stream.name} / split", (), walk.drifts.number(split))])

    def entry_value(self, stream: Stream, workload: Form) -> Fraction:
        """The mean over the routes."""
        return form({entry.buffer: entry.probability or Fraction(0) for entry in stream.entries}).dot(workload)

    def phrase(self, details: Details, uniform: bool) -> str:
        """With all probabilities, classes and routes in alphabetical order."""
        splits = (f"{name}: {_phrase(split)}" for name, split in sorted((PROBABILITIES.of(details) or {}).items()))
        return f"{self.name} ({'; '.join(splits)})"


def _phrase(split: Numbers) -> str:
    return ", ".join(f"{route} {probability}" for route, probability in sorted(split.items()))


BERNOULLI = Bernoulli()
