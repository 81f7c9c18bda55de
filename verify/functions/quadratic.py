"""Quadratic test functions f(x) = ½ x'Qx + q·x, with linear corrections in cells (theory 13; ``FORMAT.md`` 20.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from verify.functions.function import TestFunction
from verify.linear_form import ZERO, LinearForm
from verify.rational import text

Cell = tuple[int, ...]
"""min(x_k, T_k) for each cut coordinate k, in increasing order of k."""

#: So many terms are shown to people; certificates have all of them.
_SHOWN_TERMS = 8


class Coefficient(NamedTuple):
    """One number of f: Q_kl (``kind`` "Q", ``where`` (k, l) with k <= l), q_k in a cell ("q", (*cell, k)), h ("h", cell)."""

    kind: str
    where: tuple[int, ...]


Terms = dict[Coefficient, Fraction]
"""A number that is linear in f: coefficient -> factor."""


def square(k: int, j: int) -> Coefficient:
    """Q_kj = Q_jk."""
    return Coefficient("Q", (min(k, j), max(k, j)))


@dataclass(frozen=True)
class Quadratic(TestFunction):
    """f = ½ x'Qx + q_m·x + h_m, m the cell of x; without cuts one cell.

    ``values``: coefficient -> number, those left out are 0; ``cuts``: coordinate -> T >= 1, in increasing order.
    """

    values: Mapping[Coefficient, Fraction]
    cuts: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, matrix: Mapping[tuple[int, int], Fraction], linear: Mapping[int, Fraction]) -> Quadratic:
        """From Q_kl with k <= l, and q."""
        values = {square(*place): Fraction(value) for place, value in matrix.items() if value}
        return cls(values | {Coefficient("q", (k,)): Fraction(value) for k, value in linear.items() if value})

    @property
    def matrix(self) -> dict[tuple[int, int], Fraction]:
        """(k, l) with k <= l -> Q_kl, zeros left out."""
        return {(c.where[0], c.where[1]): v for c, v in sorted(self.values.items()) if c.kind == "Q" and v}

    def linear(self, cell: Cell = ()) -> LinearForm:
        """q in a cell."""
        size = len(self.cuts)
        found = {c.where[-1]: v for c, v in self.values.items() if c.kind == "q" and c.where[:size] == cell}
        return LinearForm(sorted(found.items()))

    def constant(self, cell: Cell = ()) -> Fraction:
        """h in a cell."""
        return self.values.get(Coefficient("h", cell), ZERO)

    def cell_of(self, state: Mapping[int, Fraction]) -> Cell:
        """The cell of a state."""
        return tuple(min(int(state.get(k, 0)), cut) for k, cut in self.cuts.items())

    def sum_of(self, terms: Terms) -> Fraction:
        """Σ factor · coefficient of f."""
        return sum((factor * self.values[c] for c, factor in terms.items() if c in self.values), ZERO)

    def times(self, factor: Fraction) -> Quadratic:
        """factor · f."""
        return Quadratic({c: factor * value for c, value in self.values.items()}, self.cuts)

    @property
    def size(self) -> int:
        """One quadratic form."""
        return 1

    @property
    def scale(self) -> Fraction:
        """The largest entry of Q."""
        return max((abs(value) for value in self.matrix.values()), default=ZERO)

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """f(x)."""
        cell = self.cell_of(state)
        form = sum(
            (
                v * state.get(k, 0) * state.get(j, 0) * (1 if k != j else Fraction(1, 2))
                for (k, j), v in self.matrix.items()
            ),
            ZERO,
        )
        return form + self.linear(cell).at(state) + self.constant(cell)

    def gradients_at(self, state: Mapping[int, Fraction]) -> tuple[LinearForm, ...]:
        """Qx + q, of the cell of x."""
        terms: list[tuple[Fraction, Mapping[int, Fraction]]] = [(Fraction(1), self.linear(self.cell_of(state)))]
        for (k, j), value in self.matrix.items():
            terms.append((value * state.get(j, 0), LinearForm.unit(k)))
            if k != j:
                terms.append((value * state.get(k, 0), LinearForm.unit(j)))
        return (LinearForm.combination(terms),)

    def words(self, names: Sequence[str]) -> str:
        """f, as far as there is room for it.

        >>> Quadratic.of({(0, 0): Fraction(1), (0, 1): Fraction(-2)}, {1: Fraction(1, 2)}).words(["a", "b"])
        'f = 1/2 a^2 - 2 a b + 1/2 b'
        """
        listed = [
            (value / 2, f"{names[k]}^2") if k == j else (value, f"{names[k]} {names[j]}")
            for (k, j), value in self.matrix.items()
        ]
        if self.cuts:
            listed.append((Fraction(1), f"linear terms in {len(list(self.all_cells()))} cells"))
        listed += [(value, names[k]) for k, value in self.linear().items()] if not self.cuts else []
        if len(listed) > _SHOWN_TERMS:
            return f"f quadratic with {len(listed)} terms"
        return "f = " + (signed_sum(listed) or "0")

    def all_cells(self) -> Iterator[Cell]:
        """Every cell."""
        return itertools.product(*(range(cut + 1) for cut in self.cuts.values()))

    def to_json(self, names: Sequence[str]) -> Any:
        """As in certificates (``FORMAT.md``, section 20.1)."""
        found: dict[str, Any] = {"square": {}, "linear": {}}
        for (k, j), value in self.matrix.items():
            found["square"].setdefault(names[k], {})[names[j]] = text(value)
        if not self.cuts:
            return {**found, "linear": _by_name(self.linear(), names)}
        found["cuts"] = {names[k]: text(cut) for k, cut in self.cuts.items()}
        found["cells"] = []
        for cell in self.all_cells():
            linear, constant = self.linear(cell), self.constant(cell)
            if linear or constant:
                at = {names[k]: text(m) for k, m in zip(self.cuts, cell, strict=True)}
                shift = {"constant": text(constant)} if constant else {}
                found["cells"].append({"at": at, "linear": _by_name(linear, names), **shift})
        return found


def _by_name(form: LinearForm, names: Sequence[str]) -> dict[str, str]:
    return {names[k]: text(value) for k, value in form.items()}


def signed_sum(terms: Iterable[tuple[Fraction, str]]) -> str:
    """Terms in words: "1 a - 1/2 b", a factor 1 of a product left out."""
    shown = ""
    for value, what in terms:
        sign = ("- " if value < 0 else "") if not shown else (" - " if value < 0 else " + ")
        shown += f"{sign}{'' if abs(value) == 1 else f'{abs(value)} '}{what}"
    return shown
