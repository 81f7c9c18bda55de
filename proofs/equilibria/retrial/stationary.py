"""Stationary laws of two retrial queues, and the closed sum D of slide 81.

Classical rate (each orbit customer retries at rate ν), stable iff λ < μ; constant rate (the orbit retries at rate θ),
stable iff λ(λ+θ) < μθ.  Each law is verified against its cut and balance equations symbolically; sums use the binomial series
Σ (r)_j x^j / j! = (1-x)^(-r), whose two ingredients (coefficient recursion, differential equation) are in PROOF.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from proofs.equilibria.retrial.waiting import BUSY, Rates, mean_delay, vanishes
from verify.errors import InputError


@dataclass(frozen=True)
class OrbitMeans:
    """Mean number in orbit, mean delay in orbit, mean sojourn time (orbit and service); each arrival counts."""

    orbit: Any
    delay: Any
    sojourn: Any


def classical_means(arrival: Any, service: Any, retrial: Any) -> OrbitMeans:
    """E = ρ(λ + ρν)/(ν(1-ρ)), D = λ(μ+ν)/(μν(μ-λ)), sojourn (1 + λ/ν)/(μ-λ); needs λ < μ.

    >>> classical_means(Fraction(1, 2), Fraction(1), Fraction(1, 2))
    OrbitMeans(orbit=Fraction(3, 2), delay=Fraction(3, 1), sojourn=Fraction(4, 1))
    """
    if isinstance(arrival, Fraction) and not arrival < service:
        raise InputError("arrival", f"below the service rate {service} (stability)", str(arrival))
    delay = arrival * (service + retrial) / (service * retrial * (service - arrival))
    return OrbitMeans(arrival * delay, delay, 1 / service + delay)


def constant_rate_means(arrival: Any, service: Any, retrial: Any) -> OrbitMeans:
    """E = ρ(σ + λ/θ)/(1-σ), σ = λ(λ+θ)/(μθ); needs σ < 1.

    >>> constant_rate_means(Fraction(1, 2), Fraction(1), Fraction(2)).orbit
    Fraction(7, 6)
    """
    ratio = arrival * (arrival + retrial) / (service * retrial)
    if isinstance(ratio, Fraction) and not ratio < 1:
        raise InputError("arrival", "arrival (arrival + retrial) < service * retrial (stability)", f"the ratio {ratio}")
    orbit = arrival / service * (ratio + arrival / retrial) / (1 - ratio)
    return OrbitMeans(orbit, orbit / arrival, 1 / service + orbit / arrival)


def classical_law_balances() -> bool:
    """p1(j) = ρ(1-ρ)^r (r)_j ρ^j/j! with r = λ/ν + 1, p0(j) = μ p1(j)/(λ+jν): cuts and balance at (0,j), for every j.

    Slide 81 prints p1(j) as ρ^{j+1}/(j! ν^j) Π_{i=1..j}(λ+iν) (1-ρ)^{λ/ν+1}: the ratio p1(j+1)/p1(j) is the same.
    """
    lam, mu, nu, j = sympy.symbols("lambda mu nu j", positive=True)
    r, rho = lam / nu + 1, lam / mu
    ratio = (r + j) * rho / (j + 1)
    printed_ratio = rho * (lam + (j + 1) * nu) / ((j + 1) * nu)
    idle_after = mu * ratio / (lam + (j + 1) * nu)  # p0(j+1)/p1(j)
    cut = lam - (j + 1) * nu * idle_after
    idle_mass = r - 1 + j - (lam + j * nu) / nu  # (r)_j/(r-1+j) = (r-1)_j/(r-1)
    return all(vanishes(part) for part in (ratio - printed_ratio, cut, idle_mass))


def classical_masses_are_busy_and_idle() -> bool:
    """By the binomial series Σ p1 = ρ and Σ p0 = (μρ/λ)(1-ρ)^{r-(r-1)} = 1-ρ; so the law has mass one."""
    lam, mu = sympy.symbols("lambda mu", positive=True)
    rho = lam / mu
    return vanishes(mu * rho / lam * (1 - rho) + rho - 1)


def closed_sum_is_mean_delay() -> bool:
    """D = Σ_j f(1,j) p1(j) = ρ [f(1,0) + (rρ/(1-ρ))/(2μ-λ)] = λ(μ+ν)/(μν(μ-λ)) (slide 81), r = λ/ν + 1."""
    lam, mu, nu = sympy.symbols("lambda mu nu", positive=True)
    rho, r = lam / mu, lam / nu + 1
    total = rho * (mean_delay(BUSY, 0, Rates.classical(lam, mu, nu)) + r * rho / (1 - rho) / (2 * mu - lam))
    means = classical_means(lam, mu, nu)
    orbit = rho * (lam + rho * nu) / (nu * (1 - rho))
    sojourn = (1 + lam / nu) / (mu - lam)
    return vanishes(total - means.delay) and vanishes(means.orbit - orbit) and vanishes(means.sojourn - sojourn)


def binomial_series_steps() -> bool:
    """c_j = (r)_j/j! has (j+1)c_{j+1} = (r+j)c_j, so F = Σ c_j x^j solves (1-x)F' = rF, as (1-x)^(-r) does; F(0) = 1."""
    r, j, x = sympy.symbols("r j x", positive=True)
    ratio = sympy.simplify(sympy.gammasimp(sympy.rf(r, j + 1) / sympy.rf(r, j)))
    solution = (1 - x) ** (-r)
    return vanishes(ratio - (r + j)) and sympy.simplify((1 - x) * sympy.diff(solution, x) - r * solution) == 0


def constant_rate_law_balances() -> bool:
    """p1(n) = σ^n p1(0), p0(n) = (λ/θ) p1(n-1), p0(0) = (μ/λ) p1(0), p1(0) = ρ(1-σ): cuts, balance, mass one, mean."""
    lam, mu, theta = sympy.symbols("lambda mu theta", positive=True)
    sigma, rho = lam * (lam + theta) / (mu * theta), lam / mu
    balance = (lam + theta) * lam / theta - mu * sigma  # (0, n+1): (λ+θ) p0(n+1) = μ p1(n+1), over p1(n)
    first = rho * (1 - sigma)
    mass = first * (1 / (1 - sigma) + lam / theta / (1 - sigma) + mu / lam) - 1
    mean = first * (sigma + lam / theta) / (1 - sigma) ** 2
    return all(vanishes(part) for part in (balance, mass, mean - constant_rate_means(lam, mu, theta).orbit))
