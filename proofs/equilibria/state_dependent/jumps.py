"""Where the selfish policy changes with μ1, exactly, over a whole interval (slides 51-52; exponential service, λ1 = 0).

z(i,j) is a rational function of μ1 as long as columns j+1, ..., N-1 of the policy stay the same, and
y(i) = (1 + (i-c+1)^+/c)/μ1.  So column by column, from the last seat back, the signs of z - y change at isolated real roots only;
between two neighbouring roots of all columns one policy holds.

Each column is a threshold, T_j = the number of i with y(i) < z(i,j).  Proof, backwards in j: couple two chains, the first *ahead*
of the second, j1 >= j2 and i1 + j1 >= i2 + j2, with common arrivals and min(i1,i2,c) common servers.  A departure of the first
alone needs i1 > i2, and both relations survive it; so they do all others: if the first customer joins queue 1 and the second does
not, then j1 > j2, for in the same column i1 >= i2 and the column is a threshold.  So the batch of the first leaves no later:
z(i,j) falls weakly in i (and in j), while y(i) rises strictly from i = c-1 on and is constant below.

With fixed columns z(i,j) rises weakly in μ1: the same coupling, the slower system ahead, which loses a customer alone only if
i1 > i2.  And y falls strictly, so z - y has at most one root in an interval, a simple one, where it turns positive: the policy
at a root is that of the piece before it (ties to queue 2), W is continuous from the left, and neighbouring pieces differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from flint import fmpq_poly, fmpz_poly

from proofs.equilibria.roots import Root, order, polynomial, real_roots, surely_none, to_flint
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, midpoint, precision
from proofs.equilibria.state_dependent.model import Parallel, Policy
from proofs.equilibria.state_dependent.service import Service
from proofs.equilibria.state_dependent.stationary import transit_number
from verify.errors import InputError, InternalError


@dataclass(frozen=True)
class Ratio:
    """A rational function of μ1, in lowest terms."""

    over: fmpq_poly
    under: fmpq_poly

    @staticmethod
    def of(over: fmpq_poly, under: fmpq_poly) -> Ratio:
        common = over.gcd(under)
        return Ratio(over / common, under / common) if common.degree() > 0 else Ratio(over, under)

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.over * other.under + other.over * self.under, self.under * other.under)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + Ratio(-other.over, other.under)

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.over * other.over, self.under * other.under)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.over * other.under, self.under * other.over)

    def sign_at(self, x: Fraction) -> int:
        """Of the value, for x that is no pole."""
        point = to_flint(x)
        over, under = self.over(point), self.under(point)
        return 0 if over == 0 else 1 if (over > 0) == (under > 0) else -1


def _constant(value: Fraction) -> Ratio:
    return Ratio(polynomial([value]), polynomial([1]))


#: How narrow the bounds of a root are made before W is evaluated on them, and the bits of the balls.
_NEAR, _BITS = Fraction(1, 2**200), 2048
_ZERO, _ONE, _RATE = _constant(Fraction(0)), _constant(Fraction(1)), Ratio(polynomial([0, 1]), polynomial([1]))


@dataclass(frozen=True)
class Piece:
    """Between ``low`` and ``high`` the policy joins queue 1 for i < ``thresholds[j]``."""

    low: Root
    high: Root
    thresholds: tuple[int, ...]

    def policy(self, servers: int) -> Policy:
        """As a policy for exponential service by this many servers."""
        joins = {(i, min(i, servers), j) for j, top in enumerate(self.thresholds) for i in range(top)}
        return Policy(frozenset(joins), max(self.thresholds) + 1)


@dataclass(frozen=True)
class Jump:
    """A change of policy at ``root``: W there under the policy before it, ``left``, and under that after it, ``right`` (midpoints
    of narrow balls that hold W for every μ1 in the bounds of the root), and the sign of right - left: certain, or 0 if open."""

    root: Root
    before: Piece
    after: Piece
    left: Fraction
    right: Fraction
    sign: int


class _Column:
    """z(·, j) as rational functions, from column j+1 and its threshold; computed as far up as asked."""

    def __init__(self, model: Parallel, after: _Column | None, threshold: int):
        self.model, self.after, self.threshold = model, after, threshold
        self.values: list[Ratio] = []

    def __getitem__(self, i: int) -> Ratio:
        if self.after is None:
            return _constant(self.model.least_delay)
        if not self.values:
            self.values = self._up_to_threshold(self.after)
        while len(self.values) <= i:
            self.values.append(self._next(self.after, len(self.values)))
        return self.values[i]

    def _served(self, i: int) -> Ratio:
        return _RATE * _constant(Fraction(min(i, self.model.servers)))

    def _up_to_threshold(self, after: _Column) -> list[Ratio]:
        """z_i = a_i + b_i z_{i+1} for i < T; then z_T, and back."""
        general, second = _constant(self.model.general), _constant(self.model.dedicated_second)
        a, b, pairs = _ZERO, _ZERO, []
        for i in range(self.threshold):
            served = self._served(i)
            left = general + second + served - served * b
            a, b = (_ONE + second * after[i] + served * a) / left, general / left
            pairs.append((a, b))
        served = self._served(self.threshold)
        top = (_ONE + (general + second) * after[self.threshold] + served * a) / (
            general + second + served - served * b
        )
        values = [top]
        for a, b in reversed(pairs):
            values.append(a + b * values[-1])
        return values[::-1]

    def _next(self, after: _Column, i: int) -> Ratio:
        """Nobody joins at i."""
        arrivals = _constant(self.model.general + self.model.dedicated_second)
        served = self._served(i)
        return (_ONE + arrivals * after[i] + served * self.values[i - 1]) / (arrivals + served)


def _waiting(model: Parallel, i: int) -> Ratio:
    """y(i)."""
    turns = 1 + Fraction(max(i - model.servers + 1, 0), model.servers)
    return _constant(turns) / _RATE


def pieces(model: Parallel, low: Fraction, high: Fraction) -> list[Piece]:
    """The policies of all μ1 between two positive rationals, from left to right; the rate of ``model`` is not used.

    Raises ``InputError`` unless 0 < low < high.
    """
    if not 0 < low < high:
        raise InputError("low, high", "0 < low < high", f"{low}, {high}")
    found: list[Piece] = []
    for piece in _columns(model, model.batch_size - 1, _point(low), _point(high), None, ()):
        if found and found[-1].thresholds == piece.thresholds:
            raise InternalError(f"a root of z - y at which no policy changes, near {piece.low.midpoint}")
        found.append(piece)
    return found


def jumps(servers: int, low: Fraction, high: Fraction) -> list[Jump]:
    """All changes of the selfish policy of the slides' example for μ1 between two rationals."""
    found = []
    for before, after in pairwise(pieces(Parallel.standard(Fraction(1), servers), low, high)):
        root = before.high
        while root.upper - root.lower > _NEAR:
            root.halve()
        with precision(_BITS):
            left, right = _transit_ball(servers, root, before), _transit_ball(servers, root, after)
            sign = int(bool(right > left)) - int(bool(right < left))
        found.append(Jump(root, before, after, midpoint(left)[0], midpoint(right)[0], sign))
    return found


def _transit_ball(servers: int, root: Root, piece: Piece) -> Any:
    """W of the piece's policy, for all μ1 between the bounds of the root at once."""
    convert = Arithmetic.BALLS.number
    rate = convert(root.lower).union(convert(root.upper))
    nothing: Any = 0  # balls and Fractions do not mix, balls and integers do
    service = Service(rate, rate, nothing, "exponential")
    model = Parallel(Fraction(1), nothing, Fraction(1, 10), service, servers, 3, Fraction(1))
    return transit_number(model, piece.policy(servers), Arithmetic.BALLS)


def _point(x: Fraction) -> Root:
    return Root(fmpz_poly([-x.numerator, x.denominator]), 0, x, x)


def _between(low: Root, high: Root) -> Fraction:
    """A rational strictly between two roots."""
    while not low.upper < high.lower:
        low.halve()
        high.halve()
    return (low.upper + high.lower) / 2


def _roots_between(poly: fmpq_poly, low: Root, high: Root) -> list[Root]:
    if surely_none(poly, low.lower, high.upper):
        return []
    return [root for root, _ in real_roots(poly) if order(low, root) < 0 < order(high, root)]


def _columns(
    model: Parallel, j: int, low: Root, high: Root, after: _Column | None, thresholds: tuple[int, ...]
) -> Iterator[Piece]:
    """Split the interval by the thresholds of column j, then go on with column j-1."""
    column = _Column(model, after, thresholds[0] if thresholds else 0)
    for left, right, threshold in _split(model, column, low, high):
        found = (threshold, *thresholds)
        if j:
            yield from _columns(model, j - 1, left, right, column, found)
        else:
            yield Piece(left, right, found)


def _split(model: Parallel, column: _Column, low: Root, high: Root) -> Iterator[tuple[Root, Root, int]]:
    """T_j between neighbouring roots of z - y: i is scanned until z < y on the whole interval."""
    gains: list[Ratio] = []
    cuts: list[Root] = []
    while True:
        gain = column[len(gains)] - _waiting(model, len(gains))
        inside = _roots_between(gain.over, low, high)
        if not inside and gain.sign_at(_between(low, high)) <= 0:
            break
        gains.append(gain)
        cuts += inside
    ends = [low]
    for root in sorted(cuts, key=cmp_to_key(order)):
        if not root.same_as(ends[-1]):
            ends.append(root)
    ends.append(high)
    for left, right in pairwise(ends):
        here = _between(left, right)
        yield left, right, sum(1 for gain in gains if gain.sign_at(here) > 0)
