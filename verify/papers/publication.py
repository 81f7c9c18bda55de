"""What is known of a published example: the cases that its source tells apart, and what the source prints for them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Case:
    """One case of a source, numbered from 1: its ``name`` in words, and the bound of the mean drift as printed, as text and in
    LaTeX."""

    number: int
    name: str
    formula: str
    latex: str


@dataclass(frozen=True)
class Publication:
    """A recognised example: its ``source``, and for each case the value of the printed bound at the example's parameters."""

    source: str
    bounds: tuple[tuple[Case, Fraction], ...]
