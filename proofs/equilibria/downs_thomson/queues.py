"""The queues and their mean transit times W(x) (sojourn times) as exact rational functions of the flow x.

x is the whole flow into the queue, dedicated and general customers together (slide 35).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import factorial

from flint import fmpq_poly

from proofs.equilibria.algebraic import Number, at, polynomial, to_fraction


class Kind(Enum):
    """The types of queues, named as in a file."""

    MM1 = "M/M/1"
    MG1 = "M/G/1"
    MMC = "M/M/c"
    MGC = "M/G/c"
    RETRIAL = "M/M/1-retrial"
    BATCH = "batch"


@dataclass(frozen=True)
class Queue:
    """One queue.

    Parameters: ``service_rate`` mu (customers per unit of time; None: no service time at all); ``dedicated_rate``
    the Poisson rate of customers who do not choose; ``scv`` c^2, the squared coefficient of variation of the service
    time; ``servers`` c; ``retrial_rate`` nu, of each customer in orbit; ``batch_size`` N.
    """

    kind: Kind
    service_rate: Fraction | None
    dedicated_rate: Fraction = Fraction(0)
    scv: Fraction = Fraction(1)
    servers: int = 1
    retrial_rate: Fraction | None = None
    batch_size: int = 1

    @cached_property
    def delay(self) -> Delay:
        """W, as a function of the whole flow."""
        return _delay(self)

    @property
    def approximation(self) -> str | None:
        """The name of the approximation behind W, or None where W is exact."""
        if self.kind is not Kind.MGC or self.servers == 1 or self.scv == 1:
            return None
        return "Lee-Longton approximation: the wait is (1 + scv)/2 times that of M/M/c"


@dataclass(frozen=True)
class Delay:
    """W(x) = ``numerator``/``denominator`` for ``needs_flow`` < x or 0 <= x, and x < ``capacity``; infinite elsewhere.

    The denominator is positive where W is finite.  ``needs_flow``: a batch of two or more never fills without flow.
    """

    numerator: fmpq_poly
    denominator: fmpq_poly
    capacity: Fraction | None
    needs_flow: bool = False

    @property
    def constant(self) -> Fraction | None:
        """The delay, if it does not depend on the flow."""
        if self.numerator.degree() > 0 or self.denominator.degree() > 0:
            return None
        return to_fraction(self.numerator[0] / self.denominator[0])

    @property
    def mobius(self) -> bool:
        """Whether W is a quotient of linear functions, so that the flow is rational in the delay."""
        return bool(self.numerator.degree() <= 1 and self.denominator.degree() == 1)

    def finite_at(self, x: Number) -> bool:
        """Whether the delay is finite under the flow x >= 0."""
        return (self.capacity is None or x < self.capacity) and not (self.needs_flow and x.sign() <= 0)

    def at(self, x: Number) -> Number | None:
        """The exact delay under the flow x >= 0; None if it is infinite."""
        return substitute(self.numerator, x) / substitute(self.denominator, x) if self.finite_at(x) else None

    def at_rational(self, x: Fraction) -> Fraction | None:
        """The same for a rational flow."""
        return at(self.numerator, x) / at(self.denominator, x) if self.finite_at(Number.of(x)) else None

    def slope_at(self, x: Number) -> Number:
        """dW/dx, exact, where W is finite."""
        top = self.numerator.derivative() * self.denominator - self.numerator * self.denominator.derivative()
        return substitute(top, x) / substitute(self.denominator**2, x)

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for queues with the same W."""
        scale = self.denominator[self.denominator.degree()]
        return (str(self.numerator / scale), str(self.denominator / scale), str(self.capacity), str(self.needs_flow))


def substitute(poly: fmpq_poly, x: Number) -> Number:
    """The value of a polynomial at an algebraic number."""
    return Number.element(x.root, poly(x.value)) if poly.degree() > 0 else Number.of(to_fraction(poly[0]))


def _delay(queue: Queue) -> Delay:
    mu = queue.service_rate
    if queue.kind is Kind.BATCH:
        return batch(mu, queue.batch_size)
    if mu is None:
        return Delay(polynomial([0]), polynomial([1]), None)
    if queue.kind is Kind.RETRIAL:
        return retrial(mu, queue.retrial_rate or Fraction(1))
    if queue.servers > 1:
        return many_servers(mu, queue.scv, queue.servers)
    return single_server(mu, queue.scv)


def single_server(mu: Fraction, scv: Fraction) -> Delay:
    """M/G/1, first come first served: W(x) = 1/mu + x(1 + c^2)/(2 mu (mu - x)) (Pollaczek-Khintchine; slide 40).

    Over a common denominator, with a = (1 + c^2)/2: W(x) = (mu - (1 - a)x)/(mu(mu - x)).

    >>> single_server(Fraction(1), Fraction(2)).at_rational(Fraction(3, 5))
    Fraction(13, 4)
    """
    a = (1 + scv) / 2
    return Delay(polynomial([1, -(1 - a) / mu]), polynomial([mu, -1]), mu)


def retrial(mu: Fraction, nu: Fraction) -> Delay:
    """M/M/1 with retrials: W(x) = 1/mu + x(mu + nu)/(mu nu (mu - x)) = (1 + x/nu)/(mu - x) (slide 84).

    >>> retrial(Fraction(1), Fraction(1, 2)).at_rational(Fraction(1, 2))
    Fraction(4, 1)
    """
    return Delay(polynomial([1, 1 / nu]), polynomial([mu, -1]), mu)


def batch(mu: Fraction | None, size: int) -> Delay:
    """Batches of N, infinitely many servers: W(x) = 1/mu + (N - 1)/(2x) (slide 40).

    >>> batch(Fraction(1), 3).at_rational(Fraction(1, 10))
    Fraction(11, 1)
    """
    service, wait = (Fraction(0) if mu is None else 1 / mu), Fraction(size - 1, 2)
    if size == 1:
        return Delay(polynomial([service]), polynomial([1]), None)
    return Delay(polynomial([wait, service]), polynomial([0, 1]), None, needs_flow=True)


def many_servers(mu: Fraction, scv: Fraction, servers: int) -> Delay:
    """M/M/c (Erlang C), and M/G/c by Lee and Longton: W(x) = 1/mu + (1 + c^2)/2 * C/(c mu - x).

    With r = x/mu: C = t/(t + (c - r) S), t = r^c/(c - 1)!, S = sum of r^k/k! over k < c.  The approximation is exact
    for c = 1 and for c^2 = 1.

    >>> many_servers(Fraction(4), Fraction(1), 3).at_rational(Fraction(10)) - Fraction(1, 4)  # the wait before service
    Fraction(125, 356)
    """
    r = polynomial([0, 1 / mu])
    tail = r**servers * polynomial([Fraction(1, factorial(servers - 1))])
    head = sum((r**k * polynomial([Fraction(1, factorial(k))]) for k in range(servers)), polynomial([0]))
    below = tail + (polynomial([servers]) - r) * head
    room = polynomial([servers * mu, -1])
    wait = tail * polynomial([(1 + scv) / 2])
    return Delay(below * room + wait * polynomial([mu]), below * room * polynomial([mu]), servers * mu)
