"""Test functions V(x) = max_i w_i·x (theory 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Vector: TypeAlias = Mapping[int, Fraction]
"""Sparse vector: coordinate -> entry, zeros left out."""


@dataclass(frozen=True)
class PiecewiseLinear:
    """The maximum of finitely many linear forms.

    ``pieces``: sparse weight vectors w_i >= 0 over the coordinates of the expansion, in listed order, no two equal.
    ``depths``: for the explicit template the chosen depth of every route, in the same order; else empty.
    """

    pieces: tuple[Vector, ...]
    depths: tuple[tuple[int, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.pieces)

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """V(x) for a state x."""
        return max(sum((w.get(k, Fraction(0)) * x for k, x in state.items()), Fraction(0)) for w in self.pieces)

    def difference(self, i: int, j: int) -> Vector:
        """The normal w_i − w_j."""
        result = dict(self.pieces[i])
        for k, weight in self.pieces[j].items():
            value = result.get(k, Fraction(0)) - weight
            if value:
                result[k] = value
            else:
                result.pop(k, None)
        return result


def free_pieces(names: Sequence[str], pieces: Sequence[Mapping[str, Fraction]]) -> PiecewiseLinear:
    """Pieces given by buffer names; equal ones are merged, the first stays."""
    index = {name: k for k, name in enumerate(names)}
    listed: list[Vector] = []
    for piece in pieces:
        vector = {index[name]: weight for name, weight in piece.items() if weight}
        if vector not in listed:
            listed.append(vector)
    return PiecewiseLinear(tuple(listed))
