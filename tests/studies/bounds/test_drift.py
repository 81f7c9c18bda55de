"""What the bounds rest on, at every state of a box and under every choice of the naive step functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest
from catalogue.networks import case_text
from naive import State, buffer_names, transitions

from verify.conditions.criterion import Criterion
from verify.conditions.proof import Proof
from verify.functions.function import TestFunction
from verify.functions.piecewise import PiecewiseLinear
from verify.studies.bounds.tails import Tails, tails

from .proofs import PRIORITY_WORK, SHARED, TANDEM, TANDEM_ONE_PIECE, proof_of, single

F = Fraction
STRICT, CORRECTED, FLUID = Criterion.STRICT, Criterion.CORRECTED, Criterion.FLUID
EXACT = [
    (single("1", "2"), STRICT, 20),
    (PRIORITY_WORK, STRICT, 9),
    (TANDEM_ONE_PIECE, FLUID, 9),
    (SHARED, STRICT, 9),
    (SHARED, CORRECTED, 9),
    (TANDEM, CORRECTED, 9),
    (case_text("global-crisscross-0"), CORRECTED, 5),
    (case_text("bernoulli-stable"), CORRECTED, 9),
    (case_text("back-pressure-tandem"), CORRECTED, 9),
    (case_text("jsq-max-below"), CORRECTED, 9),
]


@dataclass(frozen=True)
class Step:
    """One choice at one state: rates with the states they lead to."""

    state: tuple[int, ...]
    moves: tuple[tuple[Fraction, tuple[int, ...]], ...]


def steps(proof: Proof, most: int) -> Iterator[Step]:
    names = buffer_names(proof.instance)
    assert list(proof.names) == names
    for state in itertools.product(range(most + 1), repeat=len(names)):
        for choice in transitions(proof.instance, dict(zip(names, state, strict=True))):
            jumps = (jump for outcome in choice.values() for jump in outcome)
            yield Step(state, tuple((rate, vector(target, names)) for rate, target in jumps))


def vector(state: State, names: list[str]) -> tuple[int, ...]:
    return tuple(state[name] for name in names)


def found_for(text: str, criterion: Criterion) -> tuple[Proof, Tails]:
    proof = proof_of(text, criterion)
    found = tails(proof)
    assert found is not None
    return proof, found


def value(function: TestFunction, state: tuple[int, ...]) -> Fraction:
    return function.at({k: F(x) for k, x in enumerate(state)})


@pytest.mark.parametrize(("text", "criterion", "most"), EXACT)
def test_constants_hold_at_every_state_of_a_box(text: str, criterion: Criterion, most: int) -> None:
    proof, found = found_for(text, criterion)
    descent = found.descent
    assert found.soft is None or found.soft.scale == 0
    for step in steps(proof, most):
        here = value(found.function, step.state)
        changes = [(rate, value(found.function, target) - here) for rate, target in step.moves]
        assert found.least * sum(step.state) + found.offset <= here
        assert (here - descent.level) % descent.unit == 0
        assert all(-descent.drop <= u <= descent.rise for _, u in changes)
        assert sum(r * max(u, F(0)) for r, u in changes) <= descent.climb
        assert sum(r for r, u in changes if u > 0) <= descent.up_rate
        assert sum(r * u * (u + descent.unit) / 2 for r, u in changes if u > 0) <= descent.square
        if here > descent.level:
            assert sum(r * u for r, u in changes) <= -descent.drift
            assert sum(r * u * (u + descent.unit) / 2 for r, u in changes) <= descent.square
            assert sum(r * u * u for r, u in changes) <= descent.second
            for decay in found.decays:
                powers = [(r, float(decay.base) ** float(u / decay.unit) - 1) for r, u in changes]
                assert sum(float(r) * grown for r, grown in powers) < 0


@pytest.mark.parametrize(("text", "criterion", "most"), EXACT)
def test_function_of_the_times_falls_until_it_is_settled(text: str, criterion: Criterion, most: int) -> None:
    proof, found = found_for(text, criterion)
    times = found.times
    few = 0 if times.trials is None else times.trials.jobs
    assert times.empties == (times.trials is None)
    for step in steps(proof, most):
        here = value(times.function, step.state)
        if sum(step.state) > few:
            assert sum(r * (value(times.function, target) - here) for r, target in step.moves) <= -times.drift
        else:
            assert here + times.above >= 0


@pytest.mark.parametrize(("name", "most"), [("global-tandem2-0", 16), ("bernoulli-stable", 40)])
def test_soft_maximum_falls_outside_its_radius(name: str, most: int) -> None:
    proof, found = found_for(case_text(name), STRICT)
    soft, descent = found.soft, found.descent
    assert soft is not None
    assert isinstance(found.function, PiecewiseLinear)
    pieces, scale = found.function.pieces, float(soft.scale)

    def smooth(state: tuple[int, ...]) -> float:
        heights = [float(w.at({k: F(x) for k, x in enumerate(state)})) for w in pieces]
        return max(heights) + scale * math.log(sum(math.exp((y - max(heights)) / scale) for y in heights))

    outside = 0
    for step in steps(proof, most):
        here, top = smooth(step.state), float(value(found.function, step.state))
        changes = [(float(rate), smooth(target) - here) for rate, target in step.moves]
        assert top <= here <= top + float(soft.excess)
        assert all(-float(descent.drop) <= u + 1e-9 and u - 1e-9 <= float(descent.rise) for _, u in changes)
        assert sum(r * max(u, 0.0) for r, u in changes) <= float(descent.climb) + 1e-9
        assert sum(r * u * u / 2 for r, u in changes) <= float(descent.square) + 1e-9
        if sum(step.state) > soft.radius:
            outside += 1
            for decay in found.decays:
                powers = [(r, float(decay.base) ** (u / float(decay.unit)) - 1) for r, u in changes]
                assert sum(r * grown for r, grown in powers) < 0
            assert sum(r * u for r, u in changes) <= -float(descent.drift) + 1e-9
        else:
            assert here <= float(descent.level)
    assert outside
