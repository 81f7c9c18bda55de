"""Simulated means against closed forms: the 99.9 % interval of 20 independent replications contains the true value."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from catalogue.networks import case, line_text, parallel_text, read, single_text

from verify.policies.instance import Instance
from verify.policies.jumps import Rule
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.simulate import Plan, Simulation, chain_to_run, replicate

PLAN = Plan(seed=20, replications=20, jumps=30_000, warm_up=0.2, confidence=0.999)

TWO_CLASSES = """
servers = { 1 = {} }
classes = [
    { name = "a", arrival_rate = "1/2", routes = { r = [{ server = "1", rate = "2" }] } },
    { name = "b", arrival_rate = "1/2", routes = { r = [{ server = "1", rate = "1" }] } },
]
[policy]
sequencing = "priority"
priority.1 = ["a.1", "b.1"]
"""


def ran(instance: Instance, plan: Plan = PLAN) -> Simulation:
    return replicate(chain_to_run(instance), plan)


def contains(found: Estimate, value: Fraction | float) -> bool:
    return found.low <= value <= found.high


def single(load: Fraction) -> Fraction:
    """Mean number of jobs of M/M/1."""
    return load / (1 - load)


def preempted() -> Fraction:
    """Mean number of jobs of class b above: preemptive resume, T_b = (1/mu_b)/(1-rho_a) + R/((1-rho_a)(1-rho_a-rho_b)), where
    R = lambda_a/mu_a^2 + lambda_b/mu_b^2 is the mean residual work of one job in service."""
    rho_a, rho_b, rate = Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)
    residual = rate / 4 + rate
    return rate * (1 / (1 - rho_a) + residual / ((1 - rho_a) * (1 - rho_a - rho_b)))


CASES: Mapping[str, tuple[str, dict[str, Fraction], Fraction]] = {
    "M/M/1": (single_text("3/5"), {"a.r.1": single(Fraction(3, 5))}, Fraction(2, 5)),
    "tandem in product form": (
        line_text("12", ("1/2", "4/3"), "fbfs").replace('"1"', '"1/2"', 1),
        {"a.r.1": single(Fraction(1, 4)), "a.r.2": single(Fraction(2, 3))},
        Fraction(3, 4) * Fraction(1, 3),
    ),
    "two classes, preemptive priority": (
        TWO_CLASSES,
        {"a.r.1": single(Fraction(1, 4)), "b.r.1": preempted()},
        Fraction(1, 4),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_simulate_means_agree_with_the_closed_form(name: str) -> None:
    text, means, empty = CASES[name]
    found = ran(read(text))
    for k, buffer in enumerate(found.names):
        assert contains(found.jobs(k), means[buffer]), buffer
    assert contains(found.jobs(), sum(means.values()))
    assert contains(found.empty(), empty)


def test_simulate_jackson_network_with_feedback_has_the_product_form() -> None:
    """Traffic: x1 = λ + x2/2, x2 = x1/2, so x1 = 4λ/3, x2 = 2λ/3; loads 8/9 and 5/6 times the case's parameter."""
    instance = case("jackson-feedback")
    (arrival,) = [b.arrival_rate for b in instance.network.buffers if b.arrival_rate]  # type: ignore[union-attr]
    rates = [activity.rate for activity in instance.network.activities]  # type: ignore[union-attr]
    loads = [arrival * Fraction(4, 3) / rates[0], arrival * Fraction(2, 3) / rates[1]]
    found = ran(instance, Plan(seed=4, replications=20, jumps=60_000, warm_up=0.3, confidence=0.999))
    assert [contains(found.jobs(k), single(load)) for k, load in enumerate(loads)] == [True, True]


def test_simulate_two_servers_under_jsq_lie_between_one_queue_and_two_blind_ones() -> None:
    """M/M/2 with one queue (4/3 jobs at load 1/2) is better, two M/M/1 fed by coin flips (2 jobs) are worse; by symmetry both
    servers have the same mean."""
    found = ran(read(parallel_text("jsq", 1, (1, 1))))
    assert Fraction(4, 3) < found.jobs().low < found.jobs().high < 2
    assert contains(found.estimate(lambda path: path.means[0] - path.means[1]), 0)


@pytest.mark.parametrize("rule", Rule)
def test_simulate_free_choice_between_equal_rates_does_not_change_the_total(rule: Rule) -> None:
    """Work conservation: with one rate for all classes the total is that of M/M/1 whatever is served."""
    text = TWO_CLASSES.replace('rate = "2"', 'rate = "1"').replace('arrival_rate = "1/2"', 'arrival_rate = "1/4"')
    text = text.replace('sequencing = "priority"\npriority.1 = ["a.1", "b.1"]', 'sequencing = "non-idling"')
    found = ran(read(text), Plan(seed=9, replications=20, jumps=20_000, confidence=0.999, rule=rule))
    assert contains(found.jobs(), 1)


def test_simulate_bernoulli_splits_a_stream_into_independent_ones() -> None:
    text = parallel_text("bernoulli", 1, (1, 1)) + 'probabilities = { a = { r1 = "1/4", r2 = "3/4" } }\n'
    found = ran(read(text))
    assert contains(found.jobs(0), single(Fraction(1, 4)))
    assert contains(found.jobs(1), single(Fraction(3, 4)))


def test_simulate_growth_of_an_overloaded_queue_is_the_excess_of_its_arrivals() -> None:
    found = ran(read(single_text(2)), Plan(seed=3, replications=20, horizon=1000, confidence=0.999))
    assert contains(found.growth({0: Fraction(1)}), 1)


def test_simulate_growth_of_a_stable_queue_is_none() -> None:
    found = ran(read(single_text("1/2")), Plan(seed=3, replications=20, horizon=2000, confidence=0.999))
    assert contains(found.growth({0: Fraction(1)}), 0)
    assert found.growth({0: Fraction(1)}).half_width < 1 / 100


@pytest.mark.parametrize(
    ("name", "start"), [("rybko-stolyar-exit-priority", "a.r1.1"), ("lu-kumar-bad-priority", "a.r1.1")]
)
def test_simulate_growth_of_an_unstable_priority_is_positive_although_all_loads_are_seven_tenths(
    name: str, start: str
) -> None:
    """The virtual load is 6/5: the two last visits are never served together."""
    plan = Plan(seed=5, replications=10, horizon=3000, confidence=0.999, start={start: 300})
    found = ran(case(name), plan)
    everything = dict.fromkeys(range(len(found.names)), Fraction(1))
    assert found.growth(everything).low > 0
