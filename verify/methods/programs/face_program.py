"""The face program: weights of linear pieces with the best corrections at every face (theory 9.1).

The corrections η enter linearly beside w, so one linear program finds both: variables w in [0, 1], ε, and η for each face; for
each face  Σ_components max { (w + Σ η_g g)·d_a } <= −ε;  maximise ε.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from verify.chain.components import Alternative, time_unit
from verify.chain.guards import Signs
from verify.chain.numeric import Alive, Array, NumericWalk
from verify.conditions.evidence.correctors import CellRows, feature_levels, places_of
from verify.lp.approx import propose
from verify.lp.exact import solve_exact
from verify.lp.max_sum import Expression, MaxSum
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk

#: Programs up to this many rows are also solved exactly where floats find no positive ε.
_EXACT_ROWS = 700
#: Programs up to this many faces get a second pass that prefers large weights (w = 1, the number of jobs, if it is optimal).
_SECOND_PASS = 600


@dataclass(frozen=True, eq=False)
class Face:
    """A face: its signs (shape (N,)), the alternatives whose closed cone contains it, the normals that vanish on it.

    ``busy``: for a reduced face, server -> first buffer of its highest busy group."""

    facts: Array
    alive: Alive
    vanishing: list[int]
    busy: dict[str, int] = field(default_factory=dict)


def reducible(walk: Walk) -> bool:
    """May the faces be reduced (theory 5.9)?  Fixed or random routing, one server per buffer, no holding,
    guards that only ask which buffers are busy.

    Reason: the alternatives at x depend only on each server's highest busy priority group, so making every lower buffer busy
    changes no alternative and frees no correction; with two servers on a buffer that is false.
    """
    policy = walk.instance.policy
    owners = [service.buffer for service in walk.expansion.services]
    return not policy.by_state and not policy.holds and policy.static and len(owners) == len(set(owners))


def face_count(walk: Walk) -> int:
    """How many reduced faces there are, Π(groups + 1) − 1 over the servers, without listing them."""
    policy, expansion = walk.instance.policy, walk.expansion
    return math.prod(len(policy.groups(s, expansion)) + 1 for s in expansion.busy_servers) - 1


def reduced_faces(walk: Walk, numeric: NumericWalk) -> Iterator[Face]:
    """Every choice of a highest busy group, or idle, for each server, but all idle."""
    groups = {server: walk.instance.policy.groups(server, walk.expansion) for server in walk.expansion.busy_servers}
    for choice in itertools.product(*(range(len(levels) + 1) for levels in groups.values())):
        facts = np.full(len(numeric.normals), int(Signs.ANY), np.int8)
        facts[: numeric.dimension] = int(Signs.ZERO)
        busy = {}
        for (server, levels), highest in zip(groups.items(), choice, strict=True):
            if highest < len(levels):
                busy[server] = levels[highest][0]
                facts[[k for level in levels[highest:] for k in level]] = int(Signs.POSITIVE)
        if busy:
            yield face_of(facts, numeric, busy)


def face_of(facts: Array, numeric: NumericWalk, busy: dict[str, int] | None = None) -> Face:
    """The face with these signs."""
    return Face(facts, numeric.all_alive(facts), np.flatnonzero(facts == int(Signs.ZERO)).tolist(), busy or {})


@dataclass(frozen=True)
class _Columns:
    """Where the weights of one piece and the η of one face stand in the program."""

    weights: Sequence[int]
    eta: dict[int, int]


class FaceProgram:
    """The linear program in w, ε and all η, growing face by face; inside, rates and ε are multiples of ``unit``."""

    def __init__(self, numeric: NumericWalk, least_weight: Fraction = Fraction(0), pieces: int = 1):
        self.numeric = numeric
        self.program = LinearProgram()
        self.epsilon = self.program.variable(None, None, -1)
        self.weights = [
            [self.program.variable(least_weight, 1) for _ in range(numeric.dimension)] for _ in range(pieces)
        ]
        self.corrections: list[dict[int, int]] = []
        self.unit = time_unit(numeric.alternatives)
        self._drifts = [{k: v / self.unit for k, v in a.mean_drift.items()} for a in numeric.alternatives]
        self._along: dict[int, list[Fraction]] = {}
        rates = (abs(v) for drift in self._drifts for v in drift.values())
        self.program.upper[self.epsilon] = max(rates, default=Fraction(1)) * len(numeric.alternatives)

    def add(self, face: Face, piece: int = 0, relief: int | None = None) -> None:
        """One row per alternative of a real choice, one for the sum.  ``relief``: a column that may take up a violation."""
        eta: dict[int, int] = {}
        columns = _Columns(self.weights[piece], eta)
        total = Expression({self.epsilon: Fraction(1)})
        if relief is not None:
            total.add({relief: Fraction(-1)})
        rows: MaxSum[int] = MaxSum(self.program, lambda a: Expression(self._corrected(a, face, columns)))
        rows.add(self.numeric.living(face.alive), total)
        rows.bound(total)
        self.corrections.append(eta)

    def add_corrected(self, face: Face, walk: Walk, level: int) -> bool:
        """The same with a corrector h on the cells of what vanishes on the face; False if there are too many cells."""
        choices = list(feature_levels(face.vanishing, self.numeric))
        if level >= len(choices):
            return False
        places = places_of(choices[level], walk, self.numeric, face.alive)
        if places is None:
            return False
        eta: dict[int, int] = {}

        def drift(alternative: Alternative) -> Expression:
            entries = {self.weights[0][k]: value / self.unit for k, value in alternative.mean_drift.items()}
            for n in face.vanishing:
                value = self.numeric.normals[n].form.at(alternative.mean_drift)
                if value:
                    if n not in eta:
                        eta[n] = self.program.variable(None, None)
                    entries[eta[n]] = value / self.unit
            return Expression(entries)

        rows = CellRows(self.program, self.epsilon, drift, self.unit)
        rows.number(places)
        rows.add(places)
        self.corrections.append(eta)
        return True

    def _corrected(self, a: int, face: Face, columns: _Columns) -> dict[int, Fraction]:
        """(w + Σ η_g g)·d_a as a row."""
        entries = {columns.weights[k]: value for k, value in self._drifts[a].items()}
        for n in face.vanishing:
            value = self._products(n)[a]
            if value:
                if n not in columns.eta:
                    columns.eta[n] = self.program.variable(None, None)
                entries[columns.eta[n]] = value
        return entries

    def _products(self, n: int) -> list[Fraction]:
        if n not in self._along:
            form = self.numeric.normals[n].form
            self._along[n] = [sum((v * form[k] for k, v in d.items() if k in form), Fraction(0)) for d in self._drifts]
        return self._along[n]

    def solve(self) -> Solution | None:
        """The float optimum; among equal ε the largest weights (small programs)."""
        proposal = propose(self.program)
        if proposal.status is not Status.OPTIMAL:
            return None
        point, epsilon = proposal.point, proposal.point[self.epsilon]
        if len(self.corrections) <= _SECOND_PASS:
            self.program.lower[self.epsilon] = epsilon - 1e-9 * max(1.0, abs(epsilon))
            kept, self.program.costs = self.program.costs, [0] * len(self.program.costs)
            for column in itertools.chain(*self.weights):
                self.program.costs[column] = -1
            again = propose(self.program)
            self.program.lower[self.epsilon], self.program.costs = None, kept
            point = again.point if again.status is Status.OPTIMAL else point
        return self._solution(point, epsilon)

    def solve_exactly(self) -> Solution | None:
        """The rational optimum, for programs small enough."""
        if len(self.program.rows) > _EXACT_ROWS:
            return None
        answer = solve_exact(self.program)
        return self._solution(answer.point, answer.point[self.epsilon]) if answer.status is Status.OPTIMAL else None

    def _solution(self, point: Sequence[Any], epsilon: Any) -> Solution:
        etas = [
            {n: point[column] for n, column in eta.items() if abs(point[column]) > 1e-12} for eta in self.corrections
        ]
        unit = self.unit if isinstance(epsilon, Fraction) else float(self.unit)
        return Solution([[point[column] for column in columns] for columns in self.weights], epsilon * unit, etas)


@dataclass(frozen=True)
class Solution:
    """Weights of each piece, ε, and η of each face in the order added (normal number -> value): floats, or fractions from an
    exact program."""

    weights: Sequence[Sequence[Any]]
    epsilon: Any
    etas: Sequence[dict[int, Any]]
