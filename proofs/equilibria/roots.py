"""Real roots of polynomials, isolated between rational bounds (python-flint's exact integers and certified balls)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key
from itertools import pairwise

from flint import fmpq, fmpq_poly, fmpz_poly

from verify.errors import InternalError

Rational = Fraction | int


def to_flint(number: Rational) -> fmpq:
    """A rational of python-flint."""
    return fmpq(number.numerator, number.denominator)


def to_fraction(number: fmpq) -> Fraction:
    """A rational of the standard library."""
    return Fraction(int(number.numer()), int(number.denom()))


def polynomial(coefficients: Sequence[Rational]) -> fmpq_poly:
    """The polynomial with these coefficients, constant term first."""
    return fmpq_poly([to_flint(c) for c in coefficients])


def at(poly: fmpq_poly | fmpz_poly, x: Rational) -> Fraction:
    """The value of a polynomial at a rational."""
    return to_fraction(fmpq(1) * poly(to_flint(x)))


@dataclass(eq=False)
class Root:
    """One real root of an irreducible primitive integer polynomial of positive leading coefficient.

    Parameters: ``minimal`` that polynomial; ``index`` its place among the real roots, from 0 upwards (sympy's
    ``CRootOf`` counts likewise); ``lower`` and ``upper`` rational bounds between which it is the only root (equal to
    it when it is rational).  Narrowing the bounds changes no value.
    """

    minimal: fmpz_poly
    index: int
    lower: Fraction
    upper: Fraction

    @property
    def degree(self) -> int:
        return int(self.minimal.degree())

    @property
    def midpoint(self) -> Fraction:
        """Halfway between the bounds."""
        return (self.lower + self.upper) / 2

    @cached_property
    def _sign_below(self) -> int:
        return 1 if at(self.minimal, self.lower) > 0 else -1

    def halve(self) -> None:
        """Halves the distance of the bounds."""
        if self.lower == self.upper:
            return
        below = self._sign_below
        middle = (self.lower + self.upper) / 2
        if (at(self.minimal, middle) > 0) == (below > 0):
            self.lower = middle
        else:
            self.upper = middle

    def same_as(self, other: Root) -> bool:
        """Whether both are the same real number."""
        return self is other or (self.index == other.index and self.minimal == other.minimal)


def _irreducible_roots(minimal: fmpz_poly) -> list[Root]:
    """The real roots of an irreducible polynomial, in increasing order."""
    if minimal.degree() == 1:
        value = Fraction(-int(minimal[0]), int(minimal[1]))
        return [Root(minimal, 0, value, value)]
    bounds = []
    for ball, _ in minimal.complex_roots():  # flint: disjoint balls, real roots with imaginary part exactly zero
        if ball.imag == 0:
            (low, low_exponent), (high, high_exponent) = ball.real.lower().man_exp(), ball.real.upper().man_exp()
            power = Fraction(2)
            bounds.append((int(low) * power ** int(low_exponent), int(high) * power ** int(high_exponent)))
    bounds.sort()
    disjoint = all(left[1] < right[0] for left, right in pairwise(bounds))
    if not disjoint or any(at(minimal, low) * at(minimal, high) >= 0 for low, high in bounds):
        raise InternalError(f"the real roots of {minimal} were not isolated")
    return [Root(minimal, i, low, high) for i, (low, high) in enumerate(bounds)]


def real_roots(poly: fmpq_poly) -> list[tuple[Root, int]]:
    """The real roots of a polynomial that is not zero, in increasing order, with their multiplicities.

    >>> [(root.minimal, root.index, times) for root, times in real_roots(polynomial([0, 0, -2, 0, 1]))]
    [(x^2 + (-2), 0, 1), (x, 0, 2), (x^2 + (-2), 1, 1)]
    """
    if poly == 0:
        raise ValueError("every number is a root of the zero polynomial")
    if poly.degree() == 0:
        return []
    found: list[tuple[Root, int]] = []
    for factor, times in poly.numer().factor()[1]:
        monic = factor if factor[factor.degree()] > 0 else -factor
        found += [(root, int(times)) for root in _irreducible_roots(monic)]
    place = cmp_to_key(order)
    return sorted(found, key=lambda pair: place(pair[0]))


def surely_none(poly: fmpq_poly, low: Rational, high: Rational, depth: int = 8) -> bool:
    """Whether Descartes' rule of signs, after up to ``depth`` halvings, excludes a root strictly between two rationals;
    False says nothing.

    Reason: x = low + (high-low)/(1+t) maps t > 0 onto the interval, and a polynomial in t without changes of sign has no root
    t > 0; with one change it has one.

    >>> surely_none(polynomial([-2, 0, 1]), 0, 1), surely_none(polynomial([-2, 0, 1]), 1, 2)
    (True, False)
    """
    if poly == 0:
        return False
    onto_unit = poly(polynomial([low, high - low])).numer()
    shifted = fmpz_poly(onto_unit.coeffs()[::-1])(fmpz_poly([1, 1]))
    signs = [c > 0 for c in shifted.coeffs() if c != 0]
    changes = sum(one != other for one, other in pairwise(signs))
    if changes < 2 or not depth:
        return bool(changes == 0)
    middle = Fraction(low + high) / 2
    return (
        at(poly, middle) != 0
        and surely_none(poly, low, middle, depth - 1)
        and surely_none(poly, middle, high, depth - 1)
    )


def order(left: Root, right: Root) -> int:
    """-1, 0 or 1 as ``left`` is below, equal to or above ``right``: their bounds are narrowed until they part."""
    if left.same_as(right):
        return 0
    while not (left.upper < right.lower or right.upper < left.lower):
        left.halve()
        right.halve()
    return -1 if left.upper < right.lower else 1
