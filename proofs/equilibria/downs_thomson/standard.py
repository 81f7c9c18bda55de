"""The parameters of the slides' figures about probabilistic routing, as models and one-parameter lines.

Slides 42-45: lambda = 1, lambda1 = 0, lambda2 = 1/10, mu2 = 1, N = 3.  Slides 85-87 (retrials): lambda = 1,
lambda1 = 1/2, lambda2 = 1/10, mu2 = 1, N = 7.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from proofs.equilibria.downs_thomson.cells import Line, T
from proofs.equilibria.downs_thomson.intervals import Road
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.verifier import retrial_formula, server_formula

ONE = Fraction(1)
ROAD = Road(ONE, Fraction(0), Fraction(1, 10), ONE, ONE)
RETRIAL_ROAD = Road(ONE, Fraction(1, 2), Fraction(1, 10), ONE, Fraction(3))


def taxis(mu1: Fraction, servers: int = 1, scv: Fraction = ONE) -> Model:
    """Slides 42-45: c servers beside batches of three."""
    kind = Kind.MG1 if servers == 1 else Kind.MMC if scv == 1 else Kind.MGC
    return Model(ONE, (Queue(kind, mu1, scv=scv, servers=servers), shuttle()))


def shuttle(size: int = 3, mu2: Fraction | None = ONE, dedicated: Fraction = Fraction(1, 10)) -> Queue:
    """The batch queue of the slides."""
    return Queue(Kind.BATCH, mu2, dedicated, batch_size=size)


def retrials(mu1: Fraction, nu: Fraction) -> Model:
    """Slides 85-87: a retrial queue beside batches of seven."""
    return Model(ONE, (Queue(Kind.RETRIAL, mu1, Fraction(1, 2), retrial_rate=nu), shuttle(7)))


def taxi_line(servers: int = 1, scv: Fraction = ONE) -> Line:
    """Slides 42-45 with mu1 free."""
    spread = sympy.Rational(scv.numerator, scv.denominator)
    return Line(lambda x: server_formula(T, spread, servers, x), servers * T, lambda value: taxis(value, servers, scv))


def scv_line(mu1: Fraction) -> Line:
    """Slide 43: c^2 free, one server."""
    rate = sympy.Rational(mu1.numerator, mu1.denominator)
    return Line(lambda x: server_formula(rate, T, 1, x), rate, lambda value: taxis(mu1, 1, value))


def retrial_line(mu1: Fraction | None = None, nu: Fraction | None = None) -> Line:
    """Slides 85-87: mu1 free (nu given) or nu free (mu1 given)."""
    if mu1 is None and nu is not None:
        pace = sympy.Rational(nu.numerator, nu.denominator)
        return Line(lambda x: retrial_formula(T, pace, x), T, lambda value: retrials(value, nu))
    if mu1 is None:
        raise ValueError("one of mu1 and nu is given")
    rate = sympy.Rational(mu1.numerator, mu1.denominator)
    return Line(lambda x: retrial_formula(rate, T, x), rate, lambda value: retrials(mu1, value))
