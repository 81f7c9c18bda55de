"""Verdicts and claims where several servers share a buffer."""

from __future__ import annotations

import json

import pytest

from verify.certificate import certificate_of
from verify.conditions.condition import Verdict
from verify.decide import Decision, Request, decide
from verify.policies.instance import Instance

from .cases import FORK, HELPED, N_MODEL, PAIR, ordered


def claimed(instance: Instance) -> tuple[Decision, str]:
    """The decision and the sentence of its certificate, which the checker has accepted."""
    decision = decide(instance, Request())
    written = certificate_of(decision)
    return decision, "" if written is None else json.loads(written)["claim"]["words"]


def test_helped_server_is_not_stable_when_anybody_may_take_the_job() -> None:
    """A is free for D only while K is empty, 1/3 of the time, if it takes lone jobs: 1/3 < 9/20."""
    decision, words = claimed(ordered(HELPED))
    assert decision.verdict is not Verdict.STABLE
    assert "under server order K: A > B" in words
    assert "under every adapted policy" not in words


def test_helped_server_with_an_order_is_what_the_order_makes_it() -> None:
    decision, words = claimed(ordered(HELPED, K="BA"))
    assert decision.verdict is Verdict.STABLE
    assert "server order K: B > A" in words
    decision, words = claimed(ordered(HELPED, K="AB"))
    assert decision.verdict is Verdict.UNSTABLE
    assert "under every adapted policy" in words


def test_fork_is_unstable_for_one_witness_only() -> None:
    """B may take every single job, and then hardly anything reaches L."""
    decision, words = claimed(ordered(FORK))
    assert decision.verdict is Verdict.UNSTABLE
    assert words.startswith("UNSTABLE: for one witness policy")
    assert "under server order K: A > B" in words


@pytest.mark.parametrize(("order", "verdict"), [("12", Verdict.STABLE), ("21", Verdict.UNSTABLE)])
def test_n_model_depends_on_who_takes_a_lone_job(order: str, verdict: Verdict) -> None:
    """Server 2 is free for q2 in 7/33 of the time (less than 2/5) if it takes lone jobs of q1, else in 163/330."""
    assert claimed(ordered(N_MODEL, q1=order))[0].verdict is verdict


def test_n_model_unstable_says_that_server_2_takes_a_lone_job() -> None:
    decision, words = claimed(ordered(N_MODEL))
    assert decision.verdict is Verdict.UNSTABLE
    assert words.startswith("UNSTABLE: for one witness policy")
    assert "under server order q1: 2 > 1" in words


def test_pair_is_stable_up_to_two_whoever_takes_the_job() -> None:
    for rate, verdict in (("199/100", Verdict.STABLE), ("2", Verdict.UNSTABLE)):
        decision, words = claimed(ordered(PAIR.replace("arrival_rate = 1 ", f'arrival_rate = "{rate}" ')))
        assert decision.verdict is verdict
        assert ("server order free" in words) is (verdict is Verdict.STABLE)


def test_comparing_words_with_shared_buffers_are_not_decided_in_cells() -> None:
    """What a server does at few jobs is not modelled there; the obstacle says so."""
    text = HELPED.replace('"priority"\npriority = { A = ["K", "D"] }', '"longest-queue"').replace("9/20", "99/100")
    decision = decide(ordered(text), Request())
    reasons = [attempt.reason for attempt in decision.attempts]
    assert decision.verdict is not Verdict.UNSTABLE
    if decision.verdict is Verdict.UNDECIDED:
        assert any("several servers at one buffer (K)" in reason for reason in reasons)
