"""No paradox under the social optimum (slides 61, 69, 77): a coupling, whose events are enumerated here.

Let λ1 = 0, service exponential, and compare (μ1, c) with a smaller (μ1', c'), μ1' <= μ1, c' <= c.  The router of the larger
system simulates a fictitious smaller one and copies the decisions of its optimal policy.  Arrivals and batches agree; queue 1
has i customers in the real and i' in the fictitious system.  Departures are common as far as the rates allow.  Then i <= i' for
ever, so the mean number of general customers is no larger, and by Little's law W(real) <= W(fictitious) = the smaller optimum.
The router is an admissible policy of the larger system, and the optimum over all policies, with memory or not, is reached by a
stationary one (finite state space).  So the optimum W falls weakly in μ1 and in c.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Move:
    """A joint event: change of i (real), change of i' (fictitious), rate."""

    real: int
    fictitious: int
    rate: Fraction


def departures(real: int, fictitious: int, fast: tuple[Fraction, int], slow: tuple[Fraction, int]) -> list[Move]:
    """Joint departures from (i, i'); ``fast`` and ``slow`` are (μ1, c) and (μ1', c')."""
    own, other = min(real, fast[1]) * fast[0], min(fictitious, slow[1]) * slow[0]
    moves = [
        Move(-1, -1, min(own, other)),
        Move(-1, 0, max(own - other, Fraction(0))),
        Move(0, -1, max(other - own, Fraction(0))),
    ]
    return [move for move in moves if move.rate > 0]


def order_survives(largest: int, fast: tuple[Fraction, int], slow: tuple[Fraction, int]) -> bool:
    """Whether i <= i' survives every joint event from every pair i <= i' <= ``largest``; an arrival raises both or none.

    Only i = i' matters: there min(i,c) μ1 >= min(i,c') μ1', so the fictitious queue never loses a customer alone.
    """
    return all(
        real + move.real <= fictitious + move.fictitious
        for fictitious in range(largest + 1)
        for real in range(fictitious + 1)
        for move in departures(real, fictitious, fast, slow)
    )


def order_survives_in_examples() -> bool:
    """``order_survives`` for several pairs of rates and numbers of servers."""
    rates = [Fraction(1, 2), Fraction(1), Fraction(7, 3)]
    systems = list(product(rates, (1, 2, 5)))
    ordered = [(fast, slow) for fast in systems for slow in systems if fast[0] >= slow[0] and fast[1] >= slow[1]]
    return all(order_survives(12, fast, slow) for fast, slow in ordered)
