"""The lower bound by work against closed forms, hand computations and simulations (theory 13.10)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import case, line_text, parallel_text, read, single_text

from studies.bounds.networks import FEEDBACK, SHARED, TWO_CLASSES, series
from verify.linear_form import LinearForm
from verify.policies.instance import Instance
from verify.policies.jumps import Rule
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise, pathwise
from verify.studies.simulation.simulate import Plan, chain_to_run, replicate

#: Mean work of a job of TWO_CLASSES in each buffer.
WORK = LinearForm({0: Fraction(1, 2), 1: Fraction(1)})


def value(instance: Instance, of: LinearForm | None = None) -> Fraction:
    found = pathwise(instance, of or objective(instance).of)
    assert isinstance(found, Pathwise)
    return found.value


@pytest.mark.parametrize("load", ["1/10", "1/2", "9/10", "999/1000"])
def test_pathwise_of_a_single_queue_is_its_mean(load: str) -> None:
    rho = Fraction(load)
    assert value(read(single_text(load))) == rho / (1 - rho)


def test_pathwise_of_a_queue_with_feedback_is_its_mean() -> None:
    """Rate 2 · 3/4 = 3/2 of whole jobs: load 2/3, and the second moments of random routes are counted."""
    assert value(read(FEEDBACK)) == 2


def test_pathwise_of_the_work_at_one_server_is_that_of_the_single_queue_with_two_kinds_of_work() -> None:
    """λ E S² = 1/2 · 2/4 + 1/4 · 2 = 3/4, load 1/2: 3/4 over twice a half.  Every non-idling policy has just that."""
    assert value(read(TWO_CLASSES), WORK) == Fraction(3, 4)
    for rule in Rule:
        found = replicate(chain_to_run(read(TWO_CLASSES)), Plan(seed=8, jumps=40_000, rule=rule, confidence=0.999))
        simulated = found.estimate(lambda path: path.means[0] / 2 + path.means[1])
        assert simulated.low <= Fraction(3, 4) <= simulated.high


def test_pathwise_of_a_line_brings_all_its_work_for_a_server_at_once() -> None:
    """Three visits of mean 1/5, 1/4, 1/10, the first and the last at server 1: S has mean 3/10 and second moment 9/100 + 1/25 + 1/100,
    and the mean work of the jobs is the least one, since no other inequality asks for more."""
    instance = read(line_text("121", ("1/5", "1/4", "1/10"), "fbfs"))
    work = LinearForm({0: Fraction(3, 10), 1: Fraction(1, 10), 2: Fraction(1, 10)})
    assert value(instance, work) == Fraction(14, 100) / (2 * Fraction(7, 10))


def test_pathwise_of_two_queues_in_series_is_the_number_of_the_theory() -> None:
    assert value(series()) == Fraction(4, 3)
    assert pathwise(series(), objective(series()).of) == Pathwise(Fraction(4, 3), ("A",))


def test_pathwise_of_a_shared_buffer_counts_both_servers() -> None:
    """The servers together are at work on one job on average, and the pooled queue of rate 2 has one job."""
    assert value(read(SHARED)) == 1


@pytest.mark.parametrize("routing", ["jsq", "jsr"])
def test_pathwise_under_routing_by_state_is_the_pooled_queue(routing: str) -> None:
    assert value(read(parallel_text(routing, "9/5", (1, 1)))) == 9


def test_pathwise_under_jsq_as_is_about_the_queues_of_servers() -> None:
    instance = case("paper-2-jsq-as")
    whole = objective(instance).of
    assert value(instance) == Fraction(10, 3)
    assert value(instance, whole * Fraction(2)) == Fraction(20, 3)
    assert value(instance, LinearForm.unit(0)) == 0  # the other subserver of its server may have all jobs


@pytest.mark.parametrize(
    "name",
    ["lu-kumar-fbfs", "jsr-two-servers", "jsq-recombining-routes", "paper-2-jsq-as", "ring-three-stations-light"],
)
def test_pathwise_is_below_what_is_simulated(name: str) -> None:
    instance = case(name)
    found = replicate(chain_to_run(instance), Plan(seed=3, jumps=10_000, confidence=0.999))
    assert value(instance) <= found.jobs().high


def test_pathwise_at_capacity_or_with_negative_weights_is_none() -> None:
    assert pathwise(read(single_text("1")), LinearForm.unit(0)) == "some server is at its capacity"
    assert "negative" in str(pathwise(series(), LinearForm({0: Fraction(1), 1: Fraction(-1)})))
