"""Holding ``none``: a buffer with jobs is ready (theory 1.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.policies.rules import HoldingRule


@dataclass(frozen=True)
class NoHolding(HoldingRule):
    """K is ready iff x_K >= 1."""

    word = "none"
    holds: ClassVar[bool] = False
