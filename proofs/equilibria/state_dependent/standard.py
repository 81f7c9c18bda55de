"""The slides' example (``Parallel.standard``: λ=1, λ1=0, λ2=1/10, μ2=1, N=3, M=20): grid of rates, selfish delays."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.model import Parallel, Policy
from proofs.equilibria.state_dependent.selfish import Ties, selfish_policy
from proofs.equilibria.state_dependent.service import Service, gamma
from proofs.equilibria.state_dependent.stationary import transit_time

#: The slides' grid of μ1.
RATES = [Fraction(n, 100) for n in range(2, 301)]


def selfish_time(rate: Fraction, servers: int = 1, ties: Ties = Ties.QUEUE_2) -> Fraction:
    """Exact selfish W of the slides' example with exponential service."""
    model = Parallel.standard(rate, servers)
    return Fraction(transit_time(model, selfish_policy(model, ties=ties).policy))


def coxian(
    rate: Fraction, servers: int, fit: Callable[[Fraction, Fraction], Service] = gamma
) -> Callable[[Fraction], Parallel]:
    """The slides' example as a function of c², Coxian-2 service with mean 1/μ1."""
    return lambda squared_variation: Parallel.standard(rate, servers, fit(1 / rate, squared_variation))


def selfish_in_balls(model: Parallel) -> Policy:
    """The selfish policy, decided in balls (rationals have the last word): for long sweeps with Coxian service."""
    return selfish_policy(model, arithmetic=Arithmetic.BALLS).policy
