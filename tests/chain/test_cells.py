"""Pattern cells against plain enumeration of integer states."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from verify.chain.cells import Cells, Feature, Interval
from verify.chain.guards import Normal, Signs
from verify.linear_form import LinearForm


def coordinate(k: int) -> Normal:
    return Normal(f"x({k})", LinearForm({k: Fraction(1)}))


def difference(i: int, j: int) -> Normal:
    return combination({i: 1, j: -1})


def combination(form: dict[int, int]) -> Normal:
    return Normal(str(form), LinearForm({k: Fraction(v) for k, v in form.items()}))


GRIDS = {
    "patterns": Cells([Feature(coordinate(k), 0, 1) for k in range(3)], 3),
    "one decision": Cells([Feature(coordinate(0), 0, 2), Feature(coordinate(1), 0, 2), Feature(difference(0, 1), -1, 1)], 3),
    "three differences": Cells(
        [Feature(coordinate(k), 0, 2) for k in range(3)]
        + [Feature(difference(i, j), -2, 2) for i, j in ((0, 1), (0, 2), (1, 2))],
        3,
    ),
    "no coordinate": Cells([Feature(difference(0, 2), -1, 2)], 3),
    "multiples": Cells([Feature(combination({0: 2, 1: -2}), -3, 3), Feature(combination({2: 3, 1: -3}), -2, 4)], 3),
    "weighted": Cells([Feature(coordinate(0), 0, 2), Feature(combination({0: 2, 1: -3}), -3, 3)], 3),
    "weighted rows": Cells([Feature(combination({0: 3, 1: 1, 2: -2}), -2, 2), Feature(combination({1: 2, 2: -2}), -1, 3)], 3),
}  # fmt: skip


def box(size: int) -> list[dict[int, int]]:
    return [dict(enumerate(point)) for point in itertools.product(range(size), repeat=3)]


@pytest.mark.parametrize("name", GRIDS)
def test_cells_every_state_is_in_a_listed_cell(name: str) -> None:
    cells = GRIDS[name]
    listed = set(cells.all())
    assert {cells.cell_of(state) for state in box(7)} <= listed


@pytest.mark.parametrize("name", ["patterns", "one decision", "three differences"])
def test_cells_listed_ones_have_a_state(name: str) -> None:
    """With coordinates and differences of coordinates emptiness is decided exactly."""
    cells = GRIDS[name]
    assert set(cells.all()) == {cells.cell_of(state) for state in box(9)}


@pytest.mark.parametrize("name", GRIDS)
def test_cells_jumps_lead_to_listed_targets(name: str) -> None:
    cells = GRIDS[name]
    for change in ({0: 1}, {0: -1, 1: 1}, {2: -1}, {1: -1, 2: 1}):
        exact = LinearForm((k, Fraction(v)) for k, v in change.items())
        for state in box(6):
            after = {k: x + change.get(k, 0) for k, x in state.items()}
            if min(after.values()) >= 0:
                assert cells.cell_of(after) in cells.targets(cells.cell_of(state), exact)


@pytest.mark.parametrize("name", GRIDS)
def test_cells_intervals_contain_the_values(name: str) -> None:
    cells = GRIDS[name]
    for form in ({0: 1}, {0: 2, 1: -2}, {0: 1, 1: -1}, {1: -1, 2: 1}, {0: 1, 1: 1, 2: -1}, {0: 2, 1: -3}, {2: -3}):
        exact = LinearForm((k, Fraction(v)) for k, v in form.items())
        for state in box(5):
            value = Fraction(sum(a * state[k] for k, a in form.items()))
            assert cells.interval(exact, cells.cell_of(state)).meets(Interval(value, value))


def test_interval_allows_signs() -> None:
    assert not Interval(Fraction(1), None).allows(Signs.NOT_POSITIVE)
    assert Interval(Fraction(0), None).allows(Signs.ZERO)
    assert not Interval(None, Fraction(-1)).allows(Signs.NOT_NEGATIVE)
