"""GLP[dm] of Down and Meyn (1997) in floats: a second opinion on the Dai-Vande Vate criterion, which it decides as well, and a
second formulation beside the product's own, written with cvxpy as it stands on paper.

Maximise γ over 0 ≤ L ≤ 1 and V ≥ 0; for each station j and each class k at j
    Σ_types λ L^j(first) + μ_k (L^j(next k) − L^j(k)) + Σ_{j'≠j} V_{jj'} ≤ −γ,
    μ_k (L^j(next k) − L^j(k)) ≤ V_{jj'} for k at j' ≠ j,     Σ_{j'≠j} L^{j'}(k)/(J−1) ≥ L^j(k) for k not at j.
"""

from __future__ import annotations

import cvxpy as cp
import numpy as np

from verify.network.model import RouteNetwork


def down_meyn(network: RouteNetwork) -> float:
    """The optimal γ with the rates divided by their sum."""
    types = [(c.arrival_rate, c.routes[0].visits) for c in network.classes]
    total = float(sum(rate for rate, _ in types) + sum(v.rate for _, visits in types for v in visits))
    visits = [visit for _, listed in types for visit in listed]
    lengths = [len(listed) for _, listed in types]
    first = np.cumsum([0, *lengths[:-1]])
    exits = set(np.cumsum(lengths) - 1)
    stations = sorted({visit.server for visit in visits})
    weights = cp.Variable((len(stations), len(visits)), nonneg=True)
    gain = cp.Variable((len(stations), len(stations)), nonneg=True)
    gamma = cp.Variable()
    mu = np.array([float(visit.rate) / total for visit in visits])
    arrivals = np.array([float(rate) / total for rate, _ in types])
    limits = [weights <= 1]
    for j, station in enumerate(stations):
        others = [i for i in range(len(stations)) if i != j]
        for k, visit in enumerate(visits):
            fall = mu[k] * ((0 if k in exits else weights[j, k + 1]) - weights[j, k])
            if visit.server == station:
                limits.append(arrivals @ weights[j, first] + fall + cp.sum(gain[j, others]) <= -gamma)
            else:
                limits.append(fall <= gain[j, stations.index(visit.server)])
                limits.append(cp.sum(weights[others, k]) / len(others) >= weights[j, k])
    return float(cp.Problem(cp.Maximize(gamma), limits).solve(solver=cp.HIGHS))
