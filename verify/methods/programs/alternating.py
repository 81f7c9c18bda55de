"""Several fitted pieces by alternation (theory 9.3): who is active where, then all weights at once, and again.

For reduced faces a pair (piece i, face) needs nothing where piece i is nowhere active with exactly that busy set; enough for
that is another piece j with w_j >= w_i on all busy buffers, more on one.  For a fixed choice of such pairs the rest is one linear
program in all weights, η and ε, with penalised violations and a trust region; then the choice is made anew.  Everything is
rounded and decided exactly afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.budget import Budget, BudgetSpent
from verify.chain.guards import Signs
from verify.chain.numeric import Array, NumericWalk
from verify.conditions.evidence.correction import BoundProgram, FaceEvidence
from verify.conditions.evidence.exclusion import exclude
from verify.conditions.evidence.tree import numeric_walk
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.model import Status
from verify.methods.programs.face_program import Face, FaceProgram, reduced_faces
from verify.methods.programs.faces import LinearResult
from verify.network.expansion import Expansion
from verify.policies.compose import Walk
from verify.policies.sequencing import maximal_piece
from verify.rational import DENOMINATORS, nearby

#: Rounds of alternation from one start; steps of the trust region; what a violation costs.
_ROUNDS, _STEP, PENALTY = 12, 0.4, 100.0
#: An inactive piece must lose by this much on some busy buffer.
MARGIN = 0.02
#: Random starts for each number of pieces.
_STARTS = 6


@dataclass(frozen=True, eq=False)
class _Setting:
    """One question: the faces, and for each its busy buffers as a mask of shape (K,)."""

    walk: Walk
    numeric: NumericWalk
    faces: list[Face]
    busy: list[Array]
    polish: bool


def several_pieces(
    walk: Walk, budget: Budget, report: Callable[[str], None] = lambda _: None, *, polish: bool = True
) -> LinearResult | None:
    """V with two or three fitted pieces for reducible policies, or None.  ``polish``: then look for a larger ε.  Raises
    ``BudgetSpent``."""
    numeric = NumericWalk(walk.components, len(walk.expansion.buffers), walk.coordinates)
    faces = list(reduced_faces(walk, numeric))
    busy = [face.facts[: numeric.dimension] == int(Signs.POSITIVE) for face in faces]
    setting = _Setting(walk, numeric, faces, busy, polish)
    for pieces in (2, 3):
        for number, start in enumerate(starts(walk.expansion, pieces)):
            report(f"alternating program, {pieces} pieces, start {number + 1}")
            found = _alternate(setting, start, budget)
            if found is not None:
                return found
    return None


def starts(expansion: Expansion, pieces: int) -> Iterator[Array]:
    """Nested upstream-closed sets (mean work ahead of the exit, truncated), work by station, then seeded random weights."""
    dimension = len(expansion.buffers)
    depth = np.array([buffer.position or 1 for buffer in expansion.buffers], float)
    yield np.array([np.clip(1.2 - 0.2 * depth * (piece + 1) / pieces, 0.05, 1.0) for piece in range(pieces)])
    stations = [np.isin(np.arange(dimension), expansion.queue(server)) for server in expansion.busy_servers]
    if len(stations) >= pieces:
        yield np.array([np.where(stations[piece], 1.0, 0.5) for piece in range(pieces)])
    rng = random.Random(20)
    for _ in range(_STARTS):
        yield np.array([[rng.uniform(0.2, 1.0) for _ in range(dimension)] for _ in range(pieces)])


def _alternate(setting: _Setting, start: Array, budget: Budget) -> LinearResult | None:
    weights, before = start, -np.inf
    for _ in range(_ROUNDS):
        budget.spend()
        step = _improve(setting, weights, _inactive(setting, weights))
        if step is None:
            return None
        weights = step.weights
        if step.violation < 1e-7 and step.epsilon > 1e-7:
            return _polished(setting, step, budget) if setting.polish else _decided(setting, step)
        if step.epsilon - PENALTY * step.violation <= before + 1e-9:
            return None
        before = step.epsilon - PENALTY * step.violation
    return None


def _polished(setting: _Setting, step: Step, budget: Budget) -> LinearResult | None:
    """Larger ε for weights of at most 1: alternate further while that gains, then round."""
    best = step
    for _ in range(_ROUNDS):
        try:
            budget.spend()
        except BudgetSpent:
            break
        again = _improve(setting, best.weights, _inactive(setting, best.weights))
        if again is None or again.violation > 1e-7 or again.epsilon < 1.001 * best.epsilon:
            break
        best = again
    found = _decided(setting, best) or _decided(setting, step)
    return found and with_fewer_pieces(found, lambda function, target: _decide(setting.walk, function, target))


def _inactive(setting: _Setting, weights: Array) -> list[list[int | None]]:
    """For each piece and face the piece that is larger there."""
    return [[_dominator(weights, piece, mask) for mask in setting.busy] for piece in range(len(weights))]


def _dominator(weights: Array, piece: int, busy: Array) -> int | None:
    """A piece that is larger than this one wherever exactly these buffers are busy."""
    for other in range(len(weights)):
        gap = (weights[other] - weights[piece])[busy]
        if other != piece and (gap >= -1e-9).all() and gap.max() >= 0.5 * MARGIN:
            return other
    return None


@dataclass(frozen=True, eq=False)
class Step:
    """New weights of shape (pieces, K), ε (in units of the program, and as it is: ``margin``), and the total violation left."""

    weights: Array
    epsilon: float
    violation: float
    margin: float


def _improve(setting: _Setting, weights: Array, inactive: Sequence[Sequence[int | None]]) -> Step | None:
    """One program in all weights with the choice of inactive pairs fixed."""
    program = FaceProgram(setting.numeric, pieces=len(weights))
    lp = program.program
    reliefs = []
    for piece, row in enumerate(inactive):
        for face, mask, other in zip(setting.faces, setting.busy, row, strict=True):
            if other is None:
                reliefs.append(lp.variable(0, None, PENALTY))
                program.add(face, piece, reliefs[-1])
                continue
            ahead = np.flatnonzero(mask)
            for k in ahead:
                lp.row({program.weights[other][k]: 1, program.weights[piece][k]: -1}, 0)
            total = {program.weights[other][k]: 1 for k in ahead} | {program.weights[piece][k]: -1 for k in ahead}
            lp.row(total, MARGIN)
    return solved_nearby(program, weights, reliefs)


def solved_nearby(program: FaceProgram, weights: Array, reliefs: Sequence[int]) -> Step | None:
    """Solve with all weights in a trust region around the present ones; the first piece stays positive, so that V does."""
    lp = program.program
    for columns, current in zip(program.weights, weights, strict=True):
        for column, value in zip(columns, current, strict=True):
            lp.lower[column], lp.upper[column] = max(0.0, value - _STEP), min(1.0, value + _STEP)
    for column in program.weights[0]:
        lp.lower[column] = max(lp.lower[column], 0.01)
        lp.upper[column] = max(lp.upper[column], 0.01)
    answer = propose(lp)
    if answer.status is not Status.OPTIMAL:
        return None
    found = np.array([[answer.point[column] for column in columns] for columns in program.weights])
    epsilon = answer.point[program.epsilon]
    return Step(found, epsilon, sum(answer.point[relief] for relief in reliefs), epsilon * float(program.unit))


def _decided(setting: _Setting, step: Step) -> LinearResult | None:
    """Exact evidence for rounded weights: the coarsest denominators that keep nine tenths of ε, else the best."""
    best: LinearResult | None = None
    for denominator in DENOMINATORS[1:]:
        function = rounded(step.weights, denominator)
        if function is None:
            continue
        result = _decide(setting.walk, function, Fraction(0.9 * step.margin))
        if result is not None and (best is None or result.epsilon > best.epsilon):
            best = result
        if best is not None and float(best.epsilon) >= 0.9 * step.margin:
            break
    return best


def with_fewer_pieces(
    found: LinearResult, decide: Callable[[PiecewiseLinear, Fraction], LinearResult | None]
) -> LinearResult:
    """Leave out pieces one by one as long as nine tenths of ε remain; ``decide`` settles a function at a wanted ε."""
    target = found.epsilon * Fraction(9, 10)
    for piece in found.function.pieces:
        rest = tuple(other for other in found.function.pieces if other is not piece)
        if {k for other in rest for k in other} == {k for other in found.function.pieces for k in other}:
            fewer = decide(PiecewiseLinear(rest), target)
            if fewer is not None and fewer.epsilon >= target:
                return with_fewer_pieces(fewer, decide)
    return found


def rounded(weights: Array, denominator: int) -> PiecewiseLinear | None:
    """The pieces with denominators of at most this, None if a buffer has no weight in any.

    Pieces that are 0 or equal to another one say nothing and are dropped."""
    pieces = [LinearForm((k, nearby(float(v), denominator)) for k, v in enumerate(row)) for row in weights]
    different = dict.fromkeys(piece for piece in pieces if piece)
    weighted = {k for piece in pieces for k in piece}
    return PiecewiseLinear(tuple(different)) if len(weighted) == weights.shape[1] else None


def _decide(walk: Walk, function: PiecewiseLinear, target: Fraction) -> LinearResult | None:
    """Every pair of piece and reduced face, exactly: inactive with evidence, or bounded; None if one is neither."""
    numeric = numeric_walk(walk, function)
    listed = []
    for piece, weights in enumerate(function.pieces):
        program = BoundProgram(numeric, weights, piece)
        active = numeric.facts(maximal_piece(piece, function, walk.normals, walk.word_for(function)))
        evidence = []
        for face in reduced_faces(walk, numeric):
            inactive = exclude(face.facts & active, numeric)
            if inactive is not None:
                evidence.append(FaceEvidence(face.busy, inactive=inactive))
                continue
            coordinates = [n for n in face.vanishing if n < numeric.dimension]
            decided = program.decide(coordinates, face.alive, target)
            if decided.bound >= 0:
                return None
            evidence.append(FaceEvidence(face.busy, decided))
        listed.append(tuple(evidence))
    return LinearResult(function, tuple(listed))
