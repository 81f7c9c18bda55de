"""Three queues or more: supports, stability, and the two-queue solver as a special case."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from proofs.equilibria.downs_thomson.many_queues import solve_many, supports
from proofs.equilibria.downs_thomson.model import Model, NotSupported
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import shuttle, taxis
from proofs.equilibria.downs_thomson.verifier import holds, verify

F = Fraction
NONE = F(0)


def mm1(rate: Fraction, dedicated: Fraction = NONE) -> Queue:
    return Queue(Kind.MM1, rate, dedicated)


def several(rate: Fraction, servers: int) -> Queue:
    return Queue(Kind.MMC, rate, servers=servers)


def listed(model: Model) -> list[tuple[list[str], bool | None]]:
    return [([str(share) for share in e.shares], e.stable) for e in solve(model).equilibria]


def test_many_three_single_servers_share_the_demand() -> None:
    # u_i = 1/w for all: (5/2 - 2)/3 = 1/6
    model = Model(F(2), (mm1(F(1)), mm1(F(1)), mm1(F(1, 2))))
    assert listed(model) == [(["5/12", "5/12", "1/6"], True)]


def test_many_slow_queue_stays_unused() -> None:
    model = Model(F(1), (mm1(F(2)), mm1(F(3, 2)), mm1(F(1, 2))))
    assert listed(model) == [(["3/4", "1/4", "0"], True)]


def test_many_unused_queue_that_is_just_as_fast_is_degenerate() -> None:
    # the common delay of the first two is 4/5
    model = Model(F(1), (mm1(F(2)), mm1(F(3, 2)), mm1(F(5, 4))))
    assert listed(model) == [(["3/4", "1/4", "0"], None)]


def test_many_two_servers_beside_a_batch_of_four_have_three_equilibria() -> None:
    model = Model(F(7, 4), (mm1(F(1)), mm1(F(1)), shuttle(4, F(100), F(1, 20))))
    assert [stable for _, stable in listed(model)] == [True, False, True]


def test_many_two_servers_beside_a_batch_of_five_have_one_equilibrium() -> None:
    model = Model(F(7, 4), (mm1(F(1)), mm1(F(1)), shuttle(5, F(100), F(1, 20))))
    assert [stable for _, stable in listed(model)] == [True]


def test_many_two_kinds_of_several_servers_pass_the_verifier() -> None:
    model = Model(F(2), (mm1(F(1)), several(F(1, 2), 2), several(F(1, 3), 3), shuttle()))
    found = solve(model).equilibria
    assert [e.stable for e in found] == [True, False, True]
    for e in found:
        assert holds(verify(model, [str(s) for s in e.shares], ["oo" if d is None else str(d) for d in e.delays]))


def test_many_three_kinds_of_several_servers_are_not_supported() -> None:
    with pytest.raises(NotSupported, match="3 different queues with several servers"):
        solve(Model(F(4), (several(F(1), 2), several(F(2, 3), 3), several(F(1, 2), 4))))


def test_many_batch_of_one_takes_the_remainder() -> None:
    model = Model(F(2), (mm1(F(2)), mm1(F(3, 2)), shuttle(1, F(1), F(0))))
    assert listed(model) == [(["1/2", "1/4", "1/4"], True)]


def test_many_two_queues_without_service_time_are_a_continuum() -> None:
    with pytest.raises(NotSupported, match="continuum"):
        solve(Model(F(1), (mm1(F(2)), shuttle(1), shuttle(1))))


def test_many_supports_are_prefixes_by_empty_delay_and_any_batch_queues() -> None:
    model = Model(F(1), (mm1(F(1)), mm1(F(2)), shuttle(), mm1(F(1, 2), F(1))))
    assert set(supports(model)) == {(1,), (0, 1), (2,), (1, 2), (0, 1, 2)}


def test_many_supports_end_at_a_constant_delay() -> None:
    model = Model(F(1), (mm1(F(2)), shuttle(1), mm1(F(1, 2))))
    assert set(supports(model)) == {(0,), (0, 1)}


def test_many_roots_with_a_negative_share_are_dropped() -> None:
    model = Model(F(1), (mm1(F(2)), mm1(F(3, 2)), mm1(F(1, 2))))
    assert "the share of queue 3 is negative" in [d.reason for d in solve(model).dropped]


@pytest.mark.parametrize("model", [taxis(F(1)), taxis(F(1, 2), 2), taxis(F(1, 2), 3), taxis(F(2)), taxis(F(1, 3))])
def test_many_solver_agrees_with_the_two_queue_solver(model: Model) -> None:
    def found(solution: object) -> list[tuple[str, bool | None]]:
        return [(str(e.shares[0]), e.stable) for e in solution.equilibria]  # type: ignore[attr-defined]

    assert found(solve_many(model)) == found(solve(model))


@pytest.mark.parametrize("seed", range(25))
def test_many_random_equilibria_pass_the_verifier_and_corners_are_complete(seed: int) -> None:
    source = random.Random(seed)

    def number(low: int, high: int) -> Fraction:
        return F(source.randint(low, high), source.randint(1, 4))

    def queue() -> Queue:
        kind = source.choice((Kind.MM1, Kind.MG1, Kind.RETRIAL, Kind.BATCH, Kind.BATCH))
        scv = number(0, 6) if kind is Kind.MG1 else F(1)
        return Queue(kind, number(1, 6), number(0, 2) / 5, scv, 1, number(1, 9), source.randint(2, 6))

    model = Model(number(1, 6), (queue(), queue(), queue()))
    found = solve(model).equilibria
    for e in found:
        assert holds(verify(model, [str(s) for s in e.shares], ["oo" if d is None else str(d) for d in e.delays]))
    for i in range(3):
        shares = [str(int(k == i)) for k in range(3)]
        assert any(e.shares[i] == 1 for e in found) == holds(verify(model, shares))
