"""Exclusions: evidence only where there is no point, and always there (Motzkin)."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from catalogue.networks import EXAMPLE_1, GOOD_TIES_2, TEMPLATE_2, case_text, example_2_text

from conditions.faces import question
from verify.chain.guards import Normal, Signs, holds, sign_of
from verify.chain.numeric import NumericWalk
from verify.conditions.condition import Condition
from verify.conditions.evidence.exclusion import _accept, exact_inner_point, exclude, inner_point, seems_empty
from verify.conditions.evidence.nodes import Exclusion
from verify.conditions.evidence.tree import TreeSearch

F = Fraction
TEXTS = {
    "jsq-maximum": case_text("jsq-max-below"),
    "example-1": EXAMPLE_1,
    "example-2": example_2_text("1", TEMPLATE_2, GOOD_TIES_2),
}
names = pytest.mark.parametrize("name", TEXTS)
#: The multiplier that each fact allows: its least and largest sign.
ALLOWED = {
    Signs.POSITIVE: (0, 1),
    Signs.NOT_NEGATIVE: (0, 1),
    Signs.ZERO: (-1, 1),
    Signs.NOT_POSITIVE: (-1, 0),
    Signs.NEGATIVE: (-1, 0),
}


@functools.cache
def search(name: str) -> TreeSearch:
    return TreeSearch(*question(TEXTS[name]), Condition.FLUID)


def fresh(name: str) -> NumericWalk:
    """A float picture that remembers nothing yet."""
    old = search(name)
    return NumericWalk(old.walk.components, old.numeric.dimension, old.numeric.normals)


def proves(facts: Mapping[Normal, Signs], evidence: Exclusion, dimension: int) -> bool:
    """FORMAT.md, section 10, word by word."""
    if evidence.kappa < 0:
        return False
    strict = evidence.kappa
    for normal, y in evidence.multipliers.items():
        if normal not in facts:
            return False
        least, largest = ALLOWED[facts[normal]]
        if (y < 0 and least == 0) or (y > 0 and largest == 0):
            return False
        strict += abs(y) if facts[normal] in (Signs.POSITIVE, Signs.NEGATIVE) else 0
    for k in range(dimension):
        if evidence.kappa + sum((y * g.form.get(k, F(0)) for g, y in evidence.multipliers.items()), F(0)) > 0:
            return False
    return strict > 0


def random_state(dimension: int, source: random.Random) -> dict[int, Fraction]:
    state = {k: F(source.choice((0, 0, 1, 1, 2, 3))) for k in range(dimension)}
    return state if any(state.values()) else {0: F(1)}


def random_facts(numeric: NumericWalk, source: random.Random, number: int) -> dict[Normal, Signs]:
    """x >= 0, and some facts about normals."""
    facts = dict.fromkeys(numeric.normals[: numeric.dimension], Signs.NOT_NEGATIVE)
    for normal in source.sample(numeric.normals, min(number, len(numeric.normals))):
        possible = [s for s in ALLOWED if s & facts.get(normal, Signs.ANY)]
        facts[normal] = Signs(facts.get(normal, Signs.ANY) & source.choice(possible))
    return facts


@names
def test_node_that_has_a_point_is_never_excluded(name: str) -> None:
    """All signs at a state, some of them widened: whatever was asked and remembered before."""
    numeric, source = search(name).numeric, random.Random(1)
    for _ in range(25):
        state = random_state(numeric.dimension, source)
        facts = {normal: sign_of(normal.at(state)) for normal in numeric.normals}
        for normal in numeric.normals:
            wider = [s for s in (*ALLOWED, Signs.ANY) if s & facts[normal]]
            facts[normal] = source.choice([facts[normal], source.choice(wider)])
        for normal in numeric.normals[: numeric.dimension]:
            facts[normal] = Signs(facts[normal] & Signs.NOT_NEGATIVE)
        known = numeric.facts({normal: signs for normal, signs in facts.items() if signs is not Signs.ANY})
        assert not seems_empty(known, numeric)
        assert exclude(known, numeric) is None
        assert inner_point(known, numeric) is not None
        point = exact_inner_point(known, numeric)
        assert point is not None
        assert any(point.values())
        assert all(value >= 0 for value in point.values())
        assert holds(facts, point)


@names
@pytest.mark.parametrize("number", [2, 4, 8, 20])
def test_random_node_has_evidence_or_a_point(name: str, number: int) -> None:
    numeric, source = fresh(name), random.Random(number)
    seen = set()
    for _ in range(80):
        facts = random_facts(numeric, source, number)
        known = numeric.facts(facts)
        evidence, point = exclude(known, numeric), exact_inner_point(known, numeric)
        assert (evidence is None) != (point is None)
        if evidence is not None:
            assert proves(facts, evidence, numeric.dimension)
        if point is not None:
            assert holds(facts, point)
            assert any(point.values())
        seen.add(evidence is None)
    assert True in seen or number == 20


@names
def test_random_node_without_strict_signs_has_evidence_with_kappa_or_a_point(name: str) -> None:
    """Condition S: closed facts only."""
    numeric, source = fresh(name), random.Random(5)
    excluded = 0
    for _ in range(100):
        facts = random_facts(numeric, source, source.choice((6, 12, 24)))
        closed = {Signs.POSITIVE: Signs.NOT_NEGATIVE, Signs.NEGATIVE: Signs.NOT_POSITIVE}
        facts = {normal: closed.get(signs, signs) for normal, signs in facts.items()}
        evidence = exclude(numeric.facts(facts), numeric)
        if evidence is not None:
            excluded += 1
            assert evidence.kappa > 0
            assert proves(facts, evidence, numeric.dimension)
        else:
            assert exact_inner_point(numeric.facts(facts), numeric) is not None
    assert excluded


@names
def test_multipliers_are_accepted_exactly_if_they_prove(name: str) -> None:
    """Random small multipliers, and true ones with one of them changed."""
    numeric, source = fresh(name), random.Random(3)
    outcomes = {True: 0, False: 0}
    while min(outcomes.values()) < 25:
        facts = random_facts(numeric, source, 5)
        listed = list(facts.items())
        values = [F(source.choice((0, 0, 1, -1, 2)), source.choice((1, 1, 3))) for _ in listed]
        evidence = exclude(numeric.facts(facts), numeric)
        if evidence is not None and source.random() < 0.8:
            values = [evidence.multipliers.get(normal, F(0)) for normal, _ in listed]
            if source.random() < 0.5:
                values[source.randrange(len(values))] += source.choice((F(1), F(-1), F(1, 7)))
        found = _accept(listed, values, numeric.dimension)
        given = {normal: y for (normal, _), y in zip(listed, values, strict=True) if y}
        sums = [sum((y * g.form.get(k, F(0)) for g, y in given.items()), F(0)) for k in range(numeric.dimension)]
        right = proves(facts, Exclusion(-max(sums), given), numeric.dimension)
        assert (found is not None) == right
        if found is not None:
            assert found == Exclusion(-max(sums), given)
        outcomes[right] += 1


def test_evidence_by_hand_for_the_longer_queue_under_jsq() -> None:
    """Where x_1 > x_2 strictly no job joins 1, and 1 is not empty; on the tie x_1 = 0 leaves nothing."""
    chain, numeric = search("jsq-maximum").walk, search("jsq-maximum").numeric
    piece, queue, x1 = (chain.normals[name] for name in ("piece(0 - 1)", "queue(1 - 2)", "x(a@1)"))
    base = dict.fromkeys(chain.coordinates, Signs.NOT_NEGATIVE)
    longer = exclude(numeric.facts({**base, piece: Signs.POSITIVE, queue: Signs.NOT_POSITIVE}), numeric)
    assert longer is not None
    assert longer.kappa == 0
    assert longer.multipliers[piece] == -longer.multipliers[queue] > 0
    tie = exclude(numeric.facts({**base, piece: Signs.ZERO, x1: Signs.ZERO}), numeric)
    assert tie is not None
    assert tie.kappa > 0
    assert exclude(numeric.facts({**base, piece: Signs.NOT_NEGATIVE, queue: Signs.NOT_POSITIVE}), numeric) is None


def test_everything_empty_is_excluded() -> None:
    """x = 0 is not a point."""
    chain, numeric = search("example-1").walk, search("example-1").numeric
    facts = numeric.facts(dict.fromkeys(chain.coordinates, Signs.ZERO))
    evidence = exclude(facts, numeric)
    assert evidence is not None
    assert evidence.kappa > 0
    assert inner_point(facts, numeric) is None
    assert exact_inner_point(facts, numeric) is None


def test_remembered_point_that_is_tiny_is_not_taken_for_zero() -> None:
    numeric = fresh("jsq-maximum")
    numeric.remember(np.array([1e-12, 3e-12]))
    assert numeric.known_point(numeric.facts({numeric.normals[0]: Signs.POSITIVE}))
