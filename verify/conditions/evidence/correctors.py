"""Correctors: a bounded h on pattern cells beside a linear form (theory 5.3: corrected leaf of F; theory 5.5: condition H).

For fixed or variable weights w, η on vanishing forms and h on cells, the requirement that in every cell

    Σ_components max_branches Σ_parts max_alternatives  Σ_e r_e [ (w + Σ η_g g)·e + max over targets h(m') − h(m) ]  <= −ε

is linear in (w, η, h, ε).  This averages over a fast subsystem, which plain condition F cannot.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.cells import Cell, Cells, Feature
from verify.chain.components import Alternative, Branch, time_unit
from verify.chain.guards import Normal
from verify.chain.numeric import Alive, NumericWalk
from verify.conditions.evidence.cellwise import Here, Move, here, highest, moves
from verify.conditions.evidence.nodes import Corrector
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.max_sum import Expression, MaxSum
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk
from verify.rational import DENOMINATORS, nearby

#: (threshold of coordinates, ends of comparisons): grown until a corrector is found.
LEVELS = ((2, 1), (3, 2), (4, 3))
#: Cells one corrector may have.
MOST_CELLS = 700
#: |h| stays below this many times the largest weight.
TALLEST = 1000


@dataclass(frozen=True)
class CorrectedLeaf:
    """η on normals, the corrector, and the exact bound they give."""

    eta: Mapping[Normal, Fraction]
    corrector: Corrector
    bound: Fraction


class CellRows:
    """Adds the requirement to a linear program, cell by cell.

    Parameters: ``drift`` gives for an alternative the row of (w + Σ η g)·d and its constant (for fixed w); ``epsilon`` the
    column of ε; ``unit`` what rates are divided by, in ``drift`` already.
    """

    def __init__(
        self, program: LinearProgram, epsilon: int, drift: Callable[[Alternative], Expression], unit: Fraction
    ):
        self.program, self.epsilon, self.drift, self.unit = program, epsilon, drift, unit
        self.h: dict[Cell, int] = {}

    def number(self, places: Sequence[Here]) -> None:
        """Give every cell its column of h."""
        self.h = {place.cell: self.program.variable(-TALLEST, TALLEST) for place in places}

    def add(self, places: Sequence[Here]) -> None:
        """Require it in these cells; all their neighbours have columns."""
        for place in places:
            self._require(place)

    def _require(self, place: Here) -> None:
        total = Expression({self.epsilon: Fraction(1)})
        rows: MaxSum[Move] = MaxSum(self.program, lambda move: self._move(rows, move, place.cell))
        rows.add(place.components, total)
        rows.bound(total)

    def _move(self, rows: MaxSum[Move], move: Move, cell: Cell) -> Expression:
        base = self.drift(move.alternative)
        found = Expression(dict(base.entries), base.constant)
        for leap in move.leaps:
            rate = leap.rate / self.unit
            most = rows.extreme([self.h[target] for target in leap.targets if target in self.h])
            found.add({most: rate, self.h[cell]: -rate})
        return found


def feature_levels(vanishing: Iterable[int], numeric: NumericWalk) -> Iterable[Cells]:
    """Cells of the coordinates and comparisons that vanish on a face (numbers of normals), finer and finer."""
    listed = list(vanishing)
    coordinates = [numeric.normals[n] for n in listed if n < numeric.dimension]
    others = (numeric.normals[n] for n in listed if n >= numeric.dimension)
    comparisons = [g for g in others if len(g.form) > 1 and all(v.denominator == 1 for v in g.form.values())]
    for threshold, end in LEVELS:
        features = [Feature(g, 0, threshold) for g in coordinates] + [Feature(g, -end, end) for g in comparisons]
        size = (threshold + 1) ** len(coordinates) * (2 * end + 1) ** len(comparisons)
        if features and len(features) <= 12 and size <= 40 * MOST_CELLS:
            yield Cells(features, numeric.dimension)


def places_of(cells: Cells, walk: Walk, numeric: NumericWalk, alive: Alive) -> list[Here] | None:
    """Every cell with the alternatives that are still counted; None if there are too many cells."""

    def counted(branch: Branch, alternative: Alternative | None) -> bool:
        if alternative is None:
            return bool(alive.branches[numeric.branch_number[branch]])
        return bool(alive.alternatives[numeric.alternative_number[alternative]])

    listed = list(cells.all())
    if len(listed) > MOST_CELLS:
        return None
    return [place for cell in listed if (place := here(cells, walk.components, cell, counted)) is not None]


@dataclass(frozen=True)
class Vanishing:
    """Numbers of normals: ``known`` to be zero at the node (η may use them), zero at its inner points (``here``: features)."""

    known: Sequence[int]
    here: Sequence[int]


def corrected_leaf(
    walk: Walk,
    numeric: NumericWalk,
    weights: LinearForm,
    vanishing: Vanishing,
    alive: Alive,
    enough: Fraction,
    level: int,
) -> CorrectedLeaf | None:
    """The first corrector, thresholds growing to ``level``, that bounds the drift of w·x
    by −enough (at least below 0) in every cell."""
    normals = [numeric.normals[n] for n in vanishing.known]
    choices = feature_levels(vanishing.here, numeric)
    for cells in itertools.islice(choices, level + 1):
        places = places_of(cells, walk, numeric, alive)
        if places is None:
            return None
        found = _fit(cells, places, weights, normals, enough)
        if found is not None:
            return found
    return None


def _fit(
    cells: Cells, places: Sequence[Here], weights: LinearForm, normals: Sequence[Normal], enough: Fraction
) -> CorrectedLeaf | None:
    unit = time_unit(move.alternative for place in places for move in moves(place))
    program = LinearProgram()
    epsilon = program.variable(None, 10**6, -1)
    eta = [program.variable(-TALLEST, TALLEST) for _ in normals]

    def drift(alternative: Alternative) -> Expression:
        d = alternative.mean_drift
        entries = {column: value / unit for column, g in zip(eta, normals, strict=True) if (value := g.form.at(d))}
        return Expression(entries, weights.at(d) / unit)

    rows = CellRows(program, epsilon, drift, unit)
    rows.number(places)
    rows.add(places)
    proposal = propose(program)
    if proposal.status is not Status.OPTIMAL or -proposal.value <= max(1e-9, float(enough / unit) * (1 - 1e-9)):
        return None
    for denominator in DENOMINATORS[1:]:
        chosen = {g: y for g, c in zip(normals, eta, strict=True) if (y := nearby(proposal.point[c], denominator))}
        h = {cell: v for cell, c in rows.h.items() if (v := nearby(proposal.point[c], denominator))}
        bound = corrected_bound(places, weights, chosen, h)
        if bound < 0 and -bound >= enough:
            return CorrectedLeaf(chosen, Corrector(cells, h), bound)
    return None


def corrected_bound(
    places: Sequence[Here], weights: LinearForm, eta: Mapping[Normal, Fraction], h: Mapping[Cell, Fraction]
) -> Fraction:
    """The exact bound: the worst cell."""
    gradient = weights + LinearForm.combination((y, normal.form) for normal, y in eta.items())
    return max(highest(place, gradient, h) for place in places)
