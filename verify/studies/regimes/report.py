"""The regimes of a piecewise-linear test function ([Xie & Jin 2020], section 3; theory 3 to 5).

The regime of piece i is A_i = {x >= 0 : w_i·x >= w_j·x for all j}.  In it some classes, routes and initial segments of
routes are *dominant*; the last dominant subserver of a route is its *bottleneck*.  For every regime: is it more than {0},
has it an interior, how large is the drift of its piece in the worst cell of its interior (criterion P, which proves nothing
by itself), the same in symbols, and, if condition F has been evaluated, its worst leaf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.conditions.paper import ActiveDrift
from verify.network.symbols import Symbol
from verify.papers.publication import Case
from verify.studies.at_hand import Question


class Extent(StrEnum):
    """How large a regime is.  The first two are *realisable*: A_i ≠ {0}."""

    FULL = "full-dimensional"
    LOWER = "lower-dimensional"
    ORIGIN = "only 0"


@dataclass(frozen=True)
class WorstLeaf:
    """The leaf with the largest bound of a piece's case tree; ``path`` the signs that lead to it ("x(a.1) = 0"), ``face``
    the forms that vanish there."""

    bound: Fraction
    path: tuple[str, ...]
    face: tuple[str, ...]


@dataclass(frozen=True)
class Dominant:
    """What a piece weighs: the depth d_r of every route ("class.route" -> 0 … |r|), dominant classes, routes and buffers,
    bottleneck buffers (paper: subservers) and their servers."""

    depths: Mapping[str, int]
    classes: tuple[str, ...]
    routes: tuple[str, ...]
    buffers: tuple[str, ...]
    bottlenecks: tuple[str, ...]
    servers: tuple[str, ...]


@dataclass(frozen=True)
class Regime:
    """One piece, numbered from 0 as in certificates.

    ``active``: the largest drift of the active piece inside the regime, with its cell; None without interior.
    ``formula``: this drift in symbols, a sympy expression
    (:func:`verify.studies.regimes.drift.symbolic_drift`) whose exact value has been compared.  ``case``: the case of a published
    example, for networks of its shape; ``group``: the name of that case, or how much is dominant.
    """

    number: int
    dominant: Dominant
    extent: Extent
    active: ActiveDrift | None
    formula: Any
    worst: WorstLeaf | None
    group: str
    case: Case | None


@dataclass(frozen=True)
class Group:
    """Regimes of one kind, and the one with the largest drift (None if none of them has an interior)."""

    name: str
    case: Case | None
    regimes: tuple[Regime, ...]
    largest: Regime | None


@dataclass(frozen=True)
class RegimeReport:
    """All regimes of one V.  ``symbols``: every symbol of the formulas with its value."""

    question: Question
    regimes: tuple[Regime, ...]
    symbols: Mapping[Symbol, Fraction] = field(default_factory=dict)

    @property
    def largest(self) -> Regime | None:
        """The regime with the largest drift of the active piece."""
        return _largest(self.regimes)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Regimes by number of dominant routes and classes; by published cases for networks of such a shape."""
        found: dict[str, list[Regime]] = {}
        for regime in self.regimes:
            found.setdefault(regime.group, []).append(regime)
        ordered = sorted(found.items(), key=lambda item: _group_order(item[1][-1]))
        return tuple(Group(name, r[0].case, tuple(r), _largest(r)) for name, r in ordered)


def _largest(listed: Sequence[Regime]) -> Regime | None:
    inner = [(regime.active.drift, regime) for regime in listed if regime.active is not None]
    return max(inner, key=lambda pair: pair[0])[1] if inner else None


def group_name(known: Dominant) -> str:
    """How much is dominant, in words."""
    if not known.depths:
        return _count(len(known.buffers), "dominant buffer", "dominant buffers")
    routes = _count(len(known.routes), "dominant route", "dominant routes")
    return f"{routes} in {_count(len(known.classes), 'class', 'classes')}"


def _group_order(regime: Regime) -> tuple[int, ...]:
    known = regime.dominant
    if regime.case is not None:
        return (regime.case.number,)
    return (len(known.routes), len(known.classes), len(known.buffers))


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
