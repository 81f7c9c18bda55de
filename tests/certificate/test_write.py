"""Certificates: what is written, that the checker has accepted the very bytes, and that no other network passes."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import pytest
from catalogue.networks import (
    CASES,
    OPEN,
    SLOW,
    case_text,
    decided,
    decided_by_pieces,
    decided_case,
    expected,
    read,
    scaled,
    with_arrivals,
)

from verify.certificate import certificate, certificate_of
from verify.checker import check_bytes
from verify.conditions.capacity import CapacityProof
from verify.conditions.condition import Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request
from verify.errors import InternalError
from verify.network_file.write import instance_to_file_json, instance_to_json

F = Fraction
DECIDED = [name for name in CASES if name not in OPEN | SLOW]
PROVED = [name for name in DECIDED if expected(name) in ("stable", "not-unstable")]


@pytest.mark.parametrize("name", DECIDED)
def test_certificate_has_the_network_and_policy_in_the_forms_of_the_format(name: str) -> None:
    found = decided_case(name)
    written = json.loads(found.certificate)
    assert next(iter(written)) == "format"
    proof = found.decision.proof
    instance = proof.walk.instance if isinstance(proof, DriftProof) else found.instance
    forms = instance_to_json(instance)
    assert (written["network"], written["policy"]) == (forms["network"], forms["policy"])
    assert found.certificate.isascii()
    assert found.certificate.endswith(b"}\n")


@pytest.mark.parametrize("name", DECIDED)
def test_certificate_is_written_twice_with_the_same_bytes(name: str) -> None:
    found = decided_case(name)
    assert certificate_of(found.decision) == found.certificate


@pytest.mark.parametrize("name", DECIDED)
def test_certificate_claims_the_exact_number(name: str) -> None:
    found = decided_case(name)
    claim = json.loads(found.certificate)["claim"]
    if found.decision.verdict is Verdict.UNSTABLE and claim["condition"] == "capacity":
        assert F(claim["load"]) == found.capacity.load >= 1
    elif found.decision.proof is not None and found.decision.proof.epsilon is not None:
        assert F(claim["epsilon"]) == found.decision.proof.epsilon > 0
    else:
        pytest.fail("neither a load nor an epsilon")


@pytest.mark.parametrize("name", DECIDED)
def test_certificate_is_accepted_beside_its_file_written_as_json(name: str) -> None:
    found = decided_case(name)
    beside = json.dumps(instance_to_file_json(found.instance)).encode()
    assert check_bytes(found.certificate, beside, network_format="json").accepted


@pytest.mark.parametrize("name", DECIDED)
def test_certificate_beside_another_network_is_refused(name: str) -> None:
    """Arrivals a little faster or slower; another unit of time."""
    found = decided_case(name)
    changed = [with_arrivals(found.instance, factor) for factor in (F(999, 1000), F(1001, 1000))]
    for instance in (*changed, scaled(found.instance, F(2))):
        beside = json.dumps(instance_to_file_json(instance)).encode()
        answer = check_bytes(found.certificate, beside, network_format="json")
        assert (answer.accepted, answer.rule) == (False, "same-network")


@pytest.mark.parametrize("name", ["lu-kumar-fbfs", "jackson-feedback", "tandem-nine-tenths", "paper-1-jsr-longest"])
@pytest.mark.parametrize("sequencing", ["non-idling", "longest-queue"])
def test_certificate_beside_another_policy_is_refused(name: str, sequencing: str) -> None:
    found = decided_case(name)
    form = instance_to_file_json(found.instance)
    policy = form["policy"]
    assert isinstance(policy, dict)
    if policy["sequencing"] == sequencing:
        sequencing = "priority"
        policy["priority"] = {}
    form["policy"] = {key: value for key, value in policy.items() if key != "priority"} | {"sequencing": sequencing}
    answer = check_bytes(found.certificate, json.dumps(form).encode(), network_format="json")
    assert (answer.accepted, answer.rule) == (False, "same-policy")


def test_class_with_one_route_may_be_left_out_of_the_probabilities() -> None:
    text = """
servers = { 1 = { rate = 1 }, 2 = { rate = 1 } }
classes = [{ name = "a", arrival_rate = "1/4", routes = { r1 = ["1"], r2 = ["2"] } },
           { name = "b", arrival_rate = "1/4", routes = { s = ["1", "2"] } }]
policy = { routing = "bernoulli", sequencing = "fbfs", probabilities = { a = { r1 = "1/2", r2 = "1/2" } } }
"""
    found = decided(read(text))
    assert found.decision.verdict is Verdict.STABLE
    assert check_bytes(found.certificate, text.encode()).accepted


@pytest.mark.parametrize("name", PROVED)
def test_wrong_epsilon_is_never_written(name: str) -> None:
    """The writer runs the checker on the bytes it is about to hand out: what the prover got wrong stays inside."""
    proof = decided_by_pieces(name).decision.proof
    if isinstance(proof, DriftProof):
        for wrong in (proof.epsilon * 2, proof.epsilon / 2, F(0), -proof.epsilon):
            with pytest.raises(InternalError):
                certificate(dataclasses.replace(proof, epsilon=wrong))


def test_wrong_load_is_never_written() -> None:
    found = decided_case("twice-at-one-server-over")
    with pytest.raises(InternalError):
        certificate(CapacityProof(found.instance, dataclasses.replace(found.capacity, load=F(2))))
    stable = decided_case("tandem-nine-tenths")
    with pytest.raises(InternalError):
        certificate(CapacityProof(stable.instance, stable.capacity))


def test_strict_certificate_of_a_single_server_is_accepted() -> None:
    text = case_text("global-mm1-0")
    found = decided(read(text + '\n[test_function]\npieces = [{ "a.1" = 1 }]\n'), Request(criterion=Criterion.STRICT))
    claim = json.loads(found.certificate)["claim"]
    assert (claim["condition"], claim["epsilon"]) == ("strict", "1")
    assert check_bytes(found.certificate, text.encode()).accepted


def test_undecided_has_no_certificate() -> None:
    found = decided(read(case_text("paper-1-jsr")), Request(time_limit=0))
    assert found.decision.verdict is Verdict.UNDECIDED
    assert certificate_of(found.decision) is None
