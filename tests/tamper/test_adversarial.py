"""Certificates written to fool the checker: each is stopped by exactly the rule its table says."""

from __future__ import annotations

import pytest
from oracles.brute_force import BruteForce

from verify.checker import Malformed, check_bytes

from .lies import FBFS_ORDER, bad_priority
from .mutate import encode
from .table import FOLDER, LIES, Lie, corpus

#: Beside the network file they are refused for what they say, not because it is false.
TRUE_ALONE = {"light-network-beside-a-heavy-file", "other-policy-beside-the-file"}


def stopped_by(lie: Lie) -> str:
    """The rule, "malformed", or "" if the certificate is accepted."""
    data = (FOLDER / f"{lie.name}.json").read_bytes()
    beside = None if lie.beside is None else (FOLDER / f"{lie.name}.toml").read_bytes()
    try:
        return check_bytes(data, beside).rule
    except Malformed:
        return "malformed"


def test_adversarial_files_and_table_are_the_lies() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert found == corpus()


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_adversarial_false_claim_is_stopped_by_its_rule(lie: Lie) -> None:
    assert stopped_by(lie) == lie.rule


@pytest.mark.parametrize("lie", [lie for lie in LIES if lie.name not in TRUE_ALONE], ids=lambda lie: lie.name)
def test_adversarial_claim_is_false_for_brute_force_as_well(lie: Lie) -> None:
    assert BruteForce(points=100).objections((FOLDER / f"{lie.name}.json").read_bytes())


@pytest.mark.parametrize("name", sorted(TRUE_ALONE))
def test_adversarial_true_certificate_of_something_else_is_accepted_alone(name: str) -> None:
    data = (FOLDER / f"{name}.json").read_bytes()
    assert check_bytes(data).accepted
    assert BruteForce(points=100).objections(data) == []


def test_adversarial_first_buffers_first_is_true_with_its_own_words() -> None:
    """The evidence of several lies is right for the policy it was made for."""
    certificate = encode(bad_priority(FBFS_ORDER))
    assert check_bytes(certificate).accepted
    assert BruteForce(points=100).objections(certificate) == []
