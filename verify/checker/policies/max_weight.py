"""`max-weight`: a ready buffer with the largest weight * rate * jobs (FORMAT.md sections 3.3, 5 and 8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.data import Numbers
from verify.checker.core.errors import require
from verify.checker.core.forms import Family, form
from verify.checker.core.state import Service, State
from verify.checker.core.values import mapping, number
from verify.checker.policies.key import AnyKey, Details, FileReader, Key, Need
from verify.checker.policies.orders import same_keys
from verify.checker.policies.sequencing import Comparing, buffer_family
from verify.checker.policies.walk import Walk


def _read(value: object, place: str) -> Numbers:
    return mapping(value, place, number)


def _read_file(reader: FileReader, found: Mapping[str, object]) -> Numbers | None:
    """A buffer left out weighs 1."""
    if "buffer_weights" not in found:
        return None
    given = reader.weights(found["buffer_weights"], "policy.buffer_weights")
    return {name: given.get(name, Fraction(1)) for name in reader.names}


BUFFER_WEIGHTS = Key("buffer_weights", _read, _read_file, Need.OPTIONAL)


@dataclass(frozen=True)
class MaxWeight(Comparing):
    """c_K mu_K x_K >= c_L mu_L x_L for every other L of the server."""

    name: str = "max-weight"
    keys: ClassVar[tuple[AnyKey, ...]] = (BUFFER_WEIGHTS,)

    def check_details(self, details: Details, state: State) -> None:
        """A positive weight for every buffer.

        Sound because section 8 compares exactly these products, and a difference of two of them is then no zero form.
        """
        given = BUFFER_WEIGHTS.of(details)
        if given is not None:
            same_keys("policy", "buffer_weights", given, state.names)
            for name, weight in given.items():
                require(weight > 0, "policy", f"buffer_weights, {name}", weight, "> 0")

    def family(self, walk: Walk, server: str) -> Family:
        """The weights."""
        weights = [form({one.buffer: self.job(walk, one)}) for one in walk.state.services_of(server)]
        return buffer_family(walk, f"weight({server}: ", server, weights)

    def job(self, walk: Walk, service: Service) -> Fraction:
        """c_K mu_K."""
        given = BUFFER_WEIGHTS.of(walk.details) or {}
        return given.get(walk.state.names[service.buffer], Fraction(1)) * service.rate

    def phrase(self, details: Details, state: State) -> str:
        """With all weights, buffers in alphabetical order."""
        given = sorted((BUFFER_WEIGHTS.of(details) or {}).items())
        weights = ", ".join(f"{name} {weight}" for name, weight in given)
        return f"{self.name} (weights {weights})" if weights else self.name


MAX_WEIGHT = MaxWeight()
