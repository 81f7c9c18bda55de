"""Square roots of rational functions, u^2 = g(p), in equations a(p) + b(p) u = 0; square roots of rationals in one field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import fmpq_poly
from sympy.polys.numberfields import primitive_element

from proofs.equilibria.algebraic import Number, polynomial, real_roots
from proofs.equilibria.downs_thomson.model import NotSupported
from proofs.equilibria.downs_thomson.ratio import Ratio
from verify.errors import InternalError


@dataclass(frozen=True)
class Surd:
    """``plain`` + ``factor`` * u with u^2 = ``square``, all three rational functions of p."""

    plain: Ratio
    factor: Ratio
    square: Ratio

    def __add__(self, other: Surd) -> Surd:
        return Surd(self.plain + other.plain, self.factor + other.factor, self.square)

    def __sub__(self, other: Surd) -> Surd:
        return Surd(self.plain - other.plain, self.factor - other.factor, self.square)

    def __mul__(self, other: Surd | Ratio) -> Surd:
        if isinstance(other, Ratio):
            return Surd(self.plain * other, self.factor * other, self.square)
        plain = self.plain * other.plain + self.factor * other.factor * self.square
        return Surd(plain, self.plain * other.factor + self.factor * other.plain, self.square)

    def polynomial(self, poly: fmpq_poly) -> Surd:
        """The value of a polynomial with rational coefficients (Horner's scheme)."""
        zero = Ratio.constant(0)
        result = Surd(zero, zero, self.square)
        for k in range(int(poly.degree()), -1, -1):
            coefficient = Ratio.of(fmpq_poly([poly[k]]))
            result = result * self + Surd(coefficient, zero, self.square)
        return result


def square_root_solutions(equation: Surd) -> list[tuple[Number, Ratio]]:
    """Where ``plain`` + ``factor`` u = 0 with u > 0: there u = -plain/factor and plain^2 = factor^2 square."""
    plain, factor, square = equation.plain, equation.factor, equation.square
    norm = (plain * plain - factor * factor * square).numerator
    if norm == 0:
        raise NotSupported("a continuum of stationary points")
    if factor.numerator == 0:
        raise NotSupported("a social optimum in a tower of square roots")
    u, found = -plain / factor, []
    for root, _ in real_roots(norm):
        p = Number.of(root)
        value = u.at(p)
        if factor.at(p) == 0 and plain.at(p) == 0:
            raise NotSupported("a social optimum in a tower of square roots")
        if value is not None and value.sign() > 0:
            found.append((p, u))
    return found


def square_roots(values: Sequence[Fraction]) -> list[Number]:
    """The positive square roots of some positive rationals, as elements of one field.

    >>> [str(root) for root in square_roots([Fraction(1, 2), Fraction(4, 9), Fraction(2)])]
    ['sqrt(2)/2', '2/3', 'sqrt(2)']
    """
    roots = [sympy.sqrt(sympy.Rational(v.numerator, v.denominator)) for v in values]
    parts = [root.as_coeff_Mul() for root in roots]
    surds = sorted({surd for _, surd in parts if surd != 1}, key=lambda surd: surd.base)
    if not surds:
        return [Number.of(_fraction(factor)) for factor, _ in parts]
    minimal, weights, rows = primitive_element(surds, sympy.Symbol("x"), ex=True)
    poly = polynomial([_fraction(c) for c in reversed(sympy.Poly(minimal).all_coeffs())])
    theta = _nearest(poly, sum(float(w * surd) for w, surd in zip(weights, surds, strict=True)))
    elements = dict(zip(surds, rows, strict=True))
    found = []
    for factor, surd in parts:
        row = [1] if surd == 1 else elements[surd]
        value = polynomial([_fraction(sympy.sympify(c) * factor) for c in reversed(row)])
        found.append(Number.element(theta.root, value) if surd != 1 else Number.of(_fraction(factor)))
    for number, value_ in zip(found, values, strict=True):
        if number.sign() <= 0 or number * number != value_:
            raise InternalError(f"no square root of {value_}")
    return found


def _nearest(poly: fmpq_poly, guess: float) -> Number:
    """The root of a polynomial nearest to a float: a proposal, what it generates is checked afterwards."""
    return min((Number.of(root) for root, _ in real_roots(poly)), key=lambda root: abs(float(root) - guess))


def _fraction(number: sympy.Rational) -> Fraction:
    return Fraction(int(number.p), int(number.q))
