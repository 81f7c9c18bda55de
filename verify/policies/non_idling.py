"""Sequencing ``non-idling``: any ready buffer, but never none (theory 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.network.expansion import Expansion
from verify.policies.rules import also
from verify.policies.static import StaticSequencing


@dataclass(frozen=True)
class NonIdling(StaticSequencing):
    """All buffers of a server are one group."""

    word = "non-idling"
    synonyms = also("work-conserving", "nonidling", "any", "all", "arbitrary")
    free: ClassVar[bool] = True

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """One group."""
        return (expansion.queue(server),)
