"""w·x + h(x) at integer states: h is that of the cell, nothing where no value is kept."""

from __future__ import annotations

from fractions import Fraction

from verify.chain.cells import Cells, Feature
from verify.chain.guards import Normal
from verify.conditions.evidence.cell_function import CellFunction
from verify.conditions.evidence.nodes import Corrector
from verify.linear_form import LinearForm

F = Fraction
CELLS = Cells([Feature(Normal("x(a)", LinearForm.unit(0)), 0, 2)], 2)
V = CellFunction(LinearForm({0: F(1), 1: F(1, 2)}), Corrector(CELLS, {(0,): F(3), (2,): F(-1)}))


def test_value_is_the_linear_part_and_h_of_the_cell() -> None:
    values = [V.at({0: F(a), 1: F(2)}) for a in range(4)]
    assert values == [F(1) + 3, F(2), F(3) - 1, F(4) - 1]  # cells 0, 1, "2 or more", "2 or more"


def test_gradient_and_scale_are_those_of_the_linear_part() -> None:
    assert V.gradients_at({0: F(1)}) == (V.weights,)
    assert (V.size, V.scale) == (1, F(1))


def test_words_name_h_only_where_there_is_one() -> None:
    assert V.words(["a", "b"]) == "V = 1 a + 1/2 b + h(x), h on 2 cells"
    assert CellFunction(V.weights, Corrector(CELLS, {})).words(["a", "b"]) == "V = 1 a + 1/2 b"
    assert V.to_json(["a", "b"]) == [{"a": "1", "b": "1/2"}]
