"""The linear program behind condition Q and bounds on means (theory 13.2, 13.5): all of f, the forms and the multipliers at once.

    minimise  u   such that in every place  Σ_C ℓ_C <= −of  and  Σ_C k_C + of·n <= u

with ℓ_C, k_C above the drift of f in component C, by multipliers of the rows of its alternatives.  Everything is linear in the
coefficients of f, so the size is polynomial in that of the network; joint choices are never listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from fractions import Fraction

from verify.chain.components import branches_with_alternatives, time_unit
from verify.chain.places import Place, places
from verify.conditions.evidence.quadratic_drift import Here, Option, PartOptions, components_in
from verify.functions.quadratic import Cell, Coefficient, Quadratic, Terms
from verify.linear_form import LinearForm
from verify.lp.max_sum import Expression
from verify.lp.model import LinearProgram
from verify.policies.compose import Walk


class Shape(Enum):
    """What Q may be: any matrix, one with entries >= 0, or diagonally dominant over its negative entries; the last two are
    copositive (theory 13.3)."""

    ANY = auto()
    NOT_NEGATIVE = auto()
    DOMINANT = auto()


@dataclass
class _Sum:
    """Expressions by coordinate and a constant: a form in z whose entries are linear in the columns."""

    form: dict[int, Expression] = field(default_factory=dict)
    constant: Expression = field(default_factory=Expression)

    def add(self, other: _Sum) -> None:
        for k, expression in other.form.items():
            self.form.setdefault(k, Expression()).add(expression.entries, expression.constant)
        self.constant.add(other.constant.entries, other.constant.constant)


class QuadraticProgram:
    """The program for one chain.

    ``cuts``: coordinate -> T (none: one place); ``shape`` of Q; ``of``: weights of the mean that is bounded.
    Rates are multiples of ``unit``; columns of f are in ``columns``, those of multipliers in ``multipliers``."""

    def __init__(self, walk: Walk, of: LinearForm, shape: Shape, cuts: Mapping[int, int] | None = None):
        self.walk, self.of, self.cuts = walk, of, dict(cuts or {})
        self.dimension = len(walk.expansion.buffers)
        self.unit = time_unit(alternative for _, alternative in branches_with_alternatives(walk.components))
        self.program = LinearProgram()
        self.columns: dict[Coefficient, int] = {}
        self.multipliers: list[list[tuple[str, str, int]]] = []
        self.total = self.program.variable(None, None, 1)
        self._shape(shape)
        self.places = [(place, components_in(walk.components, place, self.dimension)) for place in places(self.cuts)]
        for place, heres in self.places:
            self.multipliers.append([])
            self._add_place(place, heres)

    # ---- columns
    def _shape(self, shape: Shape) -> None:
        pairs = [(k, j) for k in range(self.dimension) for j in range(k, self.dimension)]
        lower = 0 if shape is Shape.NOT_NEGATIVE else None
        for pair in pairs:
            low = 0 if shape is not Shape.ANY and pair[0] == pair[1] else lower
            self.columns[Coefficient("Q", pair)] = self.program.variable(low, None)
        if shape is Shape.DOMINANT:
            self._make_dominant(pairs)
        for cell in _cells(self.cuts):
            if any(cell):
                self.columns[Coefficient("h", cell)] = self.program.variable(None, None)
            for k in range(self.dimension):
                if not self._constant_in(cell, k):
                    self.columns[Coefficient("q", (*cell, k))] = self.program.variable(None, None)

    def _make_dominant(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Q_kk >= Σ_j N_kj with N_kj >= −Q_kj, N >= 0."""
        rows: list[dict[int, int]] = [{self.columns[Coefficient("Q", (k, k))]: 1} for k in range(self.dimension)]
        for k, j in pairs:
            if k != j:
                part = self.program.variable(0, None)
                self.program.row({part: 1, self.columns[Coefficient("Q", (k, j))]: 1}, 0)
                rows[k][part] = rows[j][part] = -1
        for row in rows:
            self.program.row(row, 0)

    def _constant_in(self, cell: Cell, k: int) -> bool:
        """Is x_k one number in the cell, so that q_k is a part of h?"""
        return any(at == k and m < cut for (at, cut), m in zip(self.cuts.items(), cell, strict=True))

    def _express(self, terms: Terms) -> Expression:
        return Expression({self.columns[c]: v / self.unit for c, v in terms.items() if v and c in self.columns})

    # ---- rows
    def _add_place(self, place: Place, heres: Sequence[Here]) -> None:
        total = _Sum()
        for here in heres:
            branches = [branch for branch in here.branches if all(part.options for part in branch)]
            sums = [self._branch(branch) for branch in branches]
            if len(sums) > 1:
                total.add(self._highest([(found, frozenset()) for found in sums]))
            elif sums:
                total.add(sums[0])
        for k in range(self.dimension):
            if not place.fixes(k):
                expression = total.form.get(k, Expression())
                self.program.row(expression.entries, None, -self.of.entry(k))
        shift = self.of.at(place.corner)
        constant = dict(total.constant.entries)
        constant[self.total] = constant.get(self.total, 0) - 1
        self.program.row(constant, None, -shift)

    def _branch(self, parts: Sequence[PartOptions]) -> _Sum:
        total = _Sum()
        for part in parts:
            options = [(self._option(option), frozenset(option.empty)) for option in part.options]
            if len(options) == 1 and not options[0][1]:
                total.add(options[0][0])
            else:
                total.add(self._highest(options))
        return total

    def _option(self, option: Option) -> _Sum:
        """α + Σ y g and κ − Σ y b."""
        found = _Sum({k: self._express(terms) for k, terms in option.alpha.items()}, self._express(option.kappa))
        for row in option.rows:
            y = self.program.variable(None if row.equality else 0, None)
            self.multipliers[-1].append((option.name, row.name, y))
            for k, value in row.form.items():
                found.form.setdefault(k, Expression()).add({y: value})
            found.constant.add({y: -row.least})
        return found

    def _highest(self, options: Sequence[tuple[_Sum, frozenset[int]]]) -> _Sum:
        """New columns above all options; an option with x_k = 0 says nothing of coordinate k."""
        top = _Sum()
        for k in sorted({k for option, _ in options for k, e in option.form.items() if e.entries} | _all(options)):
            column = self.program.variable(None, None)
            top.form[k] = Expression({column: 1})
            for option, empty in options:
                if k not in empty:
                    self._below(option.form.get(k, Expression()), column)
        column = self.program.variable(None, None)
        top.constant = Expression({column: 1})
        for option, _ in options:
            self._below(option.constant, column)
        return top

    def _below(self, expression: Expression, column: int) -> None:
        entries = dict(expression.entries)
        entries[column] = entries.get(column, 0) - 1
        self.program.row(entries, None, 0)

    # ---- answers
    def function(self, point: Sequence[Fraction]) -> Quadratic:
        """f at a point of the program."""
        return Quadratic(
            {c: point[column] / self.unit for c, column in self.columns.items() if point[column]}, self.cuts
        )

    def chosen(self, number: int, point: Sequence[Fraction]) -> dict[str, dict[str, Fraction]]:
        """The multipliers in the place of that number, those of inequalities not below 0."""
        found: dict[str, dict[str, Fraction]] = {}
        for option, row, column in self.multipliers[number]:
            if value := point[column] if self.program.lower[column] is None else max(point[column], Fraction(0)):
                found.setdefault(option, {})[row] = value
        return found


def _all(options: Sequence[tuple[_Sum, frozenset[int]]]) -> set[int]:
    return {k for _, empty in options for k in empty}


def _cells(cuts: Mapping[int, int]) -> Iterator[Cell]:
    return Quadratic({}, cuts).all_cells()
