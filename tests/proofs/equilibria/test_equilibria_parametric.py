"""Cells of the parameter space, stretches of one parameter, and closed-form ends, against the solver."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.equilibria.algebraic import Number, polynomial, real_roots
from proofs.equilibria.downs_thomson.cells import Kinds, Line, kinds_of, stretches
from proofs.equilibria.downs_thomson.decomposition import Cell, Family, kinds, kinds_by_definition, samples
from proofs.equilibria.downs_thomson.intervals import (
    Road,
    rate_curve,
    retrial_interval,
    retrial_service_rate_interval,
    scv_interval,
    service_rate_interval,
)
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import RETRIAL_ROAD, ROAD, retrial_line, scv_line, shuttle, taxi_line

F = Fraction
P0, P1, UP, DOWN = ("p=0", True), ("p=1", True), ("mixed", True), ("mixed", False)

#: docs/equilibria.md: name -> (line, [(start, kinds)])
TABLE: dict[str, tuple[Line, list[tuple[float, Kinds]]]] = {
    "c=1": (taxi_line(), [(0, (P0,)), (0.5238095, (UP,)), (1.0909091, (P1,))]),
    "c=1, scv=0": (taxi_line(1, F(0)), [(0, (P0,)), (0.5238095, (UP,)), (1.0475164, (P1,))]),
    "c=1, scv=1/2": (taxi_line(1, F(1, 2)), [(0, (P0,)), (0.5238095, (UP,)), (1.0696619, (P1,))]),
    "c=1, scv=2": (
        taxi_line(1, F(2)),
        [(0, (P0,)), (0.5238095, (UP,)), (1.1310954, (UP, DOWN, P1)), (1.1350643, (P1,))],
    ),
    "c=2": (taxi_line(2), [(0, (P0,)), (0.4903267, (P0, DOWN, UP)), (0.5238095, (UP,)), (0.5475164, (P1,))]),
    "c=2, scv=1/2": (
        taxi_line(2, F(1, 2)),
        [(0, (P0,)), (0.4774732, (P0, DOWN, UP)), (0.5238095, (UP,)), (0.5368635, (P1,))],
    ),
    "c=2, scv=2": (
        taxi_line(2, F(2)),
        [(0, (P0,)), (0.5028873, (P0, DOWN, UP)), (0.5238095, (UP,)), (0.567091, (UP, DOWN, P1)), (0.5721596, (P1,))],
    ),
    "c=3": (taxi_line(3), [(0, (P0,)), (0.3668637, (P0, DOWN, P1)), (0.5238095, (P1,))]),
    "c=4": (taxi_line(4), [(0, (P0,)), (0.2768606, (P0, DOWN, P1)), (0.5238095, (P1,))]),
    "c=5": (taxi_line(5), [(0, (P0,)), (0.2231411, (P0, DOWN, P1)), (0.5238095, (P1,))]),
    "scv, mu1=4/5": (scv_line(F(4, 5)), [(0, (UP,))]),
    "scv, mu1=11/10": (scv_line(F(11, 10)), [(0, (P1,)), (1.22, (UP,))]),
    "scv, mu1=3/2": (scv_line(F(3, 2)), [(0, (P1,)), (8.5646538, (UP, DOWN, P1)), (14.5, (UP,))]),
    "retrials, nu=2": (retrial_line(nu=F(2)), [(0, (P0,)), (0.8353659, (UP,)), (1.5564516, (P1,))]),
    "retrials, mu1=5/4": (retrial_line(mu1=F(5, 4)), [(0, (P0,)), (0.278481, (UP,))]),
    "retrials, mu1=2": (
        retrial_line(mu1=F(2)),
        [(0, (P0,)), (0.1034483, (P0, DOWN, P1)), (0.1089109, (UP, DOWN, P1)), (0.2084713, (P1,))],
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_stretches_of_the_slides_are_reproduced(name: str) -> None:
    line, expected = TABLE[name]
    assert [(round(float(s.start), 7), s.kinds) for s in stretches(line)] == expected


@pytest.mark.parametrize("name", ["c=1, scv=2", "c=2", "c=3", "scv, mu1=3/2", "retrials, mu1=2"])
def test_stretches_agree_with_the_solver_on_a_grid(name: str) -> None:
    line, _ = TABLE[name]
    found = stretches(line)
    for k in range(1, 120):
        value = F(k, 7) if "scv, mu1" in name else F(k, 79)
        inside = [s for s in found if s.start < value and (s.end is None or s.end > value)]
        assert [s.kinds for s in inside] == [kinds_of(solve(line.model(value)))]


def test_stretches_fold_of_two_servers_is_the_quartic_of_the_check() -> None:
    quartic = real_roots(polynomial([9261, -12951, -4420, -19600, 8000]))
    assert stretches(taxi_line(2))[1].start == Number.of(quartic[0][0])


def test_cells_every_sample_agrees_with_the_definition() -> None:
    cells = samples()
    assert len(cells) == 34
    assert all(kinds(cell) == kinds_by_definition(poly) for cell, poly in cells.items())


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (Cell(1, 0, -1, 1), (UP,)),
        (Cell(-1, 0, 1, 1), (P0, DOWN, P1)),
        (Cell(-1, 1, -1, 1), (P0, DOWN, UP)),
        (Cell(1, -1, 1, 1), (UP, DOWN, P1)),
        (Cell(1, -1, 1, 0), (DOWN, P1)),
        (Cell(0, 1, 0, 1), (("p=0", False), P1)),
    ],
)
def test_cells_known_kinds(cell: Cell, expected: Kinds) -> None:
    assert kinds(cell) == expected


def test_family_identical_delays_are_a_whole_interval() -> None:
    assert Family(F(1), F(11, 10), F(0), F(1), F(1), F(0), F(1, 10)).equilibria() is None


class TestClosedForms:
    """Ends of paradox intervals."""

    def test_ends_in_mu1(self) -> None:
        interval = service_rate_interval(ROAD, F(1))
        assert interval.lower == F(11, 21)
        assert interval.upper == F(12, 11)

    def test_ends_without_dedicated_batch_customers(self) -> None:
        road = Road(F(1), F(0), F(0), F(1), F(1))
        interval = service_rate_interval(road, F(1))
        assert interval.lower == F(1, 2)
        assert interval.upper == F(1)

    def test_ends_of_retrials(self) -> None:
        interval = retrial_service_rate_interval(RETRIAL_ROAD, F(2))
        assert interval.lower == F(137, 164)
        assert interval.upper == F(193, 124)
        assert retrial_interval(RETRIAL_ROAD, F(5, 4)).lower == F(22, 79)
        assert retrial_interval(RETRIAL_ROAD, F(5, 4)).upper is None

    def test_ends_in_scv_with_dedicated_customers(self) -> None:
        road = Road(F(1), F(1, 4), F(1, 10), F(1), F(3))
        interval = scv_interval(road, F(13, 10))
        assert interval.lower is not None and interval.upper is not None
        kinds_around = []
        for value in (interval.lower, interval.upper):
            end = value.rational
            assert end is not None
            queues = [Queue(Kind.MG1, F(13, 10), F(1, 4), scv=end + step) for step in (-F(1, 1000), F(1, 1000))]
            kinds_around.append([kinds_of(solve(Model(F(1), (queue, shuttle(7))))) for queue in queues])
        assert kinds_around == [[(P1,), (UP,)], [(UP,), (P0,)]]

    @pytest.mark.parametrize("scv", [F(0), F(1, 2), F(1), F(4)])
    def test_curve_makes_the_delays_equal(self, scv: Fraction) -> None:
        x = F(1, 3)
        w = ROAD.batch_delay(x)
        assert w is not None
        mu1 = rate_curve(w, x, (1 + scv) / 2)
        a = (1 + scv) / 2
        assert mu1 > x
        assert Number.of(1 - a) / mu1 + Number.of(a) / (mu1 - x) == w
