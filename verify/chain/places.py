"""Places: sets of states x = n + z, z >= 0, with some coordinates fixed, on which a quadratic function with cuts is one
polynomial before and after every jump (``FORMAT.md``, section 20.2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Alternative
from verify.chain.rows import Row
from verify.linear_form import LinearForm


@dataclass(frozen=True)
class Place:
    """The states with x_k = n_k for ``fixed`` k and x_k >= n_k for the other cut ones.

    ``at``: cut coordinate k -> n_k in {0, …, T_k + 1}; ``cuts``: k -> T_k."""

    at: Mapping[int, int]
    cuts: Mapping[int, int]

    def fixes(self, k: int) -> bool:
        """Is x_k one number here?"""
        return k in self.at and self.at[k] <= self.cuts[k]

    @property
    def corner(self) -> LinearForm:
        """n, the state with the fewest jobs."""
        return LinearForm((k, Fraction(n)) for k, n in self.at.items())

    def cell(self, change: Mapping[int, Fraction] | None = None) -> tuple[int, ...]:
        """The cell of f, after a jump if one is given (one and the same for all states of the place)."""
        moved = change or {}
        return tuple(min(n + int(moved.get(k, 0)), self.cuts[k]) for k, n in self.at.items())

    def excludes(self, alternative: Alternative, rows: list[Row]) -> bool:
        """Is it plain that the alternative does not occur here: the buffer served has too few jobs, or one that must be empty has
        some?"""
        k = alternative.serves
        if k is not None and self.fixes(k) and self.at[k] < alternative.least:
            return True
        return any(row.empties is not None and self.at.get(row.empties, 0) > 0 for row in rows)


def places(cuts: Mapping[int, int]) -> Iterator[Place]:
    """All places, the last cut coordinate varying fastest; without cuts one, with all states."""
    for numbers in itertools.product(*(range(cut + 2) for cut in cuts.values())):
        yield Place(dict(zip(cuts, numbers, strict=True)), cuts)
