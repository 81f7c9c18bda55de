"""Linear programs, and the one place where signs are fixed.

    minimise  c·x   subject to   lower_i <= (A x)_i <= upper_i,   l_j <= x_j <= u_j

All data are exact (``Fraction``, ``int``) or ``None`` for "no bound"; programs that are only proposed may hold floats.
Multipliers: every row has one y_i, every variable one reduced cost d_j, with  c = Aᵀ y + d.  y_i >= 0 belongs to the lower
bound of row i, y_i <= 0 to its upper bound, the
same for d_j and the bounds of x_j; a bound that is None allows no multiplier of its sign.  Then for all feasible x

    c·x  >=  Σ_i (y_i lower_i if y_i > 0 else y_i upper_i) + Σ_j (d_j l_j if d_j > 0 else d_j u_j)  =: dual value,

and x is optimal iff its value equals a dual value.  *Infeasible*: multipliers with Aᵀ y + d = 0 and dual value > 0.
*Unbounded*: a feasible x and a ray r, (A r)_i >= 0 where row i has a lower bound, <= 0 where it has an upper one, the
same for r_j, and c·r < 0.  Nothing here knows about queues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias

Number: TypeAlias = Any
"""``Fraction`` or ``int``; float where a program is only proposed (never handed to the exact solvers)."""
Bound: TypeAlias = Any
"""A number or None."""


@dataclass
class LinearProgram:
    """A linear program under construction; columns and rows are numbered in the order in which they are added."""

    costs: list[Number] = field(default_factory=list)
    lower: list[Bound] = field(default_factory=list)
    upper: list[Bound] = field(default_factory=list)
    rows: list[dict[int, Number]] = field(default_factory=list)
    row_lower: list[Bound] = field(default_factory=list)
    row_upper: list[Bound] = field(default_factory=list)

    def variable(self, lower: Bound = 0, upper: Bound = None, cost: Number = 0) -> int:
        """Add a variable, return its column."""
        self.costs.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.costs) - 1

    def row(self, entries: Mapping[int, Number], lower: Bound = None, upper: Bound = None) -> int:
        """Add lower <= entries·x <= upper, return its row."""
        self.rows.append({j: a for j, a in entries.items() if a})
        self.row_lower.append(lower)
        self.row_upper.append(upper)
        return len(self.rows) - 1


class Status(StrEnum):
    """What a solver found."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Basis:
    """Which columns and rows are basic; of the others, which sit at their upper bound (the rest at the lower one)."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    columns_at_upper: frozenset[int]
    rows_at_upper: frozenset[int]


@dataclass(frozen=True)
class Proposal:
    """A float answer: it proposes and decides nothing.  Point and multipliers are empty unless OPTIMAL."""

    status: Status
    value: float
    point: list[float]
    row_multipliers: list[float]


@dataclass(frozen=True)
class ExactAnswer:
    """An answer whose witnesses have been checked in rational arithmetic.

    OPTIMAL: ``point`` and ``row_multipliers`` with equal primal and dual value.  INFEASIBLE: ``row_multipliers`` (and
    the reduced costs -Aᵀy) prove it.  UNBOUNDED: ``point`` feasible and ``ray`` improving.
    """

    status: Status
    value: Fraction | None
    point: list[Fraction]
    row_multipliers: list[Fraction]
    ray: list[Fraction] = field(default_factory=list)
