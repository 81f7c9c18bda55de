"""Condition H with all its constants: how far V = w·x + h jumps, and where it need not fall (theory 5.5, 10.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from verify.chain.cells import Cell, Cells
from verify.conditions.corrected import GlobalCorrector
from verify.conditions.evidence.cellwise import Here, Move, here, highest, moves
from verify.conditions.evidence.nodes import Corrector
from verify.policies.compose import Walk
from verify.studies.bounds.jumps import most
from verify.studies.bounds.ladder import Descent, common_unit

ZERO = Fraction(0)


@dataclass(frozen=True)
class Change:
    """A jump at ``rate`` changes V by at least ``low`` and at most ``high``, whatever cell it leads to."""

    rate: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True, eq=False)
class CellSteps:
    """V = w·x + h on the cells of a chain."""

    walk: Walk
    found: GlobalCorrector

    @property
    def cells(self) -> Cells:
        """On which h is constant."""
        return self.found.corrector.cells

    @cached_property
    def places(self) -> Sequence[Here]:
        """All cells that may have a point."""
        listed = (here(self.cells, self.walk.components, cell) for cell in self.cells.all())
        return [place for place in listed if place is not None]

    @cached_property
    def exceptions(self) -> Mapping[Cell, Mapping[int, Fraction]]:
        """Cells in which the drift of V may exceed −ε, each with its only state."""
        bad = [
            p.cell for p in self.places if highest(p, self.found.weights, self.found.corrector.h) > -self.found.epsilon
        ]
        return {cell: state for cell in bad if self.cells.cell_of(_whole(state := self.state(cell))) == cell}

    def state(self, cell: Cell) -> Mapping[int, Fraction]:
        """The state with the coordinates of a cell in which each is below its end.  Raises ``ValueError`` for other cells."""
        state = {}
        for feature, value in zip(self.cells.features, cell, strict=True):
            if feature.is_coordinate:
                ((k, factor),) = feature.normal.form.items()
                if value >= feature.high or factor != 1:
                    raise ValueError(f"no cell of one state: {cell}")
                state[k] = Fraction(value)
        return state

    def at(self, cell: Cell, state: Mapping[int, Fraction]) -> Fraction:
        """V there."""
        return self.found.weights.at(state) + self.h(cell)

    def h(self, cell: Cell) -> Fraction:
        """h in a cell."""
        return self.found.corrector.h.get(cell, ZERO)

    @cached_property
    def heights(self) -> list[Fraction]:
        """All values of h."""
        return [self.h(place.cell) for place in self.places]

    @cached_property
    def falling(self) -> Sequence[Here]:
        """The cells in which V falls."""
        return [place for place in self.places if place.cell not in self.exceptions]

    @cached_property
    def _changes(self) -> Mapping[Move, Sequence[Change]]:
        return {move: list(self._changes_of(place, move)) for place in self.places for move in moves(place)}

    def _changes_of(self, place: Here, move: Move) -> Iterator[Change]:
        for jump in move.alternative.jumps:
            base = self.found.weights.at(jump.change) - self.h(place.cell)
            heights = [self.h(target) for target in self.cells.targets(place.cell, jump.change)]
            yield Change(jump.rate, base + min(heights), base + max(heights))

    def most(self, places: Sequence[Here], value: Callable[[Change], Fraction]) -> Fraction:
        """The largest sum of ``value`` over the jumps of one choice in one of the cells."""
        return max(most(place.components, lambda move: sum(map(value, self._changes[move]), ZERO)) for place in places)

    def descent(self) -> Descent:
        """V falls where it is above its largest value at an exception."""
        changes = [change for listed in self._changes.values() for change in listed]
        unit = common_unit([*self.found.weights.values(), *(h - self.heights[0] for h in self.heights)])

        def square(change: Change, offset: Fraction = unit) -> Fraction:
            return change.rate * max(u * (u + offset) for u in (change.low, change.high)) / 2

        def raised(change: Change) -> Fraction:
            u = max(ZERO, change.high)
            return change.rate * u * (u + unit) / 2

        return Descent(
            max(self.at(cell, state) for cell, state in self.exceptions.items()),
            self.found.epsilon,
            rise=max(ZERO, *(change.high for change in changes)),
            drop=max(ZERO, *(-change.low for change in changes)),
            climb=self.most(self.places, lambda change: change.rate * max(ZERO, change.high)),
            up_rate=self.most(self.places, lambda change: change.rate if change.high > 0 else ZERO),
            square=max(self.most(self.falling, square), self.most(self.places, raised)),
            second=2 * self.most(self.falling, lambda change: square(change, ZERO)),
            unit=unit,
        )


def anchored(walk: Walk, found: GlobalCorrector) -> CellSteps:
    """V less its value at the empty network, in every cell that may have a point."""
    steps = CellSteps(walk, found)
    start = steps.h(steps.cells.cell_of({}))
    h = {place.cell: value for place in steps.places if (value := steps.h(place.cell) - start)}
    return CellSteps(walk, GlobalCorrector(found.weights, Corrector(steps.cells, h), found.epsilon))


def _whole(state: Mapping[int, Fraction]) -> dict[int, int]:
    return {k: int(x) for k, x in state.items()}
