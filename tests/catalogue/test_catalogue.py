"""Every case of the catalogue: the verdict is never wrong, and every certificate is accepted, alone and beside the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.conditions.corrected import CorrectedProof
from verify.conditions.drift import DriftProof

from .networks import CASES, OPEN, case, case_text, decided_case, expected

#: What the first line of a case allows the tool to say, besides UNDECIDED.
RIGHT = {
    "stable": {Verdict.STABLE},
    "unstable": {Verdict.UNSTABLE},
    "not-stable": {Verdict.UNSTABLE},
    "not-unstable": {Verdict.STABLE},
}


@pytest.mark.parametrize("name", CASES)
def test_catalogue_verdict_is_never_wrong(name: str) -> None:
    decision = decided_case(name).decision
    assert decision.verdict in RIGHT[expected(name)] | {Verdict.UNDECIDED}


@pytest.mark.parametrize("name", [name for name in CASES if name not in OPEN])
def test_catalogue_case_that_is_not_open_is_decided(name: str) -> None:
    assert decided_case(name).decision.verdict in RIGHT[expected(name)]


@pytest.mark.parametrize("name", CASES)
def test_catalogue_certificate_is_accepted_alone_and_beside_its_file(name: str) -> None:
    """A verdict comes with a certificate, UNDECIDED comes without one and with reasons."""
    found = decided_case(name)
    decision, certificate = found.decision, found.certificate
    if decision.verdict is Verdict.UNDECIDED:
        assert certificate == b""
        assert (decision.method, decision.proof) == (None, None)
        assert decision.attempts
        return
    alone = check_bytes(certificate)
    assert alone.accepted
    assert alone.words.startswith(f"{decision.verdict.upper()}: ")
    beside = check_bytes(certificate, case_text(name).encode())
    assert (beside.accepted, beside.words) == (True, alone.words)


@pytest.mark.parametrize("name", [name for name in CASES if expected(name) in ("unstable", "not-stable")])
def test_catalogue_case_that_is_not_stable_never_has_a_drift_proof(name: str) -> None:
    decision = decided_case(name).decision
    assert not isinstance(decision.proof, DriftProof | CorrectedProof)
    if decision.given is not None:
        assert not any(evaluation.holds for evaluation in decision.given.evaluations)


@pytest.mark.parametrize("name", CASES)
def test_catalogue_unstable_by_capacity_exactly_where_the_load_is_at_least_1(name: str) -> None:
    found = decided_case(name)
    assert (found.decision.method == "capacity") == (found.capacity.load >= 1)
    if found.decision.verdict is Verdict.STABLE:
        assert found.capacity.load < 1


def test_catalogue_every_network_stands_once() -> None:
    """Under its policy, and beside its test function if it has one; titles are no difference."""
    names: dict[str, list[str]] = {}
    for name in CASES:
        names.setdefault(repr(replace(case(name), title="", source="")), []).append(name)
    assert [same for same in names.values() if len(same) > 1] == []


def test_catalogue_open_cases_exist() -> None:
    assert set(CASES) >= OPEN
