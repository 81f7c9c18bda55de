"""`non-idling`: a server works while something is ready; `fifo` is walked as one of these (FORMAT.md sections 3.3 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.state import State
from verify.checker.policies.key import Details
from verify.checker.policies.sequencing import Grouped


@dataclass(frozen=True)
class NonIdling(Grouped):
    """One group."""

    name: str = "non-idling"
    priority_witness: ClassVar[bool] = True

    def rank(self, details: Details, state: State, server: str) -> Mapping[int, int]:
        """All equal."""
        return dict.fromkeys(state.buffers_of(server), 0)


@dataclass(frozen=True)
class Fifo(NonIdling):
    """One of the non-idling policies; its state is more than x, so no order is one of those called fifo."""

    name: str = "fifo"
    priority_witness: ClassVar[bool] = False
    order_witness: ClassVar[bool] = False

    def phrase(self, details: Details, state: State) -> str:
        """As what it is walked."""
        return "non-idling (fifo is one of the adapted ones)"


NON_IDLING, FIFO = NonIdling(), Fifo()
