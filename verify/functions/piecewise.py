"""Test functions V(x) = max_i w_i·x (theory 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.linear_form import LinearForm


@dataclass(frozen=True)
class PiecewiseLinear:
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

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """V(x) for a state x."""
        return max(w.at(state) for w in self.pieces)

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
