"""Two queues: all equilibria counted, and stability read off, without the search (Sturm sequences of sympy)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.verifier import Field, delay_formula

_P, _FLOW = sympy.Symbol("p"), sympy.Symbol("flow")


def delay_gap(model: Model) -> sympy.Expr:
    """W1 - W2 as a function of p, the share of queue 1."""
    first, second = model.queues
    rate = _sympy(model.arrival_rate)
    x = _sympy(first.dedicated_rate) + rate * _P
    y = _sympy(second.dedicated_rate) + rate * (1 - _P)
    return sympy.cancel(delay_formula(first).subs(_FLOW, x) - delay_formula(second).subs(_FLOW, y))


def finite_range(model: Model) -> tuple[Fraction, Fraction]:
    """The ends of the shares of queue 1 in [0, 1] between which both delays are finite."""
    first, second = (_room(queue) for queue in model.queues)
    low, high = Fraction(0), Fraction(1)
    if first is not None:
        high = min(high, first / model.arrival_rate)
    if second is not None:
        low = max(low, 1 - second / model.arrival_rate)
    return low, high


def _room(queue: Queue) -> Fraction | None:
    """The flow of choosing customers that a queue can serve; None: any."""
    if queue.kind is Kind.BATCH or queue.service_rate is None:
        return None
    return queue.servers * queue.service_rate - queue.dedicated_rate


def count_mixed(model: Model) -> int | None:
    """How many shares strictly between 0 and 1 make both delays finite and equal; None: infinitely many."""
    low, high = finite_range(model)
    if low >= high:
        return 0
    top = sympy.Poly(sympy.fraction(delay_gap(model))[0], _P, domain="QQ")
    if top.is_zero:
        return None
    if top.degree() == 0:
        return 0
    ends = sum(bool(top.eval(_sympy(end)) == 0) for end in (low, high))
    closed = int(top.count_roots(_sympy(low), _sympy(high)))
    return closed - ends


def side_signs(model: Model, share: str) -> tuple[int | None, int | None]:
    """The signs of W1 - W2 just left and just right of an equilibrium (None outside [0, 1]).

    Rational points beside it are taken so near that a Sturm sequence counts no other zero between them; an infinite
    delay counts as larger than any.
    """
    field = Field([share])
    gap = delay_gap(model)
    top = sympy.Poly(sympy.fraction(gap)[0], _P, domain="QQ")
    if top.is_zero:
        return 0, 0
    near, step = Fraction(float(sympy.sympify(share, rational=True))), Fraction(1, 1000)
    while True:
        left, right = near - step, near + step
        inside = field.sign(field.elements[0] - _sympy(left)) > 0 > field.sign(field.elements[0] - _sympy(right))
        zeros = int(top.count_roots(_sympy(left), _sympy(right)))
        own = (
            int(top.count_roots(_sympy(near), _sympy(near))) if field.sign(field.elements[0] - _sympy(near)) == 0 else 1
        )
        if inside and zeros <= own:
            break
        step /= 16
    low, high = finite_range(model)
    return _sign(gap, left, low, high), _sign(gap, right, low, high)


def _sign(gap: sympy.Expr, p: Fraction, low: Fraction, high: Fraction) -> int | None:
    """The sign of W1 - W2 at p; beyond ``high`` queue 1 is overloaded, below ``low`` queue 2."""
    if not 0 <= p <= 1:
        return None
    if not low <= p <= high:
        return 1 if p > high else -1
    return int(sympy.sign(gap.subs(_P, _sympy(p))))


def _sympy(number: Fraction) -> sympy.Rational:
    return sympy.Rational(number.numerator, number.denominator)
