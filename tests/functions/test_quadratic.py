"""Quadratic functions: values, gradients, cells, JSON."""

from __future__ import annotations

from fractions import Fraction

from verify.functions.quadratic import Coefficient, Quadratic, signed_sum
from verify.linear_form import LinearForm

F = Fraction
PLAIN = Quadratic.of({(0, 0): F(2), (0, 1): F(-1), (1, 1): F(3)}, {0: F(1, 2), 1: F(-4)})
#: ½ y² + 5 x where y is cut at 1 and 0, plus 7 there.
CUT = Quadratic({Coefficient("Q", (1, 1)): F(1), Coefficient("q", (0, 0)): F(5), Coefficient("h", (0,)): F(7)}, {1: 1})


def test_value_is_half_the_form_and_the_linear_part() -> None:
    assert PLAIN.at({0: F(3), 1: F(2)}) == F(2, 2) * 9 - 6 + F(3, 2) * 4 + F(3, 2) - 8
    assert PLAIN.at({}) == 0


def test_gradient_is_what_a_small_step_changes() -> None:
    (gradient,) = PLAIN.gradients_at({0: F(3), 1: F(2)})
    step = F(1, 10**6)
    for k in (0, 1):
        ahead = {0: F(3), 1: F(2), k: F(3 - k) + step}
        change = (PLAIN.at(ahead) - PLAIN.at({0: F(3), 1: F(2)})) / step
        assert abs(change - gradient.entry(k)) < F(1, 10**5)


def test_linear_part_and_constant_are_those_of_the_cell() -> None:
    assert CUT.at({0: F(2), 1: F(0)}) == 17
    assert CUT.at({0: F(2), 1: F(3)}) == F(9, 2)
    assert CUT.cell_of({1: F(3)}) == (1,)
    assert list(CUT.all_cells()) == [(0,), (1,)]
    assert CUT.linear((0,)) == LinearForm({0: F(5)})


def test_multiple_multiplies_everything() -> None:
    assert CUT.times(F(-2)).at({0: F(2), 1: F(0)}) == -34
    assert CUT.times(F(-2)).cuts == CUT.cuts


def test_json_leaves_zeros_out() -> None:
    assert PLAIN.to_json(["a", "b"]) == {
        "square": {"a": {"a": "2", "b": "-1"}, "b": {"b": "3"}},
        "linear": {"a": "1/2", "b": "-4"},
    }
    assert CUT.to_json(["a", "b"]) == {
        "square": {"b": {"b": "1"}},
        "linear": {},
        "cuts": {"b": "1"},
        "cells": [{"at": {"b": "0"}, "linear": {"a": "5"}, "constant": "7"}],
    }


def test_words_show_halves_of_the_diagonal_and_whole_products() -> None:
    assert PLAIN.words(["a", "b"]) == "f = a^2 - a b + 3/2 b^2 + 1/2 a - 4 b"
    assert signed_sum([(F(-1), "a"), (F(2, 3), "b")]) == "- a + 2/3 b"
    many = Quadratic.of({(k, k): F(1) for k in range(40)}, {})
    assert many.words([str(k) for k in range(40)]) == "f quadratic with 40 terms"
