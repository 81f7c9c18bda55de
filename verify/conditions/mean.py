"""Bounds on a stationary mean (theory 13.5): placeholder until the prover is merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.proof import Proof
from verify.linear_form import LinearForm


@dataclass(frozen=True)
class MeanProof(Proof):
    """Bounds on E of·X."""

    of: LinearForm
    upper: Fraction | None
    lower: Fraction | None
    stability: Proof
    condition = Condition.FLUID

    def claim(self) -> str:
        """Placeholder."""
        return "BOUND: placeholder"

    def evidence(self) -> dict[str, Any]:
        """Placeholder."""
        return {}

    def summary(self) -> Iterator[str]:
        """Placeholder."""
        yield from ()
