"""Sequencing ``fifo``: first in, first out at every server; its state is more than the numbers of jobs (theory 1.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.network.expansion import Expansion
from verify.network.model import Network
from verify.policies.rules import also
from verify.policies.static import StaticSequencing


@dataclass(frozen=True)
class FirstInFirstOut(StaticSequencing):
    """Walked as one of the non-idling policies."""

    word = "fifo"
    synonyms = also("fcfs", "first-come-first-served", "first-in-first-out", "fifs")
    remembers: ClassVar[bool] = True

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """One group: as to numbers of jobs, any buffer may be served."""
        return (expansion.queue(server),)

    def claim(self, network: Network) -> str:
        """What is proved is proved for all non-idling policies."""
        return "non-idling (fifo is one of the adapted ones)"
