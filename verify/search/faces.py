"""The face program: a linear V = w·x for condition F, with the best corrections at every face (THEORY 9).

The corrections η enter linearly beside w, so one linear program finds both: variables w in [0, 1], ε, and η for each face; for
each face  Σ_components max { (w + Σ η_g g)·d_a } <= −ε;  maximise ε.  For static priorities and non-idling with one server per
buffer the reduced faces are finitely many by enumeration; for other policies faces are added where the case tree of the
current w fails, until it does not.  Floats propose; the accepted w and η are rational and every face is checked exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from verify.budget import Budget, BudgetSpent
from verify.conditions.correction import BoundProgram, Decided, reaches
from verify.conditions.evidence import Leaf, Node, Obstacle, leaves
from verify.conditions.tree import Failure, Mode, TreeSearch
from verify.lp.approx import propose
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.network.model import Holding, Policy, RouteNetwork, Routing
from verify.policy.compose import Walk
from verify.policy.sequencing import STATIC, priority_groups
from verify.rational import DENOMINATORS, nearby
from verify.testfunctions.piecewise import PiecewiseLinear
from verify.walk.guards import Signs
from verify.walk.numeric import Alive, Array, NumericWalk

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


@dataclass(frozen=True)
class FaceEvidence:
    """A face with exact corrections on empty buffers and the bound they give."""

    face: Face
    decided: Decided


@dataclass(frozen=True)
class LinearResult:
    """A linear V with evidence: reduced faces, or one case tree."""

    function: PiecewiseLinear
    faces: tuple[FaceEvidence, ...] = ()
    trees: tuple[Node, ...] = ()

    @property
    def epsilon(self) -> Fraction:
        """min of −bound over all faces or leaves."""
        bounds = [entry.decided.bound for entry in self.faces]
        bounds += [leaf.bound for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
        return min(-bound for bound in bounds)


class NoLinearFunction(Exception):
    """The face program's best ε is not positive: no linear V satisfies condition F.  ``obstacle``: where the best V fails."""

    def __init__(self, obstacle: Obstacle | None):
        super().__init__("no linear test function satisfies condition F")
        self.obstacle = obstacle


def reducible(walk: Walk) -> bool:
    """May the faces be reduced (THEORY 9)?  Fixed or random routing, one server per buffer, no holding,
    guards that only ask which buffers are busy.

    Reason: the alternatives at x depend only on each server's highest busy priority group, so making every lower buffer busy
    changes no alternative and frees no correction; with two servers on a buffer that is false.
    """
    policy: Policy = walk.instance.policy
    routed = isinstance(walk.instance.network, RouteNetwork) and policy.routing not in (
        Routing.FIXED,
        Routing.BERNOULLI,
    )
    owners = [service.buffer for service in walk.expansion.services]
    return (
        not routed
        and policy.holding is Holding.NONE
        and policy.sequencing in STATIC
        and len(owners) == len(set(owners))
    )


def reduced_faces(walk: Walk, numeric: NumericWalk) -> Iterator[Face]:
    """Every choice of a highest busy group, or idle, for each server, but all idle."""
    groups = {
        server: priority_groups(server, walk.instance.policy, walk.expansion) for server in walk.expansion.busy_servers
    }
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


class FaceProgram:
    """The linear program in w, ε and all η, growing face by face."""

    def __init__(self, numeric: NumericWalk, least_weight: Fraction = Fraction(0)):
        self.numeric = numeric
        self.program = LinearProgram()
        self.epsilon = self.program.variable(None, None, -1)
        self.weights = [self.program.variable(least_weight, 1) for _ in range(numeric.dimension)]
        self.corrections: list[dict[int, int]] = []
        self._drifts = [dict(a.mean_drift) for a in numeric.alternatives]
        self._along: dict[int, list[Fraction]] = {}
        rates = (abs(v) for a in numeric.alternatives for v in a.mean_drift.values())
        self.program.upper[self.epsilon] = max(rates, default=Fraction(1)) * len(numeric.alternatives)

    def add(self, face: Face) -> None:
        """One row per alternative of a real choice, one for the sum."""
        eta: dict[int, int] = {}
        total: dict[int, Fraction] = {self.epsilon: Fraction(1)}
        for branches in self.numeric.structure(face.alive):
            if len(branches) == 1:
                tops = total
                self._parts(branches[0][1], face, eta, tops)
                continue
            best = self.program.variable(None, None)
            total[best] = Fraction(1)
            for _, parts in branches:
                tops = {best: Fraction(-1)}
                self._parts(parts, face, eta, tops)
                self.program.row(tops, None, 0)
        self.program.row(total, None, 0)
        self.corrections.append(eta)

    def _parts(self, parts: list[list[int]], face: Face, eta: dict[int, int], tops: dict[int, Fraction]) -> None:
        """Add Σ_parts max_alternatives to the row under construction."""
        for part in parts:
            if len(part) == 1:
                for column, value in self._corrected(part[0], face, eta).items():
                    tops[column] = tops.get(column, Fraction(0)) + value
                continue
            top = self.program.variable(None, None)
            tops[top] = Fraction(1)
            for a in part:
                self.program.row({**self._corrected(a, face, eta), top: Fraction(-1)}, None, 0)

    def _corrected(self, a: int, face: Face, eta: dict[int, int]) -> dict[int, Fraction]:
        """(w + Σ η_g g)·d_a as a row."""
        entries = {self.weights[k]: value for k, value in self._drifts[a].items()}
        for n in face.vanishing:
            value = self._products(n)[a]
            if value:
                if n not in eta:
                    eta[n] = self.program.variable(None, None)
                entries[eta[n]] = value
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
            for column in self.weights:
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
        return Solution([point[column] for column in self.weights], epsilon, etas)


@dataclass(frozen=True)
class Solution:
    """Weights, ε, and per face η (normal number -> value): floats, or fractions from an exact program."""

    weights: Sequence[Any]
    epsilon: Any
    etas: Sequence[dict[int, Any]]


def linear_by_reduction(walk: Walk) -> LinearResult:
    """A linear V by the reduced faces.  Raises :class:`NoLinearFunction`."""
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
        raise NoLinearFunction(_reduced_obstacle(walk, numeric, faces))
    return found


def _rounded(numeric: NumericWalk, faces: list[Face], solution: Solution) -> LinearResult | None:
    """Rational w and η, coarse denominators first; the first whose exact ε is within a thousandth of the float one, else the
    best positive one."""
    best: LinearResult | None = None
    for denominator in DENOMINATORS:
        weights = {k: w for k, value in enumerate(solution.weights) if (w := _round(value, denominator)) > 0}
        if len(weights) < numeric.dimension:
            continue
        program = BoundProgram(numeric, weights, 0)
        candidate = _decide_faces(program, faces, solution, denominator)
        if candidate is None:
            continue
        result = LinearResult(PiecewiseLinear((weights,)), candidate)
        if best is None or _epsilon(candidate) > _epsilon(best.faces):
            best = result
        if float(_epsilon(candidate)) >= 0.999 * float(solution.epsilon):
            return result
    return best


def _epsilon(evidence: Sequence[FaceEvidence]) -> Fraction:
    return min(-entry.decided.bound for entry in evidence)


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
        found.append(FaceEvidence(face, decided))
    return tuple(found)


def _reduced_obstacle(walk: Walk, numeric: NumericWalk, faces: list[Face]) -> Obstacle | None:
    """The worst face of the V that fails least among those with weights between 1/10 and 1."""
    program = FaceProgram(numeric, Fraction(1, 10))
    for face in faces:
        program.add(face)
    solution = program.solve()
    if solution is None:
        return None
    weights = {k: nearby(float(value), 1000) for k, value in enumerate(solution.weights)}
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


def linear_by_trees(walk: Walk, budget: Budget) -> LinearResult:
    """A linear V by lazily generated faces: solve the program for the faces seen, grow the case tree of its w at the ε found,
    add the face where it fails.  Ends because faces are finitely many.  Raises :class:`NoLinearFunction`, ``BudgetSpent``."""
    dimension = len(walk.expansion.buffers)
    weights = dict.fromkeys(range(dimension), Fraction(1))
    program: FaceProgram | None = None
    target, failure = _total_rate(walk), None
    while True:
        budget.spend()
        function = PiecewiseLinear((weights,))
        search = TreeSearch(walk, function, Mode.FLUID, target, budget)
        program = program or FaceProgram(search.numeric)
        try:
            return LinearResult(function, trees=tuple(search.trees()))
        except Failure as caught:
            failure = caught
            program.add(face_of(caught.facts, program.numeric))
        solution = program.solve()
        if solution is None or solution.epsilon <= 1e-9:
            solution = program.solve_exactly()
        if solution is None or solution.epsilon <= 0:
            break
        weights, target = _round_weights(solution)
    raise NoLinearFunction(_tree_obstacle(walk, budget) or (failure.obstacle if failure else None))


def _total_rate(walk: Walk) -> Fraction:
    """No linear V with weights at most 1 falls faster than all services together."""
    return sum((service.rate for service in walk.expansion.services), Fraction(0))


def _round_weights(solution: Solution) -> tuple[dict[int, Fraction], Fraction]:
    """Weights with the coarsest denominators that stay within a millionth of the proposal, and the ε to ask for."""
    weights: list[Fraction] = []
    for denominator in DENOMINATORS:
        weights = [_round(value, denominator) for value in solution.weights]
        if all(abs(float(w) - float(value)) <= 1e-6 for w, value in zip(weights, solution.weights, strict=True)):
            break
    target = Fraction(solution.epsilon).limit_denominator(10**12) * Fraction(999, 1000)
    return {k: w for k, w in enumerate(weights) if w > 0}, target


def _tree_obstacle(walk: Walk, budget: Budget) -> Obstacle | None:
    """Where the number of jobs fails."""
    jobs = PiecewiseLinear((dict.fromkeys(range(len(walk.expansion.buffers)), Fraction(1)),))
    try:
        TreeSearch(walk, jobs, Mode.FLUID, budget=budget).trees()
    except Failure as failure:
        return failure.obstacle
    except BudgetSpent:
        pass
    return None
