"""Quadratic functions with cuts as certificates write them (FORMAT.md, section 20.1), by their values at states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from .claimed import Json, Unreadable, number, numbers


@dataclass(frozen=True)
class Quadratic:
    """½ x'Qx + (q + q_m)·x + h_m, all times ``scale``, an integer that makes all coefficients integers.

    ``pairs``: (K, L) -> scale · (½ Q_KK or Q_KL), each pair once; ``cells``: min(x, cut) of the cut buffers -> (q_m, h_m).
    """

    scale: int
    pairs: Mapping[tuple[str, str], int]
    linear: Mapping[str, int]
    cuts: Mapping[str, int]
    cells: Mapping[tuple[int, ...], tuple[Mapping[str, int], int]]

    def scaled(self, x: Mapping[str, int]) -> int:
        """``scale`` times the value at a state."""
        total = sum(a * x[k] * x[other] for (k, other), a in self.pairs.items())
        total += sum(a * x[k] for k, a in self.linear.items())
        if self.cuts:
            form, constant = self.cells.get(tuple(min(x[k], t) for k, t in self.cuts.items()), ({}, 0))
            total += constant + sum(a * x[k] for k, a in form.items())
        return total

    def value(self, x: Mapping[str, int]) -> Fraction:
        """The value at a state."""
        return Fraction(self.scaled(x), self.scale)

    def matrix(self, names: Sequence[str]) -> list[list[Fraction]]:
        """Q."""
        found = [[Fraction(0)] * len(names) for _ in names]
        place = {name: k for k, name in enumerate(names)}
        for (k, other), a in self.pairs.items():
            i, j = place[k], place[other]
            found[i][j] = found[j][i] = Fraction(2 * a if i == j else a, self.scale)
        return found


def quadratic(form: Json, names: Sequence[str]) -> Quadratic:
    """The function.  Raises ``Unreadable`` for an unknown buffer, a pair written twice, a cut or a cell that is none."""
    square = {(k, other): value for k, row in form["square"].items() for other, value in numbers(row).items()}
    linear, cuts = numbers(form["linear"]), {k: _integer(t) for k, t in form.get("cuts", {}).items()}
    cells: dict[tuple[int, ...], tuple[dict[str, Fraction], Fraction]] = {}
    for cell in form.get("cells", []):
        at = {k: _integer(m) for k, m in cell["at"].items()}
        if set(at) != set(cuts) or any(not 0 <= m <= cuts[k] for k, m in at.items()):
            raise Unreadable(f"cell {at}")
        key = tuple(at[k] for k in cuts)
        if key in cells:
            raise Unreadable(f"cell {at} twice")
        cells[key] = (numbers(cell.get("linear", {})), number(cell.get("constant", "0")))
    known = {k for pair in square for k in pair} | set(linear) | set(cuts) | {k for q, _ in cells.values() for k in q}
    if not known <= set(names):
        raise Unreadable(f"unknown buffers {sorted(known - set(names))}")
    if any(k != other and (other, k) in square for k, other in square) or any(t < 1 for t in cuts.values()):
        raise Unreadable("a pair twice, or a cut below 1")
    halved = {pair: value / 2 if pair[0] == pair[1] else value for pair, value in square.items()}
    every = [*halved.values(), *linear.values(), *(a for q, h in cells.values() for a in (*q.values(), h))]
    scale = lcm(*(a.denominator for a in every)) if every else 1

    def whole(a: Fraction) -> int:
        return int(a * scale)

    return Quadratic(
        scale,
        {pair: whole(a) for pair, a in halved.items() if a},
        {k: whole(a) for k, a in linear.items() if a},
        cuts,
        {key: ({k: whole(a) for k, a in q.items() if a}, whole(h)) for key, (q, h) in cells.items()},
    )


def _integer(text: Any) -> int:
    value = number(text)
    if value.denominator > 1:
        raise Unreadable(f"not an integer: {text}")
    return int(value)
