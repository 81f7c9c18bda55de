"""The social optimum: known values, and no cheaper point on a fine grid."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import pytest

from proofs.equilibria.algebraic import Number
from proofs.equilibria.downs_thomson.model import Model, NotSupported
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.social import mean_transit_time, optimum
from proofs.equilibria.downs_thomson.standard import shuttle, taxis

F = Fraction
NONE = F(0)


def mm1(rate: Fraction, dedicated: Fraction = NONE) -> Queue:
    return Queue(Kind.MM1, rate, dedicated)


def test_social_at_mu1_one_is_the_known_quartic_root() -> None:
    best = optimum(taxis(F(1)))
    assert best is not None
    assert str(best.shares[0]) == "CRootOf(100*x**4 - 420*x**3 + 571*x**2 - 262*x + 10, 0)"
    assert (round(float(best.shares[0]), 10), round(float(best.value), 10)) == (0.0418725732, 1.9073233606)


def test_social_two_single_servers_follow_the_square_root_rule() -> None:
    # u_i proportional to sqrt(mu_i): (2 + 3/2 - 1)/(sqrt 2 + sqrt(3/2))
    best = optimum(Model(F(1), (mm1(F(2)), mm1(F(3, 2)))))
    assert best is not None
    assert (str(best.shares[0]), str(best.value)) == ("-8 + 5*sqrt(3)", "-3/5 + 4*sqrt(3)/5")


def test_social_without_dedicated_batch_customers_is_a_corner_or_the_square_root() -> None:
    best = optimum(Model(F(1), (mm1(F(1)), shuttle(3, F(1), F(0)))))
    assert best is not None
    assert (str(best.shares[0]), str(best.value)) == ("0", "2")


def test_social_value_does_not_rise_with_capacity_on_the_slides_grid() -> None:
    values = []
    for k in range(1, 31):
        best = optimum(taxis(F(k, 10)))
        assert best is not None
        values.append(best.value)
    assert all(later <= earlier for earlier, later in pairwise(values))
    assert values[0] == F(21, 11)


def test_social_overloaded_everywhere_has_none() -> None:
    assert optimum(Model(F(2), (mm1(F(1)), mm1(F(1, 2))))) is None


def test_social_four_different_single_servers_are_solved_in_one_field() -> None:
    best = optimum(Model(F(3), tuple(mm1(F(k, 2)) for k in (2, 3, 4, 5))))
    assert best is not None
    assert sum(best.shares[1:], best.shares[0]) == 1
    assert round(float(best.value), 12) == 0.937451287004


def test_social_two_single_servers_beside_a_constant_delay() -> None:
    best = optimum(Model(F(2), (mm1(F(2)), mm1(F(3, 2)), shuttle(1, F(1), F(0)))))
    assert best is not None
    # M_i = mu_i/u_i^2 = 1
    assert [round(float(s), 9) for s in best.shares[:2]] == [round((2 - 2**0.5) / 2, 9), round((1.5 - 1.5**0.5) / 2, 9)]


def test_social_four_kinds_beside_a_batch_queue_are_not_supported() -> None:
    with pytest.raises(NotSupported):
        optimum(Model(F(3), (*(mm1(F(k, 2)) for k in (2, 3, 4)), shuttle(3, F(1), F(1, 10)))))


def test_social_two_kinds_of_several_servers_beside_a_batch_queue() -> None:
    servers = [Queue(Kind.MMC, F(3, 2), servers=2), Queue(Kind.MMC, F(1), servers=3)]
    model = Model(F(4), (*servers, shuttle(9, F(1), F(1, 2))))
    best = optimum(model)
    assert best is not None
    assert best.shares[0] > 0 and best.shares[1] > 0
    assert mean_transit_time(model, best.shares) == best.value
    assert all(best.value <= cost for cost in grid_costs(model, 20))


def grid_costs(model: Model, steps: int) -> list[Number]:
    """The finite costs at all shares that are multiples of 1/steps."""
    found = []
    for weights in product(range(steps + 1), repeat=len(model.queues) - 1):
        if sum(weights) <= steps:
            shares = (*(F(w, steps) for w in weights), F(steps - sum(weights), steps))
            cost = mean_transit_time(model, tuple(Number.of(s) for s in shares))
            found += [] if cost is None else [cost]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_social_random_queues_no_grid_point_is_cheaper(seed: int) -> None:
    source, count = random.Random(seed), 2 + seed % 2

    def number(low: int, high: int) -> Fraction:
        return F(source.randint(low, high), source.randint(1, 4))

    def queue() -> Queue:
        kind = source.choice((Kind.MM1, Kind.MG1, Kind.RETRIAL, Kind.BATCH, *((Kind.MMC,) if count == 2 else ())))
        scv = number(0, 6) if kind is Kind.MG1 else F(1)
        servers = 2 if kind is Kind.MMC else 1
        return Queue(kind, number(1, 6), number(0, 2) / 5, scv, servers, number(1, 9), source.randint(1, 6))

    model = Model(number(1, 6), tuple(queue() for _ in range(count)))
    best = optimum(model)
    costs = grid_costs(model, 24 if count == 2 else 12)
    assert (best is None) <= (not costs)
    assert best is None or all(best.value <= cost for cost in costs)
    assert best is None or mean_transit_time(model, best.shares) == best.value
