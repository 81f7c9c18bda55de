"""Known equilibria of two queues, exact (slides 38-45; docs/equilibria.md), and each through the verifier."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.equilibria.downs_thomson.completeness import count_mixed, side_signs
from proofs.equilibria.downs_thomson.model import Model, Solution
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import retrials, shuttle, taxis
from proofs.equilibria.downs_thomson.verifier import holds, verify

F = Fraction
NONE = F(0)


def mm1(rate: Fraction, dedicated: Fraction = NONE) -> Queue:
    return Queue(Kind.MM1, rate, dedicated)


#: name -> (model, [(share of queue 1, common delay, stable)])
KNOWN: dict[str, tuple[Model, list[tuple[str, str, bool | None]]]] = {
    "mu1=1": (taxis(F(1)), [("21/20 - sqrt(41)/20", "1/2 + sqrt(41)/2", True)]),
    "mu1=11/20": (taxis(F(11, 20)), [("33/40 - sqrt(1001)/40", "1/2 + sqrt(1001)/22", True)]),
    "mu1=11/20, two servers": (taxis(F(11, 20), 2), [("1", "220/21", True)]),
    "mu1=21/20": (taxis(F(21, 20)), [("17/20", "5", True)]),
    "mu1=11/10": (taxis(F(11, 10)), [("1", "10", True)]),
    "scv=0": (taxis(F(1), 1, F(0)), [("31/20 - sqrt(161)/20", "sqrt(161)/4 + 13/4", True)]),
    "c=2, mu1=1/2": (
        taxis(F(1, 2), 2),
        [("0", "21/11", True), ("4/5 - sqrt(11)/5", "1/7 + 4*sqrt(11)/7", False), ("1/2", "8/3", True)],
    ),
    "three, N=2": (
        Model(F(1), (mm1(F(2)), shuttle(2, None, F(1, 4)))),
        [("0", "2/5", True), ("1/2", "2/3", False), ("1", "1", True)],
    ),
    "needs, batch": (
        Model(F(2), (mm1(F(1)), shuttle(3, F(1), F(0)))),
        [("3/4 - sqrt(5)/4", "1/2 + sqrt(5)/2", True)],
    ),
    "needs, batch, more capacity": (
        Model(F(2), (mm1(F(5, 4)), shuttle(3, F(1), F(0)))),
        [("13/16 - sqrt(57)/16", "1/2 + sqrt(57)/6", True)],
    ),
    "needs, two M/M/1": (Model(F(1), (mm1(F(2)), mm1(F(3, 2)))), [("3/4", "4/5", True)]),
    "retrials, mu1=5/4": (retrials(F(5, 4), F(2)), [("1/2", "6", True)]),
    "retrials, mu1=3/2": (retrials(F(3, 2), F(2)), [("22/15 - sqrt(301)/30", "13/2 + sqrt(301)/2", True)]),
    "full at p=0": (Model(F(1), (mm1(F(1), F(1)), shuttle())), [("0", "21/11", True)]),
    "no dedicated batch customers": (Model(F(1), (mm1(F(3)), shuttle(3, F(1), F(0)))), [("1", "1/2", True)]),
}


def found(solution: Solution) -> list[tuple[str, str, bool | None]]:
    return [(str(e.shares[0]), str(e.delay), e.stable) for e in solution.equilibria]


@pytest.mark.parametrize("name", KNOWN)
def test_equilibria_known_are_reproduced(name: str) -> None:
    model, expected = KNOWN[name]
    assert found(solve(model)) == expected


@pytest.mark.parametrize("name", KNOWN)
def test_equilibria_known_pass_the_verifier_and_the_count(name: str) -> None:
    model, expected = KNOWN[name]
    for equilibrium in solve(model).equilibria:
        shares = [str(share) for share in equilibrium.shares]
        delays = ["oo" if delay is None else str(delay) for delay in equilibrium.delays]
        assert holds(verify(model, shares, delays))
        left, right = side_signs(model, shares[0])
        assert equilibrium.stable == (left in (None, -1) and right in (None, 1))
    assert count_mixed(model) == sum(share not in ("0", "1") for share, _, _ in expected)


@pytest.mark.parametrize(
    ("model", "decimals"),
    [
        (taxis(F(1)), 0.729844),
        (taxis(F(11, 20)), 0.034035),
        (taxis(F(1), 1, F(0)), 0.915571),
        (retrials(F(3, 2), F(2)), 0.888355),
        (retrials(F(84, 100), F(2)), 0.005091),
        (retrials(F(155, 100), F(2)), 0.986398),
    ],
)
def test_equilibria_known_decimals(model: Model, decimals: float) -> None:
    (only,) = solve(model).equilibria
    assert round(float(only.shares[0]), 6) == decimals


def test_equilibria_batch_flow_is_the_golden_ratio() -> None:
    model = KNOWN["needs, batch"][0]
    (only,) = solve(model).equilibria
    assert str(only.shares[1] * 2) == "1/2 + sqrt(5)/2"


def test_equilibria_many_servers_delays_at_eleven_twentieths() -> None:
    delays = [float(solve(taxis(F(11, 20), c)).equilibria[0].delay) for c in (1, 2, 3)]
    assert [round(d, 4) for d in delays] == [1.9381, 10.4762, 2.3759]


def test_equilibria_three_servers_at_one_half_need_an_isolated_root() -> None:
    p0, mixed, p1 = solve(taxis(F(1, 2), 3)).equilibria
    assert (p0.stable, mixed.stable, p1.stable) == (True, False, True)
    assert str(mixed.shares[0]) == "CRootOf(40*x**4 - 104*x**3 + 62*x**2 + 84*x - 9, 1)"
    assert round(float(mixed.shares[0]), 5) == 0.10086
    assert str(p1.delay) == "26/9"
    assert holds(verify(taxis(F(1, 2), 3), [str(s) for s in mixed.shares], [str(d) for d in mixed.delays]))


class TestDroppedRoots:
    """Roots that are no equilibria are listed with the reason."""

    def test_root_above_one_is_dropped(self) -> None:
        (root,) = solve(taxis(F(21, 20))).dropped
        assert (str(root.shares[0]), root.reason) == ("13/10", "the share of queue 1 is above 1")

    def test_negative_root_is_dropped(self) -> None:
        reasons = {str(d.shares[0]): d.reason for d in solve(taxis(F(11, 20), 2)).dropped}
        assert reasons["-1/10"] == "the share of queue 1 is negative"

    def test_root_of_the_cleared_denominators_is_dropped(self) -> None:
        (root,) = solve(taxis(F(11, 10))).dropped
        assert str(root.shares[0]) == "11/10"
        assert "introduced by clearing denominators" in root.reason

    def test_corner_with_two_infinite_delays_is_dropped(self) -> None:
        solution = solve(KNOWN["needs, batch"][0])
        assert [d.reason for d in solution.dropped if d.shares[0] == 1] == ["both delays are infinite there"]

    def test_root_in_the_overload_of_queue_one_is_dropped(self) -> None:
        model = Model(F(1), (mm1(F(1, 2)), mm1(F(2, 5))))
        assert solve(model).equilibria == ()
        assert [d.reason for d in solve(model).dropped if 0 < d.shares[0] < 1] == [
            "the delay of queue 1 is infinite there"
        ]

    def test_root_at_the_common_pole_of_two_servers_is_dropped(self) -> None:
        model = Model(F(1), (mm1(F(1, 2)), mm1(F(1, 2))))
        assert solve(model).equilibria == ()
        reasons = {str(d.shares[0]): d.reason for d in solve(model).dropped}
        assert reasons["1/2"] == "introduced by clearing denominators: both delays have their pole there"


class TestDegenerateCases:
    """Ties at corners, folds, linear equations and whole intervals."""

    def test_tie_at_a_corner_is_decided_by_the_next_derivative(self) -> None:
        stable = solve(taxis(F(11, 21))).equilibria
        assert [(str(e.shares[0]), e.stable) for e in stable] == [("0", True)]
        unstable = solve(taxis(F(11, 21), 2)).equilibria
        assert [(round(float(e.shares[0]), 3), e.stable) for e in unstable] == [(0.0, False), (0.726, True)]

    def test_double_root_is_unstable(self) -> None:
        # M/G/1 with a = 2, n = 1/2, m = 1, k = 1/2: Q = (v - 1/2)^2, at p = 4/5
        queue = Queue(Kind.MG1, F(2), scv=F(3))
        fold, full = solve(Model(F(5, 4), (queue, shuttle(2, F(2), F(1, 4))))).equilibria
        assert fold.shares[0] == F(4, 5)
        assert fold.stable is False
        assert "multiplicity 2" in fold.reason
        assert full.shares[0] == F(1)
        assert full.stable is True

    def test_double_root_is_unstable_from_the_other_side_too(self) -> None:
        queue = Queue(Kind.MG1, F(2), scv=F(3))
        full, fold = solve(Model(F(5, 4), (shuttle(2, F(2), F(1, 4)), queue))).equilibria
        assert fold.shares[0] == F(1, 5)
        assert fold.stable is False
        assert full.shares[0] == F(0)
        assert full.stable is True

    def test_tie_at_the_other_corner_is_decided_by_the_next_derivative(self) -> None:
        (stable,) = solve(taxis(F(12, 11))).equilibria
        assert (str(stable.shares[0]), stable.stable, str(stable.delay)) == ("1", True, "11")
        queues = taxis(F(11, 21), 2).queues
        unstable = solve(Model(F(1), (queues[1], queues[0]))).equilibria[-1]
        assert (str(unstable.shares[0]), unstable.stable) == ("1", False)

    def test_linear_equation_has_one_mixed_equilibrium(self) -> None:
        # a = 1, mu2 infinite: m = 0, Q is linear; v = n k/(a - n) with k = 1, n = 1/2
        model = KNOWN["three, N=2"][0]
        (mixed,) = [e for e in solve(model).equilibria if e.kind == "mixed"]
        assert mixed.shares[1] + F(1, 4) == F(1, 2) * F(3, 4) / F(1, 2)

    def test_identical_delays_give_a_whole_interval(self) -> None:
        solution = solve(Model(F(1), (mm1(F(11, 10)), shuttle(3, None))))
        assert [e.stable for e in solution.equilibria] == [None, None]
        (continuum,) = solution.continua
        assert continuum.start[0] == F(0)
        assert continuum.end[0] == F(1)

    def test_batches_of_one_do_not_wait(self) -> None:
        solution = solve(Model(F(1), (mm1(F(3, 2)), shuttle(1))))
        assert [(str(e.shares[0]), str(e.delay)) for e in solution.equilibria] == [("1/2", "1")]
