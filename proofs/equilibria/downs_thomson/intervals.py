"""Closed-form ends of the parameter intervals on which more capacity means a longer transit.

Mixed equilibria beside a batch queue with delay w(x) = m2 + n/(T - x) at the flow x to queue 1 lie on curves
mu1 = m(x), c^2 = s(x), nu = r(x), the solutions of W1(x) = w(x).  A mixed equilibrium is stable iff m'(x) > 0,
s'(x) < 0, r'(x) > 0, and there its delay w(x) moves against the parameter: the paradox.  Where the curve is monotone
on lambda1 < x < lambda1 + lambda the paradox interval is the interval between its values at the two ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs.equilibria.algebraic import Number, polynomial, real_roots


@dataclass(frozen=True)
class Road:
    """The customers and the batch queue: lambda, lambda1, lambda2, m2 = 1/mu2, n = (N - 1)/2."""

    rate: Fraction
    dedicated1: Fraction
    dedicated2: Fraction
    m2: Fraction
    n: Fraction

    def batch_delay(self, x: Fraction) -> Fraction | None:
        """w(x), None if the batch never fills."""
        v = self.rate + self.dedicated1 + self.dedicated2 - x
        return self.m2 + self.n / v if v > 0 else None

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The flows to queue 1 at p = 0 and p = 1."""
        return self.dedicated1, self.dedicated1 + self.rate


@dataclass(frozen=True)
class Interval:
    """``lower`` < parameter < ``upper``; None: no end on that side."""

    lower: Number | None
    upper: Number | None


def rate_curve(w: Fraction | None, x: Fraction, a: Fraction) -> Number:
    """m(x) for M/G/1, a = (1 + c^2)/2: the larger root of w m^2 - (w x + 1) m + (1 - a) x; x if w is infinite.

    >>> str(rate_curve(Fraction(21, 11), Fraction(0), Fraction(1))), str(rate_curve(Fraction(11), Fraction(1), Fraction(1, 2)))
    ('11/21', 'sqrt(122)/22 + 6/11')
    """
    if w is None:
        return Number.of(x)
    return Number.of(real_roots(polynomial([(1 - a) * x, -(w * x + 1), w]))[-1][0])


def service_rate_interval(road: Road, a: Fraction) -> Interval:
    """(m(lambda1), m(lambda1 + lambda)) for M/G/1; M/M/1: (lambda1 + 1/w0, lambda1 + lambda + 1/w1)."""
    first, last = road.ends
    return Interval(*(rate_curve(road.batch_delay(x), x, a) for x in (first, last)))


def retrial_service_rate_interval(road: Road, nu: Fraction) -> Interval:
    """The same beside a retrial queue: m(x) = x + (1 + x/nu)/w(x)."""
    ends = []
    for x in road.ends:
        w = road.batch_delay(x)
        ends.append(Number.of(x if w is None else x + (1 + x / nu) / w))
    return Interval(*ends)


def scv_curve(mu1: Fraction, w: Fraction, x: Fraction) -> Fraction:
    """s(x) = 2(w mu1 - 1)(mu1 - x)/x - 1, x > 0."""
    return 2 * (w * mu1 - 1) * (mu1 - x) / x - 1


def scv_interval(road: Road, mu1: Fraction) -> Interval:
    """The c^2 between s(lambda1 + lambda) and s(lambda1), for a decreasing s; the lower end only where it is >= 0.

    No lower end if mu1 <= lambda1 + lambda; no upper end if lambda1 = 0 and mu1 > 1/w0.
    """
    first, last = road.ends
    w0, w1 = road.batch_delay(first), road.batch_delay(last)
    lower = None
    if mu1 > last and w1 is not None:
        lower = scv_curve(mu1, w1, last)
    upper = scv_curve(mu1, w0, first) if first > 0 and w0 is not None else None
    return Interval(
        Number.of(lower) if lower is not None and lower >= 0 else None, None if upper is None else Number.of(upper)
    )


def retrial_curve(mu1: Fraction, w: Fraction, x: Fraction) -> Fraction | None:
    """r(x) = x/(w (mu1 - x) - 1); None where no retrial rate gives the delay w."""
    below = w * (mu1 - x) - 1
    return x / below if below > 0 else None


def retrial_interval(road: Road, mu1: Fraction) -> Interval:
    """The nu between r(lambda1) and r(lambda1 + lambda), for an increasing r; no upper end where that is None."""
    values = []
    for x in road.ends:
        w = road.batch_delay(x)
        value = None if w is None else retrial_curve(mu1, w, x)
        values.append(None if value is None else Number.of(value))
    return Interval(*values)
