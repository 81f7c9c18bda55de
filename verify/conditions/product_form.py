"""Exact means by product form (theory 13.7): placeholder until the prover is merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.proof import Proof
from verify.linear_form import LinearForm


@dataclass(frozen=True)
class ProductForm(Proof):
    """E of·X."""

    of: LinearForm
    mean: Fraction
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
