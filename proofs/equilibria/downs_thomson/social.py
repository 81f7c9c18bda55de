"""The social optimum: the shares that minimise the mean transit time sum p_i W_i, in exact numbers.

On the queues that are used all marginal costs M_i = d(f_i W_i)/df_i agree (f_i the flow of choosing customers).  The
cost is not convex beside a batch queue (f(m + n/(d + f)) is concave), so every root is compared with every other and
with the corners.  Which queues may be used together: among those with a convex cost, the ones whose delay without
choosing customers is below a level; of those with a concave or linear cost at most one (moving customers between two
of them lowers the cost, or leaves it, on the way to one end).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs.equilibria.algebraic import Number, polynomial, real_roots, to_fraction
from proofs.equilibria.downs_thomson.model import Model, NotSupported, corner
from proofs.equilibria.downs_thomson.ratio import Ratio, delay_ratio
from proofs.equilibria.downs_thomson.square_root import Surd, square_root_solutions, square_roots


@dataclass(frozen=True)
class Optimum:
    """``shares`` that minimise the mean transit time, and that ``value``."""

    shares: tuple[Number, ...]
    value: Number


@dataclass(frozen=True)
class Marginal:
    """Queues of one support with the same marginal cost ``of`` (a function of the flow), hence the same flow."""

    of: Ratio
    members: tuple[int, ...]


def mean_transit_time(model: Model, shares: tuple[Number, ...]) -> Number | None:
    """sum p_i W_i over the used queues; None if one of their delays is infinite."""
    total = Number.of(0)
    for share, delay in zip(shares, model.delays(shares), strict=True):
        if share.sign() != 0:
            if delay is None:
                return None
            total += share * delay
    return total


def optimum(model: Model) -> Optimum | None:
    """The social optimum; None if every division overloads a queue.  Raises ``NotSupported``.

    >>> from proofs.equilibria.downs_thomson.queues import Kind, Queue
    >>> taxi = Queue(Kind.MM1, Fraction(1))
    >>> shuttle = Queue(Kind.BATCH, Fraction(1), Fraction(1, 10), batch_size=3)
    >>> best = optimum(Model(Fraction(1), (taxi, shuttle)))
    >>> str(best.shares[0])
    'CRootOf(100*x**4 - 420*x**3 + 571*x**2 - 262*x + 10, 0)'
    """
    best: Optimum | None = None
    for shares in stationary_points(model):
        value = mean_transit_time(model, shares)
        if value is not None and (best is None or value < best.value):
            best = Optimum(shares, value)
    return best


def stationary_points(model: Model) -> Iterator[tuple[Number, ...]]:
    """The corners, and the points where all marginal costs of the used queues agree."""
    for support in _supports(model):
        if len(support) == 1:
            yield corner(len(model.queues), support[0])
            continue
        for shares in _points_on(model, support):
            if all(shares[i].sign() > 0 for i in support):
                yield shares


def marginal_cost(model: Model, i: int) -> Ratio:
    """M = W + (x - d) dW/dx, a function of the whole flow x into queue i."""
    w = delay_ratio(model.queues[i].delay)
    own = Ratio.of(polynomial([-model.queues[i].dedicated_rate, 1]))
    return w + own * w.derivative()


def _supports(model: Model) -> list[tuple[int, ...]]:
    flat = [i for i, q in enumerate(model.queues) if q.delay.needs_flow or q.delay.constant is not None]
    levels: dict[Fraction, list[int]] = {}
    for i, queue in enumerate(model.queues):
        empty = None if i in flat else queue.delay.at_rational(queue.dedicated_rate)
        if empty is not None:
            levels.setdefault(empty, []).append(i)
    prefixes: list[tuple[int, ...]] = [()]
    for level in sorted(levels):
        prefixes.append((*prefixes[-1], *levels[level]))
    found = [tuple(sorted(prefix + extra)) for prefix in prefixes for extra in ((), *((i,) for i in flat))]
    corners = [(i,) for i in range(len(model.queues))]
    return sorted({*corners, *(s for s in found if s)}, key=lambda s: (len(s), s))


def _points_on(model: Model, support: tuple[int, ...]) -> list[tuple[Number, ...]]:
    """The divisions over one support under which the marginal costs agree."""
    groups = _groups(model, support)
    total = model.arrival_rate + sum((model.queues[i].dedicated_rate for i in support), Fraction(0))
    if len(groups) == 1:
        flow = Ratio.constant(total / len(groups[0].members))
        return [_shares(model, [(groups[0], flow)], Number.of(0))]
    first, last = groups[0], groups[-1]
    x_first = Ratio.of(polynomial([model.queues[first.members[0]].dedicated_rate, model.arrival_rate]))
    level = first.of.after(x_first)
    rest = Ratio.constant(total) - x_first * Ratio.constant(len(first.members))
    size = Ratio.constant(Fraction(1, len(last.members)))
    if len(groups) == 2:
        x_last = rest * size
        f = (level - last.of.after(x_last)).numerator
        points = [] if f == 0 else [Number.of(root) for root, _ in real_roots(f)]
        return [_shares(model, [(first, x_first), (last, x_last)], p) for p in points]
    if len(groups) == 3 and not _flat(last):
        middle = groups[1]
        return [
            _shares(model, [(first, x_first), (middle, y), (last, (rest - y * _count(middle)) * size)], p)
            for p, y in _three(model, middle, last, level, rest)
        ]
    return [_in_one_field(model, groups, total)]


def _three(model: Model, middle: Marginal, last: Marginal, level: Ratio, rest: Ratio) -> list[tuple[Number, Ratio]]:
    """Three kinds, the middle one with M = m + s/u^2, u the distance of x to the pole mu (a server) or 0 (a batch queue).

    So x = mu - u or x = u, and u is a square root over Q(p).
    """
    pole, side = _pole(model, middle)
    limit = Ratio.constant(_leading(middle.of))
    weight = Ratio.of(middle.of.numerator) - limit * Ratio.of(middle.of.denominator)
    square = weight / (level - limit)
    x_middle = Surd(Ratio.constant(pole), Ratio.constant(side), square)
    remainder = Surd(rest, Ratio.constant(0), square) - x_middle * _count(middle)
    x_last = remainder * Ratio.constant(Fraction(1, len(last.members)))
    equation = x_last.polynomial(last.of.numerator) - x_last.polynomial(last.of.denominator) * level
    return [(p, Ratio.constant(pole) + u * Ratio.constant(side)) for p, u in square_root_solutions(equation)]


def _pole(model: Model, group: Marginal) -> tuple[Fraction, int]:
    """Where M = m + s/u^2 has its double pole, and on which side of it the flow is (-1 below)."""
    queue = model.queues[group.members[0]]
    mu = Fraction(0) if queue.delay.needs_flow else queue.service_rate or Fraction(0)
    if not _square(group, mu):
        raise NotSupported("the social optimum over three different queues, all with several servers")
    return mu, 1 if queue.delay.needs_flow else -1


def _square(group: Marginal, pole: Fraction) -> bool:
    """Whether M = m + s/(x - pole)^2."""
    below = polynomial([pole * pole, -2 * pole, 1])
    return bool(group.of.denominator == below and _numerator_degree(group) <= 0)


def _numerator_degree(group: Marginal) -> int:
    return int((group.of - Ratio.constant(_leading(group.of))).numerator.degree())


def _in_one_field(model: Model, groups: list[Marginal], total: Fraction) -> tuple[Number, ...]:
    """Any number of kinds M = m + s/u^2, u = mu - x: all m equal, or beside a constant cost c.

    M = kappa gives u = sqrt(s/(kappa - m)).  Beside a constant cost kappa = c; with equal m, u is sqrt(s) times the
    same number, which follows from the sum of the flows.
    """
    single = [group for group in groups if not _flat(group)]
    rates = [model.queues[g.members[0]].service_rate or Fraction(0) for g in single]
    limits = [_leading(group.of) for group in single]
    squares = [_square(group, mu) for group, mu in zip(single, rates, strict=True)]
    alike = len(set(limits)) == 1
    if not all(squares) or (len(single) == len(groups) and not alike):
        raise NotSupported(f"the social optimum over {len(groups)} different queues used at once")
    weights = [_weight(g.of, m) for g, m in zip(single, limits, strict=True)]
    shares = [Number.of(-1)] * len(model.queues)
    if len(single) < len(groups):
        constant = to_fraction(groups[-1].of.numerator[0] / groups[-1].of.denominator[0])
        if any(constant <= m for m in limits):
            return tuple(shares)
        idle = square_roots([s / (constant - m) for s, m in zip(weights, limits, strict=True)])
    else:
        roots = square_roots(weights)
        room = sum((mu * len(g.members) for mu, g in zip(rates, single, strict=True)), -total)
        scale = Number.of(0)
        for root, group in zip(roots, single, strict=True):
            scale += root * len(group.members)
        idle = [root * room / scale for root in roots]
    rest = Number.of(total)
    for mu, u, group in zip(rates, idle, single, strict=True):
        for i in group.members:
            shares[i] = (-u + mu - model.queues[i].dedicated_rate) / model.arrival_rate
            rest -= -u + mu
    if len(single) < len(groups):
        i = groups[-1].members[0]
        shares[i] = (rest - model.queues[i].dedicated_rate) / model.arrival_rate
    return tuple(shares)


def _weight(of: Ratio, limit: Fraction) -> Fraction:
    """s in M = m + s/(mu - x)^2."""
    return to_fraction((of - Ratio.constant(limit)).numerator[0])


def _leading(of: Ratio) -> Fraction:
    """The limit of M for large x: m."""
    degree = of.denominator.degree()
    return to_fraction(of.numerator[degree] / of.denominator[degree])


def _count(group: Marginal) -> Ratio:
    return Ratio.constant(len(group.members))


def _flat(group: Marginal) -> bool:
    return bool(group.of.denominator.degree() == 0 and group.of.numerator.degree() <= 0)


def _groups(model: Model, support: tuple[int, ...]) -> list[Marginal]:
    """Groups of equal marginal cost; several servers first, a batch queue or a constant cost last.

    Of three kinds the one in the middle has M = m + s/u^2, if there is one.
    """
    members: dict[str, list[int]] = {}
    marginals: dict[str, Ratio] = {}
    for i in support:
        cost = marginal_cost(model, i)
        marginals[str(cost)] = cost
        members.setdefault(str(cost), []).append(i)
    groups = [Marginal(marginals[key], tuple(own)) for key, own in members.items()]

    def place(group: Marginal) -> int:
        queue = model.queues[group.members[0]]
        if queue.delay.needs_flow or _flat(group):
            return 2
        return 0 if not queue.delay.mobius else 1

    ordered = sorted(groups, key=place)
    if len(ordered) == 3 and place(ordered[1]) == 0 and not _flat(ordered[2]):
        ordered = [ordered[0], ordered[2], ordered[1]]
    return ordered


def _shares(model: Model, flows: list[tuple[Marginal, Ratio]], p: Number) -> tuple[Number, ...]:
    shares = [Number.of(0)] * len(model.queues)
    for group, flow in flows:
        x = flow.at(p)
        for i in group.members:
            shares[i] = Number.of(-1) if x is None else (x - model.queues[i].dedicated_rate) / model.arrival_rate
    return tuple(shares)
