"""A proof by condition N (theory 7): the least possible load is at least 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.capacity import Capacity, cures
from verify.conditions.condition import Condition
from verify.network.model import Instance
from verify.proof.base import Proof, Scope
from verify.proof.encode import numbers
from verify.proof.words import capacity_words


@dataclass(frozen=True)
class CapacityProof(Proof):
    """ρ* >= 1 with prices and potentials."""

    instance: Instance
    capacity: Capacity
    condition: Condition = Condition.CAPACITY
    epsilon: Fraction | None = None

    @property
    def measure(self) -> tuple[str, Fraction]:
        """The load."""
        return "load", self.capacity.load

    @property
    def scope(self) -> Scope:
        """Whatever the servers do."""
        return Scope.ROUTING

    def claim(self) -> str:
        """With the load in it."""
        return capacity_words(self.instance, self.capacity.load)

    def evidence(self) -> dict[str, Any]:
        """Prices of servers and potentials of buffers."""
        return {"prices": numbers(self.capacity.prices), "potentials": numbers(self.capacity.potentials)}

    def summary(self) -> Iterator[str]:
        """What would cure it."""
        found = cures(self.capacity)
        for cure in found:
            if cure.rate is not None:
                yield f"needed: server {cure.server} alone needs a rate above {cure.rate}"
            else:
                yield f"needed: server {cure.server} alone would have to be more than {cure.speed} times as fast"
        if not found:
            yield "needed: no single bottleneck server can cure this, several must be faster"
