"""Verdicts: the standard networks, bad scaling, tiny margins, other units of time and other names."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from catalogue.networks import (
    CASES,
    EXAMPLE_1,
    MAXIMUM,
    OPEN,
    case,
    decided,
    decided_case,
    expected,
    line_text,
    parallel_text,
    read,
    scaled,
    single_text,
)

from verify.certificate import certificate
from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.conditions.corrected import CorrectedProof
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request, decide
from verify.methods.registry import method
from verify.network.model import BufferNetwork
from verify.policies.instance import Instance
from verify.policies.policy import Policy

F = Fraction
MILLION = 10**6
#: Cases that are decided within seconds.
FAST = [name for name in CASES if name not in OPEN and not name.startswith(("paper-1-jsr", "paper-2-jsr", "bridge"))]
NOT_STABLE = [name for name in CASES if expected(name) in ("unstable", "not-stable")]
#: Those among them that a wrong method is known to certify.
TRAPS = [
    "lu-kumar-bad-priority",
    "rybko-stolyar-exit-priority",
    "rybko-stolyar-with-idle-station",
    "push-start-priority",
    "jsq-trap-max",
    "five-class-extreme-priority",
]


def verdict_of(text: str) -> Verdict:
    """The verdict, after its certificate has been accepted beside the file."""
    found = decided(read(text))
    if found.certificate:
        assert check_bytes(found.certificate, text.encode()).accepted
    else:
        assert found.decision.verdict is Verdict.UNDECIDED
    return found.decision.verdict


# ---- margins and scales --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("margin", [F(1, 10**6), F(1, 10**12), F(1, 10**40)])
def test_single_server_just_below_its_rate_is_stable(margin: Fraction) -> None:
    instance = read(single_text(1 - margin))
    assert decided(instance).decision.verdict is Verdict.STABLE
    decision = decide(instance, Request(criterion=Criterion.FLUID))
    assert isinstance(decision.proof, DriftProof)
    assert decision.proof.epsilon == margin
    assert check_bytes(certificate(decision.proof)).accepted


@pytest.mark.parametrize("rate", ["1", "1 + 5/100000000", "1000001/1000000", "2"])
def test_single_server_at_its_rate_or_above_is_unstable(rate: str) -> None:
    """Also at exactly 1, and 5·10⁻⁸ above it, which a float solver takes for 1."""
    assert verdict_of(single_text(rate)) is Verdict.UNSTABLE


@pytest.mark.parametrize("sequencing", ["fbfs", "lbfs", "non-idling"])
def test_line_with_rates_of_a_millionth_beside_a_million_is_stable(sequencing: str) -> None:
    """Arrivals at rate 1/10⁶, one visit at rate 10⁶, one at 3/10⁶."""
    text = line_text("121", [f"1/{MILLION}", f"{MILLION}/3", f"{MILLION}/4"], sequencing)
    assert verdict_of(text.replace('arrival_rate = "1"', f'arrival_rate = "1/{MILLION}"')) is Verdict.STABLE


@pytest.mark.parametrize("sequencing", ["fbfs", "lbfs", "non-idling"])
def test_line_with_rates_of_a_millionth_beside_a_million_over_load_1_is_unstable(sequencing: str) -> None:
    text = line_text("121", [f"1/{MILLION}", "1", f"{MILLION}"], sequencing)
    assert verdict_of(text.replace('arrival_rate = "1"', f'arrival_rate = "1/{MILLION}"')) is Verdict.UNSTABLE


@pytest.mark.parametrize("routing", ["jsq", "jsr"])
@pytest.mark.parametrize(
    ("arrival_rate", "answer"),
    [
        ("19/10", Verdict.STABLE),
        ("1999/1000", Verdict.STABLE),
        ("2", Verdict.UNSTABLE),
        ("2 + 1/1000000000", Verdict.UNSTABLE),
    ],
)
def test_parallel_servers_are_stable_exactly_below_their_capacity(
    routing: str, arrival_rate: str, answer: Verdict
) -> None:
    assert verdict_of(parallel_text(routing, arrival_rate, (1, 1))) is answer


def test_parallel_servers_of_a_millionth_are_stable() -> None:
    slow = F(1, MILLION)
    assert verdict_of(parallel_text("jsq", slow * F(19, 10), (slow, slow))) is Verdict.STABLE


@pytest.mark.parametrize("name", FAST)
def test_rates_times_7_thirds_change_no_verdict(name: str) -> None:
    """Another unit of time."""
    found = decided(scaled(case(name), F(7, 3)))
    assert found.decision.verdict is decided_case(name).decision.verdict
    assert check_bytes(found.certificate).accepted
    assert found.capacity.load == decided_case(name).capacity.load


@pytest.mark.parametrize("name", [name for name in FAST if expected(name) == "stable" and "jsq" not in name])
@pytest.mark.parametrize("factor", [F(1, MILLION), F(MILLION)])
def test_rates_in_millions_or_millionths_change_no_verdict(name: str, factor: Fraction) -> None:
    assert decided(scaled(case(name), factor)).decision.verdict is Verdict.STABLE


@pytest.mark.parametrize("name", FAST)
def test_order_of_servers_and_classes_changes_no_verdict(name: str) -> None:
    found = decided(backwards(case(name)))
    assert found.decision.verdict is decided_case(name).decision.verdict
    assert check_bytes(found.certificate).accepted


def backwards(instance: Instance) -> Instance:
    """Servers, and classes or buffers, listed from the last to the first."""
    network = instance.network
    servers = tuple(reversed(network.servers))
    if isinstance(network, BufferNetwork):
        changed = dataclasses.replace(network, servers=servers, buffers=tuple(reversed(network.buffers)))
        return dataclasses.replace(instance, network=changed)
    return dataclasses.replace(
        instance, network=dataclasses.replace(network, servers=servers, classes=tuple(reversed(network.classes)))
    )


# ---- what is never certified ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NOT_STABLE)
@pytest.mark.parametrize("asked", ["linear", "explicit", "down-meyn"])
def test_case_that_is_not_stable_is_never_certified(name: str, asked: str) -> None:
    decision = decide(case(name), Request(method(asked), time_limit=2))
    assert decision.verdict is not Verdict.STABLE
    assert not isinstance(decision.proof, DriftProof | CorrectedProof)


@pytest.mark.parametrize("name", TRAPS)
@pytest.mark.parametrize("criterion", [Criterion.FLUID, Criterion.STRICT, Criterion.PAPER])
def test_trap_is_never_certified_under_any_criterion(name: str, criterion: Criterion) -> None:
    decision = decide(case(name), Request(criterion=criterion, time_limit=2))
    assert decision.verdict is not Verdict.STABLE


def test_paper_criterion_alone_never_decides() -> None:
    """P holds for V = max(x_1, x_2); asked for P alone, the tool says nothing."""
    text = parallel_text("jsq", "19/10", (1, 1), MAXIMUM)
    decision = decide(read(text), Request(criterion=Criterion.PAPER))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.given is not None
    assert (decision.given.paper_holds, decision.given.paper_worst) == (True, F(-1))


@pytest.mark.parametrize(("arrival_rate", "holds"), [("19/10", True), ("5/2", False)])
def test_given_function_is_reported_under_every_condition(arrival_rate: str, holds: bool) -> None:
    """Also where condition N has decided."""
    given = decide(read(parallel_text("jsq", arrival_rate, (1, 1), MAXIMUM)), Request()).given
    assert given is not None
    assert given.paper_holds
    assert [bool(evaluation.holds) for evaluation in given.evaluations] == [holds, False]


def test_given_dominance_function_of_example_1_is_the_proof() -> None:
    decision = decided_case("paper-1-jsr").decision
    assert (decision.verdict, decision.method) == (Verdict.STABLE, "explicit")
    assert decision.given is not None
    assert decision.given.paper_worst == F(-81, 1024)
    assert isinstance(decision.proof, DriftProof)
    assert decision.proof.spec == decision.proof.walk.instance.policy.dominance_function
    assert len(decision.proof.trees) == 35


def test_chosen_dominance_function_is_part_of_what_is_proved() -> None:
    found = decided_case("paper-1-jsr-own-parameters")
    assert found.instance.policy.dominance_function is None
    assert isinstance(found.decision.proof, DriftProof)
    proved: Policy = found.decision.proof.walk.instance.policy
    assert proved.dominance_function is not None
    assert proved.tie_order == {"3": ("c2.r3.1", "c1.r1.2")}


def test_no_time_is_undecided() -> None:
    decision = decide(read(EXAMPLE_1), Request(time_limit=0))
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.attempts
