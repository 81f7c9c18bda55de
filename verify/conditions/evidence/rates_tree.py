"""Case trees whose leaves hold for all rates: drawn and filled as those of condition F, with the programs of
:mod:`verify.conditions.evidence.rates_program` in place of bounds at given rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.budget import Budget, Unresolved
from verify.chain.guards import Signs
from verify.chain.numeric import Array, NumericWalk, slack
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram, Proposed
from verify.conditions.evidence.exclusion import exact_inner_point
from verify.conditions.evidence.nodes import Exclusion, Leaf, Obstacle
from verify.conditions.evidence.rate_flows import RateFlows
from verify.conditions.evidence.rates_program import Proportions, RatesProgram, RatesProposed
from verify.conditions.evidence.sketch import Drawing, Failure, Ground, Sketch
from verify.conditions.evidence.tree import TreeSearch
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import Walk
from verify.rational import nearby


@dataclass(frozen=True, eq=False)
class RatesFailure(Failure):
    """No η, prices and potentials do at ``obstacle``; ``rates``: where V may not fall, one proposal for each branch."""

    rates: Sequence[Proportions]


class RatesDrawing(Drawing):
    """Draws with :class:`RatesProgram`."""

    def __init__(self, ground: Ground, program: RatesProgram, enough: float):
        super().__init__(ground, program, enough)
        self.rates = program

    def _exclude_guards(self, sketch: Sketch, proposed: Proposed) -> bool:
        """Every branch that can be excluded is: each asks for multipliers of its own.  Alternatives as for given rates."""
        before = len(sketch.excluded_branches) + len(sketch.excluded_alternatives)
        for branches in list(self.numeric.structure(sketch.alive)):
            if len(branches) > 1:
                for b, _ in branches:
                    self._exclude(sketch, [b], [])
                continue
            for part in branches[0][1]:
                least = min(proposed.values[a] for a in part)
                for a in part:
                    if proposed.values[a] > least + slack(least):
                        self._exclude(sketch, [], [a])
        return len(sketch.excluded_branches) + len(sketch.excluded_alternatives) > before

    def _first_sight(self, sketch: Sketch, children: dict[Signs, Sketch]) -> tuple[int, float]:
        """How many children violate the rules with the numbers of the node, and by how much."""
        proposed = sketch.proposed
        if not isinstance(proposed, RatesProposed):
            raise Unresolved
        wanted = self.rates.cap / 10
        violations = [
            self.rates.shortfall(proposed.values, child.alive, proposed.blocks, wanted) for child in children.values()
        ]
        failing = [v for v in violations if v > 1e-9 * self.program.scale]
        return len(failing), sum(failing)

    def _at_face(self, sketch: Sketch, here: Array) -> int | Failure:
        """As for given rates; what floats say of the face is not doubted."""
        vanishing, alive = self.ground.vanishing(here), self.numeric.all_alive(here)
        proposed = self.rates.propose(vanishing, alive, self.enough)
        if proposed.bound <= self.enough:
            return self._useful(sketch, here, proposed.eta)
        state = exact_inner_point(sketch.facts, self.numeric)
        if state is None:
            raise Unresolved
        names, numeric = self.ground.walk.expansion.names, self.numeric
        bound = nearby(proposed.bound, 1000) if np.isfinite(proposed.bound) else Fraction(0)
        obstacle = Obstacle(
            self.program.piece,
            bound,
            {names[k]: value for k, value in sorted(state.items())},
            tuple(numeric.normals[n].name for n in vanishing),
            tuple(dict.fromkeys(numeric.alternatives[a].name for a in proposed.binding)),
        )
        return RatesFailure(obstacle, here, proposed.rates)


class RatesSearch(TreeSearch):
    """Grows the trees of V for all rates.

    Parameters: ``walk`` the normalised chain, ``function`` V, ``flows`` of the leaves, ``budget`` one step for every node."""

    def __init__(self, walk: Walk, function: PiecewiseLinear, flows: RateFlows, budget: Budget | None = None):
        super().__init__(walk, function, Condition.FLUID, budget=budget)
        self.flows = flows

    def _program(self, piece: int) -> RatesProgram:
        return RatesProgram(self.numeric, self.walk.components, self.flows, self.function.pieces[piece], piece)

    def _drawing(self, program: BoundProgram, enough: float) -> Drawing:
        return RatesDrawing(self.ground, _rates(program), enough)

    def _prune(self, sketches: Sequence[Sketch]) -> None:
        for sketch in sketches:
            prune(sketch, self.numeric)

    def _leaf(self, sketch: Sketch, program: BoundProgram, exclusions: dict[str, Exclusion]) -> Leaf:
        found = _rates(program).fill(self.ground.vanishing(sketch.facts), sketch.alive)
        return Leaf(self.named(found.eta), -found.margin, exclusions, rates=found.branches)


def _rates(program: BoundProgram) -> RatesProgram:
    if not isinstance(program, RatesProgram):
        raise TypeError("a program for given rates")
    return program


def prune(sketch: Sketch, numeric: NumericWalk) -> None:
    """Drop exclusions of alternatives, children's first, where no part of a leaf below becomes larger by that.  (A branch asks
    for numbers of its own: its exclusion stays.)"""
    for child in sketch.children.values():
        prune(child, numeric)
    leaves = [leaf for leaf in sketch.leaves() if leaf.proposed is not None]
    for a in list(sketch.excluded_alternatives):
        part = int(np.searchsorted(numeric.part_start, a, side="right")) - 1
        first, last = numeric.part_start[part], numeric.part_end[part]
        back = [
            leaf
            for leaf in leaves
            if not leaf.alive.alternatives[a] and numeric.with_guard(leaf.facts, numeric.guards[a]) is not None
        ]
        if all(_harmless(leaf, a, range(first, last)) for leaf in back):
            sketch.excluded_alternatives.remove(a)
            for leaf in back:
                leaf.alive.alternatives[a] = True


def _harmless(leaf: Sketch, a: int, part: range) -> bool:
    """Is the alternative below the largest one counted there?"""
    values = leaf.proposed.values if leaf.proposed else None
    counted = [b for b in part if leaf.alive.alternatives[b]]
    return values is not None and bool(counted) and values[a] <= max(values[b] for b in counted) + 1e-12
