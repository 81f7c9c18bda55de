"""A function that outgrows f and still drifts down (PROOF.md, Lemma 4), from harmonic numbers, with explicit constants.

For g on {0, 1, ...} put φ(1,j) = g(j) and choose φ(0,j) so that Lφ(0,j) = 0.  Then, exactly,

    Lφ(1,j) = β [g(j+1) - g(j)] - μν [(j+1) g(j) - j g(j-1)] / (α + (j+1)ν).                                  (∗)

First order:  g(j) = H_1 + ... + H_j    ~ j ln j,      good for β < 2μ   (the mean).
Second order: g(j) = 1 H_1 + ... + j H_j ~ j² ln j / 2, good for β < 3μ/2 (the second moment).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

import sympy

from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, drift, vanishes
from verify.errors import InputError

Growth = Callable[[int], Fraction]


def harmonic(n: int) -> Fraction:
    """H_n = 1 + 1/2 + ... + 1/n.

    >>> harmonic(4)
    Fraction(25, 12)
    """
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def first_order(j: int) -> Fraction:
    """g(j) = H_1 + ... + H_j = (j+1) H_j - j."""
    return (j + 1) * harmonic(j) - j


def lifted(g: Growth, rates: Rates) -> Callable[[int, int], Any]:
    """φ made from g: φ(1,j) = g(j), φ(0,j) = (α g(j) + jν g(j-1)) / (α + (j+1)ν)."""

    def phi(server: int, j: int) -> Any:
        if server == BUSY:
            return g(j)
        before = j * rates.retrial * g(j - 1) if j else 0
        return (rates.idle * g(j) + before) / (rates.idle + (j + 1) * rates.retrial)

    return phi


def lifting_gives_star() -> bool:
    """(∗) and Lφ(0,j) = 0 as identities in (α, β, μ, ν, j) and in the three values of g."""
    rates, j = Rates.symbols(), sympy.Symbol("j", positive=True)
    before, here, after = sympy.symbols("g_before g_here g_after")
    values = {(BUSY, j - 1): before, (BUSY, j): here, (BUSY, j + 1): after}
    bottom = rates.idle + (j + 1) * rates.retrial
    values[IDLE, j] = (rates.idle * here + j * rates.retrial * before) / bottom
    star = rates.busy * (after - here) - rates.service * rates.retrial * ((j + 1) * here - j * before) / bottom

    def phi(server: int, others: Any) -> Any:
        return values[server, others]

    return vanishes(drift(phi, IDLE, j, rates)) and vanishes(drift(phi, BUSY, j, rates) - star)


def _star(before: Any, here: Any, after: Any, j: Any, rates: Rates) -> Any:
    bottom = rates.idle + (j + 1) * rates.retrial
    return rates.busy * (after - here) - rates.service * rates.retrial * ((j + 1) * here - j * before) / bottom


def first_order_drift_is_closed() -> bool:
    """Lφ(1,j) = (H_j c(j) + μνj)/(α + (j+1)ν) + β/(j+1), c(j) = αβ + (β-μ)ν - (2μ-β)νj: identity, H_j a symbol, j >= 1."""
    rates, j, h = Rates.symbols(), sympy.Symbol("j", positive=True), sympy.Symbol("H")
    before, here, after = j * (h - 1 / j) - (j - 1), (j + 1) * h - j, (j + 2) * (h + 1 / (j + 1)) - (j + 1)
    bottom = rates.idle + (j + 1) * rates.retrial
    closed = (h * coefficient(j, rates) + rates.service * rates.retrial * j) / bottom + rates.busy / (j + 1)
    return vanishes(_star(before, here, after, j, rates) - closed)


def coefficient(j: Any, rates: Rates) -> Any:
    """c(j) = αβ + (β-μ)ν - (2μ-β)νj, the factor of H_j in the first-order drift."""
    a, b, mu, nu = rates.idle, rates.busy, rates.service, rates.retrial
    return a * b + (b - mu) * nu - (2 * mu - b) * nu * j


def coefficient_is_nonpositive_beyond_turning_point() -> bool:
    """c(J+t) = -(p - (β-μ))ν - (2μ-β)νt for J = (αβ + pν)/((2μ-β)ν): with p = max(β-μ, 0), β < 2μ, t >= 0 it is <= 0."""
    rates = Rates.symbols()
    p, t = sympy.symbols("p t", nonnegative=True)
    gap, nu = 2 * rates.service - rates.busy, rates.retrial
    turning = (rates.idle * rates.busy + p * nu) / (gap * nu)
    shown = -(p - (rates.busy - rates.service)) * nu - gap * nu * t
    return vanishes(coefficient(turning + t, rates) - shown)


def second_order_drift_is_closed() -> bool:
    """(α+(j+1)ν) Lφ(1,j) = H_j {β(j+1)(α+(j+1)ν) - μν j(3j+1)/2} + β(α+(j+1)ν) + μν j(j-1)/4; factor of j² is ν(β - 3μ/2)."""
    rates, j, h = Rates.symbols(), sympy.Symbol("j", positive=True), sympy.Symbol("H")

    def g(n: Any, harmonic_n: Any) -> Any:
        return n * (n + 1) / 2 * harmonic_n - n * (n - 1) / sympy.Integer(4)

    before, here, after = g(j - 1, h - 1 / j), g(j, h), g(j + 1, h + 1 / (j + 1))
    bottom, nu = rates.idle + (j + 1) * rates.retrial, rates.retrial
    factor = rates.busy * (j + 1) * bottom - rates.service * nu * j * (3 * j + 1) / 2
    closed = h * factor + rates.busy * bottom + rates.service * nu * j * (j - 1) / 4
    leading = sympy.expand(factor).coeff(j, 2)
    return vanishes(bottom * _star(before, here, after, j, rates) - closed) and vanishes(
        leading - nu * (rates.busy - sympy.Rational(3, 2) * rates.service)
    )


def turning_point(rates: Rates) -> Fraction:
    """J = (αβ + max(β-μ,0) ν) / ((2μ-β)ν): from here on H_j only helps.  Needs β < 2μ.

    >>> str(turning_point(Rates.classical(Fraction(13, 10), Fraction(1), Fraction(7, 10))))
    '190/49'
    """
    if not rates.slope_is_finite:
        raise InputError("rates.busy", f"below twice the service rate {rates.service}", str(rates.busy))
    extra = max(rates.busy - rates.service, Fraction(0)) * rates.retrial
    return Fraction((rates.idle * rates.busy + extra) / ((2 * rates.service - rates.busy) * rates.retrial))


def drift_bound(rates: Rates) -> Fraction:
    """K = max(β + μ, β H_⌈J⌉): Lφ <= K in every state (PROOF.md, Lemma 4)."""
    return Fraction(max(rates.busy + rates.service, rates.busy * harmonic(ceil(turning_point(rates)))))


def largest_drift(rates: Rates, last: int) -> Fraction:
    """The largest Lφ(1,j), j = 0..last, for the first-order φ, computed from the definition (a check of the bound)."""
    phi = lifted(first_order, rates)
    return max(Fraction(drift(phi, BUSY, j, rates)) for j in range(last + 1))
