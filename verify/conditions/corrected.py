"""Condition H (theory 5.5): V = w·x + h(x), h bounded on pattern cells, falls outside a finite set of states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.chain.cells import Cell, Cells, Feature
from verify.chain.components import Alternative, time_unit
from verify.chain.guards import Normal
from verify.conditions.condition import Condition
from verify.conditions.evidence import encode
from verify.conditions.evidence.cell_function import CellFunction
from verify.conditions.evidence.cellwise import Here, here, highest, moves
from verify.conditions.evidence.correctors import LEVELS, CellRows
from verify.conditions.evidence.nodes import Corrector
from verify.conditions.grounds import Emptying
from verify.conditions.proof import Proof
from verify.conditions.words import policy_words, stable_words
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.max_sum import Expression
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.rational import DENOMINATORS, decimals, nearby


@dataclass(frozen=True)
class GlobalCorrector:
    """Condition H: V = w·x + h(x) with w > 0, ε exact."""

    weights: LinearForm
    corrector: Corrector
    epsilon: Fraction


def global_corrector(walk: Walk, levels: Iterable[Sequence[Feature]]) -> GlobalCorrector | None:
    """Condition H for the first list of features that does: every coordinate a feature, cells below all ends exempt."""
    dimension = len(walk.expansion.buffers)
    for features in levels:
        cells = Cells(features, dimension)
        listed = [cell for cell in cells.all() if not _exempt(cells, cell)]
        places = [place for cell in listed if (place := here(cells, walk.components, cell)) is not None]
        everywhere = [place for cell in cells.all() if (place := here(cells, walk.components, cell)) is not None]
        found = _fit_globally(walk, cells, places, everywhere)
        if found is not None:
            return found
    return None


def _exempt(cells: Cells, cell: Cell) -> bool:
    """All coordinates below their ends: finitely many states."""
    return all(v < f.high for f, v in zip(cells.features, cell, strict=True) if f.is_coordinate)


def emptying_corrector(walk: Walk, cells: Cells) -> GlobalCorrector | None:
    """As condition H on these cells, with the empty state alone exempt, so that ε bounds the mean time until the network is
    empty (theory 10.4); None if there is none."""
    everywhere = [place for cell in cells.all() if (place := here(cells, walk.components, cell)) is not None]
    start = cells.cell_of({})
    return _fit_globally(walk, cells, [place for place in everywhere if place.cell != start], everywhere)


def _fit_globally(
    walk: Walk, cells: Cells, places: Sequence[Here], everywhere: Sequence[Here]
) -> GlobalCorrector | None:
    program = LinearProgram()
    epsilon = program.variable(None, 10**6, -1)
    columns = [program.variable(Fraction(1, 1000), 1) for _ in walk.coordinates]
    unit = time_unit(move.alternative for place in places for move in moves(place))

    def drift(alternative: Alternative) -> Expression:
        return Expression({columns[k]: value / unit for k, value in alternative.mean_drift.items()})

    rows = CellRows(program, epsilon, drift, unit)
    rows.number(everywhere)
    rows.add(places)
    proposal = propose(program)
    if proposal.status is not Status.OPTIMAL or -proposal.value <= 1e-9:
        return None
    for denominator in DENOMINATORS[1:]:
        weights = LinearForm((k, nearby(proposal.point[c], denominator)) for k, c in enumerate(columns))
        h = {cell: v for cell, c in rows.h.items() if (v := nearby(proposal.point[c], denominator))}
        bound = max(highest(place, weights, h) for place in places)
        if bound < 0 and len(weights) == len(columns) and min(weights.values()) > 0:
            return GlobalCorrector(weights, Corrector(cells, h), -bound)
    return None


def global_levels(walk: Walk) -> Iterable[Sequence[Feature]]:
    """All coordinates and all integer comparisons of guards, finer and finer, for very small networks."""
    comparisons: dict[Normal, None] = {}
    for component in walk.components:
        for branch in component.branches:
            for part in branch.parts:
                for alternative in part.alternatives:
                    comparisons |= dict.fromkeys(
                        g
                        for g in alternative.guard
                        if len(g.form) > 1 and all(v.denominator == 1 for v in g.form.values())
                    )
    for threshold, end in ((1, 1), *LEVELS):
        yield [Feature(x, 0, threshold) for x in walk.coordinates] + [Feature(g, -end, end) for g in comparisons]


@dataclass(frozen=True)
class CorrectedProof(Proof):
    """``found``: w, h and ε; ``emptying`` is (R)."""

    walk: Walk
    found: GlobalCorrector
    emptying: Emptying
    condition: Condition = Condition.CORRECTED

    @property
    def epsilon(self) -> Fraction:  # type: ignore[override]
        """How fast V falls."""
        return self.found.epsilon

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """As asked for."""
        return self.walk.instance

    @property
    def function(self) -> CellFunction:  # type: ignore[override]
        """w·x + h(x)."""
        return CellFunction(self.found.weights, self.found.corrector)

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.walk.expansion.names

    @property
    def corrected(self) -> bool:
        """Is there an h at all?"""
        return bool(self.found.corrector.h)

    def claim(self) -> str:
        """Of every policy of the class, ties of routing split uniformly."""
        bounded = "the exempt set is at most (V(x) + const)/epsilon"
        return stable_words(policy_words(self.instance, uniform=True), bounded, self.condition.letter, self.epsilon)

    def evidence(self) -> dict[str, Any]:
        """Weights, corrector and (R)."""
        return {
            "weights": encode.by_buffer(self.found.weights, self.names),
            "corrector": encode.corrector(self.found.corrector),
            **self.emptying.to_json(self.names),
        }

    def summary(self) -> Iterator[str]:
        """V and ε."""
        yield f"proof: condition H by {self.function.words(self.names)}; epsilon = {decimals(self.epsilon)}"
