"""Test functions V(x) = max_i w_i·x (theory 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.functions.function import TestFunction
from verify.linear_form import LinearForm

#: So many weights of several pieces are shown to people; certificates have all of them.
_SHOWN_WEIGHTS = 16


@dataclass(frozen=True)
class PiecewiseLinear(TestFunction):
    """The maximum of finitely many linear forms.

    ``pieces``: sparse weight vectors w_i >= 0 over the coordinates of the expansion, in listed order, no two equal.
    ``depths``: for the explicit template the chosen depth of every route, in the same order; else empty.
    """

    pieces: tuple[LinearForm, ...]
    depths: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, *pieces: Mapping[int, Fraction]) -> PiecewiseLinear:
        """The maximum of these pieces, coordinate -> weight."""
        return cls(tuple(LinearForm(piece) for piece in pieces))

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def size(self) -> int:
        """How many pieces it has."""
        return len(self.pieces)

    @property
    def scale(self) -> Fraction:
        """The largest weight."""
        return max((weight for piece in self.pieces for weight in piece.values()), default=Fraction(0))

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """V(x) for a state x."""
        return max(w.at(state) for w in self.pieces)

    def gradients_at(self, state: Mapping[int, Fraction]) -> tuple[LinearForm, ...]:
        """The pieces that are maximal at x."""
        top = self.at(state)
        return tuple(w for w in self.pieces if w.at(state) == top)

    def words(self, names: Sequence[str]) -> str:
        """V, as far as there is room for it.

        >>> PiecewiseLinear.of({0: Fraction(1), 1: Fraction(1)}).words(["a", "b"])
        'V = number of jobs'
        """
        if self.size > 1:
            few = self.size * len(names) <= _SHOWN_WEIGHTS
            shown = f": {', '.join(piece.words(names) for piece in self.pieces)}" if few else ""
            return f"V, a maximum of {self.size} pieces{shown}"
        piece = self.pieces[0]
        if len(piece) == len(names) and set(piece.values()) == {Fraction(1)}:
            return "V = number of jobs"
        return f"V = {piece.words(names)}"

    def to_json(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The pieces by buffer."""
        return [{name: str(weight) for name, weight in piece.named(names).items()} for piece in self.pieces]

    def difference(self, i: int, j: int) -> LinearForm:
        """The normal w_i − w_j."""
        return self.pieces[i] - self.pieces[j]


def free_pieces(names: Sequence[str], pieces: Sequence[Mapping[str, Fraction]]) -> PiecewiseLinear:
    """Pieces given by buffer names; equal ones are merged, the first stays."""
    index = {name: k for k, name in enumerate(names)}
    listed: list[LinearForm] = []
    for piece in pieces:
        vector = LinearForm({index[name]: weight for name, weight in piece.items()})
        if vector not in listed:
            listed.append(vector)
    return PiecewiseLinear(tuple(listed))
