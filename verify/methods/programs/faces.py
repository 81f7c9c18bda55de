"""A linear V = w·x for condition F by the face program (theory 9.1).

For static priorities and non-idling with one server per buffer the reduced faces are finitely many by enumeration; for other
policies faces are added where the case tree of the current w fails, until it does not.  Floats propose; the accepted w and η are
rational and every face is checked exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.budget import Budget, BudgetSpent, Unresolved
from verify.chain.guards import Signs
from verify.chain.numeric import NumericWalk
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram, Decided, FaceEvidence, reaches
from verify.conditions.evidence.nodes import Leaf, Node, Obstacle, leaves
from verify.conditions.evidence.sketch import Failure
from verify.conditions.evidence.tree import TreeSearch, numeric_walk
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.methods.programs.face_program import Face, FaceProgram, Solution, face_of, reduced_faces
from verify.policies.compose import Walk
from verify.rational import DENOMINATORS, nearby


@dataclass(frozen=True)
class LinearResult:
    """V with evidence: reduced faces for each piece, or case trees."""

    function: PiecewiseLinear
    faces: tuple[tuple[FaceEvidence, ...], ...] = ()
    trees: tuple[Node, ...] = ()

    @property
    def epsilon(self) -> Fraction:
        """min of −bound over all faces or leaves."""
        bounds = [entry.decided.bound for listed in self.faces for entry in listed if entry.decided is not None]
        bounds += [leaf.bound for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
        return min(-bound for bound in bounds)


@dataclass(frozen=True)
class NoLinearFunction:
    """The face program's best ε is not positive: no linear V satisfies condition F.  ``obstacle``: where the best V fails."""

    obstacle: Obstacle | None


def linear_by_reduction(walk: Walk) -> LinearResult | NoLinearFunction:
    """A linear V by the reduced faces."""
    numeric = NumericWalk(walk.components, len(walk.expansion.buffers), walk.coordinates)
    faces = list(reduced_faces(walk, numeric))
    program = FaceProgram(numeric)
    for face in faces:
        program.add(face)
    solution = program.solve()
    found = _rounded(numeric, faces, solution) if solution is not None else None
    if found is None:
        exact = program.solve_exactly()
        found = _rounded(numeric, faces, exact) if exact is not None and exact.epsilon > 0 else None
    if found is None:
        return NoLinearFunction(_reduced_obstacle(walk, numeric, faces))
    return found


def _rounded(numeric: NumericWalk, faces: list[Face], solution: Solution) -> LinearResult | None:
    """Rational w and η, coarse denominators first; the first whose exact ε is within a thousandth of the float one, else the
    best positive one."""
    best: LinearResult | None = None
    for denominator in DENOMINATORS:
        weights = LinearForm(
            (k, max(_round(value, denominator), Fraction(0))) for k, value in enumerate(solution.weights[0])
        )
        if len(weights) < numeric.dimension:
            continue
        program = BoundProgram(numeric, weights, 0)
        candidate = _decide_faces(program, faces, solution, denominator)
        if candidate is None:
            continue
        result = LinearResult(PiecewiseLinear((weights,)), (candidate,))
        if best is None or result.epsilon > best.epsilon:
            best = result
        if float(result.epsilon) >= 0.999 * float(solution.epsilon):
            return result
    return best


def _round(value: Any, denominator: int) -> Fraction:
    return value if isinstance(value, Fraction) else nearby(value, denominator)


def _decide_faces(
    program: BoundProgram, faces: list[Face], solution: Solution, denominator: int
) -> tuple[FaceEvidence, ...] | None:
    """Exact bounds of all faces, with the proposed η where it does, with the best one where not; None if a face fails."""
    found = []
    target = (
        Fraction(solution.epsilon).limit_denominator(10**9) * Fraction(999, 1000)
        if solution.epsilon > 0
        else Fraction(0)
    )
    for face, proposed in zip(faces, solution.etas, strict=True):
        eta = {n: y for n, value in proposed.items() if (y := _round(value, denominator))}
        decided = Decided(eta, program.exact_bound(eta, face.alive))
        if not reaches(decided.bound, target):
            decided = min(program.decide(face.vanishing, face.alive, target), decided, key=lambda d: d.bound)
        if decided.bound >= 0:
            return None
        found.append(FaceEvidence(face.busy, decided))
    return tuple(found)


def _reduced_obstacle(walk: Walk, numeric: NumericWalk, faces: list[Face]) -> Obstacle | None:
    """The worst face of the V that fails least among those with weights between 1/10 and 1."""
    program = FaceProgram(numeric, Fraction(1, 10))
    for face in faces:
        program.add(face)
    solution = program.solve()
    if solution is None:
        return None
    weights = LinearForm((k, nearby(float(value), 1000)) for k, value in enumerate(solution.weights[0]))
    bounds = BoundProgram(numeric, weights, 0)
    worst = max(faces, key=lambda face: bounds.propose(face.vanishing, face.alive, -np.inf).bound)
    decided = bounds.decide(worst.vanishing, worst.alive, Fraction(0))
    names = walk.expansion.names
    state = {names[k]: Fraction(1) for k in np.flatnonzero(worst.facts[: numeric.dimension] == int(Signs.POSITIVE))}
    binding = bounds.propose(worst.vanishing, worst.alive, -np.inf).binding
    return Obstacle(
        0,
        decided.bound,
        state,
        tuple(numeric.normals[n].name for n in worst.vanishing),
        tuple(dict.fromkeys(numeric.alternatives[a].name for a in binding)),
    )


def linear_by_trees(walk: Walk, budget: Budget, level: int | None = None) -> LinearResult | NoLinearFunction:
    """A linear V by lazily generated faces: solve the program for the faces seen, grow the case tree of its w at the ε found,
    add the face where it fails.  ``level``: faces on which comparisons vanish get a corrector of that fineness (None: plain F).
    Ends because faces are finitely many.  Raises ``BudgetSpent``."""
    weights = LinearForm.sum_of(range(len(walk.expansion.buffers)))
    program: FaceProgram | None = None
    target = _total_rate(walk) if level is None else Fraction(0)
    while True:
        budget.spend()
        function = PiecewiseLinear((weights,))
        program = program or FaceProgram(numeric_walk(walk, function))
        grown = _grown(walk, function, target, budget, level)
        if isinstance(grown, LinearResult):
            return grown
        face = face_of(grown.facts, program.numeric)
        compares = any(len(program.numeric.normals[n].form) > 1 for n in face.vanishing)
        if level is None or not compares or not program.add_corrected(face, walk, level):
            program.add(face)
        solution = program.solve()
        if solution is None or solution.epsilon <= 1e-9 * float(program.unit):
            solution = program.solve_exactly() if level is None else None
        if solution is None or solution.epsilon <= 0:
            break
        weights, target = _round_weights(solution)
        if level is not None:
            target *= Fraction(1, 2)  # the leaf's own corrector is found on one node after the other, not jointly
    return NoLinearFunction(_tree_obstacle(walk, budget) or grown.obstacle)


def with_trees(search: TreeSearch) -> LinearResult | Failure:
    """V with its case trees, or where they fail.  Raises ``BudgetSpent``."""
    trees = search.trees()
    return trees if isinstance(trees, Failure) else LinearResult(search.function, trees=trees)


def _grown(
    walk: Walk, function: PiecewiseLinear, target: Fraction, budget: Budget, level: int | None
) -> LinearResult | Failure:
    """V with its trees at the target; at half of it, at any negative drift, where rationals do not confirm what floats see there.
    Raises ``BudgetSpent``."""
    for wanted in (target, target / 2, Fraction(0)):
        try:
            return with_trees(TreeSearch(walk, function, Condition.FLUID, wanted, budget, correct=level))
        except Unresolved:
            if not wanted:
                raise
    raise Unresolved


def _total_rate(walk: Walk) -> Fraction:
    """No linear V with weights at most 1 falls faster than all services together."""
    return sum((service.rate for service in walk.expansion.services), Fraction(0))


def _round_weights(solution: Solution) -> tuple[LinearForm, Fraction]:
    """Weights with the coarsest denominators that stay within a millionth of the proposal, and the ε to ask for."""
    weights: list[Fraction] = []
    for denominator in DENOMINATORS:
        weights = [_round(value, denominator) for value in solution.weights[0]]
        if all(abs(float(w) - float(value)) <= 1e-6 for w, value in zip(weights, solution.weights[0], strict=True)):
            break
    target = Fraction(solution.epsilon).limit_denominator(10**12) * Fraction(999, 1000)
    return LinearForm((k, w) for k, w in enumerate(weights) if w > 0), target


def _tree_obstacle(walk: Walk, budget: Budget) -> Obstacle | None:
    """Where the number of jobs fails."""
    jobs = PiecewiseLinear((LinearForm.sum_of(range(len(walk.expansion.buffers))),))
    try:
        trees = TreeSearch(walk, jobs, Condition.FLUID, budget=budget).trees()
    except BudgetSpent:
        return None
    return trees.obstacle if isinstance(trees, Failure) else None
