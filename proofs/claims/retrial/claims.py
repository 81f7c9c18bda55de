"""Claims about the retrial queue: slides 79-82 and what comes along.  The words are in PROOF.md, the algebra is run here."""

from __future__ import annotations

from fractions import Fraction

from proofs.claims.claim import Claim, Outcome, Verdict, checked, proved, refuted, require
from proofs.claims.retrial import coupling, superlinear
from proofs.equilibria.retrial import moments, stationary, truncation, waiting
from proofs.equilibria.retrial.equilibrium import Found, confirm, iterate, starts, thresholds
from proofs.equilibria.retrial.miranda import enclose_infinite
from proofs.equilibria.retrial.randomised import randomised_equilibrium
from proofs.equilibria.retrial.routing import RetrialParallel
from proofs.equilibria.retrial.waiting import BUSY, Rates

_SLIDES = "Nobel & Stolwijk 2014, slides 79-82"
_EXAMPLE = "λ=1, λ1=1/2, λ2=1/10, μ2=1, ν=2, N=7"
_SERVICE, _RETRIAL = Fraction(1), Fraction(7, 10)


def _rates(arrival: Fraction) -> Rates:
    return Rates.classical(arrival, _SERVICE, _RETRIAL)


def _recursion() -> Outcome:
    require(waiting.mean_delay_solves_the_equations(), "Lf = -1 in (α, β, μ, ν, j), j = 0 included")
    require(waiting.elimination_gives_printed_recursion(), "(9) in (10) gives (11)")
    require(waiting.mean_delay_is_printed_formula(), "f is (12), (13) for α = β = λ")
    return proved("Lf + 1 expands to 0 in (α, β, μ, ν, j); (11) follows from (9), (10)")


def _superlinear() -> Outcome:
    require(superlinear.lifting_gives_star(), "the drift (∗) of a lifted function")
    require(superlinear.first_order_drift_is_closed(), "the drift of the harmonic function")
    require(superlinear.coefficient_is_nonpositive_beyond_turning_point(), "c(J+t) <= 0 for t >= 0")
    for tenths in range(1, 20):
        rates = _rates(Fraction(tenths, 10))
        require(
            superlinear.largest_drift(rates, 80) <= superlinear.drift_bound(rates),
            f"Lφ <= K at λ = {tenths}/10, j <= 80",
        )
    return proved("Lφ <= K = max(μ+β, β H_⌈J⌉) for all j, J = (αβ + max(β-μ,0)ν)/((2μ-β)ν)")


def _finite() -> Outcome:
    _recursion()
    _superlinear()
    return proved(
        "y = f: steps Lf = -1 and LΦ <= 0 by algebra, minimality and maximum principle in PROOF.md, Lemmas 1-5"
    )


def _infinite() -> Outcome:
    require(coupling.order_survives_every_event(), "the order survives every joint event")
    require(coupling.reversed_pair_breaks_order(), "the check of the coupling can fail")
    return proved(
        "coupling: y(β) >= f(β') for every β' < 2μ, and f(β') grows without bound as β' rises to 2μ (Lemma 6)"
    )


def _before_first() -> Outcome:
    value = waiting.value_before_the_first(_rates(Fraction(1)))
    require(value != 0, "f(1,-1) is not 0")
    return refuted(f"λ = μ = 1, ν = 7/10: constant increments give y*(-1,1) = {value}, not 0; no equation needs it")


def _truncation() -> Outcome:
    require(truncation.harmonic_growth_has_no_drift(), "Lu = 0")
    arrivals = [Fraction(n, 4) for n in (1, 2, 4, 5, 6, 7, 9, 10)]
    for arrival in arrivals:
        for level in (1, 4, 12):
            solved = truncation.stopped_delay_by_elimination(level, _rates(arrival))
            formula = [truncation.stopped_delay(BUSY, j, level, _rates(arrival)) for j in range(level)]
            require(solved == formula, f"identity at λ = {arrival}, level {level}")
    return proved(
        "Lu = 0 and Lf = -1 identically, one solution below n; equal to elimination in 24 rational cases, λ to 5μ/2"
    )


def _second_moment() -> Outcome:
    require(moments.second_moment_solves_the_equations(), "Lq = -2f")
    require(moments.second_moment_is_positive(), "q > 0 for β < 3μ/2")
    require(moments.second_moment_is_printed_formula(), "the quotients for α = β = λ")
    require(
        superlinear.second_order_drift_is_closed(), "the drift of the second-order function, leading factor ν(β - 3μ/2)"
    )
    require(moments.second_moment_diverges_at_threshold(), "q diverges as β rises to 3μ/2")
    require(coupling.order_survives_every_event(), "the order survives every joint event")
    return proved(
        "E τ² = q for β < 3μ/2 (algebra, Lemmas 2, 5); infinite for β >= 3μ/2 by the coupling (PROOF.md, section 8)"
    )


def _mean_delay() -> Outcome:
    require(stationary.classical_law_balances(), "cut and balance equations of p")
    require(stationary.classical_masses_are_busy_and_idle(), "mass one")
    require(stationary.binomial_series_steps(), "the binomial series")
    require(stationary.closed_sum_is_mean_delay(), "Σ f(1,j) p1(j) = λ(μ+ν)/(μν(μ-λ))")
    return proved("ρ[f(1,0) + (rρ/(1-ρ))/(2μ-λ)] reduces to λ(μ+ν)/(μν(μ-λ)), r = λ/ν + 1")


def _constant_rate() -> Outcome:
    require(stationary.constant_rate_law_balances(), "cut, balance, mass and mean")
    means = stationary.constant_rate_means(Fraction(1, 2), Fraction(1), Fraction(2))
    require(means.orbit == Fraction(7, 6), "7/6 at λ = 1/2, μ = 1, θ = 2")
    return proved("p1(n) = ρ(1-σ)σ^n, p0(n+1) = (λ/θ) p1(n), σ = λ(λ+θ)/(μθ) < 1")


def _boundary() -> Outcome:
    """At slide 91's L_0 (bound (N-j+1)/λ2) the orbit may still be strictly faster, whatever the others do.

    By Lemma 6 the delay in orbit is at most f with α = β = λ + λ1; and z >= (N-1-j)/(λ+λ2) + 1/μ2.
    """
    general, first, second = Fraction(1), Fraction(1, 2), Fraction(5)
    service, retrial, batch_rate, size = Fraction(10), Fraction(20), Fraction(1), 3
    own = Rates.classical(first, service, retrial)
    printed = next(i for i in range(99) if waiting.mean_delay(BUSY, i, own) + 1 / service >= (size + 1) / second)
    most = waiting.mean_delay(BUSY, printed, Rates.classical(general + first, service, retrial)) + 1 / service
    least = (size - 1) / (general + second) + 1 / batch_rate
    require(most < least, "the orbit is strictly faster at the printed bound")
    return refuted(
        f"λ=1, λ1=1/2, λ2=5, μ1=10, μ2=1, ν=20, N=3, j=0: printed L_0 = {printed}, yet y <= {most} < {least} <= z there"
    )


def _slope_in_examples() -> Outcome:
    """β = λ1, α = λ + λ1 beside the printed dedicated-only boundary values (α = λ1)."""
    general = waiting.mean_delay(
        BUSY, 60, Rates(Fraction(3, 2), Fraction(1, 2), Fraction(5, 4), Fraction(2))
    ) + Fraction(4, 5)
    printed = waiting.mean_delay(BUSY, 60, Rates.classical(Fraction(1, 2), Fraction(5, 4), Fraction(2))) + Fraction(
        4, 5
    )
    require(printed < general, "dedicated-only value is strictly smaller")
    return checked(
        f"μ1 = 5/4, slides' parameters: y(60,1) = {general} if no general customer joins the orbit, printed {printed}"
    )


def _pure_equilibrium() -> Outcome:
    model = RetrialParallel.standard(Fraction(4, 5))
    result = iterate(model, starts(model, 30)[0], 30)
    require(result.found is Found.FIXED_POINT, "best responses reach a fixed point")
    policy = result.policies[0]
    require(thresholds(model, policy, BUSY) == (3, 2, 1, 0, 0, 0, 0), "thresholds at a busy server")
    confirmed = confirm(model, policy)
    require(confirmed.holds, "every state of the infinite system strictly prefers what the policy says")
    return proved(f"busy server: queue 1 below 3, 2, 1, 0, ... in orbit; brackets beyond i = {confirmed.limit}")


def _randomised_equilibrium() -> Outcome:
    shown = []
    for rate, limit, size in (("5/4", 30, 3), ("2", 40, 1)):
        model = RetrialParallel.standard(Fraction(rate))
        result = iterate(model, starts(model, limit)[0], limit)
        found = randomised_equilibrium(model, result.policies, limit)
        require(found is not None and len(found.shares) == size, f"a computed equilibrium with {size} marginal states")
        enclosure = None if found is None else enclose_infinite(model, found)
        require(enclosure is not None, f"the box around the computed shares at μ1 = {rate}")
        if enclosure is not None:
            shares = ", ".join(
                f"{state}: {float(share):.9f}" for state, share in sorted(enclosure.shares.items(), reverse=True)
            )
            shown.append(f"μ1={rate}: {shares}")
    return proved("an equilibrium within 1e-60 of the shares (i,k,j): q; " + "; ".join(shown))


def _best_responses_cycle() -> Outcome:
    for rate, length in (("5/4", 2), ("2", 3)):
        model = RetrialParallel.standard(Fraction(rate))
        results = [iterate(model, start, 30) for start in starts(model, 30)]
        require(
            all(r.found is Found.CYCLE and len(r.policies) == length for r in results),
            f"cycles at {rate}",
        )
    return checked(
        "floats: best responses cycle from each of five starts, length 2 at μ1 = 5/4, 3 at μ1 = 2; orbit cut at 30"
    )


def claims() -> tuple[Claim, ...]:
    """The claims about the retrial queue, in the order of the slides."""
    any_rates = "α, β, μ, ν > 0 (slides: α = β = λ)"
    return (
        Claim("retrial.recursion", "f solves (9), (10), and these give (11)", any_rates, _SLIDES, _recursion),
        Claim("retrial.superlinear", "a function that outgrows f has drift at most K", any_rates + ", β < 2μ",
              "PROOF.md, Lemma 4", _superlinear),
        Claim("retrial.conjecture", "y(j+1,1) - y(j,1) = 1/(2μ-β); y is (12), (13)", any_rates + ", β < 2μ", _SLIDES, _finite),
        Claim("retrial.divergence", "the mean delay is infinite", any_rates + ", β >= 2μ", "PROOF.md, section 6", _infinite),
        Claim("retrial.before-first", "y*(-1,1) = 0 together with constant increments", "as printed", "slide 80",
              _before_first, Verdict.REFUTED),
        Claim("retrial.truncation", "E[τ ∧ hit(1,n)] = f - (f(1,n)/u_n) u", any_rates + ", β ≠ 2μ", "PROOF.md, section 8",
              _truncation),
        Claim("retrial.second-moment", "E τ² is finite iff β < 3μ/2, and then a quadratic in j", any_rates,
              "PROOF.md, section 8", _second_moment),
        Claim("retrial.mean-delay", "Σ y*(j,1) p1j = λ(μ+ν)/(μν(μ-λ))", "λ < μ", "slide 81", _mean_delay),
        Claim("retrial.constant-rate", "mean orbit ρ(σ+λ/θ)/(1-σ)", "λ(λ+θ) < μθ", "docs/retrial.md", _constant_rate),
        Claim("retrial.boundary", "for i >= L_j of slide 91 the batch queue is at least as fast", "as printed", "slide 91",
              _boundary, Verdict.REFUTED),
        Claim("retrial.boundary-value", "slide 91's boundary values are lower bounds, not values", "μ1 = 5/4", "slide 91",
              _slope_in_examples, Verdict.CHECKED),
        Claim("retrial.pure-equilibrium", "the selfish policy is a pure equilibrium at μ1 = 4/5", _EXAMPLE, "slides 88-92",
              _pure_equilibrium),
        Claim("retrial.cycle", "best responses need not settle: (14)-(17) are a fixed point, no recursion", _EXAMPLE, "slide 92",
              _best_responses_cycle, Verdict.CHECKED),
        Claim("retrial.randomised-equilibrium", "there is a randomised equilibrium at μ1 = 5/4 and at μ1 = 2",
              _EXAMPLE, "slide 92", _randomised_equilibrium),
    )  # fmt: skip
