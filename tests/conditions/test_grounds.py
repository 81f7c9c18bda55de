"""(0) and (R): V grows with the number of jobs, and every job can leave."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from catalogue.networks import CASES, EXAMPLE_1, MAXIMUM, decided, line_text, parallel_text, read
from chain.cases import walked_case

from verify.chain.components import Jump, branches_with_alternatives
from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.conditions.grounds import Grounds, grounds, lower_bound, potential
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import walk

from .faces import question

F = Fraction


def test_lower_bound_of_a_positive_piece_is_its_least_weight() -> None:
    found = lower_bound(PiecewiseLinear.of({0: F(1)}, {0: F(2), 1: F(1, 3)}, {0: F(1, 2), 1: F(1, 2)}), 2)
    assert found is not None
    assert (found.theta, found.c) == ({2: F(1)}, F(1, 2))


def test_lower_bound_of_a_maximum_is_an_average() -> None:
    _, function = question(parallel_text("jsq", "1", (1, 1), MAXIMUM))
    found = lower_bound(function, 2)
    assert found is not None
    assert (found.theta, found.c) == ({0: F(1, 2), 1: F(1, 2)}, F(1, 2))
    uneven = lower_bound(PiecewiseLinear.of({0: F(1)}, {1: F(3)}), 2)
    assert uneven is not None
    assert (uneven.theta, uneven.c) == ({0: F(3, 4), 1: F(1, 4)}, F(3, 4))


def test_lower_bound_is_the_average_it_states() -> None:
    chain, function = question(EXAMPLE_1)
    found = lower_bound(function, len(chain.expansion.buffers))
    assert found is not None
    assert sum(found.theta.values()) == 1
    assert min(found.theta.values()) > 0
    means = [
        sum((theta * function.pieces[i].get(k, F(0)) for i, theta in found.theta.items()), F(0))
        for k in range(len(chain.expansion.buffers))
    ]
    assert min(means) == found.c > 0


def test_lower_bound_of_a_function_that_vanishes_somewhere_is_none() -> None:
    assert lower_bound(PiecewiseLinear.of({0: F(1)}, {0: F(2)}), 2) is None


def level_after(jump: Jump, served: int, levels: Mapping[int, Fraction]) -> Fraction:
    """φ of the job that has been served."""
    left = [k for k, change in jump.change.items() if change > 0]
    return levels[left[0]] if left else F(0) if jump.change else levels[served]


@pytest.mark.parametrize("name", CASES)
def test_potential_falls_with_every_service_that_may_follow(name: str) -> None:
    chain = walked_case(name)
    levels = potential(chain.components, len(chain.expansion.buffers))
    assert levels is not None
    assert set(levels) == set(range(len(chain.expansion.buffers)))
    assert min(levels.values()) == 1
    for _, alternative in branches_with_alternatives(chain.components):
        if alternative.serves is not None:
            assert (
                min(level_after(jump, alternative.serves, levels) for jump in alternative.jumps)
                < levels[alternative.serves]
            )


def test_potential_of_a_line_counts_the_visits_that_are_left() -> None:
    chain = walk(read(line_text("121", ["1", "1", "1"], "fbfs")))
    assert potential(chain.components, 3) == {0: F(3), 1: F(2), 2: F(1)}


FEEDBACK = """
servers = { A = {}, B = {} }
buffers = [{ name = "q", arrival_rate = "1/2" }, { name = "p" }]
policy = { sequencing = "non-idling" }
[[activities]]
server = "A"
buffer = "q"
rate = 2
[[activities]]
server = "B"
buffer = "q"
rate = 1
next = { p = "1/2", q = "1/2" }
[[activities]]
server = "A"
buffer = "p"
rate = 2
"""


def test_potential_does_not_take_feedback_to_the_same_buffer_for_an_exit() -> None:
    chain = walk(read(FEEDBACK))
    assert potential(chain.components, 2) == {0: F(2), 1: F(1)}
    found = decided(read(FEEDBACK))
    assert found.decision.verdict is Verdict.STABLE
    assert check_bytes(found.certificate, FEEDBACK.encode()).accepted


FLEXIBLE = """
servers = { A = {}, B = {} }
buffers = [{ name = "p", arrival_rate = "1/4" }, { name = "q" }]
policy = { sequencing = "non-idling" }
[[activities]]
server = "A"
buffer = "p"
rate = 1
[[activities]]
server = "B"
buffer = "p"
rate = 1
next = { q = 1 }
[[activities]]
server = "B"
buffer = "q"
rate = 1
next = { p = 1 }
"""


def test_potential_of_an_activity_that_may_keep_its_jobs_is_none() -> None:
    """B may send jobs round between p and q for ever, although A could let them leave."""
    chain = walk(read(FLEXIBLE))
    assert potential(chain.components, 2) is None
    found = grounds(chain, PiecewiseLinear.of({0: F(1), 1: F(1)}))
    assert isinstance(found, str)
    assert found.startswith("(R) fails")


@pytest.mark.parametrize("name", ["paper-1-jsr", "jackson-feedback", "paper-1-jsq", "rybko-stolyar-exit-priority"])
def test_grounds_of_work_conserving_policies_are_complete(name: str) -> None:
    chain = walked_case(name)
    one = PiecewiseLinear.of(dict.fromkeys(range(len(chain.expansion.buffers)), F(1)))
    found = grounds(chain, one)
    assert isinstance(found, Grounds)
    assert found.lower.c == 1
