"""Weights of the Down-Meyn program in integers: exact margins, strict domination, and the evidence they give (theory 9.2).

One piece L^j for each station j.  The margin of piece j is what is left of

    Σ λ_i L^j(first_i) + max_{k at j} μ_k (L^j(next k) − L^j(k)) + Σ_{j'≠j} max(0, max_{k at j'} μ_k (L^j(next k) − L^j(k)))

below 0, which is its drift under any non-idling policy while station j is busy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.guards import Signs
from verify.conditions.evidence.nodes import Exclusion, Leaf, Node
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.lp.exact import solve_rational
from verify.network.expansion import Expansion
from verify.policies.compose import Walk
from verify.policies.sequencing import maximal_piece

#: How often the perturbation δ is halved.
_HALVINGS = 12

Domination = Mapping[int, Mapping[int, Fraction]]
"""θ: station -> other stations with their weights (numbers of stations; each row sums to 1)."""


class Stations:
    """The rates of a chain with one server per buffer, over the common denominator ``scale``.

    ``station_of``: buffer -> number of its station; ``arrivals``: buffer -> rate; ``falls``: per service its station, and
    μ_k (L(next k) − L(k)) as pairs (buffer, coefficient).
    """

    def __init__(self, expansion: Expansion):
        self.names = expansion.busy_servers
        number = {name: j for j, name in enumerate(self.names)}
        self.station_of = {s.buffer: number[s.server] for s in expansion.services}
        arrivals: dict[int, Fraction] = {}
        for stream in expansion.streams:
            for k, p in stream.destinations[0].distribution.items():
                arrivals[k] = arrivals.get(k, Fraction(0)) + stream.rate * p
        falls = []
        for service in expansion.services:
            fall = {service.buffer: -service.rate}
            for k, p in service.destinations[0].distribution.items():
                fall[k] = fall.get(k, Fraction(0)) + service.rate * p
            falls.append((number[service.server], fall))
        self.total_rate = sum((s.rate for s in expansion.services), Fraction(0))
        self.scale = math.lcm(
            *(r.denominator for r in arrivals.values()), *(a.denominator for _, fall in falls for a in fall.values())
        )
        self.arrivals = [(k, int(r * self.scale)) for k, r in arrivals.items()]
        self.falls = [(j, [(k, int(a * self.scale)) for k, a in fall.items()]) for j, fall in falls]

    def margin(self, piece: Sequence[int], j: int) -> int:
        """The margin of piece j, times ``scale``."""
        most: list[int | None] = [None] * len(self.names)
        for station, fall in self.falls:
            value = sum([a * piece[k] for k, a in fall])
            best = most[station]
            if best is None or value > best:
                most[station] = value
        drift = sum([a * piece[k] for k, a in self.arrivals])
        for station, best in enumerate(most):
            if best is not None and (station == j or best > 0):
                drift += best
        return -drift


@dataclass(frozen=True)
class StationWeights:
    """L^j(k) = ``pieces[j][k] / one``, with strict domination by ``domination``; ``margin``: the smallest one, positive."""

    pieces: tuple[tuple[int, ...], ...]
    one: int
    margin: Fraction
    domination: Domination


@dataclass(frozen=True)
class StationFunction:
    """V with one piece per station, its case trees (one leaf each) and the smallest margin."""

    function: PiecewiseLinear
    trees: tuple[Node, ...]
    epsilon: Fraction
    domination: Domination


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


def strictly_dominated(
    rates: Stations, domination: Domination, pieces: Sequence[Sequence[int]], one: int, margin: Fraction
) -> StationWeights | None:
    """L^j(k) += δ (H − h^j(station of k)), H the largest h; δ is halved until all margins and the domination are positive.

    Reason: Σ_i θ_ji h^i(n) = h^j(n) − 1 for n ≠ j, so the average of the others gains δ more than piece j where j is idle.
    ``pieces`` over ``one``: weights whose domination may just fail by rounding.  Without a margin of half of ``margin`` before
    anything is added, the answer is None.
    """
    if min(rates.margin(piece, j) for j, piece in enumerate(pieces)) * 2 < margin * one * rates.scale:
        return None
    times = hitting_times(len(rates.names), domination) if domination else [[Fraction(0)]]
    top = max(map(max, times))
    halves = max(0, math.floor(2 * rates.total_rate * top / margin).bit_length())
    times_over = math.lcm(*(h.denominator for row in times for h in row))
    added = [[int((top - row[n]) * times_over) for n in range(len(row))] for row in times]
    for extra in range(_HALVINGS):
        finer = times_over << (halves + extra)
        moved = [
            [value * finer + one * row[rates.station_of[k]] for k, value in enumerate(piece)]
            for piece, row in zip(pieces, added, strict=True)
        ]
        if len(set(map(tuple, moved))) < len(moved) or not _dominated(rates, domination, moved):
            return None  # a smaller δ adds less to the domination
        least = min(rates.margin(piece, j) for j, piece in enumerate(moved))
        if least > 0:
            size = one * finer
            return StationWeights(tuple(map(tuple, moved)), size, Fraction(least, size * rates.scale), domination)
    return None


def _dominated(rates: Stations, domination: Domination, pieces: Sequence[Sequence[int]]) -> bool:
    """Σ_i θ_ji L^i(k) > L^j(k) for all buffers k that are not at station j."""
    for j, row in domination.items():
        over = math.lcm(*(theta.denominator for theta in row.values()))
        shares = [(pieces[i], int(theta * over)) for i, theta in row.items()]
        for k, station in rates.station_of.items():
            if station != j and sum([share * other[k] for other, share in shares]) <= over * pieces[j][k]:
                return False
    return True


def with_evidence(walk: Walk, rates: Stations, weights: StationWeights) -> StationFunction:
    """V and its case trees: for piece j one leaf that excludes "station j idle" by θ; its bound is minus the margin."""
    pieces = (LinearForm((k, Fraction(value, weights.one)) for k, value in enumerate(p)) for p in weights.pieces)
    function = PiecewiseLinear(tuple(pieces))
    trees = []
    for j, piece in enumerate(weights.pieces):
        idle = _idle_excluded(walk, rates, function, j, weights.domination)
        bound = Fraction(-rates.margin(piece, j), weights.one * rates.scale)
        trees.append(Leaf({}, bound, {f"server {rates.names[j]} / (idle)": idle}))
    return StationFunction(function, tuple(trees), weights.margin, weights.domination)


def _idle_excluded(walk: Walk, rates: Stations, function: PiecewiseLinear, j: int, domination: Domination) -> Exclusion:
    """Σ_i θ_i (w_j − w_i) with the coordinates of station j cancelled: −κ or less everywhere else."""
    active = maximal_piece(j, function, walk.normals, walk.word_for(function))
    against = dict(zip((i for i in range(len(function)) if i != j), active.items(), strict=True))
    multipliers = {}
    shares = domination.get(j, {})
    for i, theta in shares.items():
        normal, signs = against[i]
        multipliers[normal] = theta if signs is Signs.NOT_NEGATIVE else -theta
    gain = LinearForm.combination((theta, function.difference(j, i)) for i, theta in shares.items())
    buffers = range(len(walk.expansion.buffers))
    elsewhere = [gain.entry(k) for k in buffers if rates.station_of[k] != j]
    kappa = -max(elsewhere) if elsewhere else Fraction(1)
    for k in buffers:
        if rates.station_of[k] == j and gain.entry(k) + kappa:
            multipliers[walk.coordinates[k]] = -(gain.entry(k) + kappa)
    return Exclusion(kappa, multipliers)
