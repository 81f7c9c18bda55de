"""Who dominates whom in the Down-Meyn program, fitted: θ itself is improved where the average of all others does not do.

For fixed θ, ask for weights whose sum is at least a constant and let γ be negative: its optimum says how far θ is from a margin,
and the multipliers y_jk of the domination rows how it changes, ∂γ/∂θ_ji = Σ_k y_jk L^i(k).  Each station moves its shares a step
towards the station that helps most ([Frank & Wolfe 1956]), as long as there is no margin.  θ only proposes: margin and domination
are decided by the program for the θ found.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.chain.numeric import Array
from verify.lp.approx import propose
from verify.lp.model import Status
from verify.methods.programs.station_weights import Domination
from verify.methods.programs.stations import StationProgram, uniform
from verify.policies.compose import Walk

#: Steps, and the denominator of shares.
_STEPS, _SHARES = 25, 1000
#: From this γ on, relative to the total rate, a margin is in sight.
_IN_SIGHT = 1e-9


def fitted(walk: Walk) -> Iterator[Domination]:
    """At most one θ, for which floats see a margin; all its shares are positive."""
    stations = len(walk.expansion.busy_servers)
    if stations < 3:
        return  # the only θ is uniform
    shares = np.full((stations, stations), 1.0 / (stations - 1))
    np.fill_diagonal(shares, 0.0)
    for number in range(_STEPS):
        theta = _exact(shares) if number else uniform(stations)
        found = _slopes(StationProgram(walk, theta))
        if found is None:
            return
        gamma, slopes = found
        if gamma > _IN_SIGHT:
            yield theta
            return
        step = 2.0 / (number + 3)
        for j, slope in enumerate(slopes):
            if slope.max() > 1e-12:
                shares[j] *= 1.0 - step
                shares[j, slope.argmax()] += step


def _slopes(program: StationProgram) -> tuple[float, Array] | None:
    """γ relative to the total rate (negative: what is missing), and ∂γ/∂θ, shape (stations, stations)."""
    lp = program.program
    lp.lower[program.gamma] = None
    columns = [column for piece in program.weights for column in piece]
    lp.row(dict.fromkeys(columns, 1), Fraction(len(columns), 4))
    answer = propose(lp)
    if answer.status is not Status.OPTIMAL:
        return None
    slopes = np.zeros((len(program.weights), len(program.weights)))
    for (j, k), row in program.dominating.items():
        for i in program.domination[j]:
            slopes[j, i] += answer.row_multipliers[row] * answer.point[program.weights[i][k]]
    return answer.point[program.gamma] / float(program.rates.total_rate), slopes


def _exact(shares: Array) -> Domination:
    """Shares as fractions with sum 1, none of them 0."""
    theta = {}
    for j, row in enumerate(shares):
        parts = {i: Fraction(max(1, round(share * _SHARES))) for i, share in enumerate(row) if i != j}
        total = sum(parts.values())
        theta[j] = {i: part / total for i, part in parts.items()}
    return theta
