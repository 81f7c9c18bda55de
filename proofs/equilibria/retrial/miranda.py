"""Proof, in balls, that the *infinite* system has a randomised equilibrium near a computed one (Poincaré and Miranda).

Cut at M above the level from which nobody joins a busy server, with the bounds of ``Closing`` at M+1, the system gives
g_low(q) <= g(q) <= g_high(q) for the advantages g of the infinite one and all shares q in [0, 1].  (PROOF.md, Lemma 6: its
coupling goes through if the rate of joining depends on the state and on q but lies between λ1 and λ + λ1, as the rate it is
compared with is constant; below M+1 a killed finite chain is monotone in its boundary
values.)  Let X be the box of half width R around m, Y an approximate inverse of g_low', D = g_high - g_low.  By the mean value
theorem, for q in X,

    |Y g(q) - (q - m)|  <=  |Y g_low(m)| + |1 - Y g_low'(X)| R + |Y| ( |D(m)| + |g_high'(X) - g_low'(X)| R ).

If the right side is below R in each coordinate, then (Y g)_a < 0 on the face q_a = m_a - R of X and > 0 on the opposite one, so
Y g has a zero in X (Poincaré-Miranda; [Kulpa 1997]), and so has g: the row sums of |1 - Y g_low'| are
then below 1, so Y is not singular.  g is continuous, as a uniform limit of rational functions of q: D at a cut M is at most the
difference of the bounds at M+1, linear in M, times the probability to get there, which falls faster than 1/M uniformly in the
policy (PROOF.md, section 8, and the coupling with everybody joining).  If moreover X lies in the open unit cube, and for all
shares in X every other state up to M strictly prefers what it does, then, as beyond M nobody joins a busy server (refusal level)
and idle states have their rule, the zero is an equilibrium.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.equilibria.retrial.equilibrium import idle_rule_is_sure
from proofs.equilibria.retrial.krawczyk import Box, Enclosure, Problem, box_around
from proofs.equilibria.retrial.randomised import Randomised
from proofs.equilibria.retrial.routing import Closing, RetrialParallel
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision

_BALLS = Arithmetic.BALLS


def enclose_infinite(
    model: RetrialParallel, found: Randomised, radius: Fraction = Fraction(1, 10**60), bits: int = 1024
) -> Enclosure | None:
    """An equilibrium of the infinite system has all its shares within ``radius`` of those returned; None proves nothing.

    Idle states follow their rule (``threshold_policy``), whatever ``found`` says of them."""
    if not idle_rule_is_sure(model):
        return None
    limit = 2 * max(model.refusal_level(), found.limit)
    with precision(bits):
        low = Problem(model, found, limit, Closing.LOW, Closing.HIGH)
        high = Problem(model, found, limit, Closing.HIGH, Closing.LOW)
        box = box_around(low, found, radius)
        holds = (
            box is not None
            and low.is_strict_elsewhere(box.wide)
            and high.is_strict_elsewhere(box.wide)
            and _points_outwards(low, high, box)
        )
    return Enclosure(box.shares(low), radius, None) if box is not None and holds else None


def _points_outwards(low: Problem, high: Problem, box: Box) -> bool:
    """The inequality of the module, in each coordinate."""
    half, zero, one = _BALLS.number(box.radius), _BALLS.number(0), _BALLS.number(1)
    size = range(len(box.middle))
    y = [[_BALLS.number(Fraction(float(x))) for x in row] for row in box.inverse]
    at_low, at_high = low.gains(box.middle), high.gains(box.middle)
    of_low, of_high = low.slopes(box.wide), high.slopes(box.wide)
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
