"""The epigraph of a sum of maxima: Σ_components max_branches Σ_parts max_options, each option a linear expression in columns.

    Σ max Σ max <= t   iff   there are numbers T_c, T_p with  T_c >= Σ_p T_p in every branch,  T_p >= option,  Σ_c T_c <= t.

So a requirement on such a sum is linear with one new variable for every maximum; for sums of minima, which have to be large, all
inequalities are turned round.  Knows no queues: the options are whatever ``express`` makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from verify.lp.approx import Array, ColumnProgram
from verify.lp.model import LinearProgram, Number

Option = TypeVar("Option")
Branch: TypeAlias = Sequence[Sequence[Option]]
"""Parts, each with its options."""


@dataclass
class Expression:
    """entries·x + constant."""

    entries: dict[int, Number] = field(default_factory=dict)
    constant: Number = 0

    def add(self, entries: Mapping[int, Number], constant: Number = 0) -> None:
        """Add another expression."""
        for column, value in entries.items():
            self.entries[column] = self.entries.get(column, 0) + value
        self.constant += constant


class Sense(Enum):
    """What the sum is of, and so which side is bounded."""

    MAXIMA = 1
    MINIMA = -1


class Singles(Enum):
    """A maximum over one option only: put in its place, or given a variable like the others."""

    IN_PLACE = "in place"
    VARIABLES = "variables"


class MaxSum(Generic[Option]):
    """Adds the variables and rows of such sums to a program.

    Parameters: ``express`` an option as an expression in the columns of ``program``.
    """

    def __init__(
        self,
        program: LinearProgram,
        express: Callable[[Option], Expression],
        sense: Sense = Sense.MAXIMA,
        singles: Singles = Singles.IN_PLACE,
    ):
        self.program, self.express, self.sense, self.singles = program, express, sense, singles

    def add(self, components: Iterable[Sequence[Branch[Option]]], total: Expression) -> None:
        """Add the sum over the components to ``total``; each component has at least one branch, each part one option."""
        for branches in components:
            if len(branches) == 1 and self.singles is Singles.IN_PLACE:
                self._add_parts(branches[0], total)
                continue
            top = self._top(total)
            for parts in branches:
                branch = Expression()
                self._add_parts(parts, branch)
                self._below(branch, top)

    def bound(self, total: Expression) -> None:
        """total <= 0 (of minima: total >= 0)."""
        self._row(total.entries, total.constant)

    def extreme(self, columns: Sequence[int]) -> int:
        """A column that is at least (of minima: at most) every one of these columns."""
        if len(columns) == 1:
            return columns[0]
        top = self.program.variable(None, None)
        for column in columns:
            self._below(Expression({column: 1}), top)
        return top

    def _add_parts(self, parts: Branch[Option], total: Expression) -> None:
        for options in parts:
            if len(options) == 1 and self.singles is Singles.IN_PLACE:
                single = self.express(options[0])
                total.add(single.entries, single.constant)
                continue
            top = self._top(total)
            for option in options:
                self._below(self.express(option), top)

    def _top(self, total: Expression) -> int:
        """A new variable, and one more term of the sum."""
        top = self.program.variable(None, None)
        total.add({top: 1})
        return top

    def _below(self, expression: Expression, top: int) -> None:
        """expression <= top (of minima: expression >= top)."""
        self._row({**expression.entries, top: -1}, expression.constant)

    def _row(self, entries: Mapping[int, Number], constant: Number) -> None:
        if self.sense is Sense.MAXIMA:
            self.program.row(entries, None, -constant)
        else:
            self.program.row(entries, -constant)


def least_in_floats(
    components: Iterable[Sequence[Branch[int]]], slopes: Array, constants: Array, floor: float
) -> tuple[ColumnProgram, list[int]]:
    """The small program  min over y of  Σ max Σ max (constants_a + y·slopes_a), but not below ``floor``, in arrays.

    Parameters: options as numbers a; ``slopes`` of shape (variables, options), ``constants`` of shape (options,).  Returns the
    program (y first, then a variable for every maximum) and the option of each row, −1 where it has none.
    """
    owners: list[int] = []
    tops: list[int] = []
    sums: list[tuple[int, range]] = []
    totals: list[int] = []
    column = len(slopes)
    for branches in components:
        totals.append(column)
        column += 1
        for parts in branches:
            sums.append((totals[-1], range(column, column + len(parts))))
            for options in parts:
                owners += options
                tops += [column] * len(options)
                column += 1
    rows = len(owners) + len(sums) + 1
    matrix = np.zeros((column, rows))  # transposed
    matrix[: len(slopes), : len(owners)] = -slopes[:, owners]
    matrix[tops, np.arange(len(owners))] = 1.0
    for row, (total, members) in enumerate(sums, start=len(owners)):
        matrix[total, row] = 1.0
        matrix[members, row] = -1.0
    matrix[totals, -1] = 1.0
    lower = np.concatenate([constants[owners], np.zeros(len(sums)), [floor]])
    costs = np.zeros(column)
    costs[totals] = 1.0
    free = np.full(column, np.inf)
    return ColumnProgram(costs, -free, free, lower, np.full(rows, np.inf), matrix), owners + [-1] * (len(sums) + 1)
