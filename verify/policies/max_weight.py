"""Sequencing ``max-weight``: the buffer with the largest μ_K x_K (theory 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.policies.comparing import ComparingSequencing


@dataclass(frozen=True)
class MaxWeight(ComparingSequencing):
    """Numbers of jobs weighted by the rates of the server."""

    word = "max-weight"
    rate_free: ClassVar[bool] = False

    def rank(self, service: Service) -> LinearForm:
        """μ_K x_K."""
        return service.rate * LinearForm.unit(service.buffer)

    def difference_name(self, server: str, pair: str) -> str:
        """With the server, whose rates are in it."""
        return f"weight({server}: {pair})"
