"""V(x) = w·x + h(x), h constant on pattern cells (theory 5.5, 6): the test function of conditions H and U."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.evidence.nodes import Corrector
from verify.functions.function import TestFunction
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.rational import counted


@dataclass(frozen=True)
class CellFunction(TestFunction):
    """``weights`` w, ``corrector`` h."""

    weights: LinearForm
    corrector: Corrector

    @property
    def size(self) -> int:
        """One, whatever h is."""
        return 1

    @property
    def scale(self) -> Fraction:
        """The largest weight of w."""
        return self._linear.scale

    @property
    def _linear(self) -> PiecewiseLinear:
        return PiecewiseLinear((self.weights,))

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """V(x) for an integer state."""
        cell = self.corrector.cells.cell_of({k: int(x) for k, x in state.items()})
        return self.weights.at(state) + self.corrector.h.get(cell, Fraction(0))

    def gradients_at(self, state: Mapping[int, Fraction]) -> tuple[LinearForm, ...]:
        """w: h is bounded."""
        return (self.weights,)

    def words(self, names: Sequence[str]) -> str:
        """w, and on how many cells there is an h."""
        h = self.corrector.h
        return f"V = {self.weights.words(names)}" + (f" + h(x), h on {counted(len(h), 'cell')}" if h else "")

    def to_json(self, names: Sequence[str]) -> Any:
        """w by buffer."""
        return self._linear.to_json(names)
