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

from verify.conditions.corrected import CorrectedProof, GlobalCorrector
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.conditions.evidence.cellwise import highest
from verify.conditions.evidence.nodes import Corrector
from verify.conditions.proof import Proof
from verify.functions.function import TestFunction
from verify.functions.piecewise import PiecewiseLinear
from verify.studies.bounds.cell_steps import CellSteps
from verify.studies.bounds.ladder import Decay
from verify.studies.bounds.smooth import gaps_of
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


def growth(changes: list[tuple[Fraction, Fraction]], decay: Decay) -> float:
    base = float(decay.base)
    return math.fsum(float(rate) * (math.pow(base, float(u / decay.unit)) - 1) for rate, u in changes)


@pytest.mark.parametrize(("text", "criterion", "most"), EXACT)
def test_exponential_functions_fall_and_climb_as_their_factors_say(text: str, criterion: Criterion, most: int) -> None:
    proof, found = found_for(text, criterion)
    assert len(found.decays) >= 4
    for decay in found.decays:
        climb, fall = 0.0, math.inf
        for step in steps(proof, most):
            here = value(found.function, step.state)
            changes = [(rate, value(found.function, target) - here) for rate, target in step.moves]
            climb = max(climb, growth([(rate, max(u, F(0))) for rate, u in changes], decay))
            if here > decay.level:
                fall = min(fall, -growth(changes, decay))
        assert 0 < climb <= float(decay.factor) * fall * (1 + 1e-9)


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


@pytest.mark.parametrize("name", ["global-mm1-0", "global-tandem2-0", "bernoulli-stable", "back-pressure-tandem"])
def test_highest_changes_of_a_cell_add_up_to_its_drift(name: str) -> None:
    proof = proof_of(case_text(name), CORRECTED)
    assert isinstance(proof, CorrectedProof)
    cells = proof.found.corrector.cells
    for h in (proof.found.corrector.h, {cell: F(sum(cell) ** 2 % 3, 2) for cell in cells.all()}):
        steps_of = CellSteps(proof.walk, GlobalCorrector(proof.found.weights, Corrector(cells, h), F(1)))
        for place in steps_of.places:
            assert steps_of.most([place], lambda change: change.rate * change.high) == highest(
                place, proof.found.weights, h
            )


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("global-tandem2-0", 8),
        ("global-crisscross-0", 5),
        ("global-lk1221-0", 3),
        ("global-rs-0", 3),
        ("jsr-two-servers", 12),
    ],
)
def test_pieces_that_do_not_fall_are_far_below_the_largest(name: str, most: int) -> None:
    proof, _ = found_for(case_text(name), STRICT)
    assert isinstance(proof, DriftProof)
    gaps, far = list(gaps_of(proof)), 0
    for step in steps(proof, most):
        jobs, top = sum(step.state), value(proof.function, step.state)
        for weights in proof.function.pieces:
            here = value(PiecewiseLinear((weights,)), step.state)
            drift = sum(r * (value(PiecewiseLinear((weights,)), target) - here) for r, target in step.moves)
            if drift > -proof.epsilon and jobs:
                far += 1
                assert any(gap.kappa * jobs - gap.slack <= gap.sigma * (top - here) for gap in gaps)
    assert far


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
                assert sum(r * power for r, power in powers) < 0
            assert sum(r * u for r, u in changes) <= -float(descent.drift) + 1e-9
        else:
            assert here <= float(descent.level)
    assert outside
