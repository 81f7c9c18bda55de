"""Claims about the batch size: uniqueness for batches of more than 2 Nq, and what happens below (docs/equilibria.md)."""

from __future__ import annotations

import random
from fractions import Fraction

import sympy

from proofs.claims.claim import Claim, Outcome, Verdict, checked, proved, refuted, require
from proofs.claims.downs_thomson.family import BATCH, M2, MU, NU, TOTAL, A, N, V, equal, positive
from proofs.equilibria.downs_thomson.cells import kinds_of
from proofs.equilibria.downs_thomson.decomposition import Family
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import ONE, retrials, shuttle, taxis

RANDOM_SETS = 400


def _unique() -> Outcome:
    m, spare = sympy.symbols("m spare", positive=True)  # m > 0, n = a + spare
    inverse_u = (m + N / V) / A  # at a zero a/u = m + n/v
    slope = A * inverse_u**2 - N / V**2
    scaled = sympy.expand(sympy.expand(A * slope * V**2).subs(N, A + spare))
    require(equal(scaled, m**2 * V**2 + 2 * m * (A + spare) * V + spare * (A + spare)), "a v^2 d(W1 - W2)/dx")
    require(positive(scaled), "it is > 0 if m > 0 and n >= a")
    require(positive(scaled.subs(m, 0)) and positive(scaled.subs(spare, 0)), "and if only one of them is strict")
    require(scaled.subs(m, 0).subs(spare, 0) == 0, "and 0 if m = 0 and n = a")
    return proved(
        "at every zero W1 - W2 increases strictly with p, so it has at most one zero on [0, 1], and (+,-) at the ends "
        "is impossible: {0}, {mixed}, {1}, all stable"
    )


def _unique_specialised() -> Outcome:
    size, scv = sympy.symbols("N c2")
    n = (size - 1) / 2
    require(sympy.solve(n - 1, size) == [3], "M/M/1: a = 1 <= n iff N >= 3, m = m2 >= 0")
    require(equal(n - (1 + scv) / 2, (size - 2 - scv) / 2), "M/G/1: a <= n iff N >= 2 + c^2")
    require(equal(n - (1 + MU / NU), (size - 3 - 2 * MU / NU) / 2), "retrial: a <= n iff N >= 3 + 2 mu1/nu")
    require(equal(1 - (1 + scv) / 2, (1 - scv) / 2), "m >= 0 iff mu1/mu2 >= (1 - c^2)/2, always for c^2 >= 1")
    require(equal(1 - (1 + MU / NU), -MU / NU), "retrial: m = m2 + 1/nu > 0")
    return proved("M/M/1: N >= 3; M/G/1: N >= 2 + c^2 and mu1/mu2 >= (1 - c^2)/2; retrial: N >= 3 + 2 mu1/nu")


def _small_batch() -> Outcome:
    w = M2 + N / V
    slope = sympy.diff((TOTAL - V) + 1 / w, V) * -1  # dm/dx = -d/dv
    require(equal(slope, ((V * M2 + N) ** 2 - N) / (V * M2 + N) ** 2), "m' = ((v m2 + n)^2 - n)/(v m2 + n)^2")
    fold = (sympy.sqrt(2) - 1) / (2 * M2)
    half = sympy.Rational(1, 2)
    require(sympy.simplify((fold * M2 + half) ** 2 - half) == 0, "N = 2: m' = 0 at v_f = (sqrt 2 - 1) mu2/2")
    top = (TOTAL - fold) + 1 / (M2 + half / fold)
    require(sympy.simplify(top - TOTAL - (3 - 2 * sympy.sqrt(2)) / (2 * M2)) == 0, "m(v_f) = T + (3 - 2 sqrt 2) mu2/2")
    return proved(
        "(v m2 + 1/2)^2 - 1/2 increases with v: m increases with x as long as v > v_f and decreases after, so every "
        "mu1 between max(m(lambda1), m(lambda1 + lambda)) and T + k_f has two mixed equilibria"
    )


def _many_single_servers() -> Outcome:
    w, m2, used, gap, extra, mu = sympy.symbols("w m2 used gap extra mu", positive=True)
    require(equal((1 / (mu - (mu - 1 / w))), w), "a used M/M/1 queue with delay w carries mu_i - 1/w")
    require(equal(m2 + (w - m2), w), "the batch queue carries n/(w - m2)")
    n = sympy.Symbol("n", positive=True)
    slope = sympy.diff(n / (w - m2) - used / w, w)
    scaled = sympy.expand(sympy.cancel(-slope.subs(w, m2 + gap) * gap**2 * (m2 + gap) ** 2).subs(n, used + extra))
    require(positive(scaled), "d/dw [n/(w - m2) + sum(mu_i - 1/w)] < 0 if n >= the number of used single servers")
    require(positive(scaled.subs(extra, 0)), "also for n = Nq, if m2 > 0")
    require(positive(scaled.subs(m2, 0)), "and for m2 = 0 if n > Nq")
    return proved(
        "G(w) = n/(w - m2) + sum max(lambda_i, mu_i - 1/w) - T falls strictly for w > m2; an equilibrium that uses the "
        "batch queue is a zero of G below w_b = m2 + n/lambda_b, one that does not has a delay w* <= w_b with G(w*) >= 0 "
        "and then G(w_b) >= 0: at most one of them"
    )


def _sharp() -> Outcome:
    one = Model(ONE, (Queue(Kind.MM1, Fraction(2)), shuttle(2, None, Fraction(1, 4))))
    require(kinds_of(solve(one)) == (("p=0", True), ("mixed", False), ("p=1", True)), "N = 2, one server")
    taxi = Queue(Kind.MM1, Fraction(1))
    two = Model(Fraction(7, 4), (taxi, taxi, shuttle(4, Fraction(100), Fraction(1, 20))))
    found = solve(two).equilibria
    require(len(found) == 3 and [e.stable for e in found].count(True) == 2, "N = 4, two servers")
    return proved(
        "batches of exactly 2 Nq: three equilibria for Nq = 1 (mu2 infinite) and for Nq = 2 (mu1 = 1 twice, mu2 = 100, "
        "lambda = 7/4, lambda2 = 1/20)"
    )


def _not_beyond_single_servers() -> Outcome:
    deterministic = Queue(Kind.MG1, Fraction(9, 10), scv=Fraction(0))
    witnesses = {
        "M/D/1, mu2 infinite": Model(Fraction(99, 100), (deterministic, shuttle(3, None, Fraction(1, 100)))),
        "M/D/1, mu2 = 10, mu1 = 17/20": Model(
            Fraction(99, 100),
            (Queue(Kind.MG1, Fraction(17, 20), scv=Fraction(0)), shuttle(3, Fraction(10), Fraction(1, 100))),
        ),
        "c^2 = 9, mu1 = 7/5": taxis(Fraction(7, 5), 1, Fraction(9)),
        "retrials, N = 7, mu1 = 2, nu = 53/500": retrials(Fraction(2), Fraction(53, 500)),
        "M/M/2, mu1 = 1/2": taxis(Fraction(1, 2), 2),
    }
    for name, model in witnesses.items():
        require(len(solve(model).equilibria) == 3, name)
    return refuted("three equilibria each: " + "; ".join(witnesses))


def _exception() -> Outcome:
    model = Model(ONE, (Queue(Kind.MM1, Fraction(11, 10)), shuttle(3, None)))
    solution = solve(model)
    require(len(solution.continua) == 1, "a continuum")
    require([c.end[0].rational for c in solution.continua] == [ONE], "up to p = 1")
    return proved("N = 3, mu2 infinite, mu1 = T: W1 = W2 = 1/v for every p")


def _no_equilibrium() -> Outcome:
    model = Model(Fraction(2), (Queue(Kind.MM1, Fraction(2)), shuttle(3, ONE, Fraction(0))))
    solution = solve(model)
    require(solution.equilibria == (), "no equilibrium")
    require(any("both delays are infinite" in root.reason for root in solution.dropped), "p = 1 is dropped")
    return proved("lambda = mu1 = 2, lambda2 = 0, N = 3: W1 < W2 for every p < 1, and at p = 1 both are infinite")


def _random_sets() -> Outcome:
    """The cells against the general solver on random parameters."""
    source = random.Random(2014)

    def number(low: int, high: int) -> Fraction:
        return Fraction(source.randint(low, high), source.randint(1, 6))

    for _ in range(RANDOM_SETS):
        kind = source.choice((Kind.MM1, Kind.MG1, Kind.RETRIAL))
        scv, nu, mu1 = number(0, 12) if kind is Kind.MG1 else ONE, number(1, 12) / 4, number(1, 12)
        a = 1 + mu1 / nu if kind is Kind.RETRIAL else (1 + scv) / 2
        rate, first, second = number(1, 8), source.choice((Fraction(0), number(0, 3))), number(0, 3) / 4
        mu2, size = source.choice((None, number(1, 20))), source.randint(2, 9)
        family = Family(a, mu1, 1 / mu2 if mu2 else Fraction(0), Fraction(size - 1, 2), rate, first, second)
        queue = Queue(kind, mu1, first, scv=scv, retrial_rate=nu)
        solution = solve(Model(rate, (queue, shuttle(size, mu2, second))))
        expected = family.equilibria()
        same = bool(solution.continua) if expected is None else kinds_of(solution) == expected
        require(same, f"{family}: {kinds_of(solution)} against {expected}")
    return checked(f"{RANDOM_SETS} random rational parameter sets of M/M/1, M/G/1 and retrial queues, no difference")


def batch_claims() -> tuple[Claim, ...]:
    """The claims of this module, in order."""
    section = "docs/equilibria.md"
    batch = BATCH
    return (
        Claim(
            "downs-thomson.unique",
            "there is at most one equilibrium, and it is stable",
            batch + "; a <= n and m2 >= (1 - a)/mu1, not both equal",
            section,
            _unique,
        ),
        Claim(
            "downs-thomson.unique-types",
            "that is: M/M/1 N >= 3 (mu2 finite, or N >= 4); M/G/1 N >= 2 + c^2 and mu1/mu2 >= "
            "(1 - c^2)/2; retrial N >= 3 + 2 mu1/nu",
            "as downs-thomson.unique",
            section,
            _unique_specialised,
        ),
        Claim(
            "downs-thomson.batch-of-two",
            "M/M/1 is stable iff (v/mu2 + n)^2 > n; for N = 2 the fold is at v_f = (sqrt 2 - 1) "
            "mu2/2, mu1 = T + (3 - 2 sqrt 2) mu2/2",
            "M/M/1 beside a batch queue, mu2 finite",
            section,
            _small_batch,
        ),
        Claim(
            "downs-thomson.unique-batch",
            "Nq M/M/1 queues beside one queue with batches of more than 2 Nq have at most one user equilibrium",
            "any service and dedicated rates; mu2 finite, or batches of more than 2 Nq + 1",
            section,
            _many_single_servers,
        ),
        Claim("downs-thomson.unique-batch-sharp", "2 Nq is not enough", "Nq = 1, 2", section, _sharp),
        Claim(
            "downs-thomson.unique-batch-exception",
            "batches of 2 Nq + 1 without service time: a continuum of equilibria is possible",
            "Nq = 1, lambda = 1, lambda2 = 1/10",
            section,
            _exception,
        ),
        Claim(
            "downs-thomson.unique-any-server",
            "the equilibrium is unique for batches of three or more whatever the single queue",
            "M/G/1, retrial, M/M/c",
            section,
            _not_beyond_single_servers,
            Verdict.REFUTED,
        ),
        Claim(
            "downs-thomson.no-equilibrium",
            "without dedicated customers of the batch queue there may be no equilibrium",
            "lambda2 = 0",
            section,
            _no_equilibrium,
        ),
        Claim(
            "downs-thomson.cells-are-right",
            "the closed form (the cells of downs-thomson.decomposition) gives the equilibria of the general solver",
            "random parameters",
            section,
            _random_sets,
            Verdict.CHECKED,
        ),
    )
