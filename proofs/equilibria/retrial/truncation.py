"""The delay stopped when the orbit first reaches n others at a busy server: an exact test for every β, also above 2μ.

y^(n) = E[τ ∧ hit(1,n)] = f - (f(1,n)/u_n) u, where Lu = 0, u(1,0) = 1, that is u_0 = 1 and
u_{j+1} = u_j + μν [(j+1) u_j - j u_{j-1}] / (β (α + (j+1)ν)); and P(hit (1,n) before τ) = u_j/u_n from (1,j).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, drift, mean_delay, vanishes


def harmonic_growth(n: int, rates: Rates) -> list[Any]:
    """u_0, ..., u_n on the states (1,j); increasing.  Works for rationals, floats and symbols."""
    values: list[Any] = [rates.service / rates.service]
    for j in range(n):
        before = j * values[j - 1] if j else 0
        rise = rates.service * rates.retrial * ((j + 1) * values[j] - before)
        values.append(values[j] + rise / (rates.busy * (rates.idle + (j + 1) * rates.retrial)))
    return values


def growth_at_idle(j: int, values: list[Any], rates: Rates) -> Any:
    """u(0,j) = (α u_j + jν u_{j-1}) / (α + (j+1)ν)."""
    before = j * rates.retrial * values[j - 1] if j else 0
    return (rates.idle * values[j] + before) / (rates.idle + (j + 1) * rates.retrial)


def stopped_delay(server: int, others: int, level: int, rates: Rates) -> Any:
    """E[τ ∧ hit(1, level)] from (server, others) with others <= level; closed form, β ≠ 2μ.

    >>> rates = Rates.classical(Fraction(11, 5), Fraction(1), Fraction(7, 10))
    >>> round(float(stopped_delay(BUSY, 0, 40, rates)), 4)
    11.3521
    """
    values = harmonic_growth(level, rates)
    start = values[others] if server == BUSY else growth_at_idle(others, values, rates)
    return mean_delay(server, others, rates) - mean_delay(BUSY, level, rates) / values[level] * start


def stopped_delay_by_elimination(level: int, rates: Rates) -> list[Fraction]:
    """E[τ ∧ hit(1, level)] from (1, 0), ..., (1, level-1), by solving the finite system; knows nothing of f or u.

    Row j: (β + μ) y_j = 1 + β y_{j+1} + μ y(0,j), y(0,j) = (1 + α y_j + jν y_{j-1}) / (α + (j+1)ν), y_level = 0.
    """
    forward: list[tuple[Fraction, Fraction]] = []  # y_j = constant + factor * y_{j+1}
    for j in range(level):
        weight = rates.service / (rates.idle + (j + 1) * rates.retrial)
        constant, diagonal = 1 + weight, rates.busy + rates.service - weight * rates.idle
        if j:
            below = weight * j * rates.retrial
            constant, diagonal = constant + below * forward[-1][0], diagonal - below * forward[-1][1]
        forward.append((Fraction(constant / diagonal), Fraction(rates.busy / diagonal)))
    values = [Fraction(0)]
    for constant, factor in reversed(forward):
        values.append(constant + factor * values[-1])
    return values[:0:-1]


def harmonic_growth_has_no_drift() -> bool:
    """Lu = 0 identically: the recursion of u is (∗) set to zero (identity in α, β, μ, ν, j and u_{j-1}, u_j)."""
    rates, j = Rates.symbols(), sympy.Symbol("j", positive=True)
    before, here = sympy.symbols("u_before u_here")
    rise = (
        rates.service
        * rates.retrial
        * ((j + 1) * here - j * before)
        / (rates.busy * (rates.idle + (j + 1) * rates.retrial))
    )
    idle = (rates.idle * here + j * rates.retrial * before) / (rates.idle + (j + 1) * rates.retrial)
    values = {(BUSY, j - 1): before, (BUSY, j): here, (BUSY, j + 1): here + rise, (IDLE, j): idle}

    def u(server: int, others: Any) -> Any:
        return values[server, others]

    return vanishes(drift(u, IDLE, j, rates)) and vanishes(drift(u, BUSY, j, rates))
