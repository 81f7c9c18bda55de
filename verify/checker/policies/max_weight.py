"""`max-weight`: a ready buffer with the largest rate * jobs (FORMAT.md sections 3.3, 5 and 8.5)."""

from __future__ import annotations

from dataclasses import dataclass

from verify.checker.core.forms import Family, form
from verify.checker.policies.sequencing import Comparing, buffer_family
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class MaxWeight(Comparing):
    """mu_K x_K >= mu_L x_L for every other L of the server."""

    name: str = "max-weight"

    def family(self, walk: Walk, server: str) -> Family:
        """The weights."""
        weights = [form({service.buffer: service.rate}) for service in walk.state.services_of(server)]
        return buffer_family(walk, f"weight({server}: ", server, weights)


MAX_WEIGHT = MaxWeight()
