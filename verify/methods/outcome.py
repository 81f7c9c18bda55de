"""What a decision consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from verify.conditions.capacity import Capacity
from verify.conditions.condition import Verdict
from verify.conditions.drift import Evaluation
from verify.conditions.evidence.nodes import Obstacle
from verify.conditions.proof import Proof
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import Walk


class Method(StrEnum):
    """Where the proof comes from (``certify --method``, and ``method`` in its JSON)."""

    AUTO = "auto"
    LINEAR = "linear"
    EXPLICIT = "explicit"
    LP = "lp"
    DOWN_MEYN = "down-meyn"
    CORRECTED = "corrected"
    CAPACITY = "capacity"
    GROWTH = "growth"


class Criterion(StrEnum):
    """Which condition is asked for (``certify --criterion``)."""

    AUTO = "auto"
    FLUID = "fluid"
    STRICT = "strict"
    CORRECTED = "corrected"
    PAPER = "paper"


@dataclass(frozen=True)
class Given:
    """The test function of the file (or U) and what became of it under each condition."""

    what: str
    walk: Walk
    function: PiecewiseLinear
    evaluations: tuple[Evaluation, ...]
    paper_holds: bool | None
    paper_worst: Fraction | None


@dataclass(frozen=True)
class Attempt:
    """A method that did not decide: why, and where it failed; ``applies``: was it tried at all?"""

    method: Method
    reason: str
    obstacle: Obstacle | None = None
    applies: bool = True


@dataclass(frozen=True)
class Decision:
    """What was proved, or what was tried.

    ``capacity``: None if the time was up before condition N was evaluated; ``method``: where the proof comes from."""

    capacity: Capacity | None
    method: Method | None = None
    proof: Proof | None = None
    given: Given | None = None
    attempts: tuple[Attempt, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """UNDECIDED without a proof."""
        return self.proof.verdict if self.proof else Verdict.UNDECIDED
