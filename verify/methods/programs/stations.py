"""Piecewise-linear V for all non-idling policies by the linear program of [Down & Meyn 1997] (theory 9.2).

One piece L^j for each station j.  With V_{jj'} >= 0 a bound for what station j' can add to piece j, maximise γ subject to
0 <= L <= 1 and, for each j and each buffer k at j,

    Σ λ_i L^j(first_i) + μ_k (L^j(next k) − L^j(k)) + Σ_{j'≠j} V_{jj'} <= −γ,
    μ_k (L^j(next k) − L^j(k)) <= V_{jj'}            for k at j' ≠ j,
    Σ_{j'} θ_{jj'} L^{j'}(k) >= L^j(k)               for k not at j:

where station j is idle, an average of the other pieces dominates piece j, so piece j is not the maximum alone.  θ uniform is
the published form; one cycle through all stations (the upstream station) certifies rings up to load 1.  All types' arrivals and
every other station's V enter: with less, the program certifies networks that diverge (theory 9.2).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.lp.approx import propose, propose_interior
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Proposal, Status
from verify.lp.witness import dual_value
from verify.methods.programs.station_weights import (
    Domination,
    StationFunction,
    Stations,
    StationWeights,
    strictly_dominated,
    with_evidence,
)
from verify.network.expansion import Service
from verify.policies.compose import Walk

#: Cycles through all stations are tried up to this many stations.
MOST_STATIONS = 5
#: Programs up to this many rows are also solved in rationals where floats see no positive γ.
_EXACT_ROWS = 400
#: Above so many rows the interior point method is the faster one.
_INTERIOR_ROWS = 5000
#: From this γ on a float proposal is rounded, to multiples of one of these fractions: the coarsest that do.
_SEEN, _DENOMINATORS = 1e-9, (60, 1000, 10**6, 2**40)
#: Multipliers are rounded to multiples of this.
_MULTIPLIER = 2**40


def applies(walk: Walk) -> bool:
    """A work-conserving sequencing (each is one of the non-idling policies), no holding, fixed or random routing, one server
    per buffer."""
    policy = walk.instance.policy
    owners = [service.buffer for service in walk.expansion.services]
    conserving = policy.work_conserving and not policy.follows_pieces
    return conserving and not policy.holds and not policy.by_state and len(owners) == len(set(owners))


def uniform(stations: int) -> Domination:
    """The published form: the average over all other stations."""
    others = {j: [i for i in range(stations) if i != j] for j in range(stations)}
    return {j: {i: Fraction(1, len(rest)) for i in rest} for j, rest in others.items() if rest}


def cycles(stations: int) -> Iterator[Domination]:
    """Every cyclic order of the stations: j is dominated by the one before it."""
    if 3 <= stations <= MOST_STATIONS:
        for order in itertools.permutations(range(1, stations)):
            ring = (0, *order)
            yield {j: {ring[position - 1]: Fraction(1)} for position, j in enumerate(ring)}


class StationProgram:
    """GLP[dm] for one θ: ``weights[j][k]`` are the columns of L^j(k), ``gamma`` that of γ; ``dominating[j, k]``: the row that
    keeps the others above piece j at buffer k."""

    def __init__(self, walk: Walk, domination: Domination):
        self.walk, self.domination = walk, domination
        expansion = walk.expansion
        self.stations = expansion.busy_servers
        self.rates = Stations(expansion)
        self.program = LinearProgram()
        self.gamma = self.program.variable(0, None, -1)
        self.weights = [[self.program.variable(0, 1) for _ in expansion.buffers] for _ in self.stations]
        self.dominating: dict[tuple[int, int], int] = {}
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
            if self.rates.station_of[k] == j:
                row = dict(arrivals)
                for column, value in [
                    *fall.items(),
                    (self.gamma, Fraction(1)),
                    *((v, Fraction(1)) for v in others.values()),
                ]:
                    row[column] = row.get(column, Fraction(0)) + value
                self.program.row(row, None, 0)
            else:
                self.program.row({**fall, others[self.rates.station_of[k]]: Fraction(-1)}, None, 0)
                if j in self.domination:
                    average = {self.weights[i][k]: theta for i, theta in self.domination[j].items()}
                    self.dominating[j, k] = self.program.row(
                        {**average, columns[k]: average.get(columns[k], Fraction(0)) - 1}, 0
                    )

    @staticmethod
    def _fall(service: Service, columns: Sequence[int]) -> dict[int, Fraction]:
        """μ_k (L(next k) − L(k)) as a row."""
        row = {columns[service.buffer]: -service.rate}
        for target, p in service.destinations[0].distribution.items():
            row[columns[target]] = row.get(columns[target], Fraction(0)) + service.rate * p
        return row


@dataclass(frozen=True)
class NoMargin:
    """No θ that was tried gives a positive margin; ``proved``: exact multipliers show γ* = 0 for every one of them."""

    proved: bool


def station_function(walk: Walk, dominations: Iterable[Domination]) -> StationFunction | NoMargin:
    """The V of the first θ whose program has γ > 0, with exact evidence for condition S (which proves F as well)."""
    proved = True
    for domination in dominations:
        program = StationProgram(walk, domination)
        found = positive_margin(program)
        if isinstance(found, StationWeights):
            return with_evidence(walk, program.rates, found)
        proved = proved and found.proved
    return NoMargin(proved)


def positive_margin(program: StationProgram) -> StationWeights | NoMargin:
    """Weights with strict domination and a positive margin, exactly; or what is known against them.

    A float optimum is rounded, its domination made strict, and checked in integers; where floats see no γ > 0, multipliers from
    the interior of the dual face are tried, then (small programs) the exact optimum.
    """
    domination = program.domination
    large = len(program.program.rows) > _INTERIOR_ROWS
    proposal = propose_interior(program.program) if large else propose(program.program)
    if proposal.status is not Status.OPTIMAL:
        return NoMargin(False)
    gamma = proposal.point[program.gamma]
    if gamma > _SEEN * float(program.rates.total_rate):
        for denominator in _DENOMINATORS:
            rounded = [[round(proposal.point[c] * denominator) for c in columns] for columns in program.weights]
            found = strictly_dominated(program.rates, domination, rounded, denominator, Fraction(gamma))
            if found is not None:
                return found
    elif no_margin_multipliers(program, proposal if large else propose_interior(program.program)) is not None:
        return NoMargin(True)
    if len(program.program.rows) > _EXACT_ROWS:
        return NoMargin(False)
    answer = solve_exact(program.program)
    if answer.status is not Status.OPTIMAL or answer.point[program.gamma] <= 0:
        return NoMargin(answer.status is Status.OPTIMAL)
    one = math.lcm(*(answer.point[c].denominator for columns in program.weights for c in columns))
    exact = [[int(answer.point[c] * one) for c in columns] for columns in program.weights]
    return strictly_dominated(program.rates, domination, exact, one, answer.point[program.gamma]) or NoMargin(False)


def optimum(walk: Walk, domination: Domination) -> Fraction | None:
    """The exact optimum γ* of the program (rates as given), None if it was not found."""
    program = StationProgram(walk, domination)
    if no_margin_multipliers(program, propose_interior(program.program)) is not None:
        return Fraction(0)  # reached by the weights 0
    answer = solve_exact(program.program)
    return answer.point[program.gamma] if answer.status is Status.OPTIMAL else None


def no_margin_multipliers(program: StationProgram, interior: Proposal) -> list[Fraction] | None:
    """Row multipliers whose dual value is 0: γ <= 0 for all weights.  None if floats do not lead to any.

    The dual optima form a face; interior ones keep the reduced costs of all weights away from 0, so they may be rounded.
    """
    if interior.status is not Status.OPTIMAL:
        return None
    rows = program.program
    pairs = zip(interior.row_multipliers, rows.row_upper, strict=True)
    signed = (max(y, 0.0) if upper is None else min(y, 0.0) for y, upper in pairs)
    multipliers = [Fraction(round(y * _MULTIPLIER), _MULTIPLIER) for y in signed]
    total = -sum((y for y, row in zip(multipliers, rows.rows, strict=True) if program.gamma in row), Fraction(0))
    if total <= 0:
        return None
    multipliers = [y / total for y in multipliers]
    return multipliers if dual_value(rows, multipliers) == 0 else None
