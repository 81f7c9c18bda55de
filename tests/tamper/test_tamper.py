"""Mutated certificates (STYLE, rule of trust 6): a seeded sample; `python tests/tamper/run.py` tries ten thousand."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from oracles.brute_force import BruteForce
from random_networks.judge import certify

from verify.checker import check_bytes

from .bases import QUADRATIC, QUICK, STRICT, WEIGHTED, Base, certified, from_corpus
from .judge import Tally, tamper
from .mutate import encode

SEED = 3
#: Mutants before derived fields are put right; all of them would be some 400 for the smallest.
SAMPLE = {"quick": 70, "strict": 120, "corpus": 25}


@cache
def base(name: str, criterion: str = "") -> Base:
    found = certified(name, seconds=60, criterion=criterion)
    if found is None:
        pytest.fail(f"{name} is not decided any more")
    return found


def clean(tally: Tally) -> None:
    assert tally.defects == []
    assert tally.counts["accepted"] == tally.counts["justified"]
    assert tally.counts["rejected"] > tally.counts["accepted"]


@pytest.mark.parametrize("name", [*QUICK, *WEIGHTED])
def test_tamper_certificate_of_a_case_accepted_mutants_are_justified(name: str) -> None:
    brute = BruteForce(points=100)
    assert brute.objections(base(name).certificate) == []
    clean(tamper(base(name), SEED, SAMPLE["quick"], brute))


@pytest.mark.parametrize("name", QUADRATIC)
def test_tamper_quadratic_certificate_accepted_mutants_are_justified(name: str) -> None:
    brute, found = BruteForce(points=60), base(name, "quadratic")
    assert brute.objections(found.certificate) == []
    clean(tamper(found, SEED, SAMPLE["quick"], brute))


@pytest.mark.parametrize("name", STRICT)
def test_tamper_strict_certificate_accepted_mutants_are_justified(name: str) -> None:
    brute = BruteForce(points=100)
    assert brute.objections(base(name).certificate) == []
    clean(tamper(base(name), SEED, SAMPLE["strict"], brute))


@pytest.mark.parametrize("found", list(from_corpus()), ids=lambda found: found.name)
def test_tamper_corpus_certificate_accepted_mutants_are_justified(found: Base) -> None:
    tally = tamper(found, SEED, SAMPLE["corpus"], BruteForce(points=60))
    assert tally.defects == []


# ---- beside the network file -----------------------------------------------------------------------------------------


def line(**changes: Any) -> dict[str, Any]:
    """A line 1-2-2-1 under a priority, all of it in one document."""
    means = changes.pop("means", ["1/10", "1/5", "1/10", "1/5"])
    visits = [{"server": server, "mean": mean} for server, mean in zip("1221", means, strict=True)]
    return {
        "servers": {"1": {}, "2": {}},
        "classes": [{"name": "a", "arrival_rate": "1", "routes": {"r1": visits}}],
        "policy": {"sequencing": "priority", "priority": {"1": ["a.1", "a.4"], "2": ["a.2", "a.3"]}},
        **changes,
    }


def changed_lines() -> dict[str, tuple[dict[str, Any], str]]:
    """What was changed: the network, and the rule that must notice."""
    whole = line()
    renamed = json.loads(json.dumps(whole["classes"]).replace('"a"', '"b"'))
    visits = whole["classes"][0]["routes"]["r1"]
    longer = [{**whole["classes"][0], "routes": {"r1": [*visits, {"server": "2", "mean": "1/100"}]}}]
    return {
        "mean": (line(means=["1/10", "1/5", "1/10", "199999/1000000"]), "same-network"),
        "arrival rate": (line(classes=[{**whole["classes"][0], "arrival_rate": "999999/1000000"}]), "same-network"),
        "class name": (
            line(
                classes=renamed,
                policy={"sequencing": "priority", "priority": {"1": ["b.1", "b.4"], "2": ["b.2", "b.3"]}},
            ),
            "same-network",
        ),
        "server more": (line(servers={"1": {}, "2": {}, "3": {}}), "same-network"),
        "servers in another order": (line(servers={"2": {}, "1": {}}), "same-network"),
        "route longer": (line(classes=longer, policy={"sequencing": "fbfs"}), "same-network"),
        "priority": (
            line(policy={"sequencing": "priority", "priority": {"1": ["a.4", "a.1"], "2": ["a.2", "a.3"]}}),
            "same-policy",
        ),
        "sequencing": (line(policy={"sequencing": "fbfs"}), "same-policy"),
        "non-idling": (line(policy={"sequencing": "non-idling"}), "same-policy"),
    }


@pytest.mark.parametrize("name", changed_lines())
def test_tamper_certificate_of_a_changed_network_is_refused_beside_the_original_file(name: str) -> None:
    """Both networks are certified; each certificate is right alone, and refused beside the other's file."""
    other, rule = changed_lines()[name]
    pairs = [(certify(line())[1], line(), other), (certify(other)[1], other, line())]
    for certificate, own, foreign in pairs:
        assert check_bytes(certificate, json.dumps(own).encode(), network_format="json").accepted
        answer = check_bytes(certificate, json.dumps(foreign).encode(), network_format="json")
        assert (answer.accepted, answer.rule) == (False, rule)


def dominant(**policy: Any) -> dict[str, Any]:
    """A tandem beside a third server, join the shortest route."""
    return {
        "servers": {"1": {"rate": "1"}, "2": {"rate": "3/2"}, "3": {"rate": "1"}},
        "classes": [{"name": "a", "arrival_rate": "1", "routes": {"r1": ["1", "2"], "r2": ["3"]}}],
        "policy": {"routing": "jsr", "sequencing": "dominant", **policy},
    }


def test_tamper_dominance_function_left_open_is_named() -> None:
    """Without a U in the file any U is the tool's choice, and the answer says which one the claim is about."""
    certificate = certify(dominant())[1]
    chosen = json.loads(certificate)["policy"]["dominance_function"]
    left_open = check_bytes(certificate, json.dumps(dominant()).encode(), network_format="json")
    assert left_open.accepted
    assert "dominance function" in " ".join(left_open.notes)
    other = {**chosen, "alpha": [chosen["alpha"][0], "1/7"]}
    refused = check_bytes(certificate, json.dumps(dominant(dominance_function=other)).encode(), network_format="json")
    assert (refused.accepted, refused.rule) == (False, "same-policy")


def test_tamper_reordered_keys_change_nothing() -> None:
    """The order of keys is not significant, beside the first one."""
    found = base("lu-kumar-fbfs")
    certificate = json.loads(found.certificate)

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(entry) for entry in value] if isinstance(value, list) else value

    shuffled = {"format": certificate["format"], **{k: turned(v) for k, v in certificate.items() if k != "format"}}
    assert check_bytes(encode(shuffled), found.file).accepted
