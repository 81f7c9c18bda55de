"""Linear forms: the arithmetic of vectors, zeros left out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.linear_form import LinearForm

F = Fraction
ENTRIES = st.dictionaries(st.integers(0, 4), st.fractions(max_denominator=5))
FACTORS = st.fractions(max_denominator=5)


@given(left=ENTRIES, right=ENTRIES, factor=FACTORS, state=ENTRIES)
def test_value_of_a_combination_is_the_combination_of_values(
    left: dict[int, Fraction], right: dict[int, Fraction], factor: Fraction, state: dict[int, Fraction]
) -> None:
    g, h = LinearForm(left), LinearForm(right)
    assert (g + h * factor).at(state) == g.at(state) + factor * h.at(state)
    assert (g - h).at(state) == g.at(state) - h.at(state)
    assert g.at(h) == h.at(g) == sum((left[k] * right[k] for k in left.keys() & right.keys()), F(0))


@given(entries=ENTRIES, other=ENTRIES)
def test_zeros_are_left_out_and_equality_does_not_see_them(
    entries: dict[int, Fraction], other: dict[int, Fraction]
) -> None:
    g = LinearForm(entries)
    assert all(g.values()) and all((g + LinearForm(other)).values())
    assert g == entries and hash(g) == hash(LinearForm({**entries, 99: F(0)}))
    assert g - g == {} and -g + entries == LinearForm()
    assert [g.entry(k) for k in range(5)] == [entries.get(k, F(0)) for k in range(5)]


def test_sum_counts_a_coordinate_as_often_as_it_is_listed() -> None:
    assert LinearForm.sum_of([2, 0, 2]) == {0: F(1), 2: F(2)}


def test_form_cannot_be_changed() -> None:
    form = LinearForm.unit(3)
    with pytest.raises(TypeError):
        form[3] = F(2)  # type: ignore[index]
    assert form == {3: F(1)}
