"""The conjecture of slides 79-82: every algebraic step of PROOF.md, and numbers that a wrong formula would miss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from proofs.claims.claim import Claim, run_claim
from proofs.claims.retrial import coupling, superlinear
from proofs.claims.retrial.claims import claims
from proofs.equilibria.retrial import moments, stationary, truncation, waiting
from proofs.equilibria.retrial.simulate import InfiniteVariance, simulate_delay
from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, drift, mean_delay
from verify.errors import InputError

UNIT, RETRIAL = Fraction(1), Fraction(7, 10)


def rates(arrival: str) -> Rates:
    return Rates.classical(Fraction(arrival), UNIT, RETRIAL)


STEPS = [
    waiting.mean_delay_solves_the_equations,
    waiting.mean_delay_is_printed_formula,
    waiting.elimination_gives_printed_recursion,
    superlinear.lifting_gives_star,
    superlinear.first_order_drift_is_closed,
    superlinear.coefficient_is_nonpositive_beyond_turning_point,
    superlinear.second_order_drift_is_closed,
    truncation.harmonic_growth_has_no_drift,
    coupling.order_survives_every_event,
    coupling.reversed_pair_breaks_order,
    moments.second_moment_solves_the_equations,
    moments.second_moment_is_positive,
    moments.second_moment_is_printed_formula,
    moments.second_moment_diverges_at_threshold,
    stationary.classical_law_balances,
    stationary.classical_masses_are_busy_and_idle,
    stationary.binomial_series_steps,
    stationary.closed_sum_is_mean_delay,
    stationary.constant_rate_law_balances,
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_step_of_the_proof_holds(step: Callable[[], bool]) -> None:
    assert step() is True


def test_spoilt_formula_is_not_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = lambda k, j, r: mean_delay(k, j, r) + (1 if k == IDLE else 0)  # noqa: E731
    monkeypatch.setattr(waiting, "mean_delay", spoilt)
    assert not waiting.mean_delay_solves_the_equations()


def test_spoilt_moment_is_not_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    right = moments.second_moment
    monkeypatch.setattr(moments, "second_moment", lambda r: replace(right(r), linear=right(r).linear + 1))
    assert not moments.second_moment_solves_the_equations()


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_retrial_claim_reaches_its_verdict(claim: Claim) -> None:
    result = run_claim(claim)
    assert result.holds, result.obstacle


@pytest.mark.parametrize(
    ("arrival", "turning", "bound"),
    [("1", "10/7", "2"), ("13/10", "190/49", "65/24"), ("16/10", "149/14", None), ("19/10", "424/7", None)],
)
def test_explicit_constants_bound_the_drift_for_all_states_tried(arrival: str, turning: str, bound: str | None) -> None:
    here = rates(arrival)
    assert superlinear.turning_point(here) == Fraction(turning)
    assert bound is None or superlinear.drift_bound(here) == Fraction(bound)
    assert superlinear.largest_drift(here, 300) <= superlinear.drift_bound(here)


def test_drift_bound_holds_for_two_rates() -> None:
    for idle, busy in product((Fraction(1, 3), Fraction(4)), (Fraction(1, 2), Fraction(7, 4))):
        here = Rates(idle, busy, UNIT, RETRIAL)
        assert superlinear.largest_drift(here, 60) <= superlinear.drift_bound(here)


def test_drift_bound_is_not_given_beyond_twice_the_service_rate() -> None:
    with pytest.raises(InputError, match="below twice the service rate"):
        superlinear.drift_bound(rates("2"))


def test_marginal_rates_of_the_coupling_are_those_of_each_system() -> None:
    """Dropping the other system's own events leaves exactly the five moves of PROOF.md, section 1, for either system."""
    for small, big in ((IDLE, IDLE), (IDLE, BUSY), (BUSY, BUSY)):
        names = {event.name for event in coupling.events(small, big)}
        assert "common arrival" in names
        assert ("tagged customer retries" in names) == (small == IDLE)
        assert ("retrial in the big system only" in names) == (big == IDLE)
        assert ("service ends" in names) == (big == BUSY)
        for event in coupling.events(small, big):
            if "big system only" in event.name:
                assert (event.small, event.small_change) == (small, 0)
            if "small system only" in event.name:
                assert (event.big, event.big_change) == (big, 0)


@pytest.mark.parametrize("arrival", ["1/2", "1", "5/4", "3/2", "7/4", "9/4", "5/2"])
@pytest.mark.parametrize("level", [1, 5, 12])
def test_truncation_identity_equals_elimination(arrival: str, level: int) -> None:
    solved = truncation.stopped_delay_by_elimination(level, rates(arrival))
    assert solved == [truncation.stopped_delay(BUSY, j, level, rates(arrival)) for j in range(level)]


def test_stopped_delay_has_drift_minus_one_and_vanishes_at_the_level() -> None:
    here = Rates(Fraction(2), Fraction(9, 4), UNIT, RETRIAL)

    def stopped(k: int, j: int) -> Fraction:
        delay: Fraction = truncation.stopped_delay(k, j, 6, here)
        return delay

    assert stopped(BUSY, 6) == 0
    assert all(drift(stopped, k, j, here) == -1 for k in (IDLE, BUSY) for j in range(6))


@pytest.mark.parametrize(
    ("arrival", "level", "expected"),
    [("13/10", 10**4, 9.591828), ("3/2", 10**4, 13.9766), ("9/5", 10**4, 30.10), ("19/10", 10**4, 39.73), ("9/5", 20000, 31.218),
     ("11/5", 10, 4.37), ("11/5", 100, 18.4), ("11/5", 10**3, 44.4), ("11/5", 10**4, 83.7)],
)  # fmt: skip
def test_stopped_delay_reproduces_the_slow_convergence(arrival: str, level: int, expected: float) -> None:
    as_floats = Rates.classical(float(Fraction(arrival)), 1.0, 0.7)
    decimals = len(str(expected).split(".")[1])
    assert round(truncation.stopped_delay(BUSY, 0, level, as_floats), decimals) == expected


def test_mean_delay_for_two_rates_is_the_general_closed_form() -> None:
    here = Rates(Fraction(3, 2), Fraction(1, 2), Fraction(5, 4), Fraction(2))
    assert mean_delay(BUSY, 60, here) + Fraction(4, 5) == Fraction(661, 20)
    assert mean_delay(BUSY, 1, here) - mean_delay(BUSY, 0, here) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("arrival", "delay"), [("6/5", "115/14"), ("13/10", "470/49"), ("7/5", "80/7"), ("9/5", "260/7")]
)
def test_mean_delay_values(arrival: str, delay: str) -> None:
    assert mean_delay(BUSY, 0, rates(arrival)) == Fraction(delay)


def test_closed_sum_is_the_limit_of_partial_sums() -> None:
    lam, mu, nu = 0.6, 1.0, 0.7
    weight, total = lam / mu * (1 - lam / mu) ** (lam / nu + 1), 0.0
    for j in range(400):
        total += weight * mean_delay(BUSY, j, Rates.classical(lam, mu, nu))
        weight *= (lam / nu + 1 + j) * (lam / mu) / (j + 1)
    assert total == pytest.approx(stationary.classical_means(lam, mu, nu).delay, rel=1e-12)


def test_orbit_means_of_the_two_retrial_rates() -> None:
    half = Fraction(1, 2)
    assert stationary.classical_means(half, UNIT, half).orbit == Fraction(3, 2)
    assert stationary.classical_means(half, UNIT, half).sojourn == 4
    assert stationary.constant_rate_means(half, UNIT, Fraction(2)).orbit == Fraction(7, 6)


@pytest.mark.parametrize(("retrial", "stable"), [("1", False), ("3/2", True), ("4/5", False)])
def test_constant_rate_is_refused_unless_stable(retrial: str, stable: bool) -> None:
    if stable:
        assert stationary.constant_rate_means(Fraction(1), Fraction(2), Fraction(retrial)).orbit > 0
    else:
        with pytest.raises(InputError, match="stability"):
            stationary.constant_rate_means(Fraction(1), Fraction(2), Fraction(retrial))


@pytest.mark.parametrize(
    ("arrival", "server", "others"),
    [("6/5", BUSY, 0), ("6/5", IDLE, 0), ("6/5", BUSY, 3), ("13/10", BUSY, 0), ("7/5", BUSY, 0)],
)
def test_simulation_between_mu_and_three_halves_covers_the_formula(arrival: str, server: int, others: int) -> None:
    estimate = simulate_delay(server, others, rates(arrival), 60_000, seed=82, confidence=0.9999)
    assert estimate.covers(mean_delay(server, others, rates(arrival)))
    assert not estimate.covers(mean_delay(server, others, rates(arrival)) * Fraction(23, 20))


@pytest.mark.parametrize("arrival", ["19/10", "11/5"])
def test_simulation_beyond_covers_the_truncation_identity(arrival: str) -> None:
    estimate = simulate_delay(BUSY, 0, rates(arrival), 60_000, seed=83, level=40, confidence=0.9999)
    assert estimate.covers(truncation.stopped_delay(BUSY, 0, 40, rates(arrival)))


@pytest.mark.parametrize("arrival", ["3/2", "9/5", "5/2"])
def test_simulation_without_a_level_is_refused_where_the_variance_is_infinite(arrival: str) -> None:
    with pytest.raises(InfiniteVariance, match="give a level to stop at"):
        simulate_delay(BUSY, 0, rates(arrival), 10, seed=1)
