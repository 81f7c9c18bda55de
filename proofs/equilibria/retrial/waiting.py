"""The tagged customer in orbit (slides 79-80): its Markov chain, its mean delay f, and the proof that f solves the equations.

A state is (server, others): ``server`` is 0 (idle) or 1 (busy), ``others`` the number j of *other* customers in orbit.
τ is the instant at which the tagged customer finds the server idle, y(k, j) = E τ from (k, j); the slides write y*(j, k).
Arrivals come at rate α while the server is idle and β while it is busy; the slides have α = β = λ.
Rates may be rationals or symbols: nothing here uses floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

IDLE, BUSY = 0, 1
Function = Callable[[int, Any], Any]


@dataclass(frozen=True)
class Rates:
    """Rates of the retrial queue, each positive: arrivals at an idle (α) and at a busy (β) server, service μ, retrial ν."""

    idle: Any
    busy: Any
    service: Any
    retrial: Any

    @classmethod
    def classical(cls, arrival: Any, service: Any, retrial: Any) -> Rates:
        """The slides' queue: one arrival rate λ."""
        return cls(arrival, arrival, service, retrial)

    @classmethod
    def symbols(cls) -> Rates:
        """α, β, μ, ν as positive symbols."""
        return cls(*sympy.symbols("alpha beta mu nu", positive=True))

    @property
    def slope_is_finite(self) -> bool:
        """Whether β < 2μ, the condition of the theorem (numbers only)."""
        return bool(self.busy < 2 * self.service)


def drift(g: Function, server: int, others: Any, rates: Rates) -> Any:
    """Lg at a state, for a function g that is 0 once the tagged customer is in service.

    Lg(0,j) = α g(1,j) + jν g(1,j-1) - (α + (j+1)ν) g(0,j);  Lg(1,j) = β (g(1,j+1) - g(1,j)) + μ (g(0,j) - g(1,j)).
    """
    j, nu = others, rates.retrial
    if server == IDLE:
        inflow = rates.idle * g(BUSY, j)
        if j != 0:
            inflow += j * nu * g(BUSY, j - 1)
        return inflow - (rates.idle + (j + 1) * nu) * g(IDLE, j)
    here = g(BUSY, j)
    return rates.busy * (g(BUSY, j + 1) - here) + rates.service * (g(IDLE, j) - here)


def mean_delay(server: int, others: Any, rates: Rates) -> Any:
    """The closed form f of the mean residual delay in orbit; for α = β = λ these are (12) and (13) of slide 80.

    f(1,j) = (2μ - β + 2α + (j+2)ν) / (ν(2μ - β)),  f(0,j) = f(1,j) - 2/(2μ - β).

    >>> from fractions import Fraction
    >>> mean_delay(BUSY, 0, Rates.classical(Fraction(3, 2), Fraction(1), Fraction(7, 10)))
    Fraction(14, 1)
    """
    gap = 2 * rates.service - rates.busy
    busy = (gap + 2 * rates.idle + (others + 2) * rates.retrial) / (rates.retrial * gap)
    return busy if server == BUSY else busy - 2 / gap


def vanishes(expression: Any) -> bool:
    """Whether a rational function of the symbols is identically zero (the numerator is expanded)."""
    return bool(sympy.expand(sympy.fraction(sympy.together(expression))[0]) == 0)


def mean_delay_solves_the_equations() -> bool:
    """Lf = -1 identically in (α, β, μ, ν, j): that is (9) and (10), with j = 0 apart because slide 80's y*(-1,1) never counts."""
    rates, j = Rates.symbols(), sympy.Symbol("j", positive=True)

    def f(server: int, others: Any) -> Any:
        return mean_delay(server, others, rates)

    return all(
        vanishes(drift(f, server, others, rates) + 1) for server in (IDLE, BUSY) for others in (j, sympy.Integer(0))
    )


def mean_delay_is_printed_formula() -> bool:
    """With α = β = λ, f is (12) and (13) as printed, and its difference in j is 1/(2μ - λ)."""
    lam, mu, nu, j = sympy.symbols("lambda mu nu j", positive=True)
    rates = Rates.classical(lam, mu, nu)
    printed = {BUSY: lam + 2 * mu + (j + 2) * nu, IDLE: lam + 2 * mu + j * nu}
    same = all(vanishes(mean_delay(k, j, rates) - top / (nu * (2 * mu - lam))) for k, top in printed.items())
    step = mean_delay(BUSY, j + 1, rates) - mean_delay(BUSY, j, rates)
    return same and vanishes(step - 1 / (2 * mu - lam))


def elimination_gives_printed_recursion() -> bool:
    """Substituting (9) in (10) gives (11): an identity for any values y*(j-1,1), y*(j,1), y*(j+1,1)."""
    lam, mu, nu, j, before, here, after = sympy.symbols("lambda mu nu j before here after", positive=True)
    idle = (1 + lam * here + j * nu * before) / (lam + (j + 1) * nu)
    tenth = here * (lam + mu) - (1 + lam * after + mu * idle)
    left = (lam**2 + (j + 1) * nu * lam) * (after - here) + lam + mu + (j + 1) * nu
    right = (j + 1) * nu * mu * (here - before) + nu * mu * before
    return vanishes(tenth * (lam + (j + 1) * nu) + left - right)


def value_before_the_first(rates: Rates) -> Any:
    """f(1,-1), which slide 80 sets to 0; it is not 0, and no equation needs it (at j = 0 its factor is 0)."""
    return mean_delay(BUSY, -1, rates)
