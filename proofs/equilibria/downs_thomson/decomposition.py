"""Number and kind of the equilibria over the whole parameter space of one family, by signs of four polynomials.

The family: W1 = (1 - a)/mu1 + a/(mu1 - x), which is M/M/1 (a = 1), M/G/1 (a = (1 + c^2)/2) and the retrial queue
(a = 1 + mu1/nu), beside a batch queue W2 = m2 + n/v, v = T - x, n = (N - 1)/2.  With u = mu1 - x = v + k,
k = mu1 - T, m = m2 - (1 - a)/mu1:

    W1 - W2 = -Q(v)/(u v),    Q(v) = m v^2 + (m k + n - a) v + n k.

v runs from hi = T - lambda1 (p = 0) down to lo = max(lambda2, -k) (p = 1, or queue 1 full).  With
v = (lo + t hi)/(1 + t) this becomes (1 + t)^2 Q = A t^2 + B t + C on t > 0, so everything follows from the signs of
A = Q(hi), C = Q(lo), B = 2 m lo hi + (m k + n - a)(lo + hi) + 2 n k and D = B^2 - 4 A C.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import fmpq_poly

from proofs.equilibria.algebraic import Number, at, polynomial, real_roots

Kinds = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Cell:
    """One cell of the parameter space: the signs (-1, 0, 1) of A, B, C, D."""

    a: int
    b: int
    c: int
    d: int


@dataclass(frozen=True)
class Family:
    """One point of the parameter space; ``a``, ``mu1``, ``m2`` = 1/mu2, ``n`` = (N - 1)/2 > 0, and the rates."""

    a: Fraction
    mu1: Fraction
    m2: Fraction
    n: Fraction
    rate: Fraction
    dedicated1: Fraction
    dedicated2: Fraction

    @property
    def total(self) -> Fraction:
        """T."""
        return self.rate + self.dedicated1 + self.dedicated2

    @property
    def quadratic(self) -> tuple[Fraction, Fraction, Fraction]:
        """The coefficients of Q, highest first."""
        m, k = self.m2 - (1 - self.a) / self.mu1, self.mu1 - self.total
        return m, m * k + self.n - self.a, self.n * k

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """lo and hi."""
        return max(self.dedicated2, self.total - self.mu1), self.rate + self.dedicated2

    def equilibria(self) -> Kinds | None:
        """The kinds ("p=0", "mixed", "p=1") with their stability, in increasing p; None: a whole interval of them."""
        if self.mu1 <= self.dedicated1:
            return (("p=0", True),)
        cell = self.cell()
        if (cell.a, cell.b, cell.c) == (0, 0, 0):
            return None
        found = kinds(cell)
        full = self.mu1 <= self.dedicated1 + self.rate  # p = 1 overloads queue 1
        return tuple(one for one in found if not (full and one[0] == "p=1"))

    def cell(self) -> Cell:
        """The signs of A, B, C, D."""
        (q2, q1, q0), (lo, hi) = self.quadratic, self.ends
        top, bottom = ((q2 * v + q1) * v + q0 for v in (hi, lo))
        middle = 2 * q2 * lo * hi + q1 * (lo + hi) + 2 * q0
        return Cell(_sign(top), _sign(middle), _sign(bottom), _sign(middle * middle - 4 * top * bottom))


def kinds(cell: Cell) -> Kinds:
    """The equilibria in a cell: p = 0 iff A <= 0, p = 1 iff C >= 0, mixed ones at the positive roots of A t^2 + B t + C.

    A root is stable iff the polynomial increases there; a corner with a tie (A = 0 or C = 0) by the next sign.

    >>> kinds(Cell(1, -1, 1, 1))  # both corners lose, two roots
    (('mixed', True), ('mixed', False), ('p=1', True))
    """
    found: list[tuple[str, bool]] = []
    if cell.a <= 0:
        found.append(("p=0", (cell.a or cell.b or cell.c) < 0))
    found += [("mixed", stable) for stable in _roots(cell)]
    if cell.c >= 0:
        found.append(("p=1", (cell.c or cell.b or cell.a) > 0))
    return tuple(found)


def _roots(cell: Cell) -> list[bool]:
    """Stability of the positive roots, largest first."""
    if cell.a * cell.c < 0:
        return [cell.a > 0]
    if cell.a * cell.c > 0:
        if cell.a * cell.b > 0 or cell.d < 0:
            return []
        return [False] if cell.d == 0 else [cell.a > 0, cell.a < 0]
    if cell.a * cell.b < 0:
        return [cell.a > 0]
    return [cell.b > 0] if cell.b * cell.c < 0 else []


def samples() -> dict[Cell, fmpq_poly]:
    """One polynomial A t^2 + B t + C for every cell that is not empty and not A = B = C = 0.

    On a cell the coefficients A, B, C keep their signs and D its own.  Each cell is connected, and while a point moves
    in it no root passes 0 or infinity and no two roots meet: number, order and crossing of the roots stay the same.
    """
    found = {}
    for a, b, c in product((-1, 0, 1), repeat=3):
        for size in (1, 2, 3):
            if (a, b, c) != (0, 0, 0):
                d = _sign(Fraction(size * size * b * b - 4 * a * c))
                found[Cell(a, b, c, d)] = polynomial([c, size * b, a])
    return found


def kinds_by_definition(poly: fmpq_poly) -> Kinds:
    """The same read off the signs of -Q beside the roots on 0 < t < infinity: the definition of slide 39."""
    roots = [root for root, _ in real_roots(poly) if Number.of(root).sign() > 0]
    cuts = [Fraction(0), *(Fraction(0) for _ in roots)]
    for i, root in enumerate(roots):
        following = roots[i + 1] if i + 1 < len(roots) else None
        while following is not None and root.upper >= following.lower:
            root.halve()
            following.halve()
        cuts[i + 1] = root.upper + 1 if following is None else (root.upper + following.lower) / 2
    while roots and Fraction(0) >= roots[0].lower and roots[0].lower != roots[0].upper:
        roots[0].halve()
    cuts[0] = roots[0].lower / 2 if roots else Fraction(1)
    beside = [_sign(at(poly, t)) for t in cuts]  # signs of Q between the roots, from t = 0 upwards
    found: list[tuple[str, bool]] = []
    if int(poly.degree()) < 2 or poly[2] <= 0:
        found.append(("p=0", beside[-1] < 0))
    found += [("mixed", beside[i] < 0 < beside[i + 1]) for i in reversed(range(len(roots)))]
    if poly[0] >= 0:
        found.append(("p=1", beside[0] > 0))
    return tuple(found)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
