"""Quadratic functions with cuts, and the places of the states (FORMAT.md sections 20.1 and 20.2), in exact integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

from verify.checker.core.data import Numbers
from verify.checker.core.errors import require
from verify.checker.core.quadratics import QuadraticText
from verify.checker.core.state import State
from verify.checker.core.work import Work, common_denominator, product

MOST_CUT = 50
MOST_PLACES = 20000
RULE = "function-quadratic"

Entries = Mapping[int, int]
Levels = tuple[int, ...]  # a number for each cut buffer, in the order of coordinates


# ---- functions -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Quadratic:
    """f(x) = x'Qx/2 + (q + q_m).x + h_m, every number a multiple of 1/denominator.

    columns: for each coordinate its column of Q; cuts: where a coordinate is cut; terms: q_m and h_m of the cells that are
    listed.
    """

    denominator: int
    columns: Mapping[int, Entries]
    linear: Entries
    cuts: Entries
    terms: Mapping[Levels, tuple[Entries, int]]
    bits: int

    @cached_property
    def number_of_places(self) -> int:
        """One for each choice of n_K in 0..T_K + 1."""
        return prod(cut + 2 for cut in self.cuts.values())

    def cell(self, levels: Levels) -> Levels:
        """The cell of the states with these numbers at the cut buffers."""
        return tuple(map(min, levels, self.cuts.values()))

    def term(self, cell: Levels) -> tuple[Entries, int]:
        """q_m and h_m."""
        return self.terms.get(cell, ({}, 0))


def check_function(state: State, text: QuadraticText, where: str, work: Work) -> Quadratic:
    """**function-quadratic**: names are buffers, each entry of Q once, cuts within bounds, cells distinct, few places.

    Sound because f is then one function of the state: quadratic, but for forms that depend on the cell.
    """
    cuts = _cuts(state, text.cuts, where)
    numbers = [value for row in text.square.values() for value in row.values()] + list(text.linear.values())
    numbers += [value for cell in text.cells for value in (*cell.linear.values(), cell.constant)]
    denominator = common_denominator((value.denominator for value in numbers), where)
    size = denominator.bit_length()
    work.spend(len(numbers) * (20 + product(size, size)) + 20 * len(text.cells) * (1 + len(cuts)), "functions")
    scale = _Scale(state, denominator, where)
    columns = _columns(scale, text.square)
    terms: dict[Levels, tuple[Entries, int]] = {}
    for number, cell in enumerate(text.cells):
        at = f"{where}, cells[{number}]"
        levels = read_levels(state, cell.at, cuts, cuts, RULE, at)
        require(levels not in terms, RULE, at, dict(cell.at), "a cell not listed before")
        terms[levels] = (scale.entries(cell.linear, f"{at}, linear"), scale.number(cell.constant))
    linear = scale.entries(text.linear, f"{where}, linear")
    bits = max((scale.number(value).bit_length() for value in numbers), default=0)
    found = Quadratic(denominator, columns, linear, cuts, terms, max(bits, denominator.bit_length()))
    number = found.number_of_places
    require(number <= MOST_PLACES, RULE, f"{where}, places", number, f"<= {MOST_PLACES}")
    return found


@dataclass(frozen=True)
class _Scale:
    """Writes numbers by name as integers by coordinate."""

    state: State
    denominator: int
    where: str

    def number(self, value: Fraction) -> int:
        return value.numerator * (self.denominator // value.denominator)

    def coordinate(self, name: str, where: str) -> int:
        require(name in self.state.index, RULE, where, name, "a buffer")
        return self.state.index[name]

    def entries(self, numbers: Numbers, where: str) -> Entries:
        return {self.coordinate(name, where): self.number(value) for name, value in numbers.items()}


def _columns(scale: _Scale, square: Mapping[str, Numbers]) -> Mapping[int, Entries]:
    """All columns of Q, from the entries on and above its diagonal."""
    columns: dict[int, dict[int, int]] = {}
    for name, row in square.items():
        where = f"{scale.where}, square of {name}"
        k = scale.coordinate(name, f"{scale.where}, square")
        for other, value in row.items():
            j = scale.coordinate(other, where)
            require(k <= j, RULE, where, other, "a buffer not before it")
            entry = scale.number(value)
            columns.setdefault(k, {})[j] = entry
            columns.setdefault(j, {})[k] = entry
    return columns


def _cuts(state: State, text: Numbers, where: str) -> dict[int, int]:
    """The cut buffers in the order of coordinates."""
    for name, cut in text.items():
        require(name in state.index, RULE, f"{where}, cuts", name, "a buffer")
        right = cut.denominator == 1 and 1 <= cut <= MOST_CUT
        require(right, RULE, f"{where}, cut of {name}", cut, f"an integer from 1 to {MOST_CUT}")
    return {k: int(text[name]) for k, name in enumerate(state.names) if name in text}


def read_levels(state: State, at: Numbers, cuts: Entries, most: Entries, rule: str, where: str) -> Levels:
    """A number for each cut buffer, written by name: an integer from 0 to the most that is allowed there."""
    names = [state.names[k] for k in cuts]
    require(set(at) == set(names), rule, where, set(at), set(names))
    for k, name in zip(cuts, names, strict=True):
        right = at[name].denominator == 1 and 0 <= at[name] <= most[k]
        require(right, rule, f"{where}, {name}", at[name], f"an integer from 0 to {most[k]}")
    return tuple(int(at[name]) for name in names)


# ---- places --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Place:
    """The states x = n + z with z >= 0 that is 0 at fixed buffers; n is 0 at buffers that are not cut.

    levels: n at the cut buffers in the order of coordinates; origin: the same by coordinate.
    """

    where: str
    levels: Levels
    origin: Entries
    fixed: frozenset[int]


def place_at(state: State, function: Quadratic, levels: Levels, where: str) -> Place:
    """The place with these numbers; `where` is for messages."""
    origin = dict(zip(function.cuts, levels, strict=True))
    named = ", ".join(f"{state.names[k]} {n}" for k, n in origin.items())
    fixed = frozenset(k for k, n in origin.items() if n <= function.cuts[k])
    return Place(f"{where}, place {named}" if named else where, levels, origin, fixed)
