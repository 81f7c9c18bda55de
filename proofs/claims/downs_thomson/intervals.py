"""Claims about the closed-form intervals of mu1, c^2 and nu on which more capacity means a longer transit."""

from __future__ import annotations

from fractions import Fraction

import sympy

from proofs.claims.claim import Claim, Outcome, proved, require
from proofs.claims.downs_thomson.family import (
    BATCH,
    M2,
    MU,
    NU,
    SECTION,
    TOTAL,
    A,
    N,
    V,
    W,
    X,
    equal,
    falls_with_capacity,
    family_delay,
    positive,
)
from proofs.equilibria.downs_thomson.cells import kinds_of
from proofs.equilibria.downs_thomson.intervals import Road, retrial_interval, scv_interval, service_rate_interval
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import ONE, shuttle
from proofs.equilibria.downs_thomson.verifier import retrial_formula

_STEP = Fraction(1, 10**6)


def _slope_identity(delay: sympy.Expr, parameter: sympy.Symbol) -> bool:
    """Whether dW1/dx = w'(x) - (dW1/dparameter) t'(x) along a curve parameter = t(x) with W1(x; t(x)) = w(x)."""
    t = sympy.Function("t")(X)
    along = sympy.diff(delay.subs(parameter, t), X)
    beside, across = (sympy.diff(delay, symbol).subs(parameter, t) for symbol in (X, parameter))
    return equal(beside, along - across * sympy.diff(t, X))


def _mu1() -> Outcome:
    w = M2 + N / V
    rise = sympy.cancel(-sympy.diff((TOTAL - V) + 1 / w, V))
    extra = sympy.Symbol("extra", positive=True)
    top, below = sympy.fraction(rise)
    require(positive(sympy.expand(top.subs(N, 1 + extra))), "M/M/1: m'(x) > 0 for n > 1")
    require(positive(sympy.expand(top.subs(N, 1))) and positive(below), "and for n = 1, m2 > 0")
    require(_slope_identity(family_delay(), MU) and falls_with_capacity(), "any: d(W1 - W2)/dx = (-dW1/dmu1) m'(x)")
    require(equal(family_delay().subs(A, 1).subs(MU, X + 1 / W), W), "M/M/1: m(x) = x + 1/w")
    road = Road(ONE, Fraction(1, 3), Fraction(1, 10), ONE, Fraction(3, 2))
    interval = service_rate_interval(road, ONE)
    for end, inside in ((interval.lower, 1), (interval.upper, -1)):
        value = None if end is None else end.rational
        require(value is not None, "rational ends")
        if value is not None:
            _mixed_only_on(
                inside, [_taxi(value + k * inside * _STEP, ONE, shuttle(4), Fraction(1, 3)) for k in (1, -1)]
            )
    return proved(
        "m increases from m(lambda1) to m(lambda1 + lambda), so every mu1 between has one mixed equilibrium, stable"
    )


def _scv() -> Outcome:
    require(_slope_identity(family_delay(), A), "d(W1 - W2)/dx = -(dW1/da) a'(x)")
    require(equal(sympy.diff(family_delay(), A), X / (MU * (MU - X))), "dW1/da > 0")
    scv = 2 * (W * MU - 1) * (MU - X) / X - 1
    require(equal(family_delay().subs(A, (1 + scv) / 2), W), "c^2 = 2(w mu1 - 1)(mu1 - x)/x - 1")
    road = Road(ONE, Fraction(1, 4), Fraction(1, 10), ONE, Fraction(3))
    interval = scv_interval(road, Fraction(13, 10))
    for end, inside in ((interval.lower, 1), (interval.upper, -1)):
        value = None if end is None else end.rational
        require(value is not None, "rational ends")
        if value is not None:
            models = [_taxi(Fraction(13, 10), value + k * inside * _STEP, shuttle(7), Fraction(1, 4)) for k in (1, -1)]
            _mixed_only_on(inside, models)
    return proved(
        "s decreases, so every c^2 >= 0 between s(lambda1 + lambda) and s(lambda1) has one mixed equilibrium, stable"
    )


def _nu() -> Outcome:
    delay = retrial_formula(MU, NU, X)
    require(_slope_identity(delay, NU), "d(W1 - W2)/dx = (-dW1/dnu) r'(x)")
    require(equal(sympy.diff(delay, NU), -X / (NU**2 * (MU - X))), "dW1/dnu < 0")
    require(equal(delay.subs(NU, X / (W * (MU - X) - 1)), W), "nu = x/(w(mu1 - x) - 1)")
    road = Road(ONE, Fraction(1, 2), Fraction(1, 10), ONE, Fraction(3))
    lower = retrial_interval(road, Fraction(5, 4)).lower
    value = None if lower is None else lower.rational
    require(value == Fraction(22, 79), "mu1 = 5/4: the lower end is 22/79")
    if value is not None:
        queues = [Queue(Kind.RETRIAL, Fraction(5, 4), Fraction(1, 2), retrial_rate=value + k * _STEP) for k in (1, -1)]
        _mixed_only_on(1, [Model(ONE, (queue, shuttle(7))) for queue in queues])
    return proved(
        "r increases, so every nu between r(lambda1) and r(lambda1 + lambda) has one mixed equilibrium, stable"
    )


def _taxi(mu1: Fraction, scv: Fraction, bus: Queue, dedicated: Fraction) -> Model:
    return Model(ONE, (Queue(Kind.MG1, mu1, dedicated, scv=scv), bus))


def _mixed_only_on(inside: int, models: list[Model]) -> None:
    """The first model, just inside an end, has one stable mixed equilibrium and no other; the second has a corner."""
    within, beyond = (kinds_of(solve(model)) for model in models)
    require(within == (("mixed", True),), f"inside the end: {within}")
    require(len(beyond) == 1 and beyond[0][0] != "mixed", f"beyond the end: {beyond}")


def interval_claims() -> tuple[Claim, ...]:
    """The claims of this module, in order."""
    everywhere = BATCH + "; d(W1 - W2)/dx > 0 at every point of the curve with lambda1 < x < lambda1 + lambda "
    unique = everywhere + "(so if a <= n and m2 >= (1 - a)/mu1 there, not both equal: downs-thomson.unique)"
    return (
        Claim(
            "downs-thomson.interval-mu1",
            "the paradox interval in mu1 is (m(lambda1), m(lambda1 + lambda)); M/M/1: (lambda1 + 1/w0, lambda1 + lambda + "
            "1/w1), W rising from w0 to w1 on it",
            unique + "; M/M/1: N >= 3 suffices (mu2 finite, or N >= 4)",
            SECTION,
            _mu1,
        ),
        Claim(
            "downs-thomson.interval-scv",
            "the paradox interval in c^2 is 2(w1 mu1 - 1)(mu1 - lambda1 - lambda)/(lambda1 + lambda) - 1 < c^2 < "
            "2(w0 mu1 - 1)(mu1 - lambda1)/lambda1 - 1; no lower end if mu1 <= lambda1 + lambda, no upper end if lambda1 = 0 "
            "and mu1 > 1/w0",
            unique,
            SECTION,
            _scv,
        ),
        Claim(
            "downs-thomson.interval-nu",
            "the paradox interval in nu is lambda1/(w0(mu1 - lambda1) - 1) < nu < (lambda1 + lambda)/(w1(mu1 - lambda1 - "
            "lambda) - 1); no upper end if that denominator is <= 0",
            everywhere + "; w0(mu1 - lambda1) > 1",
            SECTION,
            _nu,
        ),
    )
