"""Exact numbers, delay formulas, and the stability rule, each against something that does not share its code."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
import sympy

from proofs.equilibria.algebraic import Number, compare, polynomial, real_roots
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.ratio import Ratio
from proofs.equilibria.downs_thomson.square_root import Surd, square_root_solutions, square_roots
from proofs.equilibria.downs_thomson.stability import _definite
from proofs.equilibria.downs_thomson.verifier import delay_formula

F = Fraction


def root(coefficients: list[int], index: int) -> Number:
    return Number.of(real_roots(polynomial(coefficients))[index][0])


class TestNumbers:
    """Algebraic numbers against sympy."""

    @pytest.mark.parametrize("seed", range(15))
    def test_numbers_real_roots_agree_with_sympy(self, seed: int) -> None:
        source = random.Random(seed)
        coefficients = [source.randint(-9, 9) for _ in range(source.randint(2, 6))] + [source.randint(1, 5)]
        x = sympy.Symbol("x")
        expected = sympy.Poly(coefficients[::-1], x).real_roots()
        found = [Number.of(r) for r, times in real_roots(polynomial(coefficients)) for _ in range(times)]
        assert [round(float(n), 10) for n in found] == [round(float(e), 10) for e in expected]
        assert all(abs(float(sympy.sympify(str(n)) - e)) < 1e-12 for n, e in zip(found, expected, strict=True))

    def test_numbers_equal_values_of_different_fields_are_equal(self) -> None:
        cube = root([-2, 0, 0, 1], 0)
        sixth = root([-2, 0, 0, 0, 0, 0, 1], 1)
        assert compare(cube, sixth * sixth) == 0
        assert cube == sixth * sixth
        assert cube != sixth * sixth + F(1, 10**30)

    def test_numbers_that_agree_to_thirty_digits_are_told_apart(self) -> None:
        two = root([-2, 0, 1], 1)
        near = F(1414213562373095048801688724209, 10**30)
        assert (two > near, two < near + F(1, 10**30)) == (True, True)

    def test_numbers_division_and_zero(self) -> None:
        cube = root([-2, 0, 0, 1], 0)
        assert (cube * cube * cube - 2).sign() == 0
        assert Number.of(1) / cube == cube * cube / 2
        with pytest.raises(ZeroDivisionError):
            Number.of(1) / (cube - cube)

    def test_numbers_of_different_fields_are_not_added(self) -> None:
        with pytest.raises(ValueError, match="different fields"):
            root([-2, 0, 1], 1) + root([-3, 0, 1], 1)

    def test_numbers_square_roots_lie_in_one_field(self) -> None:
        two, three, six, half = square_roots([F(2), F(3), F(6), F(1, 4)])
        assert two * three == six
        assert half == F(1, 2)

    def test_numbers_float_is_the_nearest_one_whatever_was_narrowed_before(self) -> None:
        for halvings in range(0, 80, 7):
            two = root([-2, 0, 1], 1)
            for _ in range(halvings):
                two.root.halve()
            assert float(two) == 2**0.5

    def test_numbers_square_root_equation_keeps_the_positive_root_only(self) -> None:
        identity, one, two = Ratio.of(polynomial([0, 1])), Ratio.constant(1), Ratio.constant(2)
        ((p, u),) = square_root_solutions(Surd(-identity, one, two))  # u = p, u^2 = 2
        assert (str(p), str(u.at(p))) == ("sqrt(2)", "sqrt(2)")

    def test_numbers_own_root_of_a_field_element(self) -> None:
        cube = root([-2, 0, 0, 1], 0)
        assert str((cube + 1).own_root.minimal) == "x^3 + (-3)*x^2 + 3*x + (-3)"


QUEUES = [
    Queue(Kind.MM1, F(3, 2)),
    Queue(Kind.MG1, F(3, 2), scv=F(3)),
    Queue(Kind.MMC, F(2, 3), servers=3),
    Queue(Kind.MGC, F(2, 3), servers=4, scv=F(1, 2)),
    Queue(Kind.RETRIAL, F(3, 2), retrial_rate=F(2, 5)),
    Queue(Kind.BATCH, F(3, 2), batch_size=5),
    Queue(Kind.BATCH, None, batch_size=4),
]


class TestDelays:
    """Delay formulas: two writings, and the chains they come from."""

    @pytest.mark.parametrize("queue", QUEUES, ids=lambda q: q.kind.value)
    def test_delays_of_search_and_verifier_are_the_same_function(self, queue: Queue) -> None:
        flow = sympy.Symbol("flow")
        for k in range(1, 15):
            x = F(k, 10)
            expected = delay_formula(queue).subs(flow, sympy.Rational(x.numerator, x.denominator))
            assert queue.delay.at_rational(x) == F(int(expected.p), int(expected.q))

    @pytest.mark.parametrize("queue", QUEUES, ids=lambda q: q.kind.value)
    def test_delays_slope_is_the_derivative(self, queue: Queue) -> None:
        flow = sympy.Symbol("flow")
        expected = sympy.diff(delay_formula(queue), flow).subs(flow, sympy.Rational(3, 4))
        assert queue.delay.slope_at(Number.of(F(3, 4))) == F(int(expected.p), int(expected.q))

    def test_delays_are_infinite_at_capacity_and_without_flow(self) -> None:
        assert QUEUES[2].delay.at_rational(F(2)) is None
        assert QUEUES[2].delay.at_rational(F(199, 100)) is not None
        assert QUEUES[5].delay.at_rational(F(0)) is None
        assert Queue(Kind.BATCH, F(1), batch_size=1).delay.at_rational(F(0)) == 1

    def test_delays_retrials_agree_with_the_stationary_chain(self) -> None:
        """Mean orbit of M/M/1 with retrials by its generating equations: rho (lambda + rho nu)/(nu (1 - rho)) = 3/2."""
        queue = Queue(Kind.RETRIAL, F(1), retrial_rate=F(1, 2))
        in_orbit = F(1, 2) * (queue.delay.at_rational(F(1, 2)) or F(0)) - F(1, 2)
        assert in_orbit == F(3, 2)

    def test_delays_pollaczek_khintchine_agrees_with_an_embedded_chain(self) -> None:
        """M/E2/1 (c^2 = 1/2) by its phase chain, truncated far out: Little's law gives W."""
        x, mu, size = 0.6, 1.0, 400
        rates = np.zeros((size, size))
        for phases in range(size):  # state: phases of rate 2 mu left
            if phases + 2 < size:
                rates[phases, phases + 2] += x
            if phases:
                rates[phases, phases - 1] += 2 * mu
        rates -= np.diag(rates.sum(axis=1))
        system = np.vstack([rates.T, np.ones(size)])
        law = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0]
        customers = sum(p * ((k + 1) // 2) for k, p in enumerate(law))
        exact = Queue(Kind.MG1, F(1), scv=F(1, 2)).delay.at_rational(F(3, 5))
        assert exact is not None
        assert abs(customers / x - float(exact)) < 1e-8

    def test_delays_erlang_with_thirty_servers_agrees_with_the_recursion(self) -> None:
        """Erlang B by B_k = r B_{k-1}/(k + r B_{k-1}), C = B/(1 - (r/c)(1 - B))."""
        offered, blocked = F(27), F(1)
        for k in range(1, 31):
            blocked = offered * blocked / (k + offered * blocked)
        waiting = blocked / (1 - offered / 30 * (1 - blocked))
        assert Queue(Kind.MMC, F(1), servers=30).delay.at_rational(F(27)) == 1 + waiting / 3


@pytest.mark.parametrize(
    ("slopes", "expected"),
    [
        ([1, 2], True),
        ([1, 0], True),
        ([0, 0], None),
        ([2, -1], True),
        ([1, -1], None),
        ([1, -2], False),
        ([-1, -1], False),
        ([1, 0, -1], False),
        ([4, 4, -1], True),
        ([2, 2, -1], None),
        ([1, 3, -1], False),
        ([1, 0, 0], None),
    ],
)
def test_stability_rule_agrees_with_the_eigenvalues(slopes: list[int], expected: bool | None) -> None:
    decided, _ = _definite({i: Number.of(s) for i, s in enumerate(slopes)})
    count = len(slopes)
    basis = np.eye(count)[:, :-1] - np.eye(count)[:, -1:]
    eigenvalues = np.linalg.eigvalsh(basis.T @ np.diag(slopes) @ basis)
    smallest = 0 if abs(min(eigenvalues)) < 1e-12 else min(eigenvalues)
    assert decided == expected
    assert (True if smallest > 0 else None if smallest == 0 else False) == expected
