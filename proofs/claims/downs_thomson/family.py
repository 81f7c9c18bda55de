"""Claims about one family: W1 = (1 - a)/mu1 + a/(mu1 - x) beside a batch queue (docs/equilibria.md; slides 38-45, 84).

Each program below re-proves one statement: identities by sympy, signs by writing a quantity as a sum of products of
quantities that the hypotheses make positive.
"""

from __future__ import annotations

import sympy

from proofs.claims.claim import Claim, Outcome, proved, require
from proofs.equilibria.downs_thomson.decomposition import kinds, kinds_by_definition, samples
from proofs.equilibria.downs_thomson.verifier import retrial_formula, server_formula

#: a, mu1, x = flow to queue 1, u = mu1 - x, n = (N - 1)/2, m2 = 1/mu2, v = T - x, w = delay of the batch queue
A, MU, X, U, N, M2, V, TOTAL, W, NU = sympy.symbols("a mu1 x u n m2 v T w nu", positive=True)
_K, _M = MU - TOTAL, M2 - (1 - A) / MU
#: the hypothesis and the source that most claims share
BATCH = "queue 2: batches of N >= 2, infinitely many servers; queue 1 of the family, mu1 > lambda1"
SECTION = "docs/equilibria.md; slides 38-40, 84"
Q = _M * V**2 + (_M * _K + N - A) * V + N * _K


def equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether two rational functions are the same."""
    return bool(sympy.cancel(sympy.together(left - right)) == 0)


def positive(expression: sympy.Expr) -> bool:
    """Whether a polynomial in positive symbols has positive coefficients only, so that it is > 0."""
    poly = sympy.Poly(sympy.expand(expression), *sorted(expression.free_symbols, key=str))
    return all(c > 0 for c in poly.coeffs())


def family_delay(x: sympy.Expr = X) -> sympy.Expr:
    """W1."""
    return (1 - A) / MU + A / (MU - x)


def falls_with_capacity() -> bool:
    """Whether dW1/dmu1 < 0 for u = mu1 - x > 0: M/G/1 (a fixed) and the retrial queue (nu fixed).

    -dW1/dmu1 (mu1 u)^2 = u^2 + a(2 u x + x^2) and -dW1/dmu1 nu u^2 = nu + x.
    """
    served = -sympy.diff(family_delay(), MU) * MU**2 * (MU - X) ** 2
    retried = -sympy.diff(retrial_formula(MU, NU, X), MU) * NU * (MU - X) ** 2
    return all(positive(sympy.cancel(sympy.together(one.subs(MU, X + U)))) for one in (served, retried))


def _one_family() -> Outcome:
    scv = sympy.Symbol("c2")
    require(equal(server_formula(MU, scv, 1, X), family_delay().subs(A, (1 + scv) / 2)), "M/G/1: a = (1 + c^2)/2")
    require(equal(retrial_formula(MU, NU, X), family_delay().subs(A, 1 + MU / NU)), "retrial: a = 1 + mu1/nu")
    require(equal(retrial_formula(MU, NU, X), (1 + X / NU) / (MU - X)), "retrial: W1 = (1 + x/nu)/(mu1 - x)")
    return proved("identities in mu1, c^2, nu, x")


def _quadratic() -> Outcome:
    gap = family_delay(TOTAL - V) - (M2 + N / V)
    require(equal(gap, -Q / (V * (V + _K))), "W1 - W2 = -Q(v)/(u v)")
    require(equal(Q.subs(V, -_K), A * _K), "Q(-k) = a k: negative at the flow that fills queue 1")
    return proved("W1 - W2 = -Q(v)/(u v), an identity; Q has degree two in v")


def _closed_form() -> Outcome:
    m, k, root = sympy.symbols("m k root")
    q = m * V**2 + (m * k + N - A) * V + N * k
    candidate = (A - N - m * k + root) / (2 * m)
    discriminant = (m * k + N - A) ** 2 - 4 * m * N * k
    require(
        equal(q.subs(V, candidate), (root**2 - discriminant) / (4 * m)), "v = (a - n - m k + root)/(2m) solves Q = 0"
    )
    require(equal(sympy.diff(q, V).subs(V, candidate), root), "there Q' = root")
    require(equal(q.subs(m, 0).subs(V, N * k / (A - N)), sympy.Integer(0)), "m = 0: v = n k/(a - n)")
    require(equal(sympy.diff(q.subs(m, 0), V), N - A), "m = 0: Q' = n - a")
    return proved(
        "W1 - W2 = -Q/(u v) increases with p where Q increases with v: Q' = +sqrt(D) at the + root, so it is the "
        "stable one for either sign of m, and the - root is unstable; m = 0: stable iff n > a"
    )


def _decomposition() -> Outcome:
    t, lo, hi, q2, q1, q0 = sympy.symbols("t lo hi q2 q1 q0")

    def q(v: sympy.Expr) -> sympy.Expr:
        return q2 * v**2 + q1 * v + q0

    middle = 2 * q2 * lo * hi + q1 * (lo + hi) + 2 * q0
    moved = sympy.expand((1 + t) ** 2 * q((lo + t * hi) / (1 + t)) - q(hi) * t**2 - middle * t - q(lo))
    require(equal(moved, sympy.Integer(0)), "(1 + t)^2 Q = A t^2 + B t + C")
    discriminant = sympy.expand(middle**2 - 4 * q(hi) * q(lo))
    require(equal(discriminant, (hi - lo) ** 2 * (q1**2 - 4 * q0 * q2)), "D = (hi - lo)^2 disc Q")
    cells = samples()
    for cell, poly in cells.items():
        require(kinds(cell) == kinds_by_definition(poly), f"the cell {cell}")
    most = max(len(kinds(cell)) for cell in cells)
    require(most == 3, "at most three equilibria")
    return proved(f"{len(cells)} cells of the signs of A, B, C, D, one exact point in each; at most {most} equilibria")


def _existence() -> Outcome:
    for cell in samples():
        found = kinds(cell)
        require(bool(found), f"an equilibrium in the cell {cell}")
        if cell.c < 0:
            require(any(name != "p=1" for name, _ in found), f"an equilibrium other than p = 1 in {cell}")
    require(equal(Q.subs(V, -_K), A * _K), "Q(-k) = a k < 0 if queue 1 can be filled and k < 0")
    return proved(
        "every cell has one; if p = 1 fills queue 1 then lo = -k >= lambda2 > 0, C = Q(-k) = a k < 0, and every cell "
        "with C < 0 has one other than p = 1"
    )


def _curve() -> Outcome:
    m = X + 1 / W
    require(equal(family_delay().subs(A, 1).subs(MU, m), W), "M/M/1: m = x + 1/w")
    require(equal(retrial_formula(X + (1 + X / NU) / W, NU, X), W), "retrial: m = x + (1 + x/nu)/w")
    quadratic = W * MU**2 - (W * X + 1) * MU + (1 - A) * X
    require(
        equal((family_delay() - W) * MU * (MU - X), -quadratic), "M/G/1: W1 = w iff w m^2 - (w x + 1) m + (1-a)x = 0"
    )
    require(equal(quadratic.subs(MU, X), -A * X), "it is -a x <= 0 at m = x, so exactly its larger root is >= x")
    require(falls_with_capacity(), "dW1/dmu1 < 0")
    return proved("W1 falls strictly from infinity with mu1 > x, so m(x) is the only solution of W1(x; m) = w(x)")


def _stability_is_slope() -> Outcome:
    m = sympy.Function("m")(X)
    for delay in (family_delay(), retrial_formula(MU, NU, X)):
        along = sympy.diff(delay.subs(MU, m), X)  # = w'(x), because W1(x; m(x)) = w(x)
        beside, upwards = (sympy.diff(delay, symbol).subs(MU, m) for symbol in (X, MU))
        require(equal(beside, along - upwards * sympy.diff(m, X)), "dW1/dx = w' - (dW1/dmu1) m'")
    require(falls_with_capacity(), "dW1/dmu1 < 0")
    explicit = sympy.diff(1 / (MU - X) - (M2 + N / (TOTAL - X)), X)
    slope = sympy.diff(X + 1 / (M2 + N / (TOTAL - X)), X)
    at_curve = explicit.subs(MU, X + 1 / (M2 + N / (TOTAL - X)))
    require(equal(at_curve, (M2 + N / (TOTAL - X)) ** 2 * slope), "M/M/1: d(W1 - W2)/dx = w^2 m'(x)")
    return proved("W1(x; m(x)) = w(x) differentiated: d(W1 - W2)/dx = (-dW1/dmu1) m'(x), and dW1/dmu1 < 0")


def _paradox() -> Outcome:
    w = M2 + N / (TOTAL - X)
    require(equal(sympy.diff(w, X), N / (TOTAL - X) ** 2), "w'(x) = n/v^2 > 0 for N >= 2")
    require(falls_with_capacity(), "at p = 1 the delay falls with mu1")
    return proved(
        "on a stable branch W = w(x), dW/dmu1 = w'(x)/m'(x) > 0; on an unstable one < 0; at p = 0 W = w(lambda1) does "
        "not depend on mu1; at p = 1 W = W1 falls"
    )


def _paradox_scv() -> Outcome:
    a_slope = sympy.diff(family_delay(), A)
    require(equal(a_slope, X / (MU * (MU - X))), "dW1/da = x/(mu1 u) > 0")
    scv = 2 * (W * MU - 1) * (MU - X) / X - 1
    require(equal(family_delay().subs(A, (1 + scv) / 2), W), "c^2 = 2(w mu1 - 1)(mu1 - x)/x - 1 solves W1 = w")
    return proved(
        "with g = d(W1 - W2)/dx > 0 at a stable mixed equilibrium: dW/dmu1 = -w' (dW1/dmu1)/g > 0 and "
        "dW/dc^2 = -w' (dW1/dc^2)/g < 0, the same equilibria"
    )


def _paradox_nu() -> Outcome:
    w1 = retrial_formula(MU, NU, X)
    require(equal(sympy.diff(w1, NU), -X / (NU**2 * (MU - X))), "dW1/dnu = -x/(nu^2 u) < 0")
    require(equal(w1.subs(NU, X / (W * (MU - X) - 1)), W), "nu = x/(w(mu1 - x) - 1) solves W1 = w")
    require(equal(sympy.diff(w1, MU), -(1 + X / NU) / (MU - X) ** 2), "dW1/dmu1 < 0 for the retrial queue")
    return proved("dW/dnu = -w' (dW1/dnu)/g > 0 at every stable mixed equilibrium, g = d(W1 - W2)/dx > 0")


def family_claims() -> tuple[Claim, ...]:
    """The claims of this module, in order."""
    batch = BATCH
    section = SECTION
    return (
        Claim(
            "downs-thomson.one-family",
            "M/M/1, M/G/1 and the retrial queue have W1 = (1 - a)/mu1 + a/(mu1 - x) with a = 1, "
            "(1 + c^2)/2, 1 + mu1/nu",
            "x < mu1",
            "slides 40, 84",
            _one_family,
        ),
        Claim(
            "downs-thomson.quadratic",
            "sign(W1 - W2) = -sign Q(v), Q(v) = m v^2 + (m k + n - a) v + n k",
            batch,
            section,
            _quadratic,
        ),
        Claim(
            "downs-thomson.closed-form",
            "the mixed equilibria are v = (a - n - m k +- sqrt(D))/(2m); + is stable, - is "
            "not; m = 0: v = n k/(a - n), stable iff n > a",
            batch + "; D > 0 and 0 < p < 1",
            section,
            _closed_form,
        ),
        Claim(
            "downs-thomson.decomposition",
            "number, order and stability of all equilibria over the whole parameter space "
            "are given by the signs of A, B, C, D (decomposition.kinds); at most two mixed, at most three in all",
            batch + "; not A = B = C = 0 (every p is an equilibrium); p = 1 only if mu1 > lambda1 + lambda",
            section,
            _decomposition,
        ),
        Claim("downs-thomson.existence", "a user equilibrium exists", batch + "; lambda2 > 0", section, _existence),
        Claim(
            "downs-thomson.curve",
            "x is a mixed equilibrium flow iff mu1 = m(x): x + 1/w (M/M/1), x + (1 + x/nu)/w "
            "(retrial), (w x + 1 + sqrt((w x - 1)^2 + 4 a w x))/(2w) (M/G/1)",
            batch,
            section,
            _curve,
        ),
        Claim(
            "downs-thomson.stability-is-slope",
            "a mixed equilibrium is stable iff m'(x) > 0",
            batch,
            section,
            _stability_is_slope,
        ),
        Claim(
            "downs-thomson.paradox",
            "every stable mixed equilibrium is in the paradox (its delay rises with mu1), and "
            "no other stable equilibrium is",
            batch,
            "slides 42, 44; docs/equilibria.md",
            _paradox,
        ),
        Claim(
            "downs-thomson.paradox-scv",
            "where there is a paradox in mu1 there is one in c^2: at every stable mixed "
            "equilibrium less variable service means a longer transit",
            batch + "; x > 0",
            "slide 43",
            _paradox_scv,
        ),
        Claim(
            "downs-thomson.paradox-nu",
            "at every stable mixed equilibrium faster retrials mean a longer transit",
            batch + "; x > 0",
            "slides 86-87",
            _paradox_nu,
        ),
    )
