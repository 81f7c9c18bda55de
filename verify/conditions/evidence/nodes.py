"""What conditions F and S are proved with: exclusions and case trees (theory 5.7, 5.8; FORMAT.md, sections 10 and 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from verify.chain.cells import Cell, Cells
from verify.chain.guards import Normal, Signs


@dataclass(frozen=True)
class Exclusion:
    """Motzkin multipliers: κ·1 + Σ y_g g <= 0, with κ + Σ |y_g| over strict facts > 0, so the facts admit no x >= 0, x ≠ 0."""

    kappa: Fraction
    multipliers: Mapping[Normal, Fraction]


@dataclass(frozen=True)
class Corrector:
    """A bounded h on pattern cells: exact values, zeros left out."""

    cells: Cells
    h: Mapping[Cell, Fraction]


@dataclass
class Empty:
    """A node without points."""

    evidence: Exclusion
    exclude: dict[str, Exclusion] = field(default_factory=dict)


@dataclass(frozen=True)
class BranchRates:
    """What a leaf for all rates has for one branch (FORMAT.md, section 24): prices of servers, potentials of buffers of the graph
    of condition N, multipliers of rows by name; zeros left out."""

    prices: Mapping[str, Fraction]
    potentials: Mapping[str, Fraction]
    multipliers: Mapping[str, Fraction]


@dataclass
class Leaf:
    """A bounded leaf: with w = w_i + Σ η_g g the drift of every counted choice is at most ``bound``.

    ``rates``: for all rates, by the names of the branches; ``bound`` then is minus the margin of its program."""

    eta: Mapping[Normal, Fraction]
    bound: Fraction
    exclude: dict[str, Exclusion] = field(default_factory=dict)
    corrector: Corrector | None = None
    rates: Mapping[str, BranchRates] | None = None


@dataclass
class Split:
    """Children for every sign of ``normal`` that is possible here."""

    normal: Normal
    children: dict[Signs, Node]
    exclude: dict[str, Exclusion] = field(default_factory=dict)


Node: TypeAlias = Empty | Leaf | Split


def leaves(node: Node) -> Iterator[Empty | Leaf]:
    """All leaves of a tree, left to right."""
    if isinstance(node, Split):
        for child in node.children.values():
            yield from leaves(child)
    else:
        yield node


@dataclass(frozen=True)
class Obstacle:
    """Where a condition fails: at ``state`` piece ``piece`` has drift ``drift`` (or more) under ``choices``, whatever is added
    from the forms that vanish there (``face``, by name)."""

    piece: int
    drift: Fraction
    state: Mapping[str, Fraction]
    face: tuple[str, ...]
    choices: tuple[str, ...]
