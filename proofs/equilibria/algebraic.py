"""Real algebraic numbers: isolated roots of irreducible polynomials and the fields they generate.

A number is kept as an element of Q(theta), theta a root of an irreducible integer polynomial between two rational
bounds.  Zero is decided by division with remainder, a sign by narrowing the bounds: no tolerance anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, total_ordering

import sympy
from flint import fmpq, fmpq_mat, fmpq_poly, fmpz_poly

from proofs.equilibria.roots import Rational, Root, at, order, polynomial, real_roots, to_flint, to_fraction

__all__ = ["Number", "Rational", "Root", "at", "compare", "polynomial", "real_roots", "to_flint", "to_fraction"]

_RATIONAL = Root(fmpz_poly([0, 1]), 0, Fraction(0), Fraction(0))


@total_ordering
@dataclass(frozen=True, eq=False)
class Number:
    """``value(theta)``, theta the root ``root``, as a polynomial of degree below that of theta."""

    root: Root
    value: fmpq_poly

    @staticmethod
    def of(source: Root | Rational) -> Number:
        """The root itself, or a rational."""
        if isinstance(source, Root):
            return Number.element(source, fmpq_poly([0, 1]))
        return Number(_RATIONAL, fmpq_poly([to_flint(source)]))

    @staticmethod
    def element(root: Root, value: fmpq_poly) -> Number:
        """``value(theta)`` reduced; a rational is kept as one."""
        reduced = value % fmpq_poly(root.minimal)
        return Number(_RATIONAL, reduced) if reduced.degree() <= 0 else Number(root, reduced)

    @property
    def rational(self) -> Fraction | None:
        """The number as a fraction, if it is rational."""
        return to_fraction(self.value[0]) if self.value.degree() <= 0 else None

    def sign(self) -> int:
        """-1, 0 or 1, decided exactly."""
        if self.value == 0:
            return 0
        while True:
            low, high = self.bounds()
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            self.root.halve()

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Rational bounds that follow from those of the root (Horner's scheme on intervals)."""
        low = high = Fraction(0)
        a, b = self.root.lower, self.root.upper
        for k in range(int(self.value.degree()), -1, -1):
            c = to_fraction(self.value[k])
            products = (low * a, low * b, high * a, high * b)
            low, high = min(products) + c, max(products) + c
        return low, high

    def __add__(self, other: Number | Rational) -> Number:
        right = _number(other)
        return Number.element(_field(self, right), self.value + right.value)

    def __neg__(self) -> Number:
        return Number(self.root, -self.value)

    def __sub__(self, other: Number | Rational) -> Number:
        return self + (-_number(other))

    def __mul__(self, other: Number | Rational) -> Number:
        right = _number(other)
        return Number.element(_field(self, right), self.value * right.value)

    def __truediv__(self, other: Number | Rational) -> Number:
        right = _number(other)
        if right.value == 0:
            raise ZeroDivisionError("division by an algebraic number that is 0")
        _, inverse, _ = right.value.xgcd(fmpq_poly(right.root.minimal))
        if right.value.degree() <= 0:
            inverse = fmpq_poly([1 / right.value[0]])
        return Number.element(_field(self, right), self.value * inverse)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Number, Fraction, int)):
            return NotImplemented
        return compare(self, _number(other)) == 0

    def __lt__(self, other: Number | Rational) -> bool:
        return compare(self, _number(other)) < 0

    def __float__(self) -> float:
        """The nearest float: an irrational number lies strictly between two halfway points, so narrowing ends."""
        rational = self.rational
        if rational is not None:
            return float(rational)
        while True:
            low, high = self.bounds()
            if float(low) == float(high):
                return float(low)
            self.root.halve()

    def __str__(self) -> str:
        """Exact text that sympy reads: a rational, radicals for degree two, else a polynomial in ``CRootOf``."""
        rational = self.rational
        if rational is not None:
            return str(rational)
        return _quadratic_text(self) if self.root.degree == 2 else _root_text(self)

    @cached_property
    def own_root(self) -> Root:
        """The number as an isolated root of its own minimal polynomial."""
        rational = self.rational
        if rational is not None:
            minimal = fmpz_poly([-rational.numerator, rational.denominator])
            return Root(minimal, 0, rational, rational)
        if self.value == fmpq_poly([0, 1]):
            return self.root
        candidates = [root for root, _ in real_roots(_minimal_polynomial(self))]
        while True:
            low, high = self.bounds()
            near = [root for root in candidates if root.lower <= high and low <= root.upper]
            if len(near) == 1:
                return near[0]
            self.root.halve()
            for root in candidates:
                root.halve()


def _minimal_polynomial(number: Number) -> fmpq_poly:
    """The minimal polynomial of ``value(theta)``: that of the multiplication by it on Q(theta)."""
    modulus, degree = fmpq_poly(number.root.minimal), number.root.degree
    columns = [(number.value * fmpq_poly([0] * k + [1])) % modulus for k in range(degree)]
    entries = [columns[j][i] for i in range(degree) for j in range(degree)]
    return fmpq_mat(degree, degree, entries).minpoly()


def _number(value: Number | Rational) -> Number:
    return value if isinstance(value, Number) else Number.of(value)


def _field(left: Number, right: Number) -> Root:
    """The root that generates the field both numbers lie in."""
    if right.root is _RATIONAL:
        return left.root
    if left.root is _RATIONAL or left.root.same_as(right.root):
        return right.root
    raise ValueError("numbers of different fields are compared, not combined")


def compare(left: Number, right: Number) -> int:
    """-1, 0 or 1 as ``left`` is below, equal to or above ``right``; the fields may differ."""
    if left.root is _RATIONAL or right.root is _RATIONAL or left.root.same_as(right.root):
        return (left - right).sign()
    return order(left.own_root, right.own_root)


def _quadratic_text(number: Number) -> str:
    c, b, a = (int(number.root.minimal[k]) for k in range(3))
    sign = 1 if number.root.index == 1 else -1
    constant, slope = (sympy.Rational(*_pair(number.value[k])) for k in range(2))
    root = sympy.sqrt(b * b - 4 * a * c)
    return str(sympy.expand(constant - slope * sympy.Rational(b, 2 * a) + sign * slope * root / (2 * a)))


def _root_text(number: Number) -> str:
    name = f"CRootOf({integer_polynomial_text(number.root.minimal)}, {number.root.index})"
    terms = []
    for k in range(int(number.value.degree()), -1, -1):
        c = to_fraction(number.value[k])
        if c:
            power = "" if k == 0 else name if k == 1 else f"{name}**{k}"
            size = str(abs(c)) if not power else power if abs(c) == 1 else f"{abs(c)}*{power}"
            terms.append((" - " if c < 0 else " + ") + size)
    text = "".join(terms)
    return text[3:] if text.startswith(" + ") else "-" + text[3:]


@lru_cache(maxsize=1024)
def _text_of(coefficients: tuple[int, ...]) -> str:
    return str(sympy.Poly(coefficients[::-1], sympy.Symbol("x")).as_expr())


def integer_polynomial_text(poly: fmpz_poly) -> str:
    """The polynomial in x, as sympy writes it."""
    return _text_of(tuple(int(poly[k]) for k in range(int(poly.degree()) + 1)))


def _pair(number: fmpq) -> tuple[int, int]:
    return int(number.numer()), int(number.denom())
