"""Pattern cells: closures, intervals, empty cells, target cells (FORMAT.md section 15), in exact integers.

A bound that is None is infinite. A *closure* is a matrix whose entry i, j bounds x_i - x_j from above, closed by shortest
paths; the last index stands for 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from verify.checker.cells.features import Cell, Entries, Feature
from verify.checker.core.errors import Rejected
from verify.checker.core.forms import EQUAL, GREATER, LESS
from verify.checker.core.work import Work, reduction

Number = int | Fraction
Interval = tuple[Number | None, Number | None]
Closure = list[list[int | None]]
Move = tuple[tuple[int, int], ...]  # the features that a jump changes, and by how much


# ---- intervals -----------------------------------------------------------------------------------------------------
def meet(one: Interval, other: Interval) -> Interval:
    """The intersection: the larger low end, the smaller high end."""
    low = one[0] if other[0] is None else other[0] if one[0] is None else max(one[0], other[0])
    high = one[1] if other[1] is None else other[1] if one[1] is None else min(one[1], other[1])
    return low, high


def scaled(interval: Interval, factor: Number) -> Interval:
    """All multiples by a factor that is not 0."""
    low, high = (None if end is None else end * factor for end in interval)
    return (low, high) if factor > 0 else (high, low)


def is_void(interval: Interval) -> bool:
    """Whether the ends have crossed."""
    return interval[0] is not None and interval[1] is not None and interval[0] > interval[1]


def signs_of(interval: Interval) -> int:
    """The signs of the numbers in an interval."""
    low, high = interval
    if is_void(interval):
        return 0
    less = LESS if low is None or low < 0 else 0
    greater = GREATER if high is None or high > 0 else 0
    zero = EQUAL if (low is None or low <= 0) and (high is None or high >= 0) else 0
    return less + zero + greater


# ---- closures ------------------------------------------------------------------------------------------------------
def tighten(closure: Closure, i: int, j: int, bound: int) -> Closure | None:
    """The closure with x_i - x_j <= bound besides; None if then no integer point is left.

    Sound because a new shortest path uses the new edge once; a cycle of negative length contradicts itself.
    """
    known, back = closure[i][j], closure[j][i]
    if known is not None and known <= bound:
        return closure
    if back is not None and back + bound < 0:
        return None
    to = [None if row[i] is None else row[i] for row in closure]
    result = [list(row) for row in closure]
    for row, before in zip(result, to, strict=True):
        if before is None:
            continue
        for q, after in enumerate(closure[j]):
            if after is None:
                continue
            path, old = before + bound + after, row[q]
            if old is None or path < old:
                row[q] = path
    return result


def parallel(entries: Entries, other: Entries) -> Number | None:
    """The factor by which a form is a multiple of another one; None if it is not.

    (An integer wherever it is one: with a Fraction checking many pieces in cells takes 1.3 to 2.4 times as long.)
    """
    if entries.keys() != other.keys() or not entries:
        return None
    first = next(iter(entries))
    above, below = entries[first], other[first]
    if any(value * below != above * other[k] for k, value in entries.items()):
        return None
    factor = Fraction(above, below)
    return int(factor) if factor.denominator == 1 else factor


@dataclass(frozen=True)
class Measure:
    """A form prepared for intervals: where its coordinates are in the closure (-1: nowhere), and what is parallel to it.

    pair: places i, j and the factor, if the form is that multiple of x_i - x_j. features: their numbers and factors.
    cost: the steps of an interval.
    """

    terms: tuple[tuple[int, int], ...]
    pair: tuple[int, int, int] | None
    features: tuple[tuple[int, Number], ...]
    cost: int


class Cells:
    """The cells of some features.

    most: how many cells (in all, or as targets of one jump) are too many; `rule` is then violated. work: where steps are
    counted.
    """

    def __init__(self, features: Sequence[Feature], most: int, rule: str, work: Work | None = None) -> None:
        self.features = features
        self.most = most
        self.rule = rule
        self.work = work or Work()
        pairs = {number: pair for number, f in enumerate(features) if (pair := f.pair()) is not None}
        coordinates = sorted({k for pair in pairs.values() for k in pair if k >= 0})
        self.place = {k: i for i, k in enumerate(coordinates)}
        zero = len(coordinates)
        self.exact = [(n, self.place[i], self.place[j] if j >= 0 else zero) for n, (i, j) in pairs.items()]
        self.loose = [(n, self.measure(f.entries)) for n, f in enumerate(features) if n not in pairs]
        self.loose_cost = sum(measure.cost for _, measure in self.loose)
        start: Closure = [[0 if i in (j, zero) else None for j in range(zero + 1)] for i in range(zero + 1)]
        self.closures: dict[Cell, Closure | None] = {(): start}
        self.empty: dict[Cell, bool] = {}

    def of(self, x: Sequence[int]) -> Cell:
        """The cell of a state."""
        return tuple(feature.value(x) for feature in self.features)

    # ---- closures and intervals
    def closure(self, cell: Cell) -> Closure | None:
        """The closure of a cell; None if it has no integer point."""
        return self._closure(tuple(cell[n] for n, _, _ in self.exact))

    def _closure(self, values: Cell) -> Closure | None:
        """The closure for values of the first exact features, from that of all but the last of them."""
        if values not in self.closures:
            self.work.spend(20 + 2 * len(self.place) ** 2, "closures")
            closure = self._closure(values[:-1])
            number, i, j = self.exact[len(values) - 1]
            least, greatest = self.features[number].ends(values[-1])
            if closure is not None and greatest is not None:
                closure = tighten(closure, i, j, greatest)
            if closure is not None and least is not None:
                closure = tighten(closure, j, i, -least)
            self.closures[values] = closure
        return self.closures[values]

    def measure(self, entries: Entries) -> Measure:
        """Prepare the form with these coefficients."""
        entries = {k: value for k, value in entries.items() if value}
        terms = tuple((self.place.get(k, -1), value) for k, value in entries.items())
        bits = max((value.bit_length() for value in entries.values()), default=0)
        alike = sum(1 for feature in self.features if feature.entries.keys() == entries.keys())
        cost = 20 + (5 + bits // 1500) * (len(terms) + alike)
        self.work.spend(cost + 5 * len(self.features) + alike * reduction(bits, 32), "forms in cells")
        pair = None
        if len(terms) == 2 and terms[0][1] == -terms[1][1] and min(terms)[0] >= 0:
            pair = (terms[0][0], terms[1][0], terms[0][1])
        factors = [(number, parallel(entries, feature.entries)) for number, feature in enumerate(self.features)]
        return Measure(terms, pair, tuple((n, factor) for n, factor in factors if factor is not None), cost)

    def interval(self, measure: Measure, cell: Cell, closure: Closure) -> Interval:
        """The interval of a form in a cell.

        Sound because each of the sets that are intersected holds all values that the form takes in the cell.
        """
        self.work.spend(measure.cost, "intervals")
        found = by_coordinates(measure, closure)
        if measure.pair is not None:
            i, j, factor = measure.pair
            down, up = closure[j][i], closure[i][j]
            found = meet(found, scaled((None if down is None else -down, up), factor))
        for number, multiple in measure.features:
            found = meet(found, scaled(self.features[number].ends(cell[number]), multiple))
        return found

    # ---- empty cells
    def is_empty(self, cell: Cell) -> bool:
        """Whether the closure has no integer point, or a feature outside it cannot have its value.

        Sound because all integer points of the cell satisfy the closure's bounds, and the feature's.
        """
        known = self.empty.get(cell)
        if known is None:
            closure = self.closure(cell)
            self.work.spend(20 + self.loose_cost, "empty cells")
            known = closure is None or any(
                is_void(meet(by_coordinates(measure, closure), self.features[n].ends(cell[n])))
                for n, measure in self.loose
            )
            self.empty[cell] = known
        return known

    def all(self) -> list[Cell]:
        """All cells that are not empty."""
        found = self._fitting([range(feature.low, feature.high + 1) for feature in self.features])
        self.empty.update(dict.fromkeys(found, False))
        return found

    def _fitting(self, choices: Sequence[Sequence[int]]) -> list[Cell]:
        """The cells that are not empty among those with these values of the features, each a range.

        Complete because a closure without integer points keeps none when more values are given.
        """
        found: list[Cell] = []
        for values in self._exact_values((), choices):
            closure = self._closure(values)
            self.work.spend(20 + self.loose_cost, "cells")
            if closure is None:
                continue
            fitting = list(choices)
            for (n, _, _), value in zip(self.exact, values, strict=True):
                fitting[n] = (value,)
            for n, measure in self.loose:
                fitting[n] = self._within(n, by_coordinates(measure, closure), choices[n])
            number = prod(map(len, fitting))
            self._not_too_many(len(found) + number)
            self.work.spend(number * (5 + len(fitting)), "cells")
            found += itertools.product(*fitting)
        return found

    def _exact_values(self, values: Cell, choices: Sequence[Sequence[int]]) -> Iterator[Cell]:
        """All choices for the exact features that begin with these values and have a closure."""
        closure = self._closure(values)
        self.work.spend(20, "closures")
        if closure is None:
            return
        if len(values) == len(self.exact):
            yield values
            return
        number, i, j = self.exact[len(values)]
        back = closure[j][i]
        for value in self._within(number, (None if back is None else -back, closure[i][j]), choices[number]):
            yield from self._exact_values((*values, value), choices)

    def _within(self, number: int, around: Interval, choices: Sequence[int]) -> Sequence[int]:
        """The choices for a feature that stand for some number of an interval, whose ends are whole or infinite."""
        feature, (low, high) = self.features[number], around
        first = choices[0] if low is None else max(choices[0], feature.cut(int(low)))
        last = choices[-1] if high is None else min(choices[-1], feature.cut(int(high)))
        return range(first, last + 1)

    def _not_too_many(self, number: int) -> None:
        if number > self.most:
            raise Rejected(self.rule, "number of cells", f"at least {number}", f"<= {self.most}")

    # ---- jumps
    def move(self, change: Mapping[int, int]) -> Move:
        """A jump prepared for `targets`: the features that it changes, and how."""
        self.work.spend(20 + 5 * len(self.features), "jumps in cells")
        steps = [sum(amount * f.entries.get(k, 0) for k, amount in change.items()) for f in self.features]
        return tuple((number, step) for number, step in enumerate(steps) if step)

    def targets(self, cell: Cell, move: Move) -> list[Cell]:
        """The cells that are not empty into which a jump may lead.

        Sound because each feature's values after the jump are all those that are possible.
        """
        choices: list[Sequence[int]] = [(value,) for value in cell]
        several = 1
        for number, step in move:
            choices[number] = self.features[number].after(cell[number], step)
            several *= len(choices[number])
        if several > FEW:
            return self._fitting(choices)
        self.work.spend(20 + 10 * several, "target cells")
        return [target for target in itertools.product(*choices) if not self.is_empty(target)]


FEW = 64  # targets that are looked at one by one


def by_coordinates(measure: Measure, closure: Closure) -> Interval:
    """The sum of the coefficients times the ranges of the coordinates, [0, infinity) outside the closure."""
    low: int | None = 0
    high: int | None = 0
    for place, value in measure.terms:
        down, up = (0, None) if place < 0 else (closure[-1][place], closure[place][-1])
        least = None if down is None else -down
        small, large = (least, up) if value > 0 else (up, least)
        low = None if low is None or small is None else low + value * small
        high = None if high is None or large is None else high + value * large
    return low, high
