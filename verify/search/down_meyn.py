"""Piecewise-linear V for all non-idling policies by the linear program of Down & Meyn (THEORY 9, GLP[dm]).

One piece L^j for each station j.  With V_{jj'} >= 0 a bound for what station j' can add to piece j, maximise γ subject to
0 <= L <= 1 and, for each j and each buffer k at j,

    Σ λ_i L^j(first_i) + μ_k (L^j(next k) − L^j(k)) + Σ_{j'≠j} V_{jj'} <= −γ,
    μ_k (L^j(next k) − L^j(k)) <= V_{jj'}            for k at j' ≠ j,
    Σ_{j'} θ_{jj'} L^{j'}(k) >= L^j(k)               for k not at j:

where station j is idle, an average of the other pieces dominates piece j, so piece j is not the maximum alone.  θ uniform is
the published form; one cycle through all stations (the upstream station) certifies rings up to load 1.  All types' arrivals and
every other station's V enter: with less, the program certifies networks that diverge (FACTS 1).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.conditions.correction import BoundProgram
from verify.conditions.evidence import Exclusion, Leaf, Node
from verify.conditions.tree import numeric_walk
from verify.lp.approx import propose
from verify.lp.exact import solve_exact, solve_rational
from verify.lp.model import LinearProgram, Status
from verify.network.expansion import Service
from verify.network.model import Holding, RouteNetwork, Routing, Sequencing
from verify.policy.compose import Walk
from verify.policy.sequencing import maximal_piece
from verify.rational import DENOMINATORS, nearby
from verify.testfunctions.piecewise import PiecewiseLinear, Vector
from verify.walk.guards import Signs

#: Cycles through all stations are tried up to this many stations.
_MOST_STATIONS = 5
#: Programs up to this many rows are also solved in rationals where floats see no positive γ.
_EXACT_ROWS = 400

#: How often the perturbation δ is halved.
_HALVINGS = 12

Domination = Mapping[int, Mapping[int, Fraction]]
"""θ: station -> other stations with their weights (numbers of stations; each row sums to 1)."""


@dataclass(frozen=True)
class StationFunction:
    """V with one piece per station, its case trees (one leaf each) and the smallest margin."""

    function: PiecewiseLinear
    trees: tuple[Node, ...]
    epsilon: Fraction
    domination: Domination


def applies(walk: Walk) -> bool:
    """A work-conserving sequencing (each is one of the non-idling policies), no holding, fixed or random routing, one server
    per buffer."""
    policy = walk.instance.policy
    routed = isinstance(walk.instance.network, RouteNetwork) and policy.routing not in (
        Routing.FIXED,
        Routing.BERNOULLI,
    )
    owners = [service.buffer for service in walk.expansion.services]
    conserving = policy.sequencing not in (None, Sequencing.BACK_PRESSURE, Sequencing.DOMINANT)
    return conserving and policy.holding is Holding.NONE and not routed and len(owners) == len(set(owners))


def uniform(stations: int) -> Domination:
    """The published form: the average over all other stations."""
    others = {j: [i for i in range(stations) if i != j] for j in range(stations)}
    return {j: {i: Fraction(1, len(rest)) for i in rest} for j, rest in others.items() if rest}


def cycles(stations: int) -> Iterator[Domination]:
    """Every cyclic order of the stations: j is dominated by the one before it."""
    if 3 <= stations <= _MOST_STATIONS:
        for order in itertools.permutations(range(1, stations)):
            ring = (0, *order)
            yield {j: {ring[position - 1]: Fraction(1)} for position, j in enumerate(ring)}


class StationProgram:
    """GLP[dm] for one θ: ``weights[j][k]`` are the columns of L^j(k), ``gamma`` that of γ."""

    def __init__(self, walk: Walk, domination: Domination):
        self.walk, self.domination = walk, domination
        expansion = walk.expansion
        self.stations = expansion.busy_servers
        self.program = LinearProgram()
        self.gamma = self.program.variable(0, None, -1)
        self.weights = [[self.program.variable(0, 1) for _ in expansion.buffers] for _ in self.stations]
        self.station_of = {s.buffer: self.stations.index(s.server) for s in expansion.services}
        for j in range(len(self.stations)):
            self._add_piece(j, {s.buffer: s for s in expansion.services})

    def _add_piece(self, j: int, services: Mapping[int, Service]) -> None:
        columns = self.weights[j]
        others = {i: self.program.variable(0, None) for i in range(len(self.stations)) if i != j}
        arrivals: dict[int, Fraction] = {}
        for stream in self.walk.expansion.streams:
            for k, p in stream.destinations[0].distribution.items():
                arrivals[columns[k]] = arrivals.get(columns[k], Fraction(0)) + stream.rate * p
        for k, service in services.items():
            fall = self._fall(service, columns)
            if self.station_of[k] == j:
                row = dict(arrivals)
                for column, value in [
                    *fall.items(),
                    (self.gamma, Fraction(1)),
                    *((v, Fraction(1)) for v in others.values()),
                ]:
                    row[column] = row.get(column, Fraction(0)) + value
                self.program.row(row, None, 0)
            else:
                self.program.row({**fall, others[self.station_of[k]]: Fraction(-1)}, None, 0)
                if j in self.domination:
                    average = {self.weights[i][k]: theta for i, theta in self.domination[j].items()}
                    self.program.row({**average, columns[k]: average.get(columns[k], Fraction(0)) - 1}, 0)

    @staticmethod
    def _fall(service: Service, columns: Sequence[int]) -> dict[int, Fraction]:
        """μ_k (L(next k) − L(k)) as a row."""
        row = {columns[service.buffer]: -service.rate}
        for target, p in service.destinations[0].distribution.items():
            row[columns[target]] = row.get(columns[target], Fraction(0)) + service.rate * p
        return row

    def pieces(self, point: Sequence[Fraction | float], denominator: int | None) -> list[dict[int, Fraction]]:
        """L^j from a point of the program, rounded (None: as it is, exact)."""
        return [
            {
                k: nearby(float(point[c]), denominator) if denominator else Fraction(point[c])
                for k, c in enumerate(columns)
            }
            for columns in self.weights
        ]


def station_function(walk: Walk, dominations: Sequence[Domination]) -> StationFunction | None:
    """The V of the first θ whose program has γ > 0, with exact evidence for condition S (which proves F as well)."""
    for domination in dominations:
        program = StationProgram(walk, domination)
        proposal = propose(program.program)
        if proposal.status is not Status.OPTIMAL:
            continue
        gamma = proposal.point[program.gamma]
        guesses = [(program.pieces(proposal.point, d), gamma) for d in DENOMINATORS[2:]] if gamma > 1e-9 else []
        for pieces, size in guesses:
            found = _perturbed(program, pieces, nearby(size, 10**9))
            if found is not None and float(found.epsilon) >= 0.5 * gamma:
                return found
        if len(program.program.rows) <= _EXACT_ROWS:
            answer = solve_exact(program.program)
            if answer.status is Status.OPTIMAL and answer.point[program.gamma] > 0:
                found = _perturbed(program, program.pieces(answer.point, None), answer.point[program.gamma])
                if found is not None:
                    return found
    return None


def optimum(walk: Walk, domination: Domination) -> Fraction | None:
    """The exact optimum γ* of the program (rates as given), None if it was not found."""
    program = StationProgram(walk, domination)
    answer = solve_exact(program.program)
    return answer.point[program.gamma] if answer.status is Status.OPTIMAL else None


def hitting_times(stations: int, domination: Domination) -> list[list[Fraction]]:
    """h^j(n): mean number of steps of the θ-chain from j until it hits n (h^n(n) = 0), rows j.

    h^j(n) = 1 + Σ_{i≠n} θ_{ji} h^i(n): one linear system for each n.
    """
    result = [[Fraction(0)] * stations for _ in range(stations)]
    for n in range(stations):
        others = [j for j in range(stations) if j != n]
        matrix = [[Fraction(int(i == j)) - domination[j].get(i, Fraction(0)) for i in others] for j in others]
        for j, value in zip(others, solve_rational(matrix, [Fraction(1)] * len(others)), strict=True):
            result[j][n] = value
    return result


def _perturbed(program: StationProgram, pieces: list[dict[int, Fraction]], gamma: Fraction) -> StationFunction | None:
    """Make domination strict: L^j(k) += δ (H − h^j(station of k)), H the largest h; δ is halved until the margin is positive.

    Reason: Σ_i θ_ji h^i(n) = h^j(n) − 1 for n ≠ j, so the average of the others gains δ more than piece j where j is idle.
    """
    stations = len(program.stations)
    if stations == 1:
        return _with_evidence(program, pieces)
    times = hitting_times(stations, program.domination)
    top = max(map(max, times))
    rate = sum((s.rate for s in program.walk.expansion.services), Fraction(0))
    delta = gamma / (rate * top * 2)
    delta = Fraction(1, 1 << max(0, (1 / delta).__floor__().bit_length()))
    for _ in range(_HALVINGS):
        moved = [
            {k: value + delta * (top - times[j][program.station_of[k]]) for k, value in piece.items()}
            for j, piece in enumerate(pieces)
        ]
        found = _with_evidence(program, moved)
        if found is not None:
            return found
        delta /= 2
    return None


def _with_evidence(program: StationProgram, pieces: Sequence[Vector]) -> StationFunction | None:
    """Exact trees: for piece j one leaf that excludes "station j idle" by θ; None if a margin is not positive."""
    function = PiecewiseLinear(tuple({k: v for k, v in piece.items() if v} for piece in pieces))
    if len({tuple(sorted(piece.items())) for piece in function.pieces}) < len(function):
        return None
    numeric = numeric_walk(program.walk, function)
    trees: list[Node] = []
    for j, weights in enumerate(function.pieces):
        idle = next(
            a for a, alt in enumerate(numeric.alternatives) if alt.name == f"server {program.stations[j]} / (idle)"
        )
        evidence = _idle_excluded(program, function, j)
        if evidence is None:
            return None
        facts = numeric.facts(
            dict.fromkeys(program.walk.coordinates, Signs.NOT_NEGATIVE)
            | maximal_piece(j, function, program.walk.normals, program.walk.word_for(function))
        )
        alive = numeric.all_alive(facts)
        alive.alternatives[idle] = False
        bound = BoundProgram(numeric, weights, j).exact_bound({}, alive)
        if bound >= 0:
            return None
        trees.append(Leaf({}, bound, {numeric.alternatives[idle].name: evidence}))
    epsilon = min(-tree.bound for tree in trees if isinstance(tree, Leaf))
    return StationFunction(function, tuple(trees), epsilon, program.domination)


def _idle_excluded(program: StationProgram, function: PiecewiseLinear, j: int) -> Exclusion | None:
    """Σ_i θ_i (w_j − w_i) with the coordinates of station j cancelled: −κ or less everywhere else."""
    walk = program.walk
    active = maximal_piece(j, function, walk.normals, walk.word_for(function))
    signed = {normal: 1 if signs is Signs.NOT_NEGATIVE else -1 for normal, signs in active.items()}
    named = {normal.name: normal for normal in active}
    multipliers = {}
    gain: dict[int, Fraction] = {k: Fraction(0) for k in range(len(walk.expansion.buffers))}
    for i, theta in program.domination.get(j, {}).items():
        first, second = min(i, j), max(i, j)
        normal = named[f"{walk.word_for(function)}({first} - {second})"]
        multipliers[normal] = theta * signed[normal]
        for k in gain:
            gain[k] += theta * (function.pieces[j].get(k, Fraction(0)) - function.pieces[i].get(k, Fraction(0)))
    elsewhere = [gain[k] for k in gain if program.station_of[k] != j]
    kappa = -max(elsewhere) if elsewhere else Fraction(1)
    if kappa <= 0:
        return None
    for k in gain:
        if program.station_of[k] == j and gain[k] + kappa:
            multipliers[walk.coordinates[k]] = -(gain[k] + kappa)
    return Exclusion(kappa, multipliers)
