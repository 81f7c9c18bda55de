"""Two queues, one free parameter: number and kind of the equilibria on every cell of a line, exactly.

W1 - W2 = F(p, t)/(D1 D2) with a polynomial F in p and the parameter t.  The number, order and stability of the
equilibria can change only where a root of F enters or leaves (0, 1) or goes to infinity, where two roots meet, or
where queue 1 becomes full at p = 0 or p = 1: at the real roots of F(0, t), F(1, t), the leading coefficient, the
discriminant of F in p, and of the capacities.  (A root of F does not cross the pole of W1: N1 D2 is not 0 there.)
Between two neighbouring ones a single exact point decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import sympy
from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx

from proofs.equilibria.algebraic import Number, polynomial, real_roots
from proofs.equilibria.downs_thomson.model import Model, Solution
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.verifier import batch_formula

P, T = sympy.symbols("p t")
Kinds = tuple[tuple[str, bool | None], ...]


@dataclass(frozen=True)
class Line:
    """A family of models in one parameter t > 0 beside a batch queue.

    Parameters: ``delay`` W1 as an expression in t and the flow x it is given; ``room`` the capacity of queue 1 as a
    polynomial in t; ``model`` the model at a value of t.
    """

    delay: Callable[[sympy.Expr], sympy.Expr]
    room: sympy.Expr
    model: Callable[[Fraction], Model]


@dataclass(frozen=True)
class Stretch:
    """An open interval of the parameter (``end`` None: to infinity) with its equilibria, except perhaps at ``untried``."""

    start: Number
    end: Number | None
    kinds: Kinds
    untried: tuple[Number, ...] = ()


def numerator(line: Line) -> sympy.Poly:
    """F(p, t), over the integers, without a factor that depends on t only."""
    sample = line.model(Fraction(1))
    first, second = sample.queues
    rate = _sympy(sample.arrival_rate)
    x = _sympy(first.dedicated_rate) + rate * P
    y = _sympy(second.dedicated_rate) + rate * (1 - P)
    bus = second.service_rate
    shuttle = batch_formula(_sympy(bus), second.batch_size, y) if bus is not None else None
    wait = shuttle if shuttle is not None else sympy.Rational(second.batch_size - 1, 2) / y
    top = sympy.fraction(sympy.cancel(sympy.together(line.delay(x) - wait)))[0]
    poly = sympy.Poly(top, P, T, domain="QQ").clear_denoms(convert=True)[1]
    return sympy.Poly(sympy.Poly(poly.as_expr(), P).primitive()[1].as_expr(), P, T, domain="ZZ")


def critical_values(line: Line) -> list[Number]:
    """Where something may change, in increasing order, t > 0 only."""
    f = numerator(line)
    sample = line.model(Fraction(1))
    dedicated, rate = (_sympy(v) for v in (sample.queues[0].dedicated_rate, sample.arrival_rate))
    conditions = [f.eval(P, 0), f.eval(P, 1), sympy.Poly(sympy.Poly(f.as_expr(), P).LC(), T), _discriminant(f)]
    conditions += [sympy.Poly(line.room - dedicated, T), sympy.Poly(line.room - dedicated - rate, T)]
    values: list[Number] = []
    for condition in conditions:
        if condition.degree() > 0:
            coefficients = [Fraction(int(c.p), int(c.q)) for c in map(sympy.Rational, reversed(condition.all_coeffs()))]
            values += [Number.of(root) for root, _ in real_roots(polynomial(coefficients))]
    ordered: list[Number] = []
    for value in sorted(v for v in values if v.sign() > 0):
        if not ordered or value != ordered[-1]:
            ordered.append(value)
    return ordered


def _discriminant(f: sympy.Poly) -> sympy.Poly:
    """The discriminant in p, computed by python-flint; 0 is refused by the caller (a double root for every t)."""
    context = fmpz_mpoly_ctx.get(("p", "t"), Ordering.lex)
    poly: fmpz_mpoly = context.from_dict({monom: int(c) for monom, c in f.terms()})
    terms = poly.discriminant("p").to_dict()
    if not terms:
        raise ValueError("F has a double root for every value of the parameter")
    return sympy.Poly({(int(monom[1]),): int(c) for monom, c in terms.items()}, T, domain="ZZ")


def stretches(line: Line) -> list[Stretch]:
    """The line t > 0 cut into maximal open intervals with the same equilibria.

    Neighbouring cells with the same kinds are joined; the critical value between them is decided as well where it is
    rational, and listed as ``untried`` where it is not.
    """
    cuts: list[Number | None] = [Number.of(0), *critical_values(line), None]
    found: list[Stretch] = []
    for start, end in pairwise(cuts):
        if start is None:
            break
        kinds = kinds_of(solve(line.model(between(start, end))))
        before = found[-1] if found else None
        rational = start.rational
        if before is None or before.kinds != kinds:
            found.append(Stretch(start, end, kinds))
        elif rational is None:
            found[-1] = Stretch(before.start, end, kinds, (*before.untried, start))
        elif kinds_of(solve(line.model(rational))) == kinds:
            found[-1] = Stretch(before.start, end, kinds, before.untried)
        else:
            found.append(Stretch(start, end, kinds))
    return found


def kinds_of(solution: Solution) -> Kinds:
    """The equilibria as ("p=0" | "mixed" | "p=1", stable), in increasing p."""
    return tuple(
        ("mixed" if e.kind == "mixed" else "p=1" if e.shares[0].sign() > 0 else "p=0", e.stable)
        for e in solution.equilibria
    )


def between(start: Number, end: Number | None) -> Fraction:
    """A rational strictly between two numbers."""
    if end is None:
        return Fraction(int(float(start)) + 2)
    low, high = start.own_root, end.own_root
    while not low.upper < high.lower:
        low.halve()
        high.halve()
    middle = (low.upper + high.lower) / 2
    short = middle.limit_denominator(10**6)
    return short if low.upper < short < high.lower else middle


def _sympy(number: Fraction) -> sympy.Rational:
    return sympy.Rational(number.numerator, number.denominator)
