"""Sequencing ``back-pressure``: the buffer with the largest pressure, if that is not negative (theory 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.chain.components import Component
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.policies.comparing import ComparingSequencing
from verify.policies.rules import Setting, also


@dataclass(frozen=True)
class BackPressure(ComparingSequencing):
    """A server idles where all pressures are negative, whatever is ready; at 0 it works."""

    word = "back-pressure"
    synonyms = also("max-pressure", "maxpressure")
    work_conserving: ClassVar[bool] = False
    rate_free: ClassVar[bool] = False

    def rank(self, service: Service) -> LinearForm:
        """The pressure p_K = μ_K (x_K − Σ_next probability · x_next)."""
        onward = LinearForm(service.destinations[0].distribution)
        return service.rate * (-onward + LinearForm.unit(service.buffer))

    def least(self, service: Service) -> LinearForm:
        """The pressure."""
        return self.rank(service)

    def worth(self, service: Service) -> Fraction:
        """μ_K, also where a job may come back to its buffer."""
        return service.rate

    def difference_name(self, server: str, pair: str) -> str:
        """With the server, whose rates are in it."""
        return f"pressure({server}: {pair})"

    def components(self, setting: Setting) -> tuple[Component, ...]:
        """Raises ``NotWalked`` where a job may choose its next server, so that there is no one pressure."""
        if any(len(service.destinations) > 1 for service in setting.expansion.services):
            raise NotWalked("back-pressure where a buffer has several possible next servers")
        return super().components(setting)
