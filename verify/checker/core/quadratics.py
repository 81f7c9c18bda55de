"""The nouns of quadratic functions and of product form (FORMAT.md sections 20 to 23). Nothing is checked here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import CapacityProof, CorrectedProof, DriftProof, Emptying, GrowthProof, Numbers


# ---- section 20 ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class CellTerm:
    """What a function has in one cell besides: the cell by its cut buffers, a linear form, a number."""

    at: Numbers
    linear: Numbers
    constant: Fraction


@dataclass(frozen=True)
class QuadraticText:
    """A function as it is written: square[K][L] is Q_KL = Q_LK."""

    square: Mapping[str, Numbers]
    linear: Numbers
    cuts: Numbers
    cells: tuple[CellTerm, ...]


@dataclass(frozen=True)
class Affine:
    """A bound on a drift: a form and a number."""

    form: Numbers
    constant: Fraction


@dataclass(frozen=True)
class ComponentEvidence:
    """The bound of a component, for each alternative the multipliers of its rows, and for `dominant` bounds of its parts."""

    bound: Affine
    alternatives: Mapping[str, Numbers]
    parts: Mapping[str, Affine] | None


Components = Mapping[str, ComponentEvidence]


# ---- sections 21 to 23 ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Square:
    """weight * form^2."""

    weight: Fraction
    form: Numbers


@dataclass(frozen=True)
class QuadraticProof:
    """Evidence of condition Q; `bound` is the number d of its claim."""

    bound: Fraction
    function: QuadraticText
    squares: tuple[Square, ...]
    emptying: Emptying
    evidence: Components


@dataclass(frozen=True)
class PlaceEvidence:
    """Evidence for one place."""

    at: Numbers
    components: Components


@dataclass(frozen=True)
class MeanBound:
    """A bound on a mean, the function that proves it, and the evidence of each place."""

    value: Fraction
    function: QuadraticText
    places: tuple[PlaceEvidence, ...]


StabilityProof = DriftProof | CorrectedProof | QuadraticProof


@dataclass(frozen=True)
class MeanProof:
    """Bounds on the mean of a form `of`, and a proof of stability under `condition`, whose epsilon is the claim's value."""

    of: Numbers
    condition: str
    stability: StabilityProof
    upper: MeanBound | None
    lower: MeanBound | None


@dataclass(frozen=True)
class ProductProof:
    """Evidence of product form: the throughput of each buffer; `of` is the form whose mean is claimed."""

    of: Numbers
    throughputs: Numbers


Proof = CapacityProof | GrowthProof | StabilityProof | MeanProof | ProductProof
