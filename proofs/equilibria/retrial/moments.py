"""The second moment of the tagged delay: finite if and only if β < 3μ/2, with its exact value (PROOF.md, section 8).

q(1,j) = A j² + B j + C solves Lq = -2f; by Lemma 2 (with cost 2f) E τ² <= q, by Lemma 5 (with the second-order function)
E τ² = q, and by the coupling of Lemma 6, letting β rise to 3μ/2, E τ² = ∞ from there on.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, drift, mean_delay, vanishes


@dataclass(frozen=True)
class Quadratic:
    """E τ² from (1,j) as ``square`` j² + ``linear`` j + ``constant``."""

    square: Any
    linear: Any
    constant: Any


def _numerators(rates: Rates) -> tuple[Any, Any]:
    """The numerators of -B and -C over the common denominators; both sums of negative terms in d = 3μ - 2β (see below)."""
    a, b, mu, nu = rates.idle, rates.busy, rates.service, rates.retrial
    linear = 4 * a * b - 9 * a * mu - 2 * b**2 + 9 * b * mu + 3 * b * nu - 9 * mu**2 - 10 * mu * nu
    constant = a**2 * (5 * b - 12 * mu) + a * (-6 * b**2 + 25 * b * mu + 7 * b * nu - 24 * mu**2 - 24 * mu * nu)
    constant += 2 * b**3 - 11 * b**2 * mu - 2 * b**2 * nu + 20 * b * mu**2 + 11 * b * mu * nu + 2 * b * nu**2
    return linear, constant - 12 * mu**3 - 12 * mu**2 * nu - 12 * mu * nu**2


def second_moment(rates: Rates) -> Quadratic:
    """A, B, C; valid for β < 3μ/2.

    >>> q = second_moment(Rates.classical(Fraction(13, 10), Fraction(1), Fraction(7, 10)))
    >>> round(float(q.constant - mean_delay(BUSY, 0, Rates.classical(1.3, 1.0, 0.7)) ** 2) ** 0.5, 3)
    23.325
    """
    gap, third, nu = 2 * rates.service - rates.busy, 3 * rates.service - 2 * rates.busy, rates.retrial
    linear, constant = _numerators(rates)
    bottom = nu * gap**2 * third
    return Quadratic(2 / (gap * third), -2 * linear / bottom, -2 * constant / (bottom * nu))


def second_moment_solves_the_equations() -> bool:
    """Lq = -2f identically in (α, β, μ, ν, j), q(0,j) being defined by the first line of L."""
    rates, j = Rates.symbols(), sympy.Symbol("j", positive=True)
    coefficients = second_moment(rates)

    def q(server: int, others: Any) -> Any:
        busy = coefficients.square * others**2 + coefficients.linear * others + coefficients.constant
        if server == BUSY:
            return busy
        before = others * rates.retrial * q(BUSY, others - 1)
        top = 2 * mean_delay(IDLE, others, rates) + rates.idle * busy + before
        return top / (rates.idle + (others + 1) * rates.retrial)

    return all(vanishes(drift(q, server, j, rates) + 2 * mean_delay(server, j, rates)) for server in (IDLE, BUSY))


def second_moment_is_positive() -> bool:
    """A, B, C > 0 for β < 3μ/2: with μ = (2β + d)/3, d > 0, every coefficient of the numerators of -B, -C is negative."""
    rates, d = Rates.symbols(), sympy.Symbol("d", positive=True)
    substituted = (sympy.expand(part.subs(rates.service, (2 * rates.busy + d) / 3)) for part in _numerators(rates))
    return all(
        c < 0 for part in substituted for c in sympy.Poly(part, rates.idle, rates.busy, rates.retrial, d).coeffs()
    )


def second_moment_is_printed_formula() -> bool:
    """With α = β = λ, A, B, C are the three quotients of docs/retrial.md."""
    lam, mu, nu = sympy.symbols("lambda mu nu", positive=True)
    q = second_moment(Rates.classical(lam, mu, nu))
    gap, third = 2 * mu - lam, 3 * mu - 2 * lam
    linear = 2 * (9 * mu**2 + 10 * mu * nu - 2 * lam**2 - 3 * lam * nu) / (nu * gap**2 * third)
    top = 12 * mu**3 + 12 * mu**2 * nu + 12 * mu * nu**2 + 4 * lam * mu**2 + 13 * lam * mu * nu
    top += -2 * lam**2 * mu - 5 * lam**2 * nu - 2 * lam * nu**2 - lam**3
    return all(
        vanishes(part)
        for part in (
            q.square - 2 / (gap * third),
            q.linear - linear,
            q.constant - 2 * top / (nu**2 * gap**2 * third),
        )
    )


def second_moment_diverges_at_threshold() -> bool:
    """As β rises to 3μ/2 (from below), C·(3μ - 2β) tends to a positive limit: C, A, B grow without bound."""
    rates = Rates.symbols()
    q = second_moment(rates)
    third = 3 * rates.service - 2 * rates.busy
    limits = [sympy.factor(sympy.cancel(part * third).subs(rates.busy, 3 * rates.service / 2))
              for part in (q.square, q.linear, q.constant)]  # fmt: skip
    return all(bool(limit.is_positive) for limit in limits)


def variance_is_finite(rates: Rates) -> bool:
    """Whether β < 3μ/2, so that normal confidence intervals for the mean of τ are valid (numbers only)."""
    return bool(rates.busy < Fraction(3, 2) * rates.service)
