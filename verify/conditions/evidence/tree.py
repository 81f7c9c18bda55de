"""Case trees for conditions F and S: drawn in floats (module ``sketch``), then filled with exact numbers.

Soundness rests on nothing in the sketch: the numbers that enter a node are exact, and the independent checker enumerates
components, alternatives and children again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from verify.budget import Budget, Unresolved
from verify.chain.guards import Normal, Signs
from verify.chain.numeric import Array, NumericWalk
from verify.chain.pieces import maximal_piece
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram, reaches
from verify.conditions.evidence.exclusion import exclude
from verify.conditions.evidence.nodes import Empty, Exclusion, Leaf, Node, Split
from verify.conditions.evidence.sketch import Drawing, Failure, Ground, Sketch, prune
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import Walk

#: How far below 0 (relative to the sizes of the drifts) a float bound must be to count, when trees are drawn again.
_DISTANCES = (1e-9, 1e-7, 1e-5)


def numeric_walk(walk: Walk, function: PiecewiseLinear) -> NumericWalk:
    """The float picture of the components with the normals of this V."""
    return NumericWalk(walk.components, len(walk.expansion.buffers), walk.normals_of(function))


class TreeSearch:
    """Grows the tree of one piece after the other for one V.

    Parameters: ``walk`` the components, ``function`` V, ``condition`` F or S, ``target`` the ε every leaf must reach (0: any
    negative drift), ``budget`` one step for every node,
    ``numeric`` the float picture if there is one already, ``correct``: leaves may have
    a corrector of this fineness or coarser (None: none).
    """

    def __init__(
        self,
        walk: Walk,
        function: PiecewiseLinear,
        condition: Condition,
        target: Fraction = Fraction(0),
        budget: Budget | None = None,
        numeric: NumericWalk | None = None,
        correct: int | None = None,
    ):
        self.walk, self.function, self.target = walk, function, target
        self.word = walk.word_for(function)
        self.numeric = numeric or numeric_walk(walk, function)
        fineness = correct if condition is Condition.FLUID else None
        self.ground = Ground(walk, self.numeric, condition, target, budget or Budget(4000), fineness)

    def trees(self) -> tuple[Node, ...] | Failure:
        """The case trees of all pieces, or where the condition fails.  Raises ``BudgetSpent``.

        Where rationals refuse what floats saw (a set is not empty, a leaf not bounded), the trees are drawn again with that
        known, or with more distance kept from 0.
        """
        for distance in _DISTANCES[:-1]:
            refuted = len(self.numeric.refuted)
            try:
                return self._trees(distance)
            except Unresolved:
                if self.target and len(self.numeric.refuted) == refuted:
                    raise  # a target may be too much: the caller asks for less
        return self._trees(_DISTANCES[-1])

    def _trees(self, distance: float) -> tuple[Node, ...] | Failure:
        """First all sketches; then exclusions that no leaf needs to stay below the worst leaf of all are dropped; then
        numbers."""
        programs = [self._program(piece) for piece in range(len(self.function))]
        sketches: list[Sketch] = []
        for program in programs:
            sketch = self._sketch(program, distance)
            if isinstance(sketch, Failure):
                return sketch
            sketches.append(sketch)
        self._prune(sketches)
        return tuple(self._fill(sketch, program) for sketch, program in zip(sketches, programs, strict=True))

    def _program(self, piece: int) -> BoundProgram:
        """What bounds the leaves of a piece."""
        return BoundProgram(self.numeric, self.function.pieces[piece], piece, self.target)

    def _drawing(self, program: BoundProgram, enough: float) -> Drawing:
        """What draws its tree."""
        return Drawing(self.ground, program, enough)

    def _prune(self, sketches: Sequence[Sketch]) -> None:
        worst = max(
            (leaf.proposed.bound for s in sketches for leaf in s.leaves() if leaf.proposed and not leaf.corrected),
            default=0.0,
        )
        for sketch in sketches:
            prune(sketch, self.numeric, worst)

    def _sketch(self, program: BoundProgram, distance: float) -> Sketch | Failure:
        enough = -max(float(self.target) - 1e-9 * program.scale, distance * program.scale)
        root = self.root(program.piece)
        sketch = Sketch(root, self.numeric.all_alive(root))
        failure = self._drawing(program, enough).grow(sketch)
        return sketch if failure is None else failure

    def root(self, piece: int) -> Array:
        """The facts at the root: x >= 0, and the piece is active."""
        known = dict.fromkeys(self.walk.coordinates, Signs.NOT_NEGATIVE)
        return self.numeric.facts(known | maximal_piece(piece, self.function, self.walk.normals, self.word))

    # Filling ---------------------------------------------------------------------------------------

    def _fill(self, sketch: Sketch, program: BoundProgram) -> Node:
        if sketch.empty:
            return Empty(self._evidence(sketch.facts))
        node = self._fill_core(sketch, program)
        for narrowing in reversed(sketch.narrowed):
            facts = narrowing.facts.copy()
            facts[narrowing.normal] = int(Signs.ZERO)
            children: dict[Signs, Node] = {Signs.ZERO: Empty(self._evidence(facts)), Signs.POSITIVE: node}
            node = Split(self.numeric.normals[narrowing.normal], children)
        return node

    def _fill_core(self, sketch: Sketch, program: BoundProgram) -> Node:
        exclusions = {name: self._evidence(facts) for name, facts in self._excluded(sketch)}
        if sketch.split >= 0:
            children = {signs: self._fill(child, program) for signs, child in sketch.children.items()}
            return Split(self.numeric.normals[sketch.split], children, exclusions)
        if sketch.corrected is not None:
            leaf = sketch.corrected
            return Leaf(leaf.eta, leaf.bound, exclusions, leaf.corrector)
        return self._leaf(sketch, program, exclusions)

    def _leaf(self, sketch: Sketch, program: BoundProgram, exclusions: dict[str, Exclusion]) -> Leaf:
        decided = program.decide(self.ground.vanishing(sketch.facts), sketch.alive, self.target)
        if not reaches(decided.bound, self.target):
            raise Unresolved
        return Leaf(self.named(decided.eta), decided.bound, exclusions)

    def named(self, eta: Mapping[int, Fraction]) -> dict[Normal, Fraction]:
        """η by normals."""
        return {self.numeric.normals[n]: y for n, y in eta.items()}

    def _evidence(self, facts: Array | None) -> Exclusion:
        evidence = None if facts is None else exclude(facts, self.numeric)
        if evidence is None:
            if facts is not None:
                self.numeric.refute(facts)
            raise Unresolved
        return evidence

    def _excluded(self, sketch: Sketch) -> Iterator[tuple[str, Array | None]]:
        for b in sketch.excluded_branches:
            yield self.numeric.branches[b].name, self.ground.branch_facts(sketch.facts, b)
        for a in sketch.excluded_alternatives:
            yield self.numeric.alternatives[a].name, self.ground.alternative_facts(sketch.facts, a)
