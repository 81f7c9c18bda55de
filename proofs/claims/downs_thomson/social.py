"""Claims about the social optimum under probabilistic routing (docs/equilibria.md; slides 61, 69)."""

from __future__ import annotations

import sympy

from proofs.claims.claim import Claim, Outcome, proved, require
from proofs.claims.downs_thomson.family import (
    BATCH,
    M2,
    MU,
    SECTION,
    TOTAL,
    A,
    N,
    X,
    equal,
    falls_with_capacity,
    family_delay,
)


def _social_stationary() -> Outcome:
    d1, d2 = sympy.symbols("lambda1 lambda2", positive=True)
    cost = (X - d1) * family_delay() + (TOTAL - X - d2) * (M2 + N / (TOTAL - X))
    stationary = A * (MU - d1) / (MU - X) ** 2 - N * d2 / (TOTAL - X) ** 2 - M2 + (1 - A) / MU
    require(equal(sympy.diff(cost, X), stationary), "d(cost)/dx")
    numerator = sympy.numer(sympy.together(stationary))
    require(sympy.degree(sympy.expand(numerator), X) == 4, "a quartic in x")
    m = sympy.Symbol("m", positive=True)
    u = sympy.sqrt(A * (MU - d1) / m)
    require(sympy.simplify(A * (MU - d1) / u**2 - m) == 0, "lambda2 = 0: u = sqrt(a (mu1 - lambda1)/m)")
    return proved(
        "a (mu1 - lambda1)/u^2 - n lambda2/v^2 = m2 - (1 - a)/mu1, an identity for the derivative of the cost"
    )


def _social_no_paradox() -> Outcome:
    require(falls_with_capacity(), "dW1/dmu1 < 0 for M/G/1 and for retrials")
    return proved("for every p the mean transit time does not rise with mu1, so neither does its minimum over p")


def social_claims() -> tuple[Claim, ...]:
    """The claims of this module, in order."""
    batch, section = BATCH, SECTION
    return (
        Claim(
            "downs-thomson.social-stationary",
            "interior social optima solve a (mu1 - lambda1)/u^2 - n lambda2/v^2 = m2 - "
            "(1 - a)/mu1, a quartic; lambda2 = 0: u = sqrt(a (mu1 - lambda1)/m)",
            batch,
            section,
            _social_stationary,
        ),
        Claim(
            "downs-thomson.social-no-paradox",
            "the mean transit time of the social optimum does not rise with mu1",
            batch + "; probabilistic routing",
            "slides 61, 69",
            _social_no_paradox,
        ),
    )
