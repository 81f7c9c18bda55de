"""The walk in pattern cells (FORMAT.md section 15): what may occur in a cell, and how much w.x + h then changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verify.checker.cells.cells import Cells, Closure, Measure, Move, by_coordinates, signs_of
from verify.checker.cells.features import Cell, CellFunction, read_features, read_h
from verify.checker.cells.mixtures import Choice, choices
from verify.checker.core.components import Component, Guard
from verify.checker.core.data import Corrector
from verify.checker.core.forms import Form
from verify.checker.core.model import Model
from verify.checker.core.work import common_denominator, product, reduction

MOST_CELLS = 20000


@dataclass(frozen=True)
class Option:
    """A choice prepared: the buffer it serves as a form with the jobs it needs there, facts (number of a normal, allowed
    signs), spares (number of a coordinate, the most jobs there), and jumps.

    jumps: number of a move, rate * `rate_unit` of the walk.
    """

    serves: Measure | None
    least: int
    facts: tuple[tuple[int, int], ...]
    spares: tuple[tuple[int, int], ...]
    jumps: tuple[tuple[int, int], ...]


Branch = list[list[Option]]  # parts
Rises = dict[int, int | None]  # for each move the best h(m') - h(m), None without a target cell


class CellWalk:
    """Components in cells.

    pick: max or min, both over what a component may do and over the cells into which a jump may lead. moves: the
    distinct jumps, from and to. Rates are integers over `rate_unit`, w and h over one denominator (with Fractions checking
    takes 1.1 to 1.4 times as long: the corpus, and many cells at leaves).
    """

    def __init__(
        self,
        model: Model,
        components: Iterable[Component],
        cells: Cells,
        h: CellFunction,
        pick: Callable[[Iterable[int]], int],
    ) -> None:
        self.model = model
        self.cells = cells
        self.h = h
        self.pick = pick
        self.normals: dict[str, int] = {}
        self.measures: list[Measure] = []
        self.moves: dict[tuple[int | None, int | None], int] = {}
        self.prepared: list[Move] = []
        work = model.work
        listed = [
            [(b.guard, [choices(part.alternatives, work) for part in b.parts]) for b in c.branches] for c in components
        ]
        sizes = {len(c.members) for branches in listed for _, parts in branches for part in parts for c in part}
        self.mixing = lcm(*sizes)
        self.rate_unit = model.denominator * self.mixing
        self.components: list[list[Branch]] = [
            [[[self._option(guard, choice) for choice in part] for part in parts] for guard, parts in branches]
            for branches in listed
        ]
        self.cost = self._cost([])

    # ---- preparation
    def _cost(self, slopes: Sequence[int]) -> int:
        """The steps of `total` in one cell, its intervals and target cells apart: each option's facts and products."""
        options = [option for branches in self.components for b in branches for part in b for option in part]
        rates = max((rate.bit_length() for option in options for _, rate in option.jumps), default=0)
        bits = max(number.bit_length() for number in (self.h.denominator, *self.h.values.values(), *slopes))
        jumps = sum(len(option.jumps) for option in options) * (5 + product(rates, bits))
        facts = sum(5 + len(option.facts) for option in options)
        return facts + jumps + reduction(rates + bits, self.rate_unit.bit_length() + bits)

    def _option(self, guard: Guard, choice: Choice) -> Option:
        serves = None if choice.serves is None else self.cells.measure({choice.serves: 1})
        full = guard + choice.guard
        facts = tuple((self._normal(fact.normal), fact.signs) for fact in full if not fact.spare)
        spares = tuple((self._normal(fact.normal), fact.spare) for fact in full if fact.spare)
        jumps = tuple((self._move(i, j), int(rate * self.mixing)) for i, j, rate in choice.jumps(self.model.jumps))
        return Option(serves, choice.least, facts, spares, jumps)

    def _normal(self, name: str) -> int:
        if name not in self.normals:
            self.normals[name] = len(self.measures)
            self.measures.append(self.cells.measure(self.model.normals.get(name).entries))
        return self.normals[name]

    def _move(self, source: int | None, target: int | None) -> int:
        if (source, target) not in self.moves:
            self.moves[source, target] = len(self.prepared)
            change = {} if source == target else {k: n for k, n in ((source, -1), (target, 1)) if k is not None}
            self.prepared.append(self.cells.move(change))
        return self.moves[source, target]

    def slopes(self, weights: Form) -> list[int]:
        """w.e for each move, times the denominator of the weights."""
        weight = [weights.entries.get(k, 0) for k in range(len(self.model.state.names))]
        ends = ((0 if i is None else weight[i], 0 if j is None else weight[j]) for i, j in self.moves)
        slopes = [after - before for before, after in ends]
        self.cost = max(self.cost, self._cost(slopes))
        return slopes

    # ---- what may occur
    def occurring(self, cell: Cell, closure: Closure, part: Sequence[Option]) -> Iterator[Option]:
        """The options of a part that may occur, as far as the served buffer and the guard tell.

        Sound: an option is left out only if its buffer has too few jobs all over the cell, or a fact is false all over it.
        """
        signs: dict[int, int] = {}
        for option in part:
            if option.serves is not None:
                most = by_coordinates(option.serves, closure)[1]
                if most is not None and most < option.least:
                    continue
            if option.spares and not self._spared(cell, closure, option):
                continue
            for number, allowed in option.facts:
                if number not in signs:
                    signs[number] = signs_of(self.cells.interval(self.measures[number], cell, closure))
                if not signs[number] & allowed:
                    break
            else:
                yield option

    def _spared(self, cell: Cell, closure: Closure, option: Option) -> bool:
        """Whether every buffer passed over may hold so few jobs somewhere in the cell."""
        ends = ((self.cells.interval(self.measures[n], cell, closure)[0], most) for n, most in option.spares)
        return all(low is None or low <= most for low, most in ends)

    def rise(self, cell: Cell, move: int) -> int | None:
        """The best h(m') - h(m) over the target cells, times the denominator of h; None if there is no target."""
        values = self.h.values
        found = [values.get(target, 0) for target in self.cells.targets(cell, self.prepared[move])]
        return self.pick(found) - values.get(cell, 0) if found else None

    # ---- the sum over components
    def total(self, cell: Cell, slopes: Sequence[int], rises: Rises) -> int | None:
        """Sum over components of the picked branch's sum over parts of the picked option's sum r_e (w.e + rise).

        The slopes are over the denominator of h. None if the cell is empty: some component can do nothing there.
        Parameters: `rises` is a memory of this cell, filled as needed.
        """
        closure = self.cells.closure(cell)
        if closure is None:
            return None
        self.model.work.spend(self.cost, "drifts in cells")
        total = 0
        for branches in self.components:
            sums = [self._branch(cell, closure, branch, slopes, rises) for branch in branches]
            possible = [value for value in sums if value is not None]
            if not possible:
                return None
            total += self.pick(possible)
        return total

    def _branch(self, cell: Cell, closure: Closure, branch: Branch, slopes: Sequence[int], rises: Rises) -> int | None:
        """Sum over parts; None if a part can do nothing, so that the branch is not followed anywhere in the cell."""
        total = 0
        for part in branch:
            values = [self._value(cell, option, slopes, rises) for option in self.occurring(cell, closure, part)]
            possible = [value for value in values if value is not None]
            if not possible:
                return None
            total += self.pick(possible)
        return total

    def _value(self, cell: Cell, option: Option, slopes: Sequence[int], rises: Rises) -> int | None:
        """Sum of r_e (w.e + rise); None if a jump leads nowhere: every state it could start from is in no cell."""
        value = 0
        for move, rate in option.jumps:
            if move not in rises:
                rises[move] = self.rise(cell, move)
            rise = rises[move]
            if rise is None:
                return None
            value += rate * (slopes[move] + rise)
        return value


def common(forms: Iterable[Form], h: CellFunction) -> tuple[list[Form], CellFunction]:
    """The forms and h over one common denominator."""
    listed = list(forms)
    unit = common_denominator((h.denominator, *(form.denominator for form in listed)), "weights and h")
    scaled = [Form(unit, {k: v * (unit // form.denominator) for k, v in form.entries.items()}) for form in listed]
    values = {cell: value * (unit // h.denominator) for cell, value in h.values.items()}
    return scaled, CellFunction(values, unit)


def as_fraction(total: int, walk: CellWalk) -> Fraction:
    """A total of the walk as a number."""
    return Fraction(total, walk.rate_unit * walk.h.denominator)


# ---- for condition H, and for the leaves of F that have a corrector ----------------------------------------------
def largest_drifts(
    model: Model, components: Iterable[Component], gradient: Form, corrector: Corrector
) -> Iterator[tuple[Cell, Fraction]]:
    """For each cell that is not empty the largest drift of gradient.x + h there.

    Sound because a component does one of the options that may occur, and a jump leads into one of its target cells.
    """
    features = read_features(model, corrector)
    (weights,), h = common([gradient], read_h(features, corrector))
    cells = Cells(features, MOST_CELLS, "features", model.work)
    walk = CellWalk(model, components, cells, h, max)
    slopes = walk.slopes(weights)
    for cell in cells.all():
        total = walk.total(cell, slopes, {})
        if total is not None:
            yield cell, as_fraction(total, walk)
