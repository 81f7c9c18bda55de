"""Known values of the slides' example (λ=1, λ1=0, λ2=1/10, μ2=1, N=3, M=20), and small helpers for claims and figures."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.state_dependent.arithmetic import Arithmetic
from proofs.state_dependent.model import Parallel, Policy
from proofs.state_dependent.selfish import Ties, selfish_policy
from proofs.state_dependent.service import Service, gamma
from proofs.state_dependent.stationary import transit_time

#: Slide 76, rows n1 = 0..4 (all later rows are those of n1 = 4).
USER_TABLE = ["112", "122", "122", "222", "222"]
SOCIAL_TABLES = (["122", "222", "222"], ["12-", "22-", "22-"], ["1--", "2--", "2--"])
USER_TIME, SOCIAL_TIME = Fraction(824153170149, 462888754009), Fraction(3973508204, 2596147609)
#: The slides' grid of μ1.
RATES = [Fraction(n, 100) for n in range(2, 301)]
#: Upward steps of the selfish W on that grid for c = 1..5.
UPWARD_STEPS = (10, 6, 4, 3, 1)


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


def exceeds_probabilistic(rate: Fraction, time: Fraction) -> bool:
    """Whether ``time`` is above the only probabilistic user equilibrium, one exponential server (slide 40 with c² = 1), exactly.

    p = 0 up to μ1 = 11/21: 21/11.  p = 1 from 12/11 on: 1/(μ1-1).  Between, with u = μ1 - p: 1/u = 1 + 1/(u + k), k = 11/10 - μ1,
    so W = 1/u with u² + ku - k = 0, and time > 1/u iff x² + kx - k < 0 at x = 1/time.
    """
    if rate <= Fraction(11, 21):
        return time > Fraction(21, 11)
    if rate >= Fraction(12, 11):
        return time > 1 / (rate - 1)
    k, x = Fraction(11, 10) - rate, 1 / time
    return x * x + k * x - k < 0
