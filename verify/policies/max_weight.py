"""Sequencing ``max-weight``: the buffer with the largest c_K μ_K x_K (theory 1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar

from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.network.fields import Table
from verify.network.model import Network
from verify.network.names import Coordinates
from verify.network.read_function import read_positive_weights
from verify.network.write import numbers_to_json
from verify.policies.comparing import ComparingSequencing


@dataclass(frozen=True)
class MaxWeight(ComparingSequencing):
    """Numbers of jobs weighted by the rates of the server.

    ``buffer_weights``: buffer -> c_K > 0, for every buffer, in the order of the coordinates; empty: c = 1.
    """

    word = "max-weight"
    keys: ClassVar[tuple[str, ...]] = ("buffer_weights",)
    rate_free: ClassVar[bool] = False

    buffer_weights: Mapping[str, Fraction] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> MaxWeight:
        """Without the table all weights are 1; a buffer left out of it weighs 1."""
        if "buffer_weights" not in table:
            return cls()
        return cls(read_positive_weights(table.entries["buffer_weights"], network, coordinates))

    def details(self) -> dict[str, object]:
        """All weights, if there are any."""
        return {"buffer_weights": numbers_to_json(self.buffer_weights)} if self.buffer_weights else {}

    def rank(self, service: Service) -> LinearForm:
        """c_K μ_K x_K."""
        weights = tuple(self.buffer_weights.values())
        weight = weights[service.buffer] if weights else Fraction(1)
        return weight * service.rate * LinearForm.unit(service.buffer)

    def difference_name(self, server: str, pair: str) -> str:
        """With the server, whose rates are in it."""
        return f"weight({server}: {pair})"

    def claim(self, network: Network) -> str:
        """With all weights, in alphabetical order."""
        weights = ", ".join(f"{name} {weight}" for name, weight in sorted(self.buffer_weights.items()))
        return f"{self.word} (weights {weights})" if weights else self.word
