"""The float picture against the components themselves."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import numpy as np
import pytest

from verify.chain.components import Alternative, Branch, Part
from verify.chain.guards import Signs, holds, intersect, sign_of
from verify.chain.numeric import Alive, NumericWalk
from verify.linear_form import LinearForm

from .cases import walked_case

F = Fraction
NAMES = ("paper-1-jsr", "paper-1-jsq", "paper-1-jsr-longest", "jackson-feedback", "rybko-stolyar-entry-priority")
cases = pytest.mark.parametrize("name", NAMES)


@functools.cache
def numeric_case(name: str) -> NumericWalk:
    chain = walked_case(name)
    normals = dict.fromkeys(chain.coordinates)
    for component in chain.components:
        for branch in component.branches:
            guards = [branch.guard, *(a.guard for part in branch.parts for a in part.alternatives)]
            normals |= dict.fromkeys(normal for guard in guards for normal in guard)
    return NumericWalk(chain.components, len(chain.expansion.buffers), list(normals))


def random_state(numeric: NumericWalk, source: random.Random) -> dict[int, Fraction]:
    """Not 0, with many zeros and ties."""
    while True:
        state = {k: F(source.choice((0, 0, 1, 1, 2, 5))) for k in range(numeric.dimension)}
        if any(state.values()):
            return {k: jobs for k, jobs in state.items() if jobs}


def as_array(numeric: NumericWalk, state: dict[int, Fraction]) -> np.ndarray:
    return np.array([float(state.get(k, 0)) for k in range(numeric.dimension)])


@cases
def test_signs_at_a_state_are_the_exact_ones(name: str) -> None:
    numeric, source = numeric_case(name), random.Random(1)
    for _ in range(20):
        state = random_state(numeric, source)
        exact = [int(sign_of(normal.at(state))) for normal in numeric.normals]
        assert numeric.signs_at(as_array(numeric, state)).tolist() == exact


@cases
def test_all_alive_at_a_state_is_what_its_closed_guards_allow(name: str) -> None:
    numeric, source = numeric_case(name), random.Random(2)
    for _ in range(20):
        state = random_state(numeric, source)
        alive = numeric.all_alive(numeric.signs_at(as_array(numeric, state)))
        assert alive.branches.tolist() == [holds(branch.guard, state) for branch in numeric.branches]
        assert alive.alternatives.tolist() == [holds(a.guard, state) for a in numeric.alternatives]
        assert not numeric.hollow_branches(alive)


def largest(numeric: NumericWalk, weights: LinearForm, state: dict[int, Fraction]) -> Fraction:
    """Σ_components max_branches Σ_parts max_alternatives, by the definition."""

    def part_value(part: Part) -> Fraction:
        return max(weights.at(a.mean_drift) for a in part.alternatives if holds(a.guard, state))

    def branch_value(branch: Branch) -> Fraction:
        return sum((part_value(part) for part in branch.parts), F(0))

    components = walked_components(numeric)
    return sum((max(branch_value(b) for b in branches if holds(b.guard, state)) for branches in components), F(0))


def walked_components(numeric: NumericWalk) -> list[list[Branch]]:
    ends = zip(numeric.component_start.tolist(), numeric.component_end.tolist(), strict=True)
    return [numeric.branches[first:last] for first, last in ends]


@cases
def test_bound_at_a_state_is_the_largest_drift_of_its_choices(name: str) -> None:
    numeric, source = numeric_case(name), random.Random(3)
    for _ in range(20):
        state = random_state(numeric, source)
        weights = LinearForm((k, F(source.randint(0, 4), 4)) for k in range(numeric.dimension))
        alive = numeric.all_alive(numeric.signs_at(as_array(numeric, state)))
        values = numeric.drifts(weights)
        exact = largest(numeric, weights, state)
        assert numeric.bound(values, alive) == pytest.approx(float(exact), abs=1e-9)
        chosen = set(numeric.attaining(values, alive))
        assert chosen <= set(np.flatnonzero(alive.alternatives).tolist())
        alive.alternatives[list(chosen)] = False
        assert numeric.bound(values, alive) < float(exact) + 1e-12


def test_structure_lists_the_components_in_order() -> None:
    numeric = numeric_case("paper-1-jsr")
    everything = Alive(np.ones(len(numeric.alternatives), bool), np.ones(len(numeric.branches), bool))
    listed = list(numeric.structure(everything))
    chain = walked_case("paper-1-jsr")
    assert [[b for b, _ in branches] for branches in listed] == [[0], [1], list(range(2, 37))]
    found: list[list[list[list[Alternative]]]] = [
        [[[numeric.alternatives[a] for a in part] for part in parts] for _, parts in branches] for branches in listed
    ]
    assert found == [[[list(part.alternatives) for part in b.parts] for b in c.branches] for c in chain.components]


def test_hollow_branch_is_one_with_a_part_without_alternatives() -> None:
    numeric = numeric_case("paper-1-jsr")
    alive = Alive(np.ones(len(numeric.alternatives), bool), np.ones(len(numeric.branches), bool))
    branch = numeric.branches[5]
    part = {id(a) for a in branch.parts[0].alternatives}
    alive.alternatives[[a for a, alternative in enumerate(numeric.alternatives) if id(alternative) in part]] = False
    assert numeric.hollow_branches(alive) == [5]
    assert numeric.branch_totals(numeric.drifts(LinearForm.unit(0)), alive)[5] == -np.inf
    alive.branches[5] = False
    assert numeric.hollow_branches(alive) == []


@cases
def test_with_guard_is_intersect(name: str) -> None:
    numeric, source = numeric_case(name), random.Random(4)
    for _ in range(50):
        facts = {n: Signs(source.choice((1, 2, 3, 4, 6))) for n in source.sample(numeric.normals, 2)}
        a = source.randrange(len(numeric.alternatives))
        found = numeric.with_guard(numeric.facts(facts), numeric.guards[a])
        expected = intersect(facts, numeric.alternatives[a].guard)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found.tolist() == numeric.facts(expected).tolist()


def test_known_point_answers_only_for_sets_that_contain_it() -> None:
    chain = walked_case("jackson-feedback")
    numeric = NumericWalk(chain.components, len(chain.expansion.buffers), chain.coordinates)
    first = chain.coordinates[0]
    positive, zero = numeric.facts({first: Signs.POSITIVE}), numeric.facts({first: Signs.ZERO})
    assert not numeric.known_point(positive)
    numeric.remember(np.array([2.0, 1.0]))
    assert numeric.known_point(positive)
    assert not numeric.known_point(zero)
    assert numeric.known_point(numeric.facts({first: Signs.NOT_NEGATIVE}))
