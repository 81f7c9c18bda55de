"""Sketches of case trees, drawn in floats: which normals are split, which alternatives are excluded, where leaves are.

A node is split only while its drift is not bounded.  Soundness rests on nothing here: the module ``tree`` fills the
sketch with exact numbers, and the independent checker enumerates components, alternatives and children again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from verify.budget import Budget, Unresolved
from verify.chain.guards import SINGLE, Signs, sign_of
from verify.chain.numeric import Alive, Array, NumericWalk, slack
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram, Proposed, reaches
from verify.conditions.evidence.correctors import CorrectedLeaf, Vanishing, corrected_leaf
from verify.conditions.evidence.exclusion import exact_inner_point, inner_point, seems_empty
from verify.conditions.evidence.nodes import Obstacle
from verify.policies.compose import Walk

#: How many splits are looked at, and how many of them are tried out, at a node before one is taken.
_LOOK, _TRY = 10, 3
#: Deeper trees would pass the checker's limit on nesting.
_DEPTH = 100


@dataclass(frozen=True, eq=False)
class Failure:
    """The condition fails for this V at ``obstacle``; ``facts`` are the signs of all normals there, shape (N,)."""

    obstacle: Obstacle
    facts: Array


@dataclass(frozen=True, eq=False)
class Narrowing:
    """A coordinate that cannot vanish where ``facts`` hold."""

    normal: int
    facts: Array


@dataclass
class Sketch:
    """A node in floats: its facts (shape (N,)), what is still counted, what is excluded here, and how it ends.

    ``narrowed``: normals whose only possible sign was found here, with the facts before; each becomes a split of its own, one
    child of which is empty."""

    facts: Array
    alive: Alive
    narrowed: list[Narrowing] = field(default_factory=list)
    excluded_branches: list[int] = field(default_factory=list)
    excluded_alternatives: list[int] = field(default_factory=list)
    proposed: Proposed | None = None
    corrected: CorrectedLeaf | None = None
    empty: bool = False
    split: int = -1
    children: dict[Signs, Sketch] = field(default_factory=dict)

    def leaves(self) -> Iterator[Sketch]:
        """All leaves below, or the node itself."""
        if self.split < 0:
            yield self
        for child in self.children.values():
            yield from child.leaves()


@dataclass(frozen=True, eq=False)
class Ground:
    """What a tree is drawn on: the chain and its float picture ``numeric``, the condition, the ε ``target`` every leaf
    must reach, ``budget`` one step for every node, ``correct`` the fineness of correctors leaves may have (None: none)."""

    walk: Walk
    numeric: NumericWalk
    condition: Condition
    target: Fraction
    budget: Budget
    correct: int | None

    def branch_facts(self, facts: Array, b: int) -> Array | None:
        """The facts with a branch's guard."""
        return self.numeric.with_guard(facts, self.numeric.branch_guards[b])

    def alternative_facts(self, facts: Array, a: int) -> Array | None:
        """The facts with an alternative's guard and its branch's; without the latter where that is enough to have no point
        (many branches share such an alternative, so the answer is known already)."""
        alone = self.numeric.with_guard(facts, self.numeric.guards[a])
        if alone is None or (len(self.numeric.guards[a].normals) and seems_empty(alone, self.numeric)):
            return alone
        return self.numeric.with_guard(alone, self.numeric.branch_guards[self.numeric.branch_of[a]])

    def vanishing(self, facts: Array) -> list[int]:
        """The forms η may use: those known to be zero (condition F only)."""
        return np.flatnonzero(facts == int(Signs.ZERO)).tolist() if self.condition is Condition.FLUID else []


class Drawing:
    """Draws the sketch of one piece's tree; ``enough`` is the float drift at which a node is a leaf."""

    def __init__(self, ground: Ground, program: BoundProgram, enough: float):
        self.ground, self.numeric, self.program, self.enough = ground, ground.numeric, program, enough

    def grow(self, sketch: Sketch, depth: int = 0) -> Failure | None:
        """Settle the node, or split it and grow its children; where one of them fails, that is the end."""
        self.ground.budget.spend()
        if depth > _DEPTH:
            raise Unresolved
        if sketch.empty or self._settled(sketch):
            return None
        found = self._split(sketch)
        if found is None:
            return None
        if isinstance(found, Failure):
            sketch.corrected = self._corrected(sketch, found.facts)
            return found if sketch.corrected is None else None
        sketch.split, sketch.children = found
        grown = (self.grow(child, depth + 1) for child in sketch.children.values())
        return next((failure for failure in grown if failure is not None), None)

    def _corrected(self, sketch: Sketch, here: Array) -> CorrectedLeaf | None:
        """A corrector on the forms that vanish at the node's inner points, if correctors are allowed."""
        ground = self.ground
        if ground.correct is None:
            return None
        vanishing = Vanishing(ground.vanishing(sketch.facts), ground.vanishing(here))
        return corrected_leaf(
            ground.walk, self.numeric, self.program.weights, vanishing, sketch.alive, ground.target, ground.correct
        )

    def _settled(self, sketch: Sketch) -> bool:
        """Exclude what can be excluded, as far as it takes to bound the node; is it bounded now?"""
        if sketch.proposed is not None:
            return sketch.proposed.bound <= self.enough
        if not sketch.children and seems_empty(sketch.facts, self.numeric):
            sketch.empty = True
            return True
        proposed = self._propose(sketch)
        for excluding in (self._narrow, self._exclude_guards, self._exclude_binding):
            while proposed.bound > self.enough and excluding(sketch, proposed):
                proposed = self._propose(sketch)
        sketch.proposed = proposed
        return proposed.bound <= self.enough

    def _propose(self, sketch: Sketch) -> Proposed:
        for b in self.numeric.hollow_branches(sketch.alive):
            # A branch one of whose parts has no alternative left has no point here, since guards cover it.
            if not self._exclude(sketch, [b], []):
                raise Unresolved
        return self.program.propose(self.ground.vanishing(sketch.facts), sketch.alive, self.enough)

    def _narrow(self, sketch: Sketch, proposed: Proposed) -> bool:
        """Coordinates that binding alternatives want to be 0 and that cannot be: one piece of evidence for all of them."""
        if self.ground.condition is not Condition.FLUID:
            return False
        wanted = {
            n for a in proposed.binding for n in self.numeric.guards[a].normals.tolist() if n < self.numeric.dimension
        }
        before = len(sketch.narrowed)
        for n in sorted(wanted):
            if sketch.facts[n] == int(Signs.NOT_NEGATIVE):
                vanishing = sketch.facts.copy()
                vanishing[n] = int(Signs.ZERO)
                if seems_empty(vanishing, self.numeric):
                    sketch.narrowed.append(Narrowing(n, sketch.facts.copy()))
                    sketch.facts[n] = int(Signs.POSITIVE)
                    self.numeric.strike(sketch.alive, n, int(Signs.POSITIVE))
        return len(sketch.narrowed) > before

    def _exclude_guards(self, sketch: Sketch, proposed: Proposed) -> bool:
        """Exclude every branch, and every alternative of a component without branches, that could lower a maximum."""
        before = len(sketch.excluded_branches) + len(sketch.excluded_alternatives)
        totals = self.numeric.branch_totals(proposed.values, sketch.alive)
        for branches in list(self.numeric.structure(sketch.alive)):
            if len(branches) > 1:
                least = min(totals[b] for b, _ in branches)
                for b, _ in branches:
                    if totals[b] > least + slack(least):
                        self._exclude(sketch, [b], [])
                continue
            for part in branches[0][1]:
                least = min(proposed.values[a] for a in part)
                for a in part:
                    if proposed.values[a] > least + slack(least):
                        self._exclude(sketch, [], [a])
        return len(sketch.excluded_branches) + len(sketch.excluded_alternatives) > before

    def _exclude_binding(self, sketch: Sketch, proposed: Proposed) -> bool:
        """Exclude single alternatives, inside branches that stay, that attain the bound."""
        found = [self._exclude(sketch, [], [a]) for a in proposed.binding]
        return any(found)

    def _exclude(self, sketch: Sketch, branches: Sequence[int], alternatives: Sequence[int]) -> bool:
        """Exclude all of them, if that seems possible."""
        listed = [self.ground.branch_facts(sketch.facts, b) for b in branches]
        listed += [self.ground.alternative_facts(sketch.facts, a) for a in alternatives]
        if not all(facts is None or seems_empty(facts, self.numeric) for facts in listed):
            return False
        sketch.excluded_branches += [b for b, facts in zip(branches, listed, strict=False) if facts is not None]
        sketch.excluded_alternatives += [
            a for a, facts in zip(alternatives, listed[len(branches) :], strict=True) if facts is not None
        ]
        sketch.alive.branches[list(branches)] = False
        sketch.alive.alternatives[list(alternatives)] = False
        return True

    # Splitting -------------------------------------------------------------------------------------

    def _split(self, sketch: Sketch) -> tuple[int, dict[Signs, Sketch]] | Failure | None:
        """The best of the guard rows that separate a binding alternative from the node's interior; if there is none, every
        binding alternative reaches the interior, and the face of that point decides.  None: the node turns out to be empty."""
        point = inner_point(sketch.facts, self.numeric)
        if point is None:
            self._emptied(sketch)
            return None
        here = self.numeric.signs_at(point)
        candidates = self._candidates(sketch, point, here)
        only = self._at_face(sketch, here) if not candidates else candidates[0]
        if isinstance(only, Failure):
            return only
        if len(candidates) <= 1:
            return only, self._children(sketch, only)
        candidates.sort(key=lambda n: self._first_sight(sketch, self._children(sketch, n)))
        tried = []
        for order, n in enumerate(candidates[:_TRY]):
            children = self._children(sketch, n)
            failing = [c for c in children.values() if not self._settled(c)]
            if not failing:
                return n, children
            tried.append((len(failing), sum(c.proposed.bound for c in failing if c.proposed), order, n, children))
        best = min(tried, key=lambda entry: entry[:3])
        return best[3], best[4]

    def _children(self, sketch: Sketch, n: int) -> dict[Signs, Sketch]:
        """The parts of the node by the sign of one normal; those that contradict the facts are left out."""
        children = {}
        for sign in self.ground.condition.signs:
            narrowed = int(sketch.facts[n]) & sign
            if narrowed:
                facts, alive = sketch.facts.copy(), sketch.alive.copy()
                facts[n] = narrowed
                self.numeric.strike(alive, n, narrowed)
                children[Signs(narrowed)] = Sketch(facts, alive)
        return children

    def _decided(self, signs: int) -> bool:
        """Would a split on a form with these signs bring nothing new?"""
        return signs in SINGLE if self.ground.condition is Condition.FLUID else signs != int(Signs.ANY)

    def _emptied(self, sketch: Sketch) -> None:
        """A remembered point was none of the node's."""
        if sketch.narrowed:
            sketch.facts = sketch.narrowed[0].facts
            sketch.narrowed.clear()
        if not seems_empty(sketch.facts, self.numeric, remembered=False):
            raise Unresolved
        sketch.empty = True
        sketch.proposed = None
        sketch.excluded_branches.clear()
        sketch.excluded_alternatives.clear()

    def _candidates(self, sketch: Sketch, point: Array, here: Array) -> list[int]:
        """Guard rows of binding alternatives that the inner point violates: per alternative the two most violated."""
        if sketch.proposed is None:
            raise Unresolved
        distances = np.abs(self.numeric.rows @ (point / point.sum()))
        found: dict[int, None] = {}
        values = sketch.proposed.values
        for a in sorted(sketch.proposed.binding, key=lambda a: -values[a]):
            violated = []
            for guard in (self.numeric.branch_guards[self.numeric.branch_of[a]], self.numeric.guards[a]):
                broken = (here[guard.normals] & guard.signs) == 0
                violated += [n for n in guard.normals[broken].tolist() if not self._decided(sketch.facts[n])]
            violated.sort(key=lambda n: -distances[n])
            found |= dict.fromkeys(violated[:2])
            if len(found) >= _LOOK:
                break
        return list(found)[:_LOOK]

    def _first_sight(self, sketch: Sketch, children: dict[Signs, Sketch]) -> tuple[int, float]:
        """How many children stay unbounded before anything is excluded, and by how much.  Only where a form newly vanishes
        is a new η worth a program."""
        values = sketch.proposed.values if sketch.proposed else self.program.base
        bounds = []
        for signs, child in children.items():
            bound = self.numeric.bound(values, child.alive)
            if bound > self.enough and signs is Signs.ZERO and self.ground.condition is Condition.FLUID:
                bound = self.program.propose(self.ground.vanishing(child.facts), child.alive, self.enough).bound
            bounds.append(bound)
        failing = [bound for bound in bounds if bound > self.enough]
        return len(failing), sum(failing)

    def _at_face(self, sketch: Sketch, here: Array) -> int | Failure:
        """The face of an inner point: a form worth splitting on, or where the condition fails."""
        proposed = self.program.propose(self.ground.vanishing(here), self.numeric.all_alive(here), self.enough)
        eta = proposed.eta if proposed.bound <= self.enough else self._exact_eta(sketch)
        return eta if isinstance(eta, Failure) else self._useful(sketch, here, eta)

    def _useful(self, sketch: Sketch, here: Array, eta: Iterable[int]) -> int:
        """A form worth splitting on: one that the face's η uses, or one that does not vanish there."""
        for n in itertools.chain(eta, np.flatnonzero(here != int(Signs.ZERO)).tolist()):
            if not self._decided(sketch.facts[n]):
                return int(n)
        raise Unresolved

    def _exact_eta(self, sketch: Sketch) -> Iterable[int] | Failure:
        """The normals of the exact η where the face is bounded in rationals, whatever floats say; or where it is not."""
        state = exact_inner_point(sketch.facts, self.numeric)
        if state is None:
            raise Unresolved
        here = np.array([int(sign_of(g.at(state))) for g in self.numeric.normals], np.int8)
        vanishing, alive = self.ground.vanishing(here), self.numeric.all_alive(here)
        decided = self.program.decide(vanishing, alive, self.ground.target)
        if reaches(decided.bound, self.ground.target):
            return decided.eta
        names = self.ground.walk.expansion.names
        binding = self.program.propose(vanishing, alive, self.enough).binding
        obstacle = Obstacle(
            self.program.piece,
            decided.bound,
            {names[k]: value for k, value in sorted(state.items())},
            tuple(self.numeric.normals[n].name for n in vanishing),
            tuple(dict.fromkeys(self.numeric.alternatives[a].name for a in binding)),
        )
        return Failure(obstacle, here)


def prune(sketch: Sketch, numeric: NumericWalk, worst: float) -> None:
    """Drop exclusions, children's first, while every leaf below stays at ``worst`` or lower with its η."""
    for child in sketch.children.values():
        prune(child, numeric, worst)
    if any(leaf.corrected is not None for leaf in sketch.leaves()):
        return  # a corrector was computed for exactly what is counted there
    leaves = [leaf for leaf in sketch.leaves() if leaf.proposed is not None]
    limit = worst + slack(worst)
    kinds = (
        ("alternatives", sketch.excluded_alternatives, numeric.guards),
        ("branches", sketch.excluded_branches, numeric.branch_guards),
    )
    for kind, listed, guards in kinds:
        for index in list(listed):
            possible = [leaf for leaf in leaves if numeric.with_guard(leaf.facts, guards[index]) is not None]
            back = [flags for leaf in possible if not (flags := getattr(leaf.alive, kind))[index]]
            for flag in back:
                flag[index] = True
            if all(
                numeric.bound(leaf.proposed.values, leaf.alive) <= limit for leaf in leaves if leaf.proposed
            ) and not any(numeric.hollow_branches(leaf.alive) for leaf in leaves):
                listed.remove(index)
            else:
                for flag in back:
                    flag[index] = False
