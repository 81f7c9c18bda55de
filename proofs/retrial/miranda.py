"""Proof, in balls, that the *infinite* system has a randomised equilibrium near a computed one (Poincaré and Miranda).

Cut at M above the level from which nobody joins a busy server, with the bounds of ``Closing`` at M+1, the system gives
g_low(q) <= g(q) <= g_high(q) for the advantages g of the infinite one (as in ``equilibrium.confirm``).  Let X be the box of half
width R around m, Y an approximate inverse of g_low', D = g_high - g_low.  By the mean value theorem, for q in X,

    |Y g(q) - (q - m)|  <=  |Y g_low(m)| + |1 - Y g_low'(X)| R + |Y| ( |D(m)| + |g_high'(X) - g_low'(X)| R ).

If the right side is below R in each coordinate, then (Y g)_a < 0 on the face q_a = m_a - R of X and > 0 on the opposite one, so
Y g, hence g, has a zero in X (Poincaré-Miranda; Kulpa, Amer. Math. Monthly 104, 1997).  g is continuous: changing one share by h
changes y(x) by h λ times the expected time in that state, which is at most y(x) under the new shares, times a difference of two
values of y; and so for z.  If moreover, for all shares in X, every other state up to M strictly prefers what it does, and beyond
M nobody joins a busy server (refusal level) while idle states have their rule, the zero is an equilibrium.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np

from proofs.retrial.equilibrium import idle_rule_is_sure
from proofs.retrial.krawczyk import Enclosure, Problem, exact, refined
from proofs.retrial.randomised import Randomised
from proofs.retrial.routing import Closing, RetrialParallel
from proofs.state_dependent.arithmetic import Arithmetic, precision

_BALLS = Arithmetic.BALLS
Matrix = list[list[Any]]


def enclose_infinite(
    model: RetrialParallel, found: Randomised, radius: Fraction = Fraction(1, 10**60), bits: int = 1024
) -> Enclosure | None:
    """An equilibrium of the infinite system has all its shares within ``radius`` of those returned; None proves nothing."""
    if not idle_rule_is_sure(model):
        return None
    limit = 2 * max(model.refusal_level(), found.limit)
    with precision(bits):
        low = Problem(model, found, limit, Closing.LOW, Closing.HIGH)
        high = Problem(model, found, limit, Closing.HIGH, Closing.LOW)
        middle = [_BALLS.number(Fraction(found.shares[s])) for s in low.states]
        inverse = np.linalg.inv(np.array([[float(x) for x in row] for row in low.slopes(middle)]))
        middle = refined(low, middle, inverse, radius)
        box = [q + flint.arb(0, 1) * _BALLS.number(radius) for q in middle]
        holds = (
            low.is_strict_elsewhere(box)
            and high.is_strict_elsewhere(box)
            and _points_outwards(low, high, middle, box, inverse, radius)
        )
        shares = {s: exact(q) for s, q in zip(low.states, middle, strict=True)}
    return Enclosure(shares, radius, None) if holds else None


def _points_outwards(
    low: Problem, high: Problem, middle: list[Any], box: list[Any], inverse: Any, radius: Fraction
) -> bool:
    """The inequality of the module, in each coordinate."""
    half, zero, one = _BALLS.number(radius), _BALLS.number(0), _BALLS.number(1)
    size = range(len(middle))
    y = [[_BALLS.number(Fraction(float(x))) for x in row] for row in inverse]
    at_low, at_high = low.gains(middle), high.gains(middle)
    of_low, of_high = low.slopes(box), high.slopes(box)
    gap = [
        abs(at_high[s] - at_low[s]) + sum((abs(of_high[a][b] - of_low[a][b]) for b in size), zero) * half
        for a, s in enumerate(low.states)
    ]
    for a in size:
        centre = abs(sum((y[a][b] * at_low[s] for b, s in enumerate(low.states)), zero))
        turned = ((one if a == c else zero) - sum((y[a][b] * of_low[b][c] for b in size), zero) for c in size)
        spread = sum((abs(entry) for entry in turned), zero) * half
        rest = sum((abs(y[a][b]) * gap[b] for b in size), zero)
        if not bool(centre + spread + rest < half):
            return False
    return True
