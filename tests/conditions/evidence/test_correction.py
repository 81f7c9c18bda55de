"""The best correction η of the gradient against the definition."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from catalogue.networks import EXAMPLE_1, MAXIMUM, NEAR_CAPACITY_1, case_text, parallel_text

from conditions.faces import active_pieces, best_corrected_drift, largest_drift, question
from verify.chain.guards import sign_of
from verify.chain.numeric import Array
from verify.conditions.condition import Condition
from verify.conditions.evidence.correction import BoundProgram, reaches
from verify.conditions.evidence.tree import TreeSearch
from verify.linear_form import LinearForm

F = Fraction
TEXTS = {
    "example-1": EXAMPLE_1,
    "near-capacity": NEAR_CAPACITY_1,
    "jsq-maximum": case_text("jsq-max-below"),
    "jsq-critical": parallel_text("jsq", "2", (1, 1), MAXIMUM),
}


def facts_at(search: TreeSearch, state: dict[int, Fraction]) -> Array:
    return np.array([int(sign_of(normal.at(state))) for normal in search.numeric.normals], np.int8)


@pytest.mark.parametrize("name", TEXTS)
def test_best_correction_at_a_state_is_that_of_the_exact_program(name: str) -> None:
    chain, function = question(TEXTS[name])
    search, source = TreeSearch(chain, function, Condition.FLUID), random.Random(7)
    for _ in range(25):
        state = {k: F(source.choice((0, 0, 1, 1, 2))) for k in range(search.numeric.dimension)}
        if not any(state.values()):
            continue
        piece = active_pieces(function, state)[0]
        facts = facts_at(search, state)
        alive = search.numeric.all_alive(facts)
        program = BoundProgram(search.numeric, function.pieces[piece], piece)
        assert program.exact_bound({}, alive) == largest_drift(chain, function.pieces[piece], state)
        decided = program.decide(search.ground.vanishing(facts), alive, F(0))
        gradient = dict(function.pieces[piece])
        for n, y in decided.eta.items():
            assert search.numeric.normals[n].at(state) == 0
            for k, value in search.numeric.normals[n].form.items():
                gradient[k] = gradient.get(k, F(0)) + y * value
        assert decided.bound == largest_drift(chain, LinearForm(gradient), state)
        best = best_corrected_drift(chain, function, piece, state)
        assert best is None or decided.bound >= best
        assert reaches(decided.bound, F(0)) == (best is None or best < 0)


def test_correction_on_the_tie_of_jsq_is_half_of_the_difference() -> None:
    chain, function = question(TEXTS["jsq-maximum"])
    search = TreeSearch(chain, function, Condition.FLUID)
    facts = facts_at(search, {0: F(1), 1: F(1)})
    program = BoundProgram(search.numeric, function.pieces[0], 0)
    decided = program.decide(search.ground.vanishing(facts), search.numeric.all_alive(facts), F(0))
    assert decided.bound == F(-1, 20)
    total = {0: F(1), 1: F(0)}
    for n, y in decided.eta.items():
        for k, value in search.numeric.normals[n].form.items():
            total[k] += y * value
    assert total == {0: F(1, 2), 1: F(1, 2)}


@pytest.mark.parametrize(
    ("bound", "target", "enough"),
    [(F(-1), F(1), True), (F(-1), F(2), False), (F(0), F(0), False), (F(-1, 10**30), F(0), True), (F(1), F(-2), False)],
)
def test_bound_reaches_a_target_only_if_it_is_negative(bound: Fraction, target: Fraction, enough: bool) -> None:
    assert reaches(bound, target) is enough
