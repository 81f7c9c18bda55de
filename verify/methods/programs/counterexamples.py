"""Several fitted pieces for any policy by counterexamples (theory 9.4).

The case trees of V fail at a state x with the signs of all guards there, an *example*.  What is asked of V at the examples seen
so far is, once it is fixed which pieces are active where, one linear program in all weights, η and ε: a piece that is active at x
has drift at most −ε on the face of x, one that is not stays smaller there than another piece by a margin.  The choice is made
anew for the weights found, then the trees are grown again, until they close or nothing improves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.budget import Budget, BudgetSpent
from verify.chain.guards import sign_of
from verify.chain.numeric import Array
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram
from verify.conditions.evidence.sketch import Failure
from verify.conditions.evidence.tree import TreeSearch, numeric_walk
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.methods.programs.alternating import MARGIN, PENALTY, Step, rounded, solved_nearby, starts, with_fewer_pieces
from verify.methods.programs.face_program import Face, FaceProgram, face_of
from verify.methods.programs.faces import LinearResult, with_trees
from verify.policies.compose import Walk
from verify.rational import DENOMINATORS, nearby

#: Rounds of fitting to the examples; examples from one start.
_ROUNDS, _EXAMPLES = 8, 60
#: How far behind the largest a piece may be to take over where the largest does not fall.
_REACHES = (0.04, 0.2, 1.0)
#: Rounds of polishing; each must promise so much more.
_POLISH, _MORE = 12, 1.2
#: Denominators of the weights: coarse ones first, and while polishing.
_COARSE, _POLISHED = DENOMINATORS[1:4], DENOMINATORS[2:3]
#: Nodes of the trees of one V.
_NODES = 4000


@dataclass(frozen=True, eq=False)
class _Example:
    """A face of the policy's guards and a state on it, Σ x = 1, shape (K,)."""

    face: Face
    state: Array


class _Fitting:
    """Fits pieces to the examples seen, which serve every start."""

    def __init__(self, walk: Walk, budget: Budget, polish: bool):
        self.walk, self.budget, self.polish = walk, budget, polish
        jobs = PiecewiseLinear((LinearForm.sum_of(range(len(walk.expansion.buffers))),))
        self.numeric = numeric_walk(walk, jobs)  # one piece: no normals but the policy's own
        self.examples: list[_Example] = []

    def from_start(self, weights: Array) -> LinearResult | None:
        """Fit, grow the trees, learn from where they fail; when they close, polish."""
        for _ in range(_EXAMPLES):
            self.budget.spend()
            fitted = self._fit(weights)
            if fitted is None:
                return None
            weights = fitted
            try:
                result = self._closed(weights, Fraction(0), _COARSE)
            except BudgetSpent:  # trees too large, or floats that do not settle a node: another start may do
                return None
            if result is not None:
                return with_fewer_pieces(self._polished(weights, result), self._trees) if self.polish else result
        return None

    def _closed(self, weights: Array, target: Fraction, denominators: Sequence[int]) -> LinearResult | None:
        """V with the first of the denominators for which the trees close at ``target``; else one more example.  Raises
        ``BudgetSpent`` when a tree does not come to an end."""
        failure: Failure | None = None
        for denominator in denominators:
            function = rounded(weights, denominator)
            if function is None:
                continue
            self.budget.spend()
            found = self._grown(function, target)
            if isinstance(found, LinearResult):
                return found
            failure = found
        if failure is not None:
            self._learn(failure)
        return None

    def _grown(self, function: PiecewiseLinear, target: Fraction) -> LinearResult | Failure:
        """V with its trees, or where they fail.  Raises ``BudgetSpent``."""
        return with_trees(TreeSearch(self.walk, function, Condition.FLUID, target, Budget(_NODES)))

    def _trees(self, function: PiecewiseLinear, target: Fraction) -> LinearResult | None:
        try:
            found = self._grown(function, target)
        except BudgetSpent:
            return None
        return found if isinstance(found, LinearResult) else None

    def _polished(self, weights: Array, best: LinearResult) -> LinearResult:
        """Larger ε for weights of at most 1: fit further while that promises more, and take what the trees confirm."""
        for _ in range(_POLISH):
            try:
                self.budget.spend()
            except BudgetSpent:
                return best
            step = self._improve(weights, _REACHES[0])
            if step is None or step.violation > 1e-7 or step.margin < _MORE * float(best.epsilon):
                return best
            weights = step.weights
            for target in (Fraction(0.8 * step.margin), best.epsilon * Fraction(_MORE)):
                try:
                    found = self._closed(weights, target, _POLISHED)
                except BudgetSpent:  # floats that do not settle a node so near to its best: ask for less
                    continue
                best = max(best, found or best, key=lambda result: result.epsilon)
                break
        return best

    def _learn(self, failure: Failure) -> None:
        """The signs of the policy's own normals at the state where the trees fail."""
        index = self.walk.expansion.index
        state = {index[name]: value for name, value in failure.obstacle.state.items()}
        facts = np.array([int(sign_of(n.at(state))) for n in self.numeric.normals], np.int8)
        point = np.zeros(self.numeric.dimension)
        for k, value in state.items():
            point[k] = float(value)
        self.examples.append(_Example(face_of(facts, self.numeric), point / point.sum()))

    def _fit(self, weights: Array) -> Array | None:
        """Weights that do what is asked at every example, or None; unchanged while there is no example.

        Where the alternation gets stuck, pieces further below the largest may take over."""
        if not self.examples:
            return weights
        for reach in _REACHES:
            before = -np.inf
            for _ in range(_ROUNDS):
                self.budget.spend()
                step = self._improve(weights, reach)
                if step is None:
                    return None
                weights = step.weights
                if step.violation < 1e-7 and step.epsilon > 1e-7:
                    return weights
                if step.epsilon - PENALTY * step.violation <= before + 1e-9:
                    break
                before = step.epsilon - PENALTY * step.violation
        return None

    def _improve(self, weights: Array, reach: float) -> Step | None:
        program = FaceProgram(self.numeric, pieces=len(weights))
        lp = program.program
        reliefs = []
        for example in self.examples:
            for piece, larger in enumerate(self._larger(weights, example, reach)):
                reliefs.append(lp.variable(0, None, PENALTY))
                if larger is None:
                    program.add(example.face, piece, reliefs[-1])
                    continue
                row = {c: x for c, x in zip(program.weights[larger], example.state, strict=True) if x}
                row |= {c: -x for c, x in zip(program.weights[piece], example.state, strict=True) if x}
                lp.row({**row, reliefs[-1]: 1}, MARGIN)
        return solved_nearby(program, weights, reliefs)

    def _larger(self, weights: Array, example: _Example, reach: float) -> list[int | None]:
        """For each piece the one that shall be larger at the example; None: this one shall fall there.

        The leader is the largest piece that falls already, if it is behind the largest of all by at most ``reach``; a piece that
        ties with it and falls as well may stay."""
        values = weights @ example.state
        order = [int(piece) for piece in np.argsort(-values)]
        near = [piece for piece in order if values[piece] >= values[order[0]] - reach]
        falling = [piece for piece in near if self._falls(weights[piece], example)]
        leader = falling[0] if falling else order[0]
        ties = {piece for piece in falling if abs(values[piece] - values[leader]) < 0.5 * MARGIN}
        return [None if piece in ties or piece == leader else leader for piece in range(len(weights))]

    def _falls(self, piece: Array, example: _Example) -> bool:
        weights = LinearForm((k, nearby(float(w), 10**6)) for k, w in enumerate(piece) if w > 0)
        bounds = BoundProgram(self.numeric, weights, 0)
        return bounds.propose(example.face.vanishing, example.face.alive, -np.inf).bound < 0


def fitted_pieces(
    walk: Walk, budget: Budget, report: Callable[[str], None] = lambda _: None, *, polish: bool = True
) -> LinearResult | None:
    """V with two or three pieces and its case trees, or None.  ``polish``: then look for a larger ε.  Raises ``BudgetSpent``."""
    fitting = _Fitting(walk, budget, polish)
    for pieces in (2, 3):
        for number, start in enumerate(starts(walk.expansion, pieces)):
            report(f"alternating program, {pieces} pieces, start {number + 1}, {len(fitting.examples)} examples")
            found = fitting.from_start(start)
            if found is not None:
                return found
    return None
