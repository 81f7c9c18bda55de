"""Simulation of the tagged customer: evidence beside the theorem, never a proof.

For β < 3μ/2 the variance of τ is finite and normal confidence intervals are valid; beyond, only τ stopped at a level is
simulated, and compared with the exact ``stopped_delay``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from proofs.equilibria.retrial.moments import variance_is_finite
from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates
from verify.errors import InputError


@dataclass(frozen=True)
class Estimate:
    """Mean of the runs, half width of the normal confidence interval at ``confidence``, number of runs."""

    mean: float
    half_width: float
    runs: int
    confidence: float

    def covers(self, value: Any) -> bool:
        """Whether the interval contains ``value``."""
        return abs(float(value) - self.mean) <= self.half_width


class InfiniteVariance(InputError):
    """A confidence interval was asked for a mean whose variance is infinite."""


def simulate_delay(
    server: int, others: int, rates: Rates, runs: int, seed: int, level: int | None = None, confidence: float = 0.95
) -> Estimate:
    """Estimate E τ (or E[τ ∧ hit(1, level)]) from (server, others) by ``runs`` independent paths.

    Raises ``InfiniteVariance`` if no level is given and β >= 3μ/2.
    """
    if level is None and not variance_is_finite(rates):
        bound = f"below 3/2 of the service rate {rates.service}"
        raise InfiniteVariance(
            "rates.busy", bound, str(rates.busy), "the variance is infinite there: give a level to stop at"
        )
    times = _paths(server, others, rates, runs, np.random.default_rng(seed), level)
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    return Estimate(float(times.mean()), quantile * float(times.std(ddof=1)) / sqrt(runs), runs, confidence)


def _paths(server: int, others: int, rates: Rates, runs: int, rng: np.random.Generator, level: int | None) -> Any:
    """Times of all paths, advanced together one jump at a time; finished ones leave the arrays."""
    total = np.zeros(runs)
    alive, k, j = np.arange(runs), np.full(runs, server), np.full(runs, others)
    while alive.size:
        total[alive] += rng.exponential(size=alive.size) / _total_rate(k, j, rates)
        served, k, j = _jump(k, j, rates, rng.random(alive.size))
        stopped = served if level is None else served | ((k == BUSY) & (j >= level))
        alive, k, j = alive[~stopped], k[~stopped], j[~stopped]
    return total


def _total_rate(k: Any, j: Any, rates: Rates) -> Any:
    idle, busy = float(rates.idle), float(rates.busy)
    return np.where(k == BUSY, busy + float(rates.service), idle + (j + 1) * float(rates.retrial))


def _jump(k: Any, j: Any, rates: Rates, uniform: Any) -> tuple[Any, Any, Any]:
    """(served, new k, new j): ``uniform`` picks the event, arrivals first, then retrials of others, then the tagged one."""
    point, nu = uniform * _total_rate(k, j, rates), float(rates.retrial)
    busy = k == BUSY
    arrives = point < np.where(busy, float(rates.busy), float(rates.idle))
    other = ~busy & ~arrives & (point < float(rates.idle) + j * nu)
    served = ~busy & ~arrives & ~other
    new_k = np.where(busy & ~arrives, IDLE, BUSY)
    return served, new_k, j + (busy & arrives) - other
