"""`longest-queue`, and `longest-duplicate` on route expansions: a ready buffer with the most jobs (FORMAT.md 3.3, 5, 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.forms import Family, count
from verify.checker.policies.sequencing import Comparing, buffer_family
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class LongestQueue(Comparing):
    """x_K >= x_L for every other L of the server."""

    name: str = "longest-queue"

    def family(self, walk: Walk, server: str) -> Family:
        """The lengths."""
        return buffer_family(walk, "length(", server, [count([k]) for k in walk.state.buffers_of(server)])


@dataclass(frozen=True)
class LongestDuplicate(LongestQueue):
    """The same of the duplicates of a queue, one for each class, route and position."""

    name: str = "longest-duplicate"
    on_routes: ClassVar[bool] = True


LONGEST_QUEUE, LONGEST_DUPLICATE = LongestQueue(), LongestDuplicate()
