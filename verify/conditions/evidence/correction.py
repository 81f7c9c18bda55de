"""The corrected gradient of condition F: the best η on given normals, and what attains the bound (theory 5.2).

For fixed w_i, normals g and living alternatives the bound

    min over η of  Σ_components max_branches Σ_parts max_alternatives (w_i + Σ η_g g)·d_a

is a linear program with one variable for every maximum.  :meth:`BoundProgram.propose` answers in floats;
:meth:`BoundProgram.decide` in rationals, and only that enters a certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.chain.components import time_unit
from verify.chain.numeric import Alive, Array, NumericWalk
from verify.conditions.evidence.nodes import Exclusion
from verify.linear_form import LinearForm
from verify.lp.approx import ColumnProgram, propose
from verify.lp.exact import solve_exact
from verify.lp.max_sum import Expression, MaxSum, Singles, least_in_floats
from verify.lp.model import LinearProgram, Status
from verify.rational import DENOMINATORS, nearby

#: A float optimum this close to the wanted value (relative to the sizes of the drifts) is decided by an exact program.
_CLOSE = 1e-7


@dataclass(frozen=True, eq=False)
class Proposed:
    """A float answer: η on numbered normals, the bound, the drift of every alternative, and what binds."""

    eta: Mapping[int, float]
    bound: float
    values: Array
    binding: Sequence[int]


@dataclass(frozen=True)
class Decided:
    """An exact answer: η on numbered normals, and the bound it gives."""

    eta: Mapping[int, Fraction]
    bound: Fraction


@dataclass(frozen=True)
class FaceEvidence:
    """A reduced face for one piece: ``busy`` server -> first buffer of its highest busy group; exact corrections on empty
    buffers and the bound they give, or proof that the piece is active nowhere with exactly this busy set."""

    busy: Mapping[str, int]
    decided: Decided | None = None
    inactive: Exclusion | None = None


class BoundProgram:
    """Bounds for one vector of weights: remembers w·d_a and g·d_a.

    Parameters: ``weights`` the vector w_i, ``piece`` its number (for messages), ``target`` the ε that is asked for.
    """

    def __init__(self, numeric: NumericWalk, weights: LinearForm, piece: int, target: Fraction = Fraction(0)):
        self.numeric, self.weights, self.piece = numeric, weights, piece
        self.base = numeric.drifts(weights)
        self.scale = float(np.abs(self.base).max(initial=0.0)) * len(numeric.component_start) + 1e-12
        # Where no fluid path can stay on a face the bound has no minimum: programs stop here.
        self.unit = float(time_unit(numeric.alternatives))
        self.floor = -(self.scale + float(target)) * 2 - self.unit
        self._along: dict[int, Array] = {}
        self._exact_base: list[Fraction] = []
        self._exact_along: dict[int, list[Fraction]] = {}

    def along(self, n: int) -> Array:
        """g_n·d_a for every alternative, shape (A,)."""
        if n not in self._along:
            self._along[n] = self.numeric.drifts(self.numeric.normals[n].form)
        return self._along[n]

    def propose(self, normals: Sequence[int], alive: Alive, enough: float) -> Proposed:
        """The best η in floats; η = 0 if that reaches ``enough`` already."""
        bound = self.numeric.bound(self.base, alive)
        useful = [n for n in normals if self.along(n).any()] if bound > enough else []
        if not useful or not np.isfinite(bound):
            return Proposed(
                {}, bound, self.base, self.numeric.attaining(self.base, alive) if np.isfinite(bound) else []
            )
        program, owners = self._float_program(useful, alive)
        answer = propose(program)
        if answer.status is not Status.OPTIMAL:
            return Proposed({}, bound, self.base, self.numeric.attaining(self.base, alive))
        eta = {n: y for n, y in zip(useful, answer.point, strict=False) if abs(y) > 1e-12}
        values = self.base + sum(y * self.along(n) for n, y in eta.items())
        binding = [a for row, a in enumerate(owners) if a >= 0 and answer.row_multipliers[row] > 1e-7]
        return Proposed(eta, answer.value * self.unit, values, binding or self.numeric.attaining(values, alive))

    def decide(self, normals: Sequence[int], alive: Alive, target: Fraction) -> Decided:
        """The best η on ``normals`` with its exact bound; coarse denominators first; η = 0 if that reaches ``target``."""
        best = Decided({}, self.exact_bound({}, alive))
        if reaches(best.bound, target):
            return best
        proposed = self.propose(normals, alive, -np.inf)
        goal = (
            min(-float(target), 0.999 * proposed.bound) if proposed.bound < 0 else proposed.bound + _CLOSE * self.scale
        )
        for denominator in DENOMINATORS:
            eta = {n: y for n, y in ((n, nearby(y, denominator)) for n, y in proposed.eta.items()) if y}
            rough = self.numeric.bound(self.base + sum(float(y) * self.along(n) for n, y in eta.items()), alive)
            if rough <= goal + 1e-9 * self.scale or denominator == DENOMINATORS[-1]:
                best = min(Decided(eta, self.exact_bound(eta, alive)), best, key=lambda d: d.bound)
                if reaches(best.bound, target) or proposed.bound >= 0:
                    break
        if not reaches(best.bound, target) and proposed.bound <= -float(target) + _CLOSE * self.scale:
            best = min(self._exactly(normals, alive), best, key=lambda d: d.bound)
        return best

    def _exactly(self, normals: Sequence[int], alive: Alive) -> Decided:
        """The optimum as an exact program gives it."""
        answer = solve_exact(self._exact_program(normals, alive))
        eta = (
            {n: y for n, y in zip(normals, answer.point, strict=False) if y} if answer.status is Status.OPTIMAL else {}
        )
        return Decided(eta, self.exact_bound(eta, alive))

    def exact_bound(self, eta: Mapping[int, Fraction], alive: Alive) -> Fraction:
        """The bound in rationals: what a leaf with this η states.  Every part must have a living alternative."""
        forms = [(y, self._exactly_along(n)) for n, y in eta.items()]
        base = self._exactly_base()

        def value(a: int) -> Fraction:
            return base[a] + sum((y * products[a] for y, products in forms if products[a]), Fraction(0))

        total = Fraction(0)
        for branches in self.numeric.living(alive):
            total += max(sum((max(map(value, part)) for part in parts), Fraction(0)) for parts in branches)
        return total

    def _exactly_base(self) -> list[Fraction]:
        if not self._exact_base:
            self._exact_base = [self.weights.at(a.mean_drift) for a in self.numeric.alternatives]
        return self._exact_base

    def _exactly_along(self, n: int) -> list[Fraction]:
        if n not in self._exact_along:
            form = self.numeric.normals[n].form
            self._exact_along[n] = [form.at(a.mean_drift) for a in self.numeric.alternatives]
        return self._exact_along[n]

    def _float_program(self, normals: Sequence[int], alive: Alive) -> tuple[ColumnProgram, list[int]]:
        """As :meth:`_exact_program`, in arrays and in multiples of ``unit``; with the alternative of each row (−1: none)."""
        along = np.array([self.along(n) for n in normals]) / self.unit
        return least_in_floats(self.numeric.living(alive), along, self.base / self.unit, self.floor / self.unit)

    def _exact_program(self, normals: Sequence[int], alive: Alive) -> LinearProgram:
        """Variables: η first, then one per maximum."""
        along = [self._exactly_along(n) for n in normals]
        base = self._exactly_base()
        program = LinearProgram()
        for _ in normals:
            program.variable(None, None)

        def corrected(a: int) -> Expression:
            return Expression({c: products[a] for c, products in enumerate(along) if products[a]}, base[a])

        total = Expression()
        MaxSum(program, corrected, singles=Singles.VARIABLES).add(self.numeric.living(alive), total)
        for column in total.entries:
            program.costs[column] = 1
        program.row(total.entries, Fraction(self.floor))
        return program


def reaches(bound: Fraction, target: Fraction) -> bool:
    """Is the drift negative, and at most −target?"""
    return bound < 0 and -bound >= target
