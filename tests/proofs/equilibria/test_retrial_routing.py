"""Selfish routing next to the retrial queue: fixed points, cycles, randomised equilibria and their proofs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from proofs.equilibria.retrial import equilibrium
from proofs.equilibria.retrial.equilibrium import (
    Found,
    advantages,
    confirm,
    iterate,
    starts,
    threshold_policy,
    thresholds,
)
from proofs.equilibria.retrial.krawczyk import enclose
from proofs.equilibria.retrial.miranda import enclose_infinite
from proofs.equilibria.retrial.performance import retrial_performance
from proofs.equilibria.retrial.randomised import Randomised, randomised_equilibrium
from proofs.equilibria.retrial.routing import Closing, Equations, RetrialParallel
from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, mean_delay
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision
from verify.errors import InputError


def model(rate: str) -> RetrialParallel:
    return RetrialParallel.standard(Fraction(rate))


@pytest.fixture(scope="module")
def three_states() -> Randomised:
    found = randomised_equilibrium(model("5/4"), iterate(model("5/4"), starts(model("5/4"), 30)[0], 30).policies, 30)
    assert found is not None
    return found


def naive_delays(
    m: RetrialParallel, joins: frozenset[tuple[int, int, int]], limit: int
) -> dict[tuple[int, int, int], float]:
    """(14), (15) in dense floats, written from the slides: y at i = limit + 1 is y(limit) + slope."""
    lam, first, second = map(float, (m.general, m.dedicated_first, m.dedicated_second))
    mu, nu, size = float(m.service), float(m.retrial), m.batch_size
    slope = 1 / (2 * mu - first)
    states = [(i, k, j) for i in range(limit + 1) for k in (0, 1) for j in range(size)]
    place = {s: n for n, s in enumerate(states)}
    a, right = np.zeros((len(states),) * 2), np.ones(len(states))
    for (i, k, j), n in place.items():
        a[n, n] += lam + first + second + (i + 1) * nu + k * mu
        one = (min(i + 1, limit), k, j) in joins and not (k == 1 and i == limit)
        queue_1, queue_2 = (first + lam, second) if one else (first, second + lam)
        if i + k > limit:
            a[n, place[limit, 1, j]] -= queue_1
            right[n] += queue_1 * slope
        else:
            a[n, place[i + k, 1, j]] -= queue_1
        a[n, place[i, k, (j + 1) % size]] -= queue_2
        if i - 1 + k >= 0:
            a[n, place[i - 1 + k, 1, j]] -= (i + k) * nu
        right[n] += (1 - k) * nu / mu
        if k:
            a[n, place[i, 0, j]] -= mu
    return dict(zip(states, np.linalg.solve(a, right), strict=True))


def test_orbit_delays_equal_a_dense_solution() -> None:
    m = model("5/4")
    joins = threshold_policy(m, (3, 2, 1, 1, 0, 0, 0), 8)
    expected = naive_delays(m, joins, 8)
    found = Equations(m, dict.fromkeys(joins, 1.0), 8, Arithmetic.FLOAT, Closing.SLOPE).orbit_delays()
    assert all(found[s] == pytest.approx(value, rel=1e-12) for s, value in expected.items())


def test_orbit_delays_without_general_customers_in_orbit_are_the_theorem() -> None:
    """Queue 1 only at an idle server: α = λ + λ1, β = λ1, plus a service; exactly, in rationals, at every level."""
    m = model("5/4")
    joins = dict.fromkeys(threshold_policy(m, (0,) * 7, 4), Arithmetic.EXACT.number(1))
    found = Equations(m, joins, 4, Arithmetic.EXACT, Closing.SLOPE).orbit_delays()
    rates = Rates(Fraction(3, 2), Fraction(1, 2), m.service, m.retrial)
    assert all(
        Fraction(Arithmetic.EXACT.plain(y)) == mean_delay(k, i, rates) + 1 / m.service for (i, k, _), y in found.items()
    )


def test_boundary_values_of_slide_91_are_too_small() -> None:
    m = model("5/4")
    choice = dict.fromkeys(threshold_policy(m, (8, 7, 4, 3, 1, 0, 0), 90), 1.0)
    delays = Equations(m, choice, 90, Arithmetic.FLOAT, Closing.SLOPE).orbit_delays()
    assert (round(float(delays[60, 1, 0]), 3), round(float(delays[60, 0, 0]), 3)) == (33.074, 32.074)
    dedicated_only = m.orbit(m.dedicated_first)
    assert [mean_delay(k, 60, dedicated_only) + 1 / m.service for k in (BUSY, IDLE)] == [
        Fraction(651, 20),
        Fraction(631, 20),
    ]


def test_batch_delays_stay_within_the_bounds_for_every_policy() -> None:
    m = model("5/4")
    for joins in starts(m, 12):
        z = Equations(m, dict.fromkeys(joins, 1.0), 12, Arithmetic.FLOAT, Closing.SLOPE).batch_delays()
        for (_, _, j), value in z.items():
            assert (6 - j) / 1.1 + 1 - 1e-9 <= value <= (6 - j) / 0.1 + 1 + 1e-9


def test_refusal_levels_are_the_corrected_ones() -> None:
    assert model("5/4").refusal_level() == 117


@pytest.mark.parametrize("start", range(5))
def test_best_responses_find_the_pure_equilibrium(start: int) -> None:
    m = model("4/5")
    result = iterate(m, starts(m, 30)[start], 30)
    assert result.found is Found.FIXED_POINT
    assert thresholds(m, result.policies[0], BUSY) == (3, 2, 1, 0, 0, 0, 0)
    assert thresholds(m, result.policies[0], IDLE) == (31, 31, 31, 31, 31, 31, 0)


def test_pure_equilibrium_is_confirmed_and_a_neighbour_is_not() -> None:
    m = model("4/5")
    policy = threshold_policy(m, (3, 2, 1, 0, 0, 0, 0), 30)
    assert confirm(m, policy).holds
    refused = confirm(m, policy - {(2, BUSY, 0)})
    assert refused.contradicted == ((2, BUSY, 0),)
    assert not refused.holds


@pytest.mark.parametrize(
    ("rate", "cycle"),
    [("5/4", {(8, 7, 4, 3, 1, 0, 0), (9, 6, 5, 3, 1, 0, 0)}),
     ("2", {(19, 15, 12, 8, 5, 2, 0), (19, 16, 12, 8, 5, 2, 0), (20, 16, 12, 8, 5, 2, 0)})],
)  # fmt: skip
def test_best_responses_cycle(rate: str, cycle: set[tuple[int, ...]]) -> None:
    m = model(rate)
    for start in starts(m, 30):
        result = iterate(m, start, 30)
        assert result.found is Found.CYCLE
        assert {thresholds(m, policy, BUSY) for policy in result.policies} == cycle


def test_exhausted_budget_gives_no_policy() -> None:
    m = model("5/4")
    assert iterate(m, starts(m, 30)[0], 30, most=1) == equilibrium.Iteration(Found.NOTHING, ())


def test_randomised_equilibrium_at_five_quarters(three_states: Randomised) -> None:
    expected = {(8, 1, 0): 0.277161509, (6, 1, 1): 0.725449942, (4, 1, 2): 0.977143919}
    assert {s: round(q, 9) for s, q in three_states.shares.items()} == expected
    assert thresholds(model("5/4"), three_states.joins, BUSY) == (8, 6, 4, 3, 1, 0, 0)
    assert three_states.residual < 1e-12
    assert three_states.objecting == ()
    assert "orbit cut at 30" in three_states.label


def test_randomised_equilibrium_at_two() -> None:
    m = model("2")
    found = randomised_equilibrium(m, iterate(m, starts(m, 40)[0], 40).policies, 40)
    assert found is not None
    assert {s: round(q, 9) for s, q in found.shares.items()} == {(19, 1, 0): 0.554278548}
    gains = []
    for share in (0.0, 1.0):
        gains.append(advantages(m, {**found.choice(), (19, 1, 0): share}, 40)[19, 1, 0])
    assert [round(float(g), 4) for g in gains] == [-0.0805, 0.0883]


def test_randomised_equilibrium_is_enclosed(three_states: Randomised) -> None:
    enclosure = enclose(model("5/4"), three_states)
    assert enclosure is not None
    assert all(abs(float(q) - three_states.shares[s]) < 1e-11 for s, q in enclosure.shares.items())


def test_randomised_equilibrium_of_the_infinite_system_is_enclosed(three_states: Randomised) -> None:
    enclosure = enclose_infinite(model("5/4"), three_states)
    assert enclosure is not None
    assert enclosure.limit is None
    assert {s: round(float(q), 9) for s, q in enclosure.shares.items()} == {
        (8, 1, 0): 0.277161509, (6, 1, 1): 0.725449942, (4, 1, 2): 0.977143919,
    }  # fmt: skip


@pytest.mark.parametrize("state", [(6, 1, 0), (3, 1, 4), (0, 0, 6)])
def test_infinite_enclosure_fails_if_a_state_objects(three_states: Randomised, state: tuple[int, int, int]) -> None:
    """One choice turned round, at a busy server; an idle one is set by its rule, whatever the proposal says."""
    turned = replace(three_states, joins=three_states.joins ^ {state})
    assert (enclose_infinite(model("5/4"), turned) is None) == (state[1] == BUSY)


def test_infinite_enclosure_fails_where_no_indifference_is_near(three_states: Randomised) -> None:
    """A marginal state that strictly prefers queue 2: Newton's steps leave the unit interval, where no policy is."""
    moved = replace(three_states, shares={**three_states.shares, (12, BUSY, 0): 0.5})
    assert enclose_infinite(model("5/4"), moved) is None


def test_enclosures_refuse_shares_that_are_no_probabilities() -> None:
    """g has a zero near 1.123, but the equilibrium of this model is pure."""
    m = RetrialParallel(Fraction(1), Fraction(1, 2), Fraction(1, 2), Fraction(83, 50), Fraction(2), 3, Fraction(1))
    pure = iterate(m, starts(m, 20)[0], 20)
    assert pure.found is Found.FIXED_POINT
    assert thresholds(m, pure.policies[0], BUSY) == (2, 0, 0)
    joins = frozenset(s for s in pure.policies[0] if s != (1, BUSY, 0))
    found = Randomised({(1, BUSY, 0): 1.1231565}, joins, 0.0, (), 20)
    assert enclose(m, found) is None
    assert enclose_infinite(m, found) is None


@pytest.mark.parametrize("shares", [{}, {(0, BUSY, 0): 0.5}, {(40, BUSY, 0): 0.5}, {(3, IDLE, 0): 0.5}])
def test_enclosures_refuse_marginal_states_that_cannot_be(
    three_states: Randomised, shares: dict[tuple[int, int, int], float]
) -> None:
    for test in (enclose, enclose_infinite):
        with pytest.raises(InputError, match="busy server"):
            test(model("5/4"), replace(three_states, shares=shares))


def test_enclosure_fails_if_another_state_objects(three_states: Randomised) -> None:
    """A state far up changes nothing for the others, so only the strict preferences can refuse it."""
    assert enclose(model("5/4"), replace(three_states, joins=three_states.joins | {(20, BUSY, 6)})) is None


def test_enclosure_slopes_equal_differences(three_states: Randomised) -> None:
    from proofs.equilibria.retrial.krawczyk import Problem

    m, step = model("5/4"), Fraction(1, 10**6)
    with precision(1024):
        problem = Problem(m, three_states, 30, Closing.SLOPE, Closing.SLOPE)
        middle = [Arithmetic.BALLS.number(Fraction(three_states.shares[s])) for s in problem.states]
        slopes = problem.slopes(middle)
        moved = [middle[0] + Arithmetic.BALLS.number(step), *middle[1:]]
        before, after = problem.gains(middle), problem.gains(moved)
        for row, state in zip(slopes, problem.states, strict=True):
            assert float(row[0]) == pytest.approx(float((after[state] - before[state]) / float(step)), rel=1e-4)


def test_littles_law_next_to_the_retrial_queue(three_states: Randomised) -> None:
    result = retrial_performance(model("5/4"), three_states.choice(), 30)
    assert result.little.gap < 1e-8
    assert round(float(result.transit_time), 6) == 4.456347
    assert result.label == "float, orbit cut at 30"


def test_unstable_dedicated_stream_is_refused() -> None:
    with pytest.raises(InputError, match="below the service rate"):
        model("1/2")
