"""The plainest functions first, time limits of decisions, and what is said of sizes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import parallel_text, read

from verify.budget import Budget
from verify.conditions.condition import Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request, decide
from verify.functions.explicit import MOST_PIECES
from verify.methods.programs.plain import plain_functions, with_fixed_function, work_left
from verify.network_file.read import read_text
from verify.policies.compose import walk
from verify.policies.instance import Instance

F = Fraction


def equal_servers(number: int, load: Fraction) -> Instance:
    """jsq to equal servers of rate 1."""
    routes = ", ".join(f'r{k} = ["{k}"]' for k in range(number))
    servers = ", ".join(f"{k} = {{ rate = 1 }}" for k in range(number))
    text = f'servers = {{ {servers} }}\n[[classes]]\nname = "c"\narrival_rate = "{load * number}"\nroutes = {{ {routes} }}\n'
    return read_text(text + '[policy]\nrouting = "jsq"\n', format="toml")


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7])
def test_jsq_on_equal_servers_is_certified_by_the_number_of_jobs_with_the_whole_slack(number: int) -> None:
    """ε is Σμ − λ, the best there is for V = number of jobs: no order of rows decides."""
    decision = decide(equal_servers(number, F(9, 10)), Request(criterion=Criterion.FLUID))
    assert decision.verdict is Verdict.STABLE
    assert isinstance(decision.proof, DriftProof)
    assert decision.proof.epsilon == F(number, 10)
    assert set(decision.proof.function.pieces[0].values()) == {F(1)}


def test_fixed_function_that_does_not_fall_is_refused() -> None:
    chain = walk(equal_servers(2, F(11, 10)))
    for _, weights in plain_functions(chain.expansion):
        assert with_fixed_function(chain, weights, Budget(1000)) is None


def test_work_left_is_the_mean_service_to_come() -> None:
    text = """
servers = { 1 = {}, 2 = {} }
buffers = [{ name = "a", arrival_rate = "1/9" }, { name = "b" }]
[[activities]]
server = "1"
buffer = "a"
mean = 2
next = { b = "1/2", a = "1/4" }
[[activities]]
server = "2"
buffer = "b"
mean = 4
"""
    found = work_left(walk(read_text(text, format="toml")).expansion)
    # w_a = 2 + w_a / 4 + w_b / 2, w_b = 4: 16/3 and 4.
    assert found == {0: F(1), 1: F(3, 4)}


def test_work_left_needs_jobs_without_a_choice() -> None:
    assert work_left(walk(read(parallel_text("jsq", 1, (1, 1)))).expansion) is None


def big_template(rate: str = "1/2") -> Instance:
    """Ten routes of three visits under dominant: 4^10 - 1 pieces."""
    servers = ", ".join(f"s{k} = {{ rate = 1 }}" for k in range(10))
    routes = ", ".join(f'r{k} = ["s{k}", "s{(k + 1) % 10}", "s{(k + 2) % 10}"]' for k in range(10))
    text = f'servers = {{ {servers} }}\n[[classes]]\nname = "c"\narrival_rate = "{rate}"\nroutes = {{ {routes} }}\n'
    policy = '[policy]\nrouting = "jsr"\nsequencing = "dominant"\n[policy.dominance_function]\ntemplate = "explicit"\n'
    return read_text(text + policy + 'alpha = "9/10"\nbeta = "9/10"\ngamma = "9/10"\n', format="toml")


def test_template_of_a_million_pieces_is_refused_by_its_size_before_it_is_built() -> None:
    decision = decide(big_template(), Request())
    assert decision.verdict is Verdict.UNDECIDED
    assert f"an explicit template of {4**10 - 1} pieces; a certificate may have {MOST_PIECES}" in [
        reason for attempt in decision.attempts for reason in attempt.reason.split(": ")
    ]


def test_condition_n_decides_whatever_the_size_of_the_template() -> None:
    decision = decide(big_template("4"), Request())
    assert (decision.verdict, decision.method) == (Verdict.UNSTABLE, "capacity")


def test_time_limit_answers_undecided_and_says_what_was_under_way() -> None:
    decision = decide(equal_servers(12, F(9, 10)), Request(criterion=Criterion.FLUID, time_limit=0.2))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.attempts[0].reason.startswith("the time limit of 0.2 s was reached, during: ")


def test_time_limit_before_condition_n_is_undecided_without_a_load() -> None:
    decision = decide(equal_servers(3, F(2)), Request(time_limit=1e-9))
    if decision.capacity is None:
        assert decision.verdict is Verdict.UNDECIDED
        assert "condition N" in decision.attempts[0].reason
    else:
        assert decision.verdict is Verdict.UNSTABLE
