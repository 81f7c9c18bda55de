"""Exact numbers and their text; guesses for floats."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.budget import Budget, BudgetSpent
from verify.rational import DENOMINATORS, nearby, roundings, text

F = Fraction


@given(number=st.fractions())
def test_text_is_canonical_and_read_back(number: Fraction) -> None:
    assert Fraction(text(number)) == number
    assert "/1" not in text(number) or number.denominator != 1
    assert " " not in text(number)


def test_nearby_is_the_closest_with_a_small_denominator() -> None:
    assert nearby(1 / 3, 1000) == F(1, 3)
    assert nearby(0.09, 5) == 0
    assert nearby(-0.1, 9) == F(-1, 9)
    with pytest.raises(ValueError, match="no rational"):
        nearby(float("nan"), 10)


def test_roundings_go_from_coarse_to_fine() -> None:
    listed = list(roundings([0.3333333, 2.0]))
    assert len(listed) == len(DENOMINATORS)
    assert listed[0] == [F(0), F(2)]
    assert listed[1] == [F(1, 3), F(2)]
    errors = [abs(float(first) - 0.3333333) for first, _ in listed]
    assert errors == sorted(errors, reverse=True)


def test_budget_counts_steps() -> None:
    budget = Budget(2)
    budget.spend()
    budget.spend()
    with pytest.raises(BudgetSpent):
        budget.spend()
