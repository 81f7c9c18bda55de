"""Randomised equilibria where best responses cycle: indifference y = z at the marginal states, strict preference elsewhere.

The marginal states are those on which the policies of a cycle differ; their probabilities solve y - z = 0 (Newton's method).
What comes out is a float proposal with its residual: ``krawczyk.py`` (cut system) and ``miranda.py`` (infinite one) prove that an
exact equilibrium is near, or do not, and then there is none to show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs.equilibria.retrial.equilibrium import Pure, advantages
from proofs.equilibria.retrial.routing import Closing, RetrialParallel, State

#: Newton steps at most; how many without a smaller residual end them; the step of numerical derivatives.
_STEPS, _PATIENCE, _DIFFERENCE = 40, 3, 2.0**-20


@dataclass(frozen=True)
class Randomised:
    """Probabilities of queue 1 at the marginal states, the states that choose it for sure, residual and objections (floats).

    ``residual`` is the largest |y - z| at a marginal state; ``objecting`` the states that would rather do otherwise.
    """

    shares: Mapping[State, float]
    joins: Pure
    residual: float
    objecting: tuple[State, ...]
    limit: int
    closing: Closing = Closing.SLOPE

    def choice(self) -> dict[State, float]:
        """The policy as probabilities."""
        return {**dict.fromkeys(self.joins, 1.0), **self.shares}

    @property
    def label(self) -> str:
        """In words."""
        return f"float, residual {self.residual:.0e}, orbit cut at {self.limit}, {self.closing.value}"


def randomised_equilibrium(
    model: RetrialParallel, cycle: tuple[Pure, ...], limit: int, rounds: int = 12
) -> Randomised | None:
    """A proposed randomised equilibrium near a cycle of best responses, or None ("none found").

    Marginal states whose probability leaves [0, 1] become pure; pure states that object become marginal.
    """
    always = frozenset.intersection(*cycle)
    shares = dict.fromkeys(sorted(frozenset.union(*cycle) - always), 0.5)
    joins = set(always)
    for _ in range(rounds):
        solved = _indifferent(model, joins, shares, limit)
        if solved is None:
            return None
        outside = {state: share for state, share in solved.items() if not 0 < share < 1}
        joins |= {state for state, share in outside.items() if share >= 1}
        shares = {state: share for state, share in solved.items() if state not in outside}
        result = _judged(model, frozenset(joins), shares, limit)
        if not outside and not result.objecting:
            return result
        shares |= {state: 0.5 for state in result.objecting[:1] if not outside}
        joins -= set(shares)
    return None


def _judged(model: RetrialParallel, joins: Pure, shares: dict[State, float], limit: int) -> Randomised:
    gains = advantages(model, {**dict.fromkeys(joins, 1.0), **shares}, limit)
    residual = max((abs(gains[state]) for state in shares), default=0.0)
    objecting = tuple(s for s, gain in gains.items() if s not in shares and (gain < 0) != (s in joins))
    return Randomised(shares, joins, residual, tuple(sorted(objecting, key=lambda s: -abs(gains[s]))), limit)


def _indifferent(
    model: RetrialParallel, joins: set[State], shares: dict[State, float], limit: int
) -> dict[State, float] | None:
    """Newton's method for y - z = 0 at the states of ``shares``, while the residual falls; None: a singular Jacobian."""
    states, point = list(shares), np.array(list(shares.values()))
    base = dict.fromkeys(joins - set(states), 1.0)
    if not states:
        return {}

    def gap(q: Any) -> Any:
        gains = advantages(model, {**base, **dict(zip(states, map(float, q), strict=True))}, limit)
        return np.array([gains[state] for state in states])

    here, best, left = gap(point), point, _PATIENCE
    smallest = np.abs(here).max()
    for _ in range(_STEPS):
        columns = [(gap(point + _DIFFERENCE * unit) - here) / _DIFFERENCE for unit in np.eye(len(states))]
        try:
            move = np.linalg.solve(np.array(columns).T, here)
        except np.linalg.LinAlgError:
            return None
        point = np.clip(point - move, -0.5, 1.5)
        here = gap(point)
        if np.abs(here).max() < smallest:
            smallest, best, left = np.abs(here).max(), point, _PATIENCE
            continue
        left -= 1
        if not left:
            break
    return dict(zip(states, map(float, best), strict=True))
