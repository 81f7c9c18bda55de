"""Pattern cells: integer states sorted by truncated coordinates and comparisons (theory 2.4; FORMAT.md, section 15).

A *feature* is an integer-valued form with two ends: its value is cut off at them.  At an end (other than 0 of a coordinate) the
value only says "this or beyond".  A *cell* is one value for each feature.  Everything about a cell is answered by interval
arithmetic, which never calls a set empty that is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verify.chain.components import Alternative
from verify.chain.guards import Normal, Signs
from verify.linear_form import LinearForm

Cell: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Interval:
    """Integers or rationals from ``low`` to ``high``; None: no bound."""

    low: Fraction | None
    high: Fraction | None

    def meets(self, other: Interval) -> bool:
        """Do they have a point in common?"""
        return not _less(self.high, other.low) and not _less(other.high, self.low)

    def allows(self, signs: Signs) -> bool:
        """Does it contain a number with one of these signs?"""
        return (
            (bool(signs & Signs.ZERO) and self.meets(Interval(Fraction(0), Fraction(0))))
            or (bool(signs & Signs.POSITIVE) and (self.high is None or self.high > 0))
            or (bool(signs & Signs.NEGATIVE) and (self.low is None or self.low < 0))
        )

    def scaled(self, factor: Fraction) -> Interval:
        """factor · interval."""
        ends = [None if end is None else factor * end for end in (self.low, self.high)]
        return Interval(*(ends if factor >= 0 else reversed(ends)))

    def cut(self, other: Interval) -> Interval:
        """The intersection (possibly with low > high)."""
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    @property
    def empty(self) -> bool:
        """No number at all."""
        return _less(self.high, self.low)


def _less(left: Fraction | None, right: Fraction | None) -> bool:
    return left is not None and right is not None and left < right


@dataclass(frozen=True, eq=False)
class Feature:
    """``normal`` cut off at ``low`` and ``high`` (``low`` = 0 for a coordinate: exact there)."""

    normal: Normal
    low: int
    high: int

    @property
    def is_coordinate(self) -> bool:
        """x_k, which has no values below 0."""
        return len(self.normal.form) == 1

    def interval(self, value: int) -> Interval:
        """The values of the form in a cell with this feature value."""
        low = None if value == self.low and not self.is_coordinate else Fraction(value)
        return Interval(low, None if value == self.high else Fraction(value))

    def clipped(self, value: int) -> int:
        """The feature value of a form value."""
        return max(self.low, min(self.high, value))


class Cells:
    """All cells of a list of features over K coordinates, and their integer geometry.

    Features that are coordinates or differences of two coordinates (no larger multiples) bound all differences x_i − x_j
    (x_0 := 0); their closure by shortest paths is exact on integers.  Other features add intervals of their own form and of
    parallel ones.
    """

    def __init__(self, features: Sequence[Feature], dimension: int):
        self.features = tuple(features)
        self.dimension = dimension
        self._ends = [_unit_ends(feature.normal.form) for feature in self.features]
        self._touched = sorted({k for ends in self._ends if ends is not None for k in ends if k is not None})
        self._closures: dict[Cell, _Closure | None] = {}

    def all(self) -> Iterator[Cell]:
        """Every cell that is not shown to be empty."""
        for values in itertools.product(*(range(f.low, f.high + 1) for f in self.features)):
            if not self.is_empty(values):
                yield values

    def is_empty(self, cell: Cell) -> bool:
        """Do the features contradict each other?"""
        if self._closure(cell) is None:
            return True
        return any(
            ends is None and self._by_coordinates(f.normal.form, cell).cut(f.interval(v)).empty
            for f, v, ends in zip(self.features, cell, self._ends, strict=True)
        )

    def interval(self, form: LinearForm, cell: Cell) -> Interval:
        """An interval that contains all values of the form in the cell: from coordinates, and from features parallel to it."""
        closure, ends = self._closure(cell), _difference_ends(form)
        if closure is None:
            return Interval(Fraction(1), Fraction(0))
        result = self._by_coordinates(form, cell)
        if ends is not None:
            factor = next(iter(form.values())) if None in ends else form[_known(ends[0])]
            result = result.cut(closure.difference(ends[0], ends[1]).scaled(abs(factor)))
        for feature, value in zip(self.features, cell, strict=True):
            ratio = _ratio(form, feature.normal.form)
            if ratio is not None:
                result = result.cut(feature.interval(value).scaled(ratio))
        return result

    def _closure(self, cell: Cell) -> _Closure | None:
        """Tightest bounds on differences, None if they contradict each other."""
        if cell not in self._closures:
            bounds: dict[tuple[int | None, int | None], Fraction] = {(None, k): Fraction(0) for k in self._touched}
            for feature, value, ends in zip(self.features, cell, self._ends, strict=True):
                if ends is not None:
                    plus, minus = ends
                    scope = feature.interval(value)
                    if scope.high is not None:
                        bounds[plus, minus] = min(bounds.get((plus, minus), scope.high), scope.high)
                    if scope.low is not None:
                        bounds[minus, plus] = min(bounds.get((minus, plus), -scope.low), -scope.low)
            self._closures[cell] = _Closure.of(bounds, [None, *self._touched])
        return self._closures[cell]

    def _by_coordinates(self, form: LinearForm, cell: Cell) -> Interval:
        low: Fraction | None = Fraction(0)
        high: Fraction | None = Fraction(0)
        for k, factor in form.items():
            part = self._range(k, cell).scaled(factor)
            low = None if low is None or part.low is None else low + part.low
            high = None if high is None or part.high is None else high + part.high
        return Interval(low, high)

    def _range(self, k: int, cell: Cell) -> Interval:
        """The values x_k may have in the cell."""
        closure = self._closure(cell)
        if closure is None:
            return Interval(Fraction(1), Fraction(0))
        return closure.difference(k, None).cut(Interval(Fraction(0), None))

    def meets(self, alternative: Alternative, guard: Mapping[Normal, Signs], cell: Cell) -> bool:
        """May the alternative occur in the cell?  (Its guard as written on integer points: what it serves is not empty.)"""
        if alternative.serves is not None and _less(
            self._range(alternative.serves, cell).high, Fraction(alternative.least)
        ):
            return False
        spare = alternative.spare
        return all(
            self.interval(normal.form, cell).meets(Interval(None, Fraction(spare[normal])))
            if normal in spare
            else self.interval(normal.form, cell).allows(signs)
            for normal, signs in guard.items()
        )

    def targets(self, cell: Cell, change: LinearForm) -> list[Cell]:
        """All cells a jump may lead to: at an end a step inwards may also stay."""
        options = []
        for feature, value in zip(self.features, cell, strict=True):
            step = feature.normal.form.at(change)
            options.append(self._moved(feature, value, int(step)))
        return [target for target in itertools.product(*options) if not self.is_empty(target)]

    @staticmethod
    def _moved(feature: Feature, value: int, step: int) -> list[int]:
        at_high, at_low = value == feature.high, value == feature.low and not feature.is_coordinate
        if (at_high and step < 0) or (at_low and step > 0):
            ends = (feature.clipped(value + step), value)
            return list(range(min(ends), max(ends) + 1))
        return [feature.clipped(value + step)]

    def cell_of(self, state: Mapping[int, int]) -> Cell:
        """The cell of an integer state."""
        values = (sum(int(a) * state.get(k, 0) for k, a in f.normal.form.items()) for f in self.features)
        return tuple(f.clipped(v) for f, v in zip(self.features, values, strict=True))

    def is_finite(self, cell: Cell) -> bool:
        """Is every coordinate resolved below its end?"""
        return all(self._range(k, cell).high is not None for k in range(self.dimension))


@dataclass(frozen=True)
class _Closure:
    """Upper bounds on x_i − x_j (None: the constant 0), closed under x_i − x_k = (x_i − x_j) + (x_j − x_k)."""

    bounds: Mapping[tuple[int | None, int | None], Fraction]

    @staticmethod
    def of(bounds: dict[tuple[int | None, int | None], Fraction], nodes: Sequence[int | None]) -> _Closure | None:
        """Shortest paths (Floyd, Warshall); None for a negative cycle."""
        for middle in nodes:
            for i in nodes:
                left = bounds.get((i, middle))
                if left is None:
                    continue
                for j in nodes:
                    right = bounds.get((middle, j))
                    if (right is not None and (i, j) not in bounds) or (
                        right is not None and left + right < bounds[i, j]
                    ):
                        bounds[i, j] = left + right
        return None if any(bounds.get((i, i), Fraction(0)) < 0 for i in nodes) else _Closure(bounds)

    def difference(self, plus: int | None, minus: int | None) -> Interval:
        """The values of x_plus − x_minus."""
        low = self.bounds.get((minus, plus))
        return Interval(None if low is None else -low, self.bounds.get((plus, minus)))


def _difference_ends(form: LinearForm) -> tuple[int | None, int | None] | None:
    """(i, j) if the form is a positive multiple of x_i − x_j, (i, None) of x_i; else None."""
    if len(form) == 1:
        ((k, value),) = form.items()
        return (k, None) if value > 0 else None
    if len(form) == 2:
        (i, a), (j, b) = form.items()
        if a == -b:
            return (i, j) if a > 0 else (j, i)
    return None


def _unit_ends(form: LinearForm) -> tuple[int | None, int | None] | None:
    """The same for x_i − x_j and x_i themselves: a feature of a larger multiple bounds them by fractions, so it stays outside."""
    return _difference_ends(form) if all(abs(value) == 1 for value in form.values()) else None


def _known(k: int | None) -> int:
    """A coordinate that is not the constant 0."""
    if k is None:
        raise ValueError("not a coordinate")
    return k


def _ratio(form: LinearForm, other: LinearForm) -> Fraction | None:
    """form / other, if they are parallel."""
    if form.keys() != other.keys() or not form:
        return None
    k = next(iter(form))
    factor = form[k] / other[k]
    return factor if all(form[j] == factor * other[j] for j in form) else None
