"""All user equilibria of two parallel queues, each with the exact signs that make it stable or not.

With p the share of queue 1, W1 - W2 = F(p)/(D1 D2), D1 and D2 the denominators, which are positive where the delays
are finite.  So the mixed equilibria are the roots of the polynomial F where both delays are finite, and the sign of
W1 - W2 beside a point is that of the first derivative of F that does not vanish there (slides 39-40).
"""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq_poly

from proofs.equilibria.algebraic import Number, at, polynomial, real_roots
from proofs.equilibria.downs_thomson.model import Continuum, Dropped, Equilibrium, Model, Solution, corner
from proofs.equilibria.downs_thomson.queues import substitute

_CLEARED = "introduced by clearing denominators: both delays have their pole there"


def difference(model: Model) -> fmpq_poly:
    """F(p) = N1 D2 - N2 D1, the numerator of W1 - W2 over the product of the denominators (nothing is cancelled).

    >>> from proofs.equilibria.downs_thomson.queues import Kind, Queue
    >>> taxi = Queue(Kind.MM1, Fraction(11, 10))
    >>> shuttle = Queue(Kind.BATCH, Fraction(1), Fraction(1, 10), batch_size=3)
    >>> difference(Model(Fraction(1), (taxi, shuttle)))
    (-1)*x^2 + 11/5*x + (-121/100)
    """
    first, second = (queue.delay for queue in model.queues)
    x, y = flows(model)
    return first.numerator(x) * second.denominator(y) - second.numerator(y) * first.denominator(x)


def flows(model: Model) -> tuple[fmpq_poly, fmpq_poly]:
    """The whole flows into both queues as polynomials in p."""
    rate, (first, second) = model.arrival_rate, model.queues
    return (
        polynomial([first.dedicated_rate, rate]),
        polynomial([second.dedicated_rate + rate, -rate]),
    )


def solve_two(model: Model) -> Solution:
    """All user equilibria of two queues; roots that are none, with the reason."""
    f = difference(model)
    equilibria, dropped = [], []
    for i in (1, 0):
        found = _corner(model, f, i)
        if isinstance(found, Equilibrium):
            equilibria.append(found)
        elif found is not None:
            dropped.append(found)
    if f == 0:
        return _everywhere(model, equilibria, dropped)
    for root, times in real_roots(f):
        p = Number.of(root)
        if p.sign() == 0 or p == 1:
            dropped += _corner_root(model, p, equilibria)
            continue
        shares = (p, -p + 1)
        reason = _why_not(model, shares)
        if reason:
            dropped.append(Dropped(shares, reason))
        else:
            equilibria.append(_mixed(model, f, shares, times))
    return Solution(tuple(sorted(equilibria, key=lambda e: e.shares[0])), tuple(dropped))


def _why_not(model: Model, shares: tuple[Number, Number]) -> str:
    """Why a root of F is no equilibrium; empty if it is one."""
    p = shares[0]
    if p.sign() < 0 or p > 1:
        side = "negative" if p.sign() < 0 else "above 1"
        cleared = f"; {_CLEARED}" if _common_pole(model, shares) else ""
        return f"the share of queue 1 is {side}{cleared}"
    if _common_pole(model, shares):
        return _CLEARED
    return _overloads(model, shares)


def _common_pole(model: Model, shares: tuple[Number, Number]) -> bool:
    flows_ = [model.flow(i, p) for i, p in enumerate(shares)]
    return all(substitute(q.delay.denominator, x).sign() == 0 for q, x in zip(model.queues, flows_, strict=True))


def _overloads(model: Model, shares: tuple[Number, ...]) -> str:
    for i, (queue, share) in enumerate(zip(model.queues, shares, strict=True)):
        if not queue.delay.finite_at(model.flow(i, share)):
            return f"the delay of queue {i + 1} is infinite there"
    return ""


def _mixed(model: Model, f: fmpq_poly, shares: tuple[Number, Number], times: int) -> Equilibrium:
    """A mixed equilibrium, where F has a root of multiplicity ``times``."""
    slope = _derivative_sign(f, shares[0], times)
    stable = times % 2 == 1 and slope > 0
    right, left = ("<>"[slope > 0], "<>"[(slope > 0) == (times % 2 == 0)])
    reason = (
        f"W1 - W2 = F(p)/(D1 D2) with D1 D2 > 0; F has a root of multiplicity {times} there, derivative {times} "
        f"{'<>'[slope > 0]} 0: W1 {left} W2 to the left, W1 {right} W2 to the right"
    )
    return Equilibrium(shares, model.delays(shares), stable, reason)


def _derivative_sign(f: fmpq_poly, p: Number, order: int) -> int:
    for _ in range(order):
        f = f.derivative()
    return substitute(f, p).sign()


def _corner(model: Model, f: fmpq_poly, i: int) -> Equilibrium | Dropped | None:
    """All customers in queue i: an equilibrium if its delay is finite and not above that of the other queue."""
    shares = corner(2, i)
    delays = model.delays(shares)
    own, other = delays[i], delays[1 - i]
    if own is None:
        if other is None:
            return Dropped(shares, "both delays are infinite there")
        return None
    if other is not None and other < own:
        return None
    name, unused = f"W{i + 1}", f"W{2 - i}"
    if other is None or own < other:
        return Equilibrium(shares, delays, True, f"{unused} > {name} at the corner and, by continuity, beside it")
    if f == 0:
        return Equilibrium(shares, delays, None, "W1 = W2 everywhere: degenerate")
    return _tied_corner(f, i, shares, delays)


def _tied_corner(f: fmpq_poly, i: int, shares: tuple[Number, ...], delays: tuple[Number | None, ...]) -> Equilibrium:
    """A corner where both delays are equal: the signs of W1 - W2 inside decide."""
    order, value = 0, Fraction(0)
    while value == 0:
        order, f = order + 1, f.derivative()
        value = at(f, int(i == 0))
    inside = value * (-1) ** (order * (i == 0))  # sign of W1 - W2 just inside
    stable = inside > 0 if i == 1 else inside < 0
    reason = f"W1 = W2 at the corner; derivative {order} of F decides: W1 {'<>'[inside > 0]} W2 beside it"
    return Equilibrium(shares, delays, stable, reason)


def _corner_root(model: Model, p: Number, equilibria: list[Equilibrium]) -> list[Dropped]:
    """A root of F at p = 0 or 1 is the corner itself, or it comes from clearing denominators."""
    if any(e.shares[0] == p for e in equilibria):
        return []
    shares = (p, -p + 1)
    if all(delay is None for delay in model.delays(shares)):
        return []  # the corner is listed already
    return [Dropped(shares, _CLEARED if _common_pole(model, shares) else _overloads(model, shares))]


def _everywhere(model: Model, equilibria: list[Equilibrium], dropped: list[Dropped]) -> Solution:
    """F = 0: every division under which both delays are finite is an equilibrium.

    The ends of that set are 0 and 1 unless a delay becomes infinite before; then the end itself does not belong to it.
    """
    rate, (first, second) = model.arrival_rate, model.queues
    low, high = Fraction(0), Fraction(1)
    if first.delay.capacity is not None:
        high = min(high, (first.delay.capacity - first.dedicated_rate) / rate)
    if second.delay.capacity is not None:
        low = max(low, 1 - (second.delay.capacity - second.dedicated_rate) / rate)
    ends = [(Number.of(p), Number.of(1 - p)) for p in (low, high)]
    if low > high or (low == high and not equilibria):
        return Solution(tuple(equilibria), tuple(dropped))
    finite = ["" if all(d is not None for d in model.delays(end)) else " (excluded)" for end in ends]
    reason = f"W1 = W2 for every share of queue 1 from {low}{finite[0]} to {high}{finite[1]}"
    ordered = tuple(sorted(equilibria, key=lambda e: e.shares[0]))
    return Solution(ordered, tuple(dropped), (Continuum(ends[0], ends[1], reason),))
