"""Rational functions of one variable over the rationals, in lowest terms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from proofs.equilibria.algebraic import Number, polynomial
from proofs.equilibria.downs_thomson.queues import Delay, substitute


@dataclass(frozen=True)
class Ratio:
    """``numerator``/``denominator``, without common factor, the denominator monic.

    >>> Ratio.of(polynomial([-1, 0, 1])) / Ratio.of(polynomial([1, 1]))
    Ratio(numerator=x + (-1), denominator=1)
    """

    numerator: fmpq_poly
    denominator: fmpq_poly

    @staticmethod
    def of(numerator: fmpq_poly, denominator: fmpq_poly | None = None) -> Ratio:
        """The quotient in lowest terms.  Raises ``ZeroDivisionError``."""
        below = polynomial([1]) if denominator is None else denominator
        if below == 0:
            raise ZeroDivisionError("a rational function with denominator 0")
        common = numerator.gcd(below)
        top, below = numerator // common, below // common
        scale = below[below.degree()]
        return Ratio(top / scale, below / scale)

    @staticmethod
    def constant(value: Fraction | int) -> Ratio:
        """A constant function."""
        return Ratio(polynomial([value]), polynomial([1]))

    def __add__(self, other: Ratio) -> Ratio:
        top = self.numerator * other.denominator + other.numerator * self.denominator
        return Ratio.of(top, self.denominator * other.denominator)

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + (-other)

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.numerator * other.denominator, self.denominator * other.numerator)

    def after(self, inner: Ratio) -> Ratio:
        """The function of ``inner``: self(inner(x))."""
        return _evaluate(self.numerator, inner) / _evaluate(self.denominator, inner)

    def derivative(self) -> Ratio:
        """The derivative."""
        top = self.numerator.derivative() * self.denominator - self.numerator * self.denominator.derivative()
        return Ratio.of(top, self.denominator**2)

    def at(self, x: Number) -> Number | None:
        """The exact value; None at a pole."""
        below = substitute(self.denominator, x)
        return None if below.sign() == 0 else substitute(self.numerator, x) / below


def _evaluate(poly: fmpq_poly, inner: Ratio) -> Ratio:
    degree = max(int(poly.degree()), 0)
    top = polynomial([0])
    for k in range(degree + 1):
        top += poly[k] * inner.numerator**k * inner.denominator ** (degree - k)
    return Ratio.of(top, inner.denominator**degree)


def delay_ratio(delay: Delay) -> Ratio:
    """W as a rational function of the flow."""
    return Ratio.of(delay.numerator, delay.denominator)


def flow_for(delay: Delay, w: Ratio) -> Ratio:
    """The flow under which a queue with a linear-fractional W has the delay w: x with (b0 + b1 x)/(c0 + c1 x) = w."""
    b, c = delay.numerator, delay.denominator
    top = w * Ratio.of(polynomial([1]) * c[0]) - Ratio.of(polynomial([1]) * b[0])
    return top / (Ratio.of(polynomial([1]) * b[1]) - w * Ratio.of(polynomial([1]) * c[1]))
