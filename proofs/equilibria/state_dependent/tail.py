"""A proved bracket for W when dedicated customers (λ1 > 0) make queue 1 infinite: what cutting it at i = M can change.

Let π be the true law, π^M the law given i <= M, π̂ the law of the chain that blocks dedicated customers at M, and w(x) the
transit time of a general customer who finds x.

1. Exponential service: from level I = max(highest joining level + 1, c - 1) on only dedicated customers join, and the cut
   between levels i >= I and i+1 gives λ1 π(i) = cμ1 π(i+1).  So with ρ = λ1/(cμ1) < 1,
   π^M(M) <= ρ^(M-I)(1-ρ)/(1-ρ^(M-I+1)) and π(i > M) <= π^M(M) ρ/(1-ρ).
2. Coxian-2: let I = max(highest joining level, c) + 1 and V(i,k) = θ^(i-I) v_k for i >= I, else 0, with θ > 1, v > 0 and drift
   at most -εV on i >= I (checked in rationals).  On level I-1 the drift is at most (λ+λ1) max v, elsewhere 0.  So
   ε πV <= (λ+λ1) max v ([Glynn & Zeevi 2008]), and π(i >= M) <= (λ+λ1) max v / (ε θ^(M-I) min v).
3. π^M is stationary for the chain watched on i <= M, which differs from the blocking one only in what follows a dedicated
   arrival at i = M: a return to some state of level M.  With h a solution of the Poisson equation of the blocking chain for w,
   π^M w - π̂ w = π^M (difference of generators) h, so |π^M w - π̂ w| <= λ1 π^M(M) span h(M, ·).
4. w beyond M lies between 1/μ2 and 1/μ2 + (N-1)/λ2; z below M lies between the two slices of ``delays.next_slice``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.delays import first_delays, policy_delays
from proofs.equilibria.state_dependent.levels import assemble
from proofs.equilibria.state_dependent.model import Parallel, Policy, State
from proofs.equilibria.state_dependent.stationary import Chain
from verify.errors import InputError

_EXACT = Arithmetic.EXACT


@dataclass(frozen=True)
class Bracket:
    """``low`` <= W <= ``high``, proved; ``beyond``: bound of the probability of more than M customers in queue 1."""

    low: Fraction
    high: Fraction
    beyond: Fraction


def transit_time_bracket(model: Parallel, policy: Policy) -> Bracket:
    """The bracket of W under ``policy`` with M = ``policy.limit``; rationals throughout.

    Raises ``InputError`` if M is too small for a bound.
    """
    chain = Chain(model, policy, _EXACT)
    law = chain.law()
    at_limit, beyond = _top_masses(model, policy)
    y, z = first_delays(model, policy.limit), policy_delays(model, policy, _EXACT)
    ends = []
    for side in ("low", "high"):
        cost = {s: y[s[:2]] if s in policy.joins else getattr(z[s[2]], side)[s[:2]] for s in law}
        mean = sum((law[s] * cost[s] for s in law), _EXACT.number(0))
        spread = model.dedicated_first * at_limit * _span(chain, cost, mean)
        ends.append((Fraction(_EXACT.plain(mean)), spread))
    least, most = model.least_delay, model.batch_bounds(0)[1]
    low = ends[0][0] - ends[0][1]
    high = ends[1][0] + ends[1][1]
    return Bracket(
        min(low, (1 - beyond) * low + beyond * least), max(high, (1 - beyond) * high + beyond * most), beyond
    )


def _top_masses(model: Parallel, policy: Policy) -> tuple[Fraction, Fraction]:
    """Bounds of π^M(M) and of π(i > M): step 1 or step 2."""
    if model.service.has_phases:
        start = max(policy.highest, model.servers) + 1
        mass = exponential_tail(model, policy.limit - start)
        if mass >= 1:
            raise InputError("limit", f"well above {start}, for a tail bound below 1", str(policy.limit))
        return mass / (1 - mass), mass
    start = max(policy.highest + 1, model.servers - 1)
    if policy.limit < start:
        raise InputError("limit", f"at least {start}", str(policy.limit))
    ratio, steps = model.dedicated_first * model.service.mean / model.servers, policy.limit - start
    mass = ratio**steps * (1 - ratio) / (1 - ratio ** (steps + 1))
    return mass, mass * ratio / (1 - ratio)


def exponential_tail(model: Parallel, steps: int) -> Fraction:
    """The bound of π(i >= I + steps) in step 2; θ is the best of a few, v and ε are verified in rationals."""
    best = Fraction(1)
    for sixteenths in range(17, 65):
        theta = Fraction(sixteenths, 16)
        weights = _weights(model, theta)
        decay = _decay(model, theta, weights)
        if decay > 0 and steps > 0:
            arrivals = model.general + model.dedicated_first
            best = min(best, arrivals * max(weights) / (decay * theta**steps * min(weights)))
    return best


def _weights(model: Parallel, theta: Fraction) -> list[Fraction]:
    """v: a positive eigenvector (power iteration in floats, rounded; a proposal) of the drift of θ^i v_k."""
    size = model.servers + 1
    vector = [1.0] * size
    scale = float(model.dedicated_first * theta + model.servers * (model.service.first + model.service.second)) + 1
    for _ in range(400):
        drifts = _drifts(model, theta, vector)
        vector = [max(x + float(d) / scale, 1e-6) for x, d in zip(vector, drifts, strict=True)]
        total = max(vector)
        vector = [x / total for x in vector]
    return [max(Fraction(x).limit_denominator(10**6), Fraction(1, 10**6)) for x in vector]


def _drifts(model: Parallel, theta: Fraction, v: list[Any]) -> list[Any]:
    """Drift of θ^i v_k over θ^i for k = 0..c, i > c: arrivals at λ1, and the services of slide 55."""
    s, c, found = model.service, model.servers, []
    for k in range(c + 1):
        drift = model.dedicated_first * (theta - 1) * v[k]
        if k:
            drift += k * s.first * (s.continuation * (v[k - 1] - v[k]) + (1 - s.continuation) * (v[k] / theta - v[k]))
        if k < c:
            drift += (c - k) * s.second * (v[k + 1] / theta - v[k])
        found.append(drift)
    return found


def _decay(model: Parallel, theta: Fraction, weights: list[Fraction]) -> Fraction:
    """The largest ε with drift <= -ε v."""
    return Fraction(min(-d / w for d, w in zip(_drifts(model, theta, weights), weights, strict=True)))


def _span(chain: Chain, cost: dict[State, Any], mean: Any) -> Fraction:
    """max - min of h over level M, where (total rate) h - Σ rate h(after) = cost - mean and h = 0 in one state."""
    pinned = chain.levels[0][0]
    right = {state: value - mean for state, value in cost.items()} | {pinned: _EXACT.number(0)}
    solution = assemble(_EXACT, chain.levels, chain.moves, frozenset({pinned})).solve(right)
    top = [Fraction(_EXACT.plain(solution[state])) for state in chain.levels[-1]]
    return Fraction(max(top) - min(top))
