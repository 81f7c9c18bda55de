"""The simulation's assignments against all admissible ones, and the shares of time that the verdicts rest on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from naive.step import joint

from verify.policies.compose import walk
from verify.policies.instance import Instance
from verify.policies.integers import IntegerChain
from verify.policies.jumps import Rule
from verify.studies.simulation.simulate import Plan, replicate

from .cases import HELPED, N_MODEL, PAIR, ordered

F = Fraction


def working(instance: Instance, **jobs: int) -> list[dict[str, str | None]]:
    """Who works where, in all admissible ways."""
    found = joint(instance, jobs)
    return [{server: None if task is None else task.buffer for server, task in one.items()} for one in found]


def test_a_lone_job_has_one_server() -> None:
    assert working(ordered(PAIR), K=0) == [{"A": None, "B": None}]
    assert working(ordered(PAIR), K=1) == [{"A": "K", "B": None}, {"A": None, "B": "K"}]
    assert working(ordered(PAIR), K=2) == [{"A": "K", "B": "K"}]
    assert working(ordered(PAIR, K="BA"), K=1) == [{"A": None, "B": "K"}]


def test_a_server_does_something_else_when_its_favourite_is_taken() -> None:
    assert working(ordered(HELPED), K=1, D=1) == [{"A": "K", "B": None}, {"A": "D", "B": "K"}]
    assert working(ordered(HELPED, K="AB"), K=1, D=1) == [{"A": "K", "B": None}]
    assert working(ordered(HELPED, K="BA"), K=1, D=1) == [{"A": "D", "B": "K"}]
    assert working(ordered(HELPED), K=2, D=1) == [{"A": "K", "B": "K"}]


def free(instance: Instance, buffer: str, other: str, server: str) -> Fraction:
    """Part of the time in which the server has no job of ``buffer``, a birth-death chain, when ``other`` is never empty."""
    arrivals = next(b.arrival_rate for b in instance.network.buffers if b.name == buffer)  # type: ignore[union-attr]
    weights, idle, weight = F(0), F(0), F(1)
    for x in range(3):
        (one,) = joint(instance, {buffer: x, other: 9})
        away = one[server] is None or one[server].buffer != buffer  # type: ignore[union-attr]
        if x < 2:
            weights, idle = weights + weight, idle + (weight if away else 0)
            (after,) = joint(instance, {buffer: x + 1, other: 9})
            weight *= arrivals / sum(t.rate for t in after.values() if t is not None and t.buffer == buffer)
            rate = sum((t.rate for t in one.values() if t is not None and t.buffer == buffer), F(0))
            assert rate == min(x, 2)
        else:  # from 2 on a geometric tail
            assert not away
            weights += weight / (1 - arrivals / 2)
    return idle / weights


def test_shares_of_time_on_both_sides_of_the_load() -> None:
    assert free(ordered(HELPED, K="AB"), "K", "D", "A") == F(1, 3) < F(9, 20)
    assert free(ordered(HELPED, K="BA"), "K", "D", "A") == F(2, 3) > F(9, 20)
    assert free(ordered(N_MODEL, q1="21"), "q1", "q2", "2") == F(7, 33) < F(2, 5)
    assert free(ordered(N_MODEL, q1="12"), "q1", "q2", "2") == F(7, 33) + F(91, 330) > F(2, 5)


def test_simulated_pair_has_the_mean_of_two_servers() -> None:
    """M/M/2 at load 1/2: mean 4/3; one server of double rate would have 1.  99.9 % intervals."""
    plan = Plan(
        seed=7, replications=12, horizon=None, jumps=40_000, warm_up=0.2, start={}, rule=Rule.FIRST, confidence=0.999
    )
    jobs = replicate(walk(ordered(PAIR)), plan).jobs(0)
    assert abs(jobs.mean - 4 / 3) <= jobs.half_width < 0.2


@pytest.mark.parametrize(("rule", "server"), [(Rule.FIRST, 0), (Rule.LAST, -1)])
def test_rules_take_the_first_and_the_last_assignment(rule: Rule, server: int) -> None:
    """Earlier servers take first, or later ones."""
    chain = walk(ordered(PAIR.replace('server = "B"\nbuffer = "K"\nrate = 1', 'server = "B"\nbuffer = "K"\nrate = 2')))
    options = IntegerChain(chain).decisions_at([1])[-1]
    assert options[server] == ((((0, -1),), F(1 if rule is Rule.FIRST else 2)),)
