"""State-dependent routing: tables and numbers of the slides, independent oracles, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from proofs.claims.state_dependent.known import SOCIAL_TIME, USER_TIME
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent import tail
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision
from proofs.equilibria.state_dependent.delays import first_delays, policy_delays, sure_refusal_level
from proofs.equilibria.state_dependent.heuristic import Counted, heuristic_policy, thresholds
from proofs.equilibria.state_dependent.jumps import _transit_ball, pieces
from proofs.equilibria.state_dependent.model import Parallel, Policy, Rates
from proofs.equilibria.state_dependent.selfish import Ties, Undecided, selfish_policy
from proofs.equilibria.state_dependent.service import Service, balanced, exponential, gamma
from proofs.equilibria.state_dependent.social import (
    SocialPolicy,
    evaluate,
    least_margin,
    social_optimum,
    value_iteration,
)
from proofs.equilibria.state_dependent.standard import coxian, selfish_time
from proofs.equilibria.state_dependent.stationary import Chain, performance, transit_time
from proofs.equilibria.state_dependent.tail import exponential_tail, transit_time_bracket
from verify.errors import InputError

ONE = Fraction(1)
Fit = Callable[[Fraction, Fraction], Service]


def with_dedicated(rate: str, first: str, servers: int = 1) -> Parallel:
    return Parallel(ONE, Fraction(first), Fraction(1, 10), exponential(Fraction(rate)), servers, 3, ONE)


# ---- where the policy changes ----


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_pieces_have_the_selfish_policy_in_the_middle_of_each(servers: int) -> None:
    """Against the recursion in rationals at one μ1; neighbours differ, and the pieces cover the interval."""
    found = pieces(Parallel.standard(ONE, servers), Fraction(1, 50), Fraction(3, 2))
    assert (found[0].low.lower, found[-1].high.upper) == (Fraction(1, 50), Fraction(3, 2))
    for piece in found:
        middle = (piece.low.upper + piece.high.lower) / 2
        model = Parallel.standard(middle, servers)
        assert piece.policy(servers).joins == selfish_policy(model).policy.joins
    for left, right in pairwise(found):
        assert left.high.same_as(right.low)
        assert left.thresholds != right.thresholds


def test_jump_compares_both_policies_at_the_same_rates() -> None:
    """One ball for all μ1 within the bounds of the root: the fall of W with μ1 cannot be taken for a jump."""
    left, right = pieces(Parallel.standard(ONE), Fraction(3, 5), Fraction(7, 10))
    root = left.high
    while root.upper - root.lower > Fraction(1, 10**6):
        root.halve()
    with precision(256):
        for piece in (left, right):
            ball = _transit_ball(1, root, piece)
            for rate in (root.lower, root.upper):
                exact = Fraction(transit_time(Parallel.standard(rate), piece.policy(1)))
                assert bool(abs(ball - Arithmetic.BALLS.number(exact)) < Arithmetic.BALLS.number(Fraction(1, 100)))
                assert not bool(ball != Arithmetic.BALLS.number(exact))


def test_pieces_of_an_empty_interval_are_refused() -> None:
    with pytest.raises(InputError, match="low < high"):
        pieces(Parallel.standard(ONE), ONE, ONE)


def test_pieces_change_exactly_at_the_root() -> None:
    """The second change for c = 1 with an irrational μ1: a millionth on either side the policies are those of the pieces."""
    left, right = pieces(Parallel.standard(ONE), Fraction(3, 5), Fraction(7, 10))
    assert left.high.degree == 2
    for offset, piece in ((-1, left), (1, right)):
        rate = left.high.lower + Fraction(offset, 10**6)
        assert selfish_policy(Parallel.standard(rate)).policy.joins == piece.policy(1).joins


# ---- the selfish policy ----


def naive_selfish(model: Parallel, limit: int) -> dict[tuple[int, int], int]:
    """Slides 48-49 for λ1 = 0 and exponential service, dense floats, written afresh."""
    lam, second, c = float(model.general), float(model.dedicated_second), model.servers
    mu, full = float(1 / model.service.mean), model.batch_size - 1
    y = [1 / mu + max(i - c + 1, 0) / (c * mu) for i in range(limit + 1)]
    z, choice = np.full(limit + 1, float(model.least_delay)), dict[tuple[int, int], int]()
    for j in range(full, -1, -1):
        if j < full:
            matrix, right = np.zeros((limit + 1, limit + 1)), np.ones(limit + 1)
            for i in range(limit + 1):
                service = min(i, c) * mu
                matrix[i, i] += lam + second + service
                right[i] += second * z[i]
                if choice[i, j + 1] == 1 and i < limit:
                    matrix[i, i + 1] -= lam
                else:
                    right[i] += lam * z[i]
                if i:
                    matrix[i, i - 1] -= service
            z = np.linalg.solve(matrix, right)
        for i in range(limit + 1):
            choice[i, j] = 1 if y[i] < z[i] - 1e-12 else 2
    return choice


@pytest.mark.parametrize(("rate", "servers"), list(product(["13/25", "1", "9/5"], [1, 2, 3])))
def test_selfish_policy_equals_naive_recursion(rate: str, servers: int) -> None:
    model = Parallel.standard(Fraction(rate), servers)
    policy = selfish_policy(model, 25).policy
    naive = naive_selfish(model, 25)
    got = {(i, j): 1 if (i, min(i, servers), j) in policy.joins else 2 for i in range(25) for j in range(3)}
    assert got == {state: naive[state] for state in got}


def test_user_table_every_entry_and_z_values() -> None:
    model = Parallel.standard(ONE)
    policy = selfish_policy(model, 20).policy
    assert policy.table(model, 21) == ["112", "122", "122"] + ["222"] * 18
    slices = policy_delays(model, policy, Arithmetic.EXACT)
    assert [round(float(part.low[0, 0]), 8) for part in slices] == [4.27550312, 1.90909091, 1.0]
    assert [round(float(slices[0].low[i, 1]), 8) for i in (1, 2, 3)] == [3.51214434, 3.14864016, 2.97554294]


def test_table_with_ties_to_queue_one_differs_from_the_slides() -> None:
    model = Parallel.standard(ONE)
    assert selfish_policy(model, 20, ties=Ties.QUEUE_1).policy.table(model, 4) == ["111", "112", "122", "222"]
    assert round(float(selfish_time(ONE, 1, Ties.QUEUE_1)), 6) == 1.871274


@pytest.mark.parametrize(
    ("servers", "rate", "left", "right"),
    [(1, "11/31", 1.909091, 2.080772), (1, "11/21", 1.887696, 1.976687), (1, "1", 1.780456, 1.871274),
     (1, "2", 0.912381, 0.926317),
     (2, "11/31", 1.909091, 2.234556), (2, "11/21", 1.869501, 2.070684), (2, "1", 1.219829, 1.250060),
     (3, "11/31", 1.909091, 2.364162), (3, "11/21", 1.916335, 2.005588), (3, "1", 1.037743, 1.036254)],
)  # fmt: skip
def test_jumps_at_ties_are_those_known(servers: int, rate: str, left: float, right: float) -> None:
    times = [round(float(selfish_time(Fraction(rate), servers, ties)), 6) for ties in (Ties.QUEUE_2, Ties.QUEUE_1)]
    assert times == [left, right]


@pytest.mark.parametrize("limit", [4, 10, 40])
def test_limit_is_no_approximation_once_nobody_joins_there(limit: int) -> None:
    found = selfish_policy(Parallel.standard(ONE), limit)
    assert not found.cut
    assert found.label == "exact"
    assert transit_time(Parallel.standard(ONE), found.policy) == USER_TIME


def test_too_small_a_limit_is_labelled() -> None:
    found = selfish_policy(Parallel.standard(ONE), 2)
    assert found.cut
    assert "nobody is admitted" in found.label


def test_sure_refusal_level_is_the_slides_limit() -> None:
    assert sure_refusal_level(Parallel.standard(ONE)) == 20


@pytest.mark.parametrize(("servers", "variation"), [(1, "1/2"), (2, "2"), (3, "5")])
def test_balls_decide_the_same_policy_as_rationals(servers: int, variation: str) -> None:
    model = coxian(Fraction(4, 5), servers, balanced)(Fraction(variation))
    exact, balls = selfish_policy(model, 20), selfish_policy(model, 20, Arithmetic.BALLS)
    assert exact.policy == balls.policy
    assert balls.decided_in is Arithmetic.BALLS


# ---- Coxian service ----


@pytest.mark.parametrize(
    ("fit", "servers", "variation", "expected"),
    [(gamma, 1, "1", 1.835242), (gamma, 1, "2", 1.755962), (balanced, 1, "2", 1.779984), (gamma, 2, "2", 1.552363),
     (gamma, 1, "2.05", 1.755364), (gamma, 1, "2.1", 1.754781)],
)  # fmt: skip
def test_coxian_transit_times(fit: Fit, servers: int, variation: str, expected: float) -> None:
    model = coxian(Fraction(4, 5), servers, fit)(Fraction(variation))
    result = performance(model, selfish_policy(model).policy)
    assert round(float(result.transit_time), 6) == expected
    assert result.little.gap == 0


@pytest.mark.parametrize("fit", [balanced, gamma])
@pytest.mark.parametrize("variation", ["1/2", "1", "5"])
def test_fits_have_the_mean_and_nearly_the_variation(fit: Fit, variation: str) -> None:
    service = fit(Fraction(5, 4), Fraction(variation))
    assert service.mean == Fraction(5, 4)
    assert abs(service.squared_variation - Fraction(variation)) < Fraction(1, 10**13)
    assert ("cut after" in service.name) == (service.squared_variation != Fraction(variation))


def test_both_fits_agree_at_one_half() -> None:
    assert [balanced(ONE, Fraction(1, 2)).first, gamma(ONE, Fraction(1, 2)).first] == [2, 2]


def test_coxian_delay_is_the_pollaczek_khintchine_value() -> None:
    """One server, c² = 2, dedicated customers only in effect (λ tiny cannot be 0): mean of y over M/G/1 with x = 3/5 is 13/4."""
    service = balanced(ONE, Fraction(2))
    model = Parallel(Fraction(1, 10**9), Fraction(3, 5), Fraction(1, 10), service, 1, 1, Fraction(10**6))
    result = performance(model, Policy(frozenset(), 150), Arithmetic.FLOAT)
    mean_number = result.little.first_counted
    assert mean_number == pytest.approx(0.6 * 13 / 4, rel=1e-9)
    assert result.little.first_by_delay == pytest.approx(mean_number, rel=1e-9)


def test_small_variation_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1/2"):
        balanced(ONE, Fraction(1, 3))


# ---- the stationary law and dedicated arrivals ----


def test_transit_time_equals_that_of_the_larger_chain_with_general_counts() -> None:
    """(i, k, n2, n3) knows who waits; (i, k, j) with (3) does not: the same W, exactly."""
    for rate, servers in (("1", 1), ("3/5", 2)):
        model = Parallel.standard(Fraction(rate), servers)
        policy = selfish_policy(model).policy
        lifted = frozenset((i, k, n2, j - n2) for i, k, j in policy.joins for n2 in range(j + 1))
        assert evaluate(model, SocialPolicy(lifted, policy.limit)) == transit_time(model, policy)


def test_wrong_policy_delays_break_littles_law(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs.equilibria.state_dependent import stationary

    model = Parallel.standard(ONE)
    policy = selfish_policy(model).policy
    wrong = Policy(policy.joins - {(0, 0, 1)}, policy.limit)
    right = policy_delays
    monkeypatch.setattr(
        stationary, "policy_delays", lambda m, _, a: right(m, Policy(wrong.joins, policy.highest + 1), a)
    )
    assert performance(model, policy).little.gap != 0


@pytest.mark.parametrize(("limit", "expected"), [(20, 1.88973061378), (40, 1.88973061386)])
def test_dedicated_arrivals_transit_time_and_bracket(limit: int, expected: float) -> None:
    model = with_dedicated("4/5", "3/10")
    policy = selfish_policy(model, limit).policy
    bracket, time = transit_time_bracket(model, policy), transit_time(model, policy)
    assert round(float(time), 11) == expected
    assert bracket.low <= time <= bracket.high


def test_bracket_contains_the_value_with_a_much_larger_limit() -> None:
    model = with_dedicated("4/5", "1/2")
    small, large = (transit_time_bracket(model, selfish_policy(model, limit).policy) for limit in (24, 60))
    assert small.low < large.low <= large.high < small.high
    assert large.high - large.low < Fraction(1, 10**6) < small.high - small.low


def test_tail_of_coxian_service_bounds_the_stationary_mass() -> None:
    model = Parallel(ONE, Fraction(3, 10), Fraction(1, 10), balanced(Fraction(5, 4), Fraction(1, 2)), 1, 3, ONE)
    policy = selfish_policy(model, 40).policy
    law = Chain(model, policy, Arithmetic.FLOAT).law()
    start = policy.highest + 2
    for level in (start + 8, start + 15):
        assert sum(p for s, p in law.items() if s[0] >= level) <= float(exponential_tail(model, level - start)) < 0.2


def watched_law(model: Parallel, policy: Policy, limit: int) -> dict[tuple[int, int, int], Fraction]:
    """The true law given i <= limit, from a chain cut far higher (exact up to 1e-15)."""
    law = Chain(model, Policy(policy.joins, limit + 60), Arithmetic.EXACT).law()
    below = {s: Fraction(Arithmetic.EXACT.plain(p)) for s, p in law.items() if s[0] <= limit}
    return {s: p / sum(below.values()) for s, p in below.items()}


def test_mass_at_the_limit_is_bounded_and_not_by_much() -> None:
    model = with_dedicated("4/5", "1/2")
    policy = selfish_policy(model, 24).policy
    at_limit, beyond = tail._top_masses(model, policy)
    law = watched_law(model, policy, 24)
    exact = sum(p for s, p in law.items() if s[0] == 24)
    assert exact <= at_limit <= 10 * exact
    assert exact * Fraction(5, 3) * (1 - Fraction(1, 10**6)) <= beyond  # ρ/(1-ρ) = 5/3


def test_cutting_changes_a_mean_by_no_more_than_the_perturbation_bound() -> None:
    model = with_dedicated("4/5", "1/2")
    policy = Policy(selfish_policy(model, 24).policy.joins, 8)
    chain = Chain(model, policy, Arithmetic.EXACT)
    blocked, watched = chain.law(), watched_law(model, policy, 8)
    cost = {s: Arithmetic.EXACT.number(Fraction(s[2])) for s in blocked}
    mean = sum(blocked[s] * cost[s] for s in blocked)
    change = abs(sum(watched[s] * s[2] for s in watched) - Fraction(Arithmetic.EXACT.plain(mean)))
    mass = sum(p for s, p in watched.items() if s[0] == 8)
    assert 0 < change <= model.dedicated_first * mass * tail._span(chain, cost, mean)


@pytest.mark.parametrize("servers", [1, 3])
def test_drift_of_the_tail_function_is_that_of_the_model(servers: int) -> None:
    model = Parallel(ONE, Fraction(3, 10), Fraction(1, 10), balanced(Fraction(5, 4), Fraction(2)), servers, 3, ONE)
    theta, weights, level = Fraction(5, 4), [Fraction(k + 2, 3) for k in range(servers + 1)], servers + 2

    def value(i: int, k: int) -> Fraction:
        return theta ** (i - level) * weights[k]

    for k, drift in enumerate(tail._drifts(model, theta, weights)):
        moves = [
            (Fraction(Arithmetic.EXACT.plain(r)), to) for r, to in Rates(model, Arithmetic.EXACT).services((level, k))
        ]
        moves.append((model.dedicated_first, (level + 1, k)))
        assert drift == sum(rate * (value(*to) - value(level, k)) for rate, to in moves)


def test_dedicated_overload_is_refused() -> None:
    with pytest.raises(InputError, match="less than the capacity of queue 1"):
        with_dedicated("1/4", "3/10")


def test_undecided_state_is_not_guessed() -> None:
    with pytest.raises(Undecided, match="raise the limit"):
        selfish_policy(with_dedicated("4/5", "3/10"), 1)


# ---- the social optimum ----


def test_social_optimum_does_not_depend_on_the_limit() -> None:
    model = Parallel.standard(ONE)
    found = [social_optimum(model, limit) for limit in (10, 20, 40)]
    assert {best.transit_time for best in found} == {SOCIAL_TIME}
    assert all(best.least_margin > Fraction(1, 5) for best in found)
    assert all(best.bounds.low - 1e-9 <= best.transit_time <= best.bounds.high + 1e-9 for best in found)


def test_social_margin_is_negative_for_another_policy() -> None:
    model = Parallel.standard(ONE)
    best = social_optimum(model, 10).policy
    other = SocialPolicy(best.joins - {(0, 0, 0, 0)}, 10)
    time = evaluate(model, other)
    assert time > SOCIAL_TIME
    assert least_margin(model, other, Fraction(time)) < 0


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_social_optimum_starts_using_queue_one_at_the_known_rate(servers: int) -> None:
    joins = [bool(value_iteration(Parallel.standard(Fraction(r), servers), 8)[0].joins) for r in ("0.50207", "0.50208")]
    assert joins == [False, True]


def test_social_optimum_beats_the_selfish_policy() -> None:
    for rate in (Fraction(2, 5), Fraction(3, 2)):
        assert social_optimum(Parallel.standard(rate), 20).transit_time < selfish_time(rate)


# ---- heuristics ----


@pytest.mark.parametrize(
    ("weight", "counted", "expected", "time"),
    [(1, Counted.BATCH, (20, 10, 0), 6.654458), (1, Counted.PRINTED, (2, 2, 2), 2.043858),
     (0, Counted.BATCH, (2, 1, 0), 1.599494), (0, Counted.PRINTED, (1, 1, 1), 1.811239)],
)  # fmt: skip
def test_heuristic_thresholds_and_times(weight: int, counted: Counted, expected: tuple[int, ...], time: float) -> None:
    model = Parallel.standard(ONE)
    policy = heuristic_policy(model, Fraction(weight), None, counted)
    assert thresholds(model, policy) == expected
    assert round(float(transit_time(model, policy)), 6) == time


def test_heuristic_weight_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        heuristic_policy(Parallel.standard(ONE), Fraction(2))


def test_first_delays_are_the_closed_form() -> None:
    model = Parallel.standard(Fraction(2), 3)
    delays = first_delays(model, 10)
    expected = [Fraction(1, 2) + (Fraction(i - 2, 6) if i >= 3 else 0) for i in range(11)]
    assert [Fraction(Arithmetic.EXACT.plain(delays[i, min(i, 3)])) for i in range(11)] == expected


def test_progress_leaves_the_items_alone_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    items = [1, 2, 3]
    assert tracked(items, "counting") is items
    assert capsys.readouterr() == ("", "")
