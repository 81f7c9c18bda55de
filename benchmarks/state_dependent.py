"""Seconds of state-dependent routing: selfish policies, a sweep, a social optimum, all claims.  Prints; asserts nothing.

python benchmarks/state_dependent.py [--claims]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from proofs.claims.claim import run_claim
from proofs.claims.registry import all_claims
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.selfish import Selfish, selfish_policy
from proofs.equilibria.state_dependent.service import gamma
from proofs.equilibria.state_dependent.social import social_optimum
from proofs.equilibria.state_dependent.standard import RATES
from proofs.equilibria.state_dependent.stationary import performance, transit_time
from proofs.equilibria.state_dependent.sweep import sweep

ONE = Fraction(1)
LARGE = Parallel(ONE, Fraction(0), Fraction(1, 10), gamma(Fraction(5, 4), Fraction(2)), 5, 20, ONE)


@cache
def _large() -> Selfish:
    return selfish_policy(LARGE, 200, Arithmetic.BALLS)


def large_policy() -> str:
    """N = 20, M = 200, c = 5, Coxian: every entry decided in balls or rationals."""
    found = _large()
    return f"{len(found.policy.joins)} states join, decided in {found.decided_in.value}, {found.label}"


def large_time() -> str:
    """Its W, in floats, with Little's law (the policy is not counted again)."""
    result = performance(LARGE, _large().policy, Arithmetic.FLOAT)
    return f"W = {result.transit_time:.9f} (float), gap in Little's law {result.little.gap:.0e}"


def small_policy() -> str:
    """N = 3, M = 20, with W, exact."""
    model = Parallel.standard(ONE)
    return f"W = {transit_time(model, selfish_policy(model, 20).policy)} (exact)"


def whole_sweep() -> str:
    """299 values of μ1, policies and W exact, one server."""
    return f"{len(sweep(tracked(RATES, 'sweep'), Parallel.standard))} values, exact"


def social() -> str:
    """Value iteration, exact W, exact proof of optimality."""
    return f"W = {social_optimum(Parallel.standard(ONE), 20).transit_time} (exact)"


def claims() -> str:
    """All claims of the project."""
    results = [run_claim(claim) for claim in tracked(all_claims(), "claims")]
    return f"{sum(result.holds for result in results)} of {len(results)} hold"


def main() -> None:
    """One line per task: seconds on the wall, of this process alone, aim, result."""
    tasks: list[tuple[str, Callable[[], str], float]] = [
        ("selfish, N=3, M=20, and W", small_policy, 1.0),
        ("sweep of 299 values of μ1", whole_sweep, 60.0),
        ("social optimum, N=3, M=20", social, 1.0),
        ("selfish, N=20, M=200, c=5, Coxian", large_policy, 30.0),
        ("its W", large_time, 30.0),
    ]
    tasks += [("all claims", claims, 120.0)] if "--claims" in sys.argv[1:] else []
    print(f"{'task':36} {'wall s':>8} {'own s':>8} {'aim':>6}  result")
    for name, task, aim in tasks:
        wall, own = time.perf_counter(), time.process_time()
        result = task()
        wall, own = time.perf_counter() - wall, time.process_time() - own
        print(f"{name:36} {wall:8.2f} {own:8.2f} {aim:6.0f}  {result}", flush=True)


if __name__ == "__main__":
    main()
