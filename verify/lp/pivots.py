"""The last resort: a textbook two-phase simplex method in rational arithmetic with Bland's rule.

Slow and sure.  Used only where the basis of a float solver does not verify (margins below its tolerances, degenerate or
badly scaled programs).  Reference: [Chvátal 1983], chapters 3 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.errors import InternalError
from verify.lp.model import ExactAnswer, LinearProgram, Status
from verify.lp.witness import dual_value, verify_optimal


@dataclass
class _Tableau:
    """Rows a·z = b with z >= 0, b >= 0; ``basis[r]`` is the basic variable of row r; reduced costs in ``costs``."""

    rows: list[list[Fraction]]
    right: list[Fraction]
    basis: list[int]

    def pivot(self, r: int, j: int) -> None:
        scale = self.rows[r][j]
        self.rows[r] = [a / scale for a in self.rows[r]]
        self.right[r] /= scale
        for i, row in enumerate(self.rows):
            factor = row[j]
            if i != r and factor:
                self.rows[i] = [a - factor * p if p else a for a, p in zip(row, self.rows[r], strict=True)]
                self.right[i] -= factor * self.right[r]
        self.basis[r] = j

    def reduced(self, costs: list[Fraction]) -> list[Fraction]:
        result = list(costs)
        for row, j in zip(self.rows, self.basis, strict=True):
            if costs[j]:
                result = [c - costs[j] * a if a else c for c, a in zip(result, row, strict=True)]
        return result

    def minimise(self, costs: list[Fraction], allowed: int) -> int | None:
        """Bland's rule over the first ``allowed`` columns; the entering column of an unbounded ray, or None."""
        while True:
            reduced = self.reduced(costs)
            entering = next((j for j in range(allowed) if reduced[j] < 0), None)
            if entering is None:
                return None
            ratios = [
                (self.right[r] / row[entering], self.basis[r], r)
                for r, row in enumerate(self.rows)
                if row[entering] > 0
            ]
            if not ratios:
                return entering
            self.pivot(min(ratios)[2], entering)


@dataclass(frozen=True)
class _Standard:
    """The program as min c·z, A z = b, z >= 0, with the way back: x_j = offset_j + Σ sign·z."""

    costs: list[Fraction]
    rows: list[list[Fraction]]
    right: list[Fraction]
    offsets: list[Fraction]
    parts: list[list[tuple[int, int]]]
    owner: list[int]
    """owner[r]: the row of the original program, -1 for a variable's upper bound"""


def solve_by_pivots(program: LinearProgram) -> ExactAnswer:
    """Optimal, infeasible or unbounded, with exact witnesses."""
    standard = _standardise(program)
    n, m = len(standard.costs), len(standard.rows)
    rows, right = [], []
    for r, (row, b) in enumerate(zip(standard.rows, standard.right, strict=True)):
        sign = -1 if b < 0 else 1
        rows.append([sign * a for a in row] + [Fraction(int(i == r)) for i in range(m)])
        right.append(sign * b)
    signs = [-1 if b < 0 else 1 for b in standard.right]
    tableau = _Tableau(rows, right, list(range(n, n + m)))
    phase_one = [Fraction(0)] * n + [Fraction(1)] * m
    tableau.minimise(phase_one, n)
    if any(j >= n and b for j, b in zip(tableau.basis, tableau.right, strict=True)):
        multipliers = _multipliers(program, standard, tableau.reduced(phase_one), phase_one, signs)
        value = dual_value(program, multipliers, homogeneous=True)
        if value is None or value <= 0:
            raise InternalError("exact pivots: multipliers of an infeasible program do not verify")
        return ExactAnswer(Status.INFEASIBLE, None, [], multipliers)
    for r, j in enumerate(tableau.basis):
        if j >= n:  # drive a zero artificial out of the basis where its row allows it
            entering = next((k for k in range(n) if tableau.rows[r][k]), None)
            if entering is not None:
                tableau.pivot(r, entering)
    costs = standard.costs + [Fraction(0)] * m
    ray = tableau.minimise(costs, n)
    point = _point(standard, tableau)
    if ray is not None:
        direction = [Fraction(0)] * n
        direction[ray] = Fraction(1)
        for row, j in zip(tableau.rows, tableau.basis, strict=True):
            if j < n:
                direction[j] = -row[ray]
        back = [sum((s * direction[z] for z, s in parts), Fraction(0)) for parts in standard.parts]
        return ExactAnswer(Status.UNBOUNDED, None, point, [], back)
    multipliers = _multipliers(program, standard, tableau.reduced(costs), costs, signs)
    value = verify_optimal(program, point, multipliers)
    if value is None:
        raise InternalError("exact pivots: the optimum does not verify")
    return ExactAnswer(Status.OPTIMAL, value, point, multipliers)


def _standardise(program: LinearProgram) -> _Standard:
    """Shift lower bounds to 0, mirror variables with an upper bound only, split free ones, add slacks."""
    offsets: list[Fraction] = []
    parts: list[list[tuple[int, int]]] = []
    costs: list[Fraction] = []
    boxes: list[tuple[int, Fraction]] = []
    for cost, low, high in zip(program.costs, program.lower, program.upper, strict=True):
        offsets.append(Fraction(low if low is not None else high if high is not None else 0))
        signs = [1] if low is not None else [-1] if high is not None else [1, -1]
        parts.append([(len(costs) + i, s) for i, s in enumerate(signs)])
        if low is not None and high is not None:
            boxes.append((len(costs), Fraction(high) - Fraction(low)))
        costs += [cost * s for s in signs]
    equations: list[tuple[dict[int, Fraction], int, Fraction, int]] = []  # entries, slack sign, right side, owner
    for i, row in enumerate(program.rows):
        entries: dict[int, Fraction] = {}
        shift = Fraction(0)
        for j, a in row.items():
            shift += a * offsets[j]
            for z, s in parts[j]:
                entries[z] = entries.get(z, Fraction(0)) + a * s
        low, high = program.row_lower[i], program.row_upper[i]
        if low is not None and low == high:
            equations.append((entries, 0, Fraction(low) - shift, i))
            continue
        if low is not None:
            equations.append((entries, -1, Fraction(low) - shift, i))
        if high is not None:
            equations.append((entries, 1, Fraction(high) - shift, i))
    equations += [({z: Fraction(1)}, 1, width, -1) for z, width in boxes]
    width = len(costs) + sum(1 for _, slack, _, _ in equations if slack)
    rows, right, owner, next_slack = [], [], [], len(costs)
    for entries, slack, b, i in equations:
        dense = [Fraction(0)] * width
        for z, a in entries.items():
            dense[z] = a
        if slack:
            dense[next_slack] = Fraction(slack)
            next_slack += 1
        rows.append(dense)
        right.append(b)
        owner.append(i)
    return _Standard(costs + [Fraction(0)] * (width - len(costs)), rows, right, offsets, parts, owner)


def _point(standard: _Standard, tableau: _Tableau) -> list[Fraction]:
    values = [Fraction(0)] * len(standard.costs)
    for j, b in zip(tableau.basis, tableau.right, strict=True):
        if j < len(values):
            values[j] = b
    return [
        o + sum((s * values[z] for z, s in parts), Fraction(0))
        for o, parts in zip(standard.offsets, standard.parts, strict=True)
    ]


def _multipliers(
    program: LinearProgram, standard: _Standard, reduced: list[Fraction], costs: list[Fraction], signs: list[int]
) -> list[Fraction]:
    """Row multipliers from the artificial columns: their reduced cost is cost - y."""
    n = len(standard.costs)
    result = [Fraction(0)] * len(program.rows)
    for r, i in enumerate(standard.owner):
        if i >= 0:
            result[i] += signs[r] * (costs[n + r] - reduced[n + r])
    return result
