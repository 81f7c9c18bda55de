"""Signs, facts and the stock of normals."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from verify.chain.guards import SINGLE, Normal, Normals, Signs, holds, intersect, sign_of
from verify.linear_form import LinearForm

F = Fraction
X, Y = Normal("x", LinearForm({0: F(1)})), Normal("x - y", LinearForm({0: F(1), 1: F(-1)}))


@pytest.mark.parametrize(("value", "sign"), [(F(-1, 9), Signs.NEGATIVE), (F(0), Signs.ZERO), (F(1, 9), Signs.POSITIVE)])
def test_sign_of_a_number_is_one_sign(value: Fraction, sign: Signs) -> None:
    assert sign_of(value) is sign
    assert sign in SINGLE


def test_signs_are_sets_of_three_bits() -> None:
    for one, two in itertools.product(Signs, repeat=2):
        both = {s for s in SINGLE if s & one and s & two}
        assert Signs(one & two) == sum(both)


def test_normal_is_evaluated_at_sparse_states() -> None:
    assert Y.at({0: F(3), 1: F(1)}) == 2
    assert Y.at({1: F(1)}) == -1
    assert Y.at({}) == 0


def test_intersect_narrows_and_contradiction_is_none() -> None:
    facts = {X: Signs.NOT_NEGATIVE}
    assert intersect(facts, {X: Signs.NOT_POSITIVE, Y: Signs.ZERO}) == {X: Signs.ZERO, Y: Signs.ZERO}
    assert intersect(facts, {X: Signs.NEGATIVE}) is None
    assert intersect(facts, {}) == facts
    assert facts == {X: Signs.NOT_NEGATIVE}


def test_holds_asks_every_fact() -> None:
    facts = {X: Signs.POSITIVE, Y: Signs.NOT_POSITIVE}
    assert holds(facts, {0: F(1), 1: F(1)})
    assert not holds(facts, {1: F(1)})
    assert not holds(facts, {0: F(2), 1: F(1)})
    assert holds({}, {})


def test_stock_has_one_normal_for_each_name() -> None:
    stock = Normals()
    first = stock.get("x", lambda: LinearForm({0: F(1)}))
    assert stock.get("x", lambda: LinearForm({5: F(7)})) is first is stock["x"]
    assert first.form == {0: F(1)}
    owner = object()
    mine = stock.get("x", lambda: LinearForm({3: F(1)}), owner)
    assert mine.form == {3: F(1)}  # the same name for another V
    assert stock.get("x", LinearForm, owner) is mine
    assert stock.get("x", LinearForm) is first
    assert Normal("x", LinearForm({0: F(1)})) != first  # compared by identity
    with pytest.raises(KeyError):
        stock["y"]


def test_stock_keeps_differences_of_pieces_apart_by_their_function() -> None:
    """They have one name, and another form for every V on the same walk."""
    stock, one, two = Normals(), object(), object()
    first = stock.get("piece(0 - 1)", lambda: LinearForm({0: F(1)}), one)
    second = stock.get("piece(0 - 1)", lambda: LinearForm({0: F(2)}), two)
    assert first.form == {0: F(1)}
    assert second.form == {0: F(2)}
    assert stock.get("piece(0 - 1)", LinearForm, one) is first
    assert stock["piece(0 - 1)"] is second
