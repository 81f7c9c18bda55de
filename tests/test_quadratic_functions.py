"""The numbers of docs/theory.md, section 13, by arithmetic on boxes of states: drifts of quadratic functions, written out jump by jump."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

import pytest

State: TypeAlias = tuple[int, ...]
#: A jump: its rate and its change.
Jump: TypeAlias = tuple[Fraction, State]
#: At each state, for every decision, its choices.
Network: TypeAlias = Callable[[State], list[list[list[Jump]]]]
Function: TypeAlias = Callable[[State], Fraction]

BOX = 12
HALF = Fraction(1, 2)
QUARTER_LOAD = Fraction(5, 4)


def drifts(network: Network, function: Function, state: State) -> Iterator[Fraction]:
    """The drift of a function at a state under every joint choice."""
    for choice in itertools.product(*network(state)):
        jumps = [jump for option in choice for jump in option]
        moved = [(rate, tuple(a + b for a, b in zip(state, change, strict=True))) for rate, change in jumps]
        assert all(min(after) >= 0 for _, after in moved)
        yield sum((rate * (function(after) - function(state)) for rate, after in moved), Fraction(0))


def states(buffers: int) -> Iterator[State]:
    return itertools.product(range(BOX), repeat=buffers)


def slacks(
    network: Network, function: Function, weights: Sequence[Fraction | int], constant: Fraction | int
) -> list[Fraction]:
    """−c·x + d − drift at all states of a box under all choices."""
    return [
        constant - sum((c * n for c, n in zip(weights, x, strict=True)), Fraction(0)) - drift
        for x in states(len(weights))
        for drift in drifts(network, function, x)
    ]


def quadratic(matrix: Sequence[Sequence[Fraction | int]], linear: Sequence[Fraction | int]) -> Function:
    """½ x'Qx + q·x."""

    def value(x: State) -> Fraction:
        square = sum((row[j] * x[i] * x[j] for i, row in enumerate(matrix) for j in range(len(x))), Fraction(0))
        return HALF * square + sum((q * n for q, n in zip(linear, x, strict=True)), Fraction(0))

    return value


def unit(k: int, buffers: int, by: int = 1) -> State:
    return tuple(by * (i == k) for i in range(buffers))


def separate(arrivals: Sequence[Fraction | int], rates: Sequence[Fraction | int], least: int = 1) -> Network:
    """Separate queues; a server works where there are ``least`` jobs."""
    n = len(rates)

    def at(x: State) -> list[list[list[Jump]]]:
        streams = [[[(Fraction(rate), unit(k, n))]] for k, rate in enumerate(arrivals)]
        return streams + [[[(Fraction(mu), unit(k, n, -1))] if x[k] >= least else []] for k, mu in enumerate(rates)]

    return at


def tandem(arrival: Fraction | int, first: Fraction | int, second: Fraction | int) -> Network:
    def at(x: State) -> list[list[list[Jump]]]:
        one: list[Jump] = [(Fraction(first), (-1, 1))] if x[0] else []
        two: list[Jump] = [(Fraction(second), (0, -1))] if x[1] else []
        return [[[(Fraction(arrival), (1, 0))]], [one], [two]]

    return at


def shorter_queue(x: State) -> list[list[list[Jump]]]:
    """``jsq`` at two servers of rate 1, λ = 1, ties in any way."""
    joins: list[list[Jump]] = [[(Fraction(1), unit(k, 2))] for k in range(2) if x[k] == min(x)]
    return [joins, *([[(Fraction(1), unit(k, 2, -1))] if x[k] else []] for k in range(2))]


def two_servers(x: State) -> list[list[list[Jump]]]:
    """M/M/2 with λ = 1 and rates 1."""
    return [[[(Fraction(1), (1,))]], [[(Fraction(min(x[0], 2)), (-1,))] if x[0] else []]]


@pytest.mark.parametrize(("arrival", "rate"), [(Fraction(1), Fraction(2)), (Fraction(9, 10), Fraction(1))])
def test_single_queue_is_exact(arrival: Fraction, rate: Fraction) -> None:
    found = slacks(separate([arrival], [rate]), quadratic([[1]], [HALF]), [rate - arrival], arrival)
    assert set(found) == {Fraction(0)}


@pytest.mark.parametrize(
    ("rates", "matrix", "linear", "bound", "upper"),
    [
        ((2, 3), [[1, 0], [0, 1]], [Fraction(3, 2), HALF], Fraction(2), True),
        ((2, 3), [[1, 0], [0, Fraction(1, 3)]], [Fraction(5, 6), Fraction(1, 6)], Fraction(4, 3), False),
        ((QUARTER_LOAD, QUARTER_LOAD), [[24, 4], [4, 4]], [12, 2], Fraction(24), True),
        ((QUARTER_LOAD, QUARTER_LOAD), [[4, 0], [0, Fraction(4, 5)]], [Fraction(14, 5), Fraction(2, 5)], Fraction(24, 5), False),
    ],
)  # fmt: skip
def test_queues_in_series_are_bounded_as_printed(
    rates: tuple[Fraction | int, Fraction | int], matrix: list[list[Fraction | int]], linear: list[Fraction | int],
    bound: Fraction, upper: bool,
) -> None:  # fmt: skip
    found = slacks(tandem(1, *rates), quadratic(matrix, linear), [1, 1], bound)
    assert min(found) == 0 if upper else max(found) == 0
    truth = sum(1 / (Fraction(rate) - 1) for rate in rates)
    assert truth < bound if upper else truth > bound


def test_correction_where_a_queue_is_empty_is_sharper() -> None:
    smooth = quadratic([[2, 1], [1, 1]], [Fraction(3, 4), Fraction(1, 4)])

    def function(x: State) -> Fraction:
        return smooth(x) + (0 if x[1] else HALF * x[0])

    network = tandem(1, 2, 2)
    found = slacks(network, function, [1, 1], Fraction(9, 4))
    assert min(found) == 0
    assert max(found) == BOX - 1  # x_1, where both queues have jobs and no service empties the second
    assert min(slacks(network, quadratic([[3, 1], [1, 1]], [Fraction(3, 2), HALF]), [1, 1], 3)) == 0


def test_overloaded_queues_pass_without_copositivity() -> None:
    assert min(slacks(separate([2], [1]), quadratic([[-1]], [HALF]), [1], 0)) >= 0
    assert min(slacks(separate([2, 2], [1, 1]), quadratic([[0, -1], [-1, 0]], [0, 0]), [1, 1], 0)) >= 0


def test_weight_zero_needs_the_bordered_matrix() -> None:
    found = slacks(separate([HALF, 2], [1, 1]), quadratic([[1, 0], [0, 0]], [HALF, -1]), [HALF, 0], -HALF)
    assert min(found) == 0


def test_server_that_keeps_its_last_job_passes_without_work() -> None:
    assert min(slacks(separate([1], [2], least=2), quadratic([[1]], [0]), [1], Fraction(5, 2))) == 0


def test_idling_must_be_counted() -> None:
    network = separate([2, Fraction(1, 10)], [1, 10])
    function = quadratic([[1, 1], [1, 1]], [0, 0])
    bounds = {
        x: [Fraction(131, 20) - Fraction(79, 10) * sum(x) - drift for drift in drifts(network, function, x)]
        for x in states(2)
    }
    assert all(min(found) >= 0 for x, found in bounds.items() if x[1])
    assert any(min(found) < 0 for x, found in bounds.items() if not x[1])


def test_two_servers_are_not_one_of_twice_the_rate() -> None:
    """E X = 4/3 for M/M/2 at load 1/2."""
    function = quadratic([[1]], [HALF])
    assert set(slacks(separate([1], [2]), function, [1], 1)) == {Fraction(0)}
    assert list(drifts(two_servers, function, (1,))) == [1]
    assert min(slacks(two_servers, function, [1], 1)) < 0
    assert min(slacks(two_servers, quadratic([[1]], [-HALF]), [1], 2)) >= 0


def test_ties_belong_to_both_sides() -> None:
    function = quadratic([[1, 0], [0, 1]], [HALF, HALF])
    assert min(slacks(shorter_queue, function, [HALF, HALF], 1)) == 0
    strict = {x: HALF - HALF * sum(x) - max(drifts(shorter_queue, function, x)) for x in states(2)}
    assert all(slack >= 0 for x, slack in strict.items() if x[0] != x[1])
    assert strict[0, 0] == -HALF


def test_constant_takes_jump_by_jump() -> None:
    function = quadratic([[1]], [0])
    assert list(drifts(separate([1], [2]), function, (5,))) == [-5 + Fraction(3, 2)]


def test_horn_matrix_is_as_printed() -> None:
    def form(x: State) -> int:
        near = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]
        pairs = itertools.combinations(range(5), 2)
        return sum(n * n for n in x) + 2 * sum((-1 if pair in near else 1) * x[pair[0]] * x[pair[1]] for pair in pairs)

    for x in itertools.product(range(-1, 3), repeat=5):
        a, b, c, d, e = x
        assert form(x) == (a - b + c + d - e) ** 2 + 4 * b * d + 4 * c * (e - d)
        assert form(x) == (a - b + c - d + e) ** 2 + 4 * b * e + 4 * a * (d - e)
        assert min(x) < 0 or form(x) >= 0
