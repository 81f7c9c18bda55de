"""Proof, in balls, that an exact randomised equilibrium lies near a computed one (Krawczyk's test), in the cut system.

With g(q) = y - z at the marginal states, X a box of half width R around q, Y an approximate inverse of g'(q): if
|Y g(q)| + |1 - Y g'(X)| R < R in each coordinate, then g has exactly one zero in X.  If moreover every other state strictly
prefers what it does, for all shares in X, that zero is an equilibrium.

g' comes from the differentiated equations: the share q of state (I,1,J) stands in one row of (14)-(15), as
λ [q y(I,1,J) + (1-q) y(I-1,1,J+1)] in the row (I-1,1,J), and in one of (16)-(17), as λ [q z(I+1,1,J-1) + (1-q) z(I,1,J)].
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from proofs.equilibria.retrial.equilibrium import advantages, threshold_policy
from proofs.equilibria.retrial.randomised import Randomised
from proofs.equilibria.retrial.routing import Closing, Equations, RetrialParallel, State
from proofs.equilibria.retrial.waiting import BUSY, IDLE
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision
from verify.errors import InputError

_BALLS = Arithmetic.BALLS


@dataclass(frozen=True)
class Enclosure:
    """An exact equilibrium has all its shares within ``radius`` of ``shares``: proved, in the system cut at ``limit`` (None: in
    the infinite one)."""

    shares: dict[State, Fraction]
    radius: Fraction
    limit: int | None


def enclose(
    model: RetrialParallel, found: Randomised, radius: Fraction = Fraction(1, 10**60), bits: int = 1024
) -> Enclosure | None:
    """The test; None if it fails, which proves nothing.

    Balls widen at each level of the elimination, so the box must be tiny: the shares are first refined to many digits.
    """
    with precision(bits):
        problem = Problem(model, found, found.limit, found.closing, found.closing)
        box = box_around(problem, found, radius)
        holds = box is not None and problem.is_strict_elsewhere(box.wide) and _inside(problem, box)
    return Enclosure(box.shares(problem), radius, found.limit) if box is not None and holds else None


@dataclass(frozen=True, eq=False)
class Box:
    """Shares within ``radius`` of ``middle`` (exact balls), as wide balls, and an approximate inverse of g' (floats)."""

    middle: list[Any]
    wide: list[Any]
    inverse: Any
    radius: Fraction

    def shares(self, problem: Problem) -> dict[State, Fraction]:
        """The middle by states."""
        return {s: exact(q) for s, q in zip(problem.states, self.middle, strict=True)}


def box_around(problem: Problem, found: Randomised, radius: Fraction) -> Box | None:
    """A box around the refined shares; None if g' is singular there, or if the box is not inside the open unit cube: only
    there are its points policies.  Raises ``InputError`` for marginal states that cannot be."""
    if not found.shares or any(k != BUSY or not 1 <= i < found.limit for i, k, _ in found.shares):
        raise InputError(
            "found.shares", "states with a busy server, an orbit, and below the limit", str(sorted(found.shares))
        )
    middle = [_BALLS.number(Fraction(found.shares[s])) for s in problem.states]
    try:
        inverse = np.linalg.inv(np.array([[float(x) for x in row] for row in problem.slopes(middle)]))
    except np.linalg.LinAlgError:
        return None
    middle = refined(problem, middle, inverse, radius)
    wide = [q + flint.arb(0, 1) * _BALLS.number(radius) for q in middle]
    return Box(middle, wide, inverse, radius) if all(bool(q > 0) and bool(q < 1) for q in wide) else None


class Problem:
    """g, g' and strict preferences for given shares (balls), in the system cut at ``limit``: ``orbit`` closes y, ``batch`` z."""

    def __init__(self, model: RetrialParallel, found: Randomised, limit: int, orbit: Closing, batch: Closing) -> None:
        self.model, self.limit, self.orbit, self.batch = model, limit, orbit, batch
        self.states = list(found.shares)
        self.joins = {s for s in found.joins if s[1] == BUSY} | (
            {s for s in found.joins if s[1] == IDLE}
            if limit == found.limit
            else threshold_policy(model, [0] * model.batch_size, limit)
        )
        self.pure = dict.fromkeys(self.joins, _BALLS.number(1))

    def choice(self, shares: list[Any]) -> dict[State, Any]:
        return {**self.pure, **dict(zip(self.states, shares, strict=True))}

    def gains(self, shares: list[Any]) -> dict[State, Any]:
        return advantages(self.model, self.choice(shares), self.limit, _BALLS, self.orbit, self.batch)

    def is_strict_elsewhere(self, shares: list[Any]) -> bool:
        rest = {s: g for s, g in self.gains(shares).items() if s not in self.states}
        return all(bool(g < 0) if s in self.joins else bool(g > 0) for s, g in rest.items())

    def slopes(self, shares: list[Any]) -> list[list[Any]]:
        """Row a, column b: the derivative of g at state a with respect to the share of state b."""
        of_orbit, of_batch = (
            Equations(self.model, self.choice(shares), self.limit, _BALLS, closing)
            for closing in (self.orbit, self.batch)
        )
        y, z = of_orbit.orbit_delays(), of_batch.batch_delays()
        columns = []
        for state in self.states:
            of_y, of_z = _orbit_slopes(of_orbit, y, state), _batch_slopes(of_batch, z, state)
            columns.append([of_y[s] - of_z.get(s, _BALLS.number(0)) for s in self.states])
        return [list(row) for row in zip(*columns, strict=True)]


def _orbit_slopes(equations: Equations, y: dict[State, Any], state: State) -> dict[State, Any]:
    i, k, j = state
    other = y[i - 1, k, (j + 1) % equations.model.batch_size]
    return equations.orbit_system().solve({(i - 1, k, j): equations.general * (y[state] - other)})


def _batch_slopes(equations: Equations, z: dict[State, Any], state: State) -> dict[State, Any]:
    i, k, j = state
    if j == 0:
        return {}
    right = {(i, k): equations.general * (z[i + 1, k, j - 1] - z[state])}
    found: dict[State, Any] = {}
    for seats in range(j - 1, -1, -1):
        solved = equations.batch_system(seats).solve(right)
        found |= {(*queue, seats): value for queue, value in solved.items()}
        leaving = {(n, s): equations.general * (equations.one - equations.probability((n, s, seats))) + equations.second
                   for n in range(equations.limit + 1) for s in (IDLE, BUSY)}  # fmt: skip
        right = {queue: leaving[queue] * value for queue, value in solved.items()}
    return found


def refined(problem: Problem, middle: list[Any], inverse: Any, radius: Fraction) -> list[Any]:
    """Newton steps with a fixed Jacobian until they are far below the radius; midpoints only."""
    for _ in range(60):
        gains = problem.gains(middle)
        here = [gains[s] for s in problem.states]
        moves = [_dot(row, here) for row in inverse]
        middle = [(q - move).mid() for q, move in zip(middle, moves, strict=True)]
        if all(bool(abs(move) < _BALLS.number(radius / 10**6)) for move in moves):
            break
    return middle


def _inside(problem: Problem, box: Box) -> bool:
    middle, widened, inverse, radius = box.middle, box.wide, box.inverse, box.radius
    gains, slopes, size = problem.gains(middle), problem.slopes(widened), len(middle)
    half, zero = _BALLS.number(radius), _BALLS.number(0)
    y = [[_BALLS.number(Fraction(float(x))) for x in row] for row in inverse]
    for a in range(size):
        centre = sum((y[a][b] * gains[s] for b, s in enumerate(problem.states)), zero)
        spread = zero
        for c in range(size):
            spread = (
                spread
                + abs(_BALLS.number(int(a == c)) - sum((y[a][b] * slopes[b][c] for b in range(size)), zero)) * half
            )
        if not bool(abs(centre) + spread < half):
            return False
    return True


def _dot(row: Any, balls: list[Any]) -> Any:
    """The product of a row of floats (taken as exact rationals) and a column of balls."""
    return sum((_BALLS.number(Fraction(float(x))) * g for x, g in zip(row, balls, strict=True)), _BALLS.number(0))


def exact(ball: Any) -> Fraction:
    value = ball.mid().fmpq()
    return Fraction(int(value.p), int(value.q))
