"""Where a piece of a piecewise linear function is the largest (theory 3.1)."""

from __future__ import annotations

from functools import partial

from verify.chain.guards import Normal, Normals, Signs
from verify.functions.piecewise import PiecewiseLinear


def maximal_piece(i: int, function: PiecewiseLinear, normals: Normals, word: str) -> dict[Normal, Signs]:
    """Piece i is maximal: w_i·x >= w_j·x for every other j.  ``word``: "dominance" for U, "piece" for V."""
    guard: dict[Normal, Signs] = {}
    owner = function if word == "piece" else None
    for j in range(len(function)):
        if j != i:
            first, second = min(i, j), max(i, j)
            normal = normals.get(f"{word}({first} - {second})", partial(function.difference, first, second), owner)
            guard[normal] = Signs.NOT_NEGATIVE if i == first else Signs.NOT_POSITIVE
    return guard
