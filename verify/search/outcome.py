"""What a decision consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from verify.capacity import Capacity
from verify.conditions.corrected import GlobalCorrector
from verify.conditions.evaluate import Evaluation, Grounds
from verify.conditions.evidence import Leaf, Mode, Node, Obstacle, leaves
from verify.conditions.growth import Growth
from verify.network.model import FunctionSpec
from verify.policy.compose import Walk
from verify.search.faces import FaceEvidence
from verify.testfunctions.piecewise import PiecewiseLinear


class Verdict(StrEnum):
    """The answer."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    UNDECIDED = "undecided"


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
    """Which condition is asked for (``certify --criterion``), and which one was proved."""

    AUTO = "auto"
    FLUID = "fluid"
    STRICT = "strict"
    CORRECTED = "corrected"
    PAPER = "paper"
    CAPACITY = "capacity"
    GROWTH = "growth"


@dataclass(frozen=True)
class DriftProof:
    """Condition F or S with everything a certificate needs: ``walk`` with the policy as proved (the dominance function filled
    in), V as ``spec`` and as pieces, (0), (R), and either case trees or reduced faces."""

    walk: Walk
    spec: FunctionSpec
    function: PiecewiseLinear
    mode: Mode
    grounds: Grounds
    epsilon: Fraction
    trees: tuple[Node, ...] = ()
    faces: tuple[tuple[FaceEvidence, ...], ...] = ()

    @property
    def corrected(self) -> bool:
        """Does some leaf have a corrector?  Then ties of routing have to be split uniformly."""
        return any(
            isinstance(leaf, Leaf) and leaf.corrector is not None for tree in self.trees for leaf in leaves(tree)
        )


@dataclass(frozen=True)
class CorrectedProof:
    """Condition H: V(x) = w·x + h(x) falls outside a finite set of states; ``potential`` is (R)."""

    walk: Walk
    found: GlobalCorrector
    potential: Mapping[int, Fraction]


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
    """Verdict with proof, or with what was tried.  ``capacity``: None if the time was up before condition N was evaluated."""

    verdict: Verdict
    capacity: Capacity | None
    method: Method | None = None
    proof: DriftProof | CorrectedProof | Growth | None = None
    given: Given | None = None
    attempts: tuple[Attempt, ...] = field(default=())
