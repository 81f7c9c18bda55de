"""Sequencings ``longest-queue`` and ``longest-duplicate``: the buffer with most jobs (theory 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.network.names import Coordinates
from verify.policies.comparing import ComparingSequencing
from verify.policies.rules import also


@dataclass(frozen=True)
class LongestQueue(ComparingSequencing):
    """The largest x_K."""

    word = "longest-queue"
    synonyms = also("lqf", "longest", "longest-queue-first", "longest-first")

    def rank(self, service: Service) -> LinearForm:
        """x_K."""
        return LinearForm.unit(service.buffer)


@dataclass(frozen=True)
class LongestDuplicate(LongestQueue):
    """The same in a route expansion, whose buffers are duplicates."""

    word = "longest-duplicate"
    synonyms = also()
    defined_on: ClassVar[frozenset[Coordinates]] = frozenset({Coordinates.SUBSERVERS})
