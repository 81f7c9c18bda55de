"""`fbfs` and `lbfs`: first, or last, buffer first served: by position on the route (FORMAT.md sections 3.3 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.checker.core.errors import require
from verify.checker.core.state import State
from verify.checker.policies.key import Details
from verify.checker.policies.sequencing import Grouped


@dataclass(frozen=True)
class ByPosition(Grouped):
    """A group for each position, in order of sign * position."""

    sign: int

    def check_state(self, state: State) -> None:
        """Every buffer has one position on all routes through it (none in buffer networks)."""
        for buffer, positions in zip(state.names, state.positions, strict=True):
            require(len(positions) == 1, "policy", f"{self.name}, positions of {buffer}", positions, "one")

    def rank(self, details: Details, state: State, server: str) -> Mapping[int, int]:
        """By position."""
        return {k: self.sign * min(state.positions[k]) for k in state.buffers_of(server)}


FBFS, LBFS = ByPosition("fbfs", 1), ByPosition("lbfs", -1)
