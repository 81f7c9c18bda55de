"""Condition U: unstable networks with accepted certificates, and stable ones that never get one."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from catalogue.files import PATHS

from verify.budget import Budget
from verify.certificate import certificate_of
from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.conditions.growth import sure_jumps
from verify.decide import Request, decide
from verify.methods.programs.destabilise import destabilise
from verify.network_file.read import read_file
from verify.policies.compose import walk

GROWING = [
    "rybko-stolyar-exit-priority", "lu-kumar-bad-priority", "five-class-extreme-priority", "push-start-priority", "paper-1-jsq",
    "paper-2-jsq-over", "rybko-stolyar", "global-lk1221-5",
]  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_growth_unstable_case_has_an_accepted_certificate(name: str) -> None:
    path = PATHS[name]
    instance = read_file(path)
    decision = decide(instance, Request())
    assert (decision.verdict, decision.method) == (Verdict.UNSTABLE, "growth")
    data = certificate_of(decision)
    assert data is not None
    assert check_bytes(data, path.read_bytes()).accepted


@pytest.mark.parametrize(
    "name", ["lu-kumar-fbfs", "lu-kumar-lbfs", "rybko-stolyar-entry-priority", "global-rs-2", "jsq-two-servers"]
)
def test_growth_stable_case_never_grows(name: str) -> None:
    assert destabilise(read_file(PATHS[name]), Budget(400)) is None


def test_growth_rate_too_large_is_refused_by_the_checker() -> None:
    instance = read_file(PATHS["rybko-stolyar-exit-priority"])
    data = certificate_of(decide(instance, Request()))
    assert data is not None
    changed = json.loads(data)
    changed["claim"]["epsilon"] = "1"
    changed["claim"]["words"] = changed["claim"]["words"].replace("at least 1/3", "at least 1")
    assert not check_bytes(json.dumps(changed).encode()).accepted


def test_sure_jumps_free_choice_excludes_departures() -> None:
    chain = walk(read_file(PATHS["two-classes-visit-rates"]))
    jumps = list(sure_jumps(chain.components, {0: 1, 1: 1}))
    assert jumps == [{0: Fraction(1)}, {1: Fraction(1)}]
    assert {0: Fraction(-1)} in list(sure_jumps(chain.components, {0: 2}))
