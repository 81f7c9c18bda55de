"""The maximum of linear forms."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from verify.functions.piecewise import PiecewiseLinear, free_pieces

F = Fraction
WEIGHTS = st.dictionaries(st.integers(0, 3), st.fractions(0, 3, max_denominator=4).filter(bool))
STATES = st.dictionaries(st.integers(0, 3), st.integers(1, 9).map(Fraction))


def test_value_is_the_largest_piece() -> None:
    function = PiecewiseLinear.of({0: F(1)}, {1: F(1, 2), 2: F(2)})
    assert function.at({0: F(3), 1: F(1), 2: F(1)}) == 3
    assert function.at({0: F(1), 1: F(1), 2: F(1)}) == F(5, 2)
    assert function.at({}) == 0


def test_difference_leaves_zeros_out() -> None:
    function = PiecewiseLinear.of({0: F(1), 1: F(2)}, {1: F(2), 2: F(3)})
    assert function.difference(0, 1) == {0: F(1), 2: F(-3)}
    assert function.difference(1, 1) == {}


@given(pieces=st.lists(WEIGHTS, min_size=2, max_size=4), state=STATES)
def test_difference_is_the_difference_of_values(pieces: list[dict[int, Fraction]], state: dict[int, Fraction]) -> None:
    function = PiecewiseLinear.of(*pieces)
    values = [sum((weight * state.get(k, 0) for k, weight in piece.items()), F(0)) for piece in pieces]
    assert function.at(state) == max(values)
    for i in range(len(pieces)):
        for j in range(len(pieces)):
            form = function.difference(i, j)
            assert all(form.values())
            assert sum((value * state.get(k, 0) for k, value in form.items()), F(0)) == values[i] - values[j]


def test_free_pieces_keep_the_first_of_equal_ones() -> None:
    function = free_pieces(("a", "b"), ({"b": F(1)}, {"a": F(0), "b": F(1)}, {"a": F(1)}))
    assert function == PiecewiseLinear.of({1: F(1)}, {0: F(1)})
    assert len(function) == 2


def test_gradients_are_the_pieces_that_are_maximal_there() -> None:
    function = PiecewiseLinear.of({0: F(1)}, {1: F(2)}, {0: F(1), 1: F(1)})
    assert function.gradients_at({0: F(1)}) == (function.pieces[0], function.pieces[2])
    assert function.gradients_at({1: F(1)}) == (function.pieces[1],)
    assert (function.size, function.scale) == (3, F(2))


def test_words_are_shortened_where_many_weights_would_have_to_be_read() -> None:
    names = [f"b{k}" for k in range(9)]
    assert PiecewiseLinear.of({0: F(1)}, {1: F(1, 2)}).words(names[:2]) == "V, a maximum of 2 pieces: 1 b0, 1/2 b1"
    assert PiecewiseLinear.of({0: F(1)}, {8: F(1, 2)}).words(names) == "V, a maximum of 2 pieces"
    assert PiecewiseLinear.of({0: F(2), 1: F(2)}).words(names[:2]) == "V = 2 b0 + 2 b1"
