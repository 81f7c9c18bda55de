"""Budgets of searches: counted, so that verdicts are deterministic; a deadline only shortens."""

from __future__ import annotations

import time
from dataclasses import dataclass


class BudgetSpent(Exception):
    """The search gave up: nothing is known about what it looked for."""


@dataclass
class Budget:
    """``steps`` left, and the moment (``time.monotonic``) at which to stop whatever is left."""

    steps: int
    deadline: float | None = None

    def spend(self) -> None:
        """One step.  Raises ``BudgetSpent``."""
        self.steps -= 1
        if self.steps < 0 or (self.deadline is not None and time.monotonic() > self.deadline):
            raise BudgetSpent
