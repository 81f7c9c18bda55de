"""At random states the naive step functions lower V, with the correction of the responsible leaf, at the claimed rate."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import pytest
from catalogue.networks import (
    CASES,
    OPEN,
    SLOW,
    decided,
    decided_by_pieces,
    expected,
    line_text,
    parallel_text,
    read,
)
from naive.types import State

from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request

from .evidence_at import Reading, reading

DECIDED = [name for name in CASES if name not in OPEN | SLOW]
STABLE = [name for name in DECIDED if expected(name) in ("stable", "not-unstable")]
JSQ_LINE = """
servers = { 1 = { rate = 2 }, 2 = { rate = 2 }, 3 = { rate = 2 }, 4 = { rate = 1 } }
[[classes]]
name = "c"
arrival_rate = "1/2"
routes = { r1 = ["1", "3"], r2 = ["2", "3"] }
[[classes]]
name = "d"
arrival_rate = "1/2"
routes = { s1 = ["3", "1"], s2 = ["3", "2"] }
[policy]
routing = "jsq"
"""
OTHERS = {
    "line-back-pressure": line_text("1212", ["1/5", "1/3", "1/4", "1/5"], "back-pressure"),
    "line-max-weight": line_text("1212", ["1/5", "1/3", "1/4", "1/5"], "max-weight"),
    "line-spillback": line_text("121", ["1/5", "1/3", "1/4"], "lbfs") + 'holding = "spillback"\n',
    "jsq-fbfs": JSQ_LINE + 'sequencing = "fbfs"\n',
    "jsq-lbfs": JSQ_LINE + 'sequencing = "lbfs"\n',
    "jsq-longest-queue": JSQ_LINE + 'sequencing = "longest-queue"\n',
    "line-fbfs": line_text("1212", ["1/5", "1/3", "1/4", "1/5"], "fbfs"),
    "line-longest-queue": line_text("1212", ["1/5", "1/3", "1/4", "1/5"], "longest-queue"),
    "three-servers-jsq": parallel_text("jsq", "5/2", (1, 2, "1/2")),
}


@functools.cache
def read_case(name: str) -> Reading:
    pieces = Request(criterion=Criterion.FLUID)
    found = decided(read(OTHERS[name]), pieces) if name in OTHERS else decided_by_pieces(name)
    if not isinstance(found.decision.proof, DriftProof):
        pytest.fail(f"{name} is not proved by F or S any more")
    return reading(found.decision.proof.walk.instance, found.decision.proof.spec, found.certificate)


def states(of: Reading, number: int) -> list[State]:
    """Random states with many ties and zeros, never empty."""
    source = random.Random(11)
    names = list(of.certificate["potential"])
    found: list[State] = []
    while len(found) < number:
        most = source.choice(((0, 0, 1, 1, 2), (0, 1, 2, 3, 5, 9), range(30)))
        state = {name: source.choice(most) for name in names}
        if any(state.values()):
            found.append(state)
    return found


def drifts(of: Reading, number: int) -> list[Fraction]:
    """The drift of the corrected gradient at random states, for every active piece and responsible leaf."""
    found = []
    for state in states(of, number):
        for piece in of.active(state):
            for correction in of.corrections(piece, state):
                if correction is not None:
                    weights = dict(of.pieces[piece])
                    for name, y in correction.items():
                        weights[name] = weights.get(name, Fraction(0)) + y
                        assert sum((y * state[name] for name, y in correction.items()), Fraction(0)) == 0
                    found.append(of.drift(weights, state))
    return found


@pytest.mark.parametrize("name", [*STABLE, *OTHERS])
def test_certified_function_falls_at_the_claimed_rate_at_every_state(name: str) -> None:
    of = read_case(name)
    found = drifts(of, 60)
    assert max(found, default=-of.epsilon) <= -of.epsilon < 0


@pytest.mark.parametrize("name", ["jsq-max-below", "lu-kumar-fbfs", "paper-1-jsr-longest", "jackson-feedback"])
def test_certified_rate_is_attained_somewhere(name: str) -> None:
    """So the test above would notice a larger claim."""
    of = read_case(name)
    assert max(drifts(of, 300)) == -of.epsilon
