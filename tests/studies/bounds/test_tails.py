"""Tails, means and times: above the truth, by closed forms and truncated chains, and how far above."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import case_text

from verify.conditions.criterion import Criterion
from verify.conditions.proof import Proof
from verify.network_file.read import read_text
from verify.studies.bounds.ladder import bgt_bound
from verify.studies.bounds.tails import Tails, in_words, tails

from .proofs import PRIORITY, SHARED, TANDEM, TANDEM_ONE_PIECE, proof_of, single
from .truncated import truncated

F = Fraction
STRICT, CORRECTED, FLUID = Criterion.STRICT, Criterion.CORRECTED, Criterion.FLUID


def tails_of(text: str, criterion: Criterion) -> Tails:
    found = tails(proof_of(text, criterion))
    assert found is not None
    return found


# ---- M/M/1: all of it is exact ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("criterion", [STRICT, CORRECTED, FLUID])
@pytest.mark.parametrize(("arrival_rate", "rate"), [("1", "2"), ("9/10", "1"), ("1/7", "5/3")])
def test_single_server_every_bound_is_attained(arrival_rate: str, rate: str, criterion: Criterion) -> None:
    found = tails_of(single(arrival_rate, rate), criterion)
    rho, slack = F(arrival_rate) / F(rate), F(rate) - F(arrival_rate)
    assert [found.jobs_above(n) for n in range(12)] == [rho ** (n + 1) for n in range(12)]
    assert found.mean_jobs == rho / (1 - rho)
    assert found.times.empties
    assert found.times.settled({0: F(5)}) == 5 / slack


def test_single_server_published_constants_are_twice_the_mean() -> None:
    found = tails_of(single("1", "2"), STRICT)
    assert found.published == bgt_bound(F(0), F(1), F(1), F(1))
    assert (found.published.ratio, found.published.step, found.published.mean) == (F(1, 2), F(2), F(2))


# ---- two queues in series: product form ------------------------------------------------------------------------------
def series_above(jobs: int) -> Fraction:
    """P(X_1 + X_2 > n) for independent geometric numbers with ratios 1/2 and 1/3: 3 (1/2)^(n+1) − 2 (1/3)^(n+1) … by hand:
    the sum has P(X = k) = (1/2)(2/3) Σ_{i+j=k} (1/2)^i (1/3)^j = (1/2)^k − (2/3)(1/3)^k."""
    return 1 - sum((F(1, 2**k) - F(2, 3) / 3**k for k in range(jobs + 1)), F(0))


@pytest.mark.parametrize(
    ("text", "criterion", "mean"),
    [(TANDEM, CORRECTED, F(2773, 672)), (TANDEM_ONE_PIECE, FLUID, F(12)), (TANDEM, STRICT, F(584210663, 27200000))],
)
def test_two_queues_in_series_bounds_are_above_the_product_form(
    text: str, criterion: Criterion, mean: Fraction
) -> None:
    found = tails_of(text, criterion)
    assert found.mean_jobs == mean > F(3, 2)
    assert all(found.jobs_above(n) >= series_above(n) for n in range(80))
    assert found.jobs_above(400) < F(1, 10**9)
    print(criterion, float(mean), [(n, float(found.jobs_above(n)), float(series_above(n))) for n in (0, 5, 20, 60)])


@pytest.mark.parametrize(("text", "criterion"), [(TANDEM, CORRECTED), (TANDEM_ONE_PIECE, FLUID)])
def test_two_queues_in_series_mean_times_are_below_the_bound(text: str, criterion: Criterion) -> None:
    times = tails_of(text, criterion).times
    assert times.empties
    box = truncated(read_text(TANDEM, format="toml"), 24).mean_times()
    for (first, second), time in box.items():
        if first + second <= 8:
            assert float(times.settled({0: F(first), 1: F(second)})) >= time
    print(criterion, float(times.settled({0: F(3), 1: F(3)})), box[3, 3])


def test_two_queues_in_series_by_two_pieces_leaves_a_bounded_set_and_says_so() -> None:
    found = tails_of(TANDEM, STRICT)
    assert found.soft is not None
    trials = found.times.trials
    assert trials is not None
    # φ = (2, 1): every fall is 1, so 4 jobs need 8 jumps; the slowest work has rate 2, all rates together are 6.
    assert not found.times.empties
    assert (trials.jobs, trials.length, trials.fall_rate, trials.total_rate) == (F(4), 8, F(2), F(6))
    assert found.times.per_trial == 8 / F(2) + (F(17, 16) * (4 + 8) + found.soft.excess) / found.times.drift


# ---- priorities, shared buffers: truncated chains --------------------------------------------------------------------
@pytest.mark.parametrize(("text", "criterion"), [(PRIORITY, STRICT), (PRIORITY, CORRECTED), (SHARED, STRICT)])
def test_priority_and_shared_buffer_bounds_are_above_a_truncated_chain(text: str, criterion: Criterion) -> None:
    found, box = tails_of(text, criterion), truncated(read_text(text, format="toml"), 24)
    assert float(found.mean_jobs) >= box.mean_jobs()
    assert all(float(found.jobs_above(n)) >= box.jobs_above(n) for n in range(24))
    print(
        float(found.mean_jobs), box.mean_jobs(), [(float(found.jobs_above(n)), box.jobs_above(n)) for n in (0, 4, 12)]
    )


def test_priority_mean_times_are_exact_where_v_is_work() -> None:
    times, box = tails_of(PRIORITY, STRICT).times, truncated(read_text(PRIORITY, format="toml"), 30).mean_times()
    assert all(
        abs(float(times.settled({0: F(a), 1: F(b)})) - box[a, b]) < 1e-6 for a in range(5) for b in range(5) if a + b
    )


def test_shared_buffer_crude_time_from_one_job_is_above_the_truth() -> None:
    times = tails_of(SHARED, STRICT).times
    assert times.trials is not None
    assert not times.empties
    assert (times.trials.jobs, times.trials.base, times.trials.length) == (F(1), F(3), 1)
    assert times.per_trial == 3  # 1/1 for the trial, then from two jobs (2)/1
    assert 3 * times.per_trial >= truncated(read_text(SHARED, format="toml"), 60).mean_times()[1,]


@pytest.mark.parametrize(
    ("text", "criterion", "mean", "jobs", "published"),
    [
        (single("9/10", "1"), STRICT, 9.0, 65, 18.0),
        (PRIORITY, STRICT, 1.5, 18, 4.0),
        (SHARED, STRICT, 2.0, 10, 3.0),
        (TANDEM, CORRECTED, 4.13, 48, 12.2),
        (TANDEM_ONE_PIECE, FLUID, 12.0, 129, 25.0),
        (TANDEM, STRICT, 21.5, 108, 44.6),
    ],
)
def test_table_of_the_theory(text: str, criterion: Criterion, mean: float, jobs: int, published: float) -> None:
    """Theory 10.8: E|X|, the first n with P(|X| > n) <= 1/1000, and E|X| by the published constants."""
    found = tails_of(text, criterion)
    assert float(found.mean_jobs) == pytest.approx(mean, rel=3e-3)
    assert found.jobs_above(jobs) <= F(1, 1000) < found.jobs_above(jobs - 1)
    assert float((found.published.mean - found.offset) / found.least) == pytest.approx(published, rel=3e-3)


# ---- what it is not for ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "criterion"),
    [(TANDEM, FLUID), (case_text("jsq-dedicated"), FLUID), (case_text("jackson-feedback-over"), Criterion.AUTO)],
)
def test_corrected_gradients_several_pieces_and_instability_give_nothing(text: str, criterion: Criterion) -> None:
    proof: Proof = proof_of(text, criterion)
    assert tails(proof) is None


def test_words_say_level_step_ratio_means_and_times() -> None:
    found = tails_of(SHARED, STRICT)
    assert list(in_words(found, ["K"])) == [
        "by condition S, V = number of jobs, under every Markov policy of the class:",
        "  P(V > 1 + m · 1) <= (1/2 (0.5))^(m+1), m = 0, 1, …",
        "  P(V >= 1 + n · 1) <= 21 · (13/8 (1.625))^-n, n = 1, 2, …",
        "  E V <= 2, E(number of jobs) <= 2",
        "  with the constants of the published bound: E V <= 3",
        "  mean time until few jobs are left: at most (V(x)) / 1",
        "  few: at most 1; from there it is empty after at most",
        "  (3)^1 · 3 in the mean: finite, and no more than that",
    ]
