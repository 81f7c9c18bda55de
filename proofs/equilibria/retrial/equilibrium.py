"""Selfish routing next to the retrial queue is a fixed point, not a recursion (slide 92): j runs modulo N, so (14) and (15) need
the whole policy.  A pure fixed point need not exist: best responses are iterated, cycles detected, never the last iterate shown.

D is an equilibrium if each general customer in D's states does best by D: queue 1 iff 1/μ1 < z (idle), y < z (busy); (18), (19).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from proofs.equilibria.retrial.routing import Closing, Equations, RetrialParallel, State
from proofs.equilibria.retrial.waiting import BUSY, IDLE
from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision

Pure = frozenset[State]


class Found(Enum):
    """What an iteration ended in."""

    FIXED_POINT = "fixed point"
    CYCLE = "cycle"
    NOTHING = "none found"


@dataclass(frozen=True)
class Iteration:
    """``found``; the policies of the fixed point (one) or of the cycle (several), empty if the budget ran out."""

    found: Found
    policies: tuple[Pure, ...]


@dataclass(frozen=True)
class Confirmation:
    """States where the policy is not a best response for sure, or not decided; both empty: it is an equilibrium, proved.

    ``limit`` is beyond the level from which nobody joins a busy server, and the values there are bracketed.
    """

    contradicted: tuple[State, ...]
    undecided: tuple[State, ...]
    limit: int

    @property
    def holds(self) -> bool:
        """Whether the policy is an equilibrium."""
        return not self.contradicted and not self.undecided


def advantages(model: RetrialParallel, choice: Any, limit: int, arithmetic: Arithmetic = Arithmetic.FLOAT,
               closing: Closing = Closing.SLOPE, against: Closing | None = None) -> dict[State, Any]:  # fmt: skip
    """(delay in queue 1) - (delay in queue 2) in each state, when the others follow ``choice``; negative: queue 1 is better.

    ``against`` is the closing for z if it differs from that for y (for brackets).
    """
    y = Equations(model, choice, limit, arithmetic, closing).orbit_delays()
    z = Equations(model, choice, limit, arithmetic, against or closing).batch_delays()
    served = arithmetic.number(1 / model.service)
    return {state: (served if state[1] == IDLE else y[state]) - z[state] for state in y}


def thresholds(model: RetrialParallel, policy: Iterable[State], server: int) -> tuple[int, ...]:
    """For j = 0..N-1 the number of i from 0 on at which queue 1 is chosen with the server idle or busy."""
    joins, found = set(policy), []
    for j in range(model.batch_size):
        i = 0
        while (i, server, j) in joins:
            i += 1
        found.append(i)
    return tuple(found)


def threshold_policy(model: RetrialParallel, busy: Iterable[int], limit: int) -> Pure:
    """Queue 1 at an idle server unless 1/μ1 >= 1/μ2 and the batch is completed; at a busy one below ``busy`` (by j)."""
    slow = model.service <= model.batch_rate
    idle = {(i, IDLE, j) for i in range(limit + 1) for j in range(model.batch_size - slow)}
    return frozenset(idle | {(i, BUSY, j) for j, top in enumerate(busy) for i in range(min(top, limit + 1))})


def best_response(model: RetrialParallel, policy: Pure, limit: int) -> Pure:
    """States in which queue 1 is strictly better when the others follow ``policy`` (floats: a proposal)."""
    gains = advantages(model, dict.fromkeys(policy, 1.0), limit)
    return frozenset(state for state, value in gains.items() if value < 0)


def iterate(model: RetrialParallel, start: Pure, limit: int, most: int = 60) -> Iteration:
    """Best responses from ``start`` until a policy comes back."""
    seen: list[Pure] = [start]
    for _ in range(most):
        answer = best_response(model, seen[-1], limit)
        if answer in seen:
            cycle = tuple(seen[seen.index(answer) :])
            return Iteration(Found.FIXED_POINT if len(cycle) == 1 else Found.CYCLE, cycle)
        seen.append(answer)
    return Iteration(Found.NOTHING, ())


def confirm(model: RetrialParallel, policy: Pure, bits: int = 1024) -> Confirmation:
    """Prove that a pure policy (0 beyond its own states, at a busy server) is an equilibrium of the infinite system.

    In balls, with the limit at the corrected L_0 of slide 91 and both brackets of ``Closing``.
    """
    if not idle_rule_is_sure(model):
        return Confirmation((), ((0, IDLE, model.batch_size - 2),), 0)
    limit = max(model.refusal_level(), 1 + max((i for i, k, _ in policy if k == BUSY), default=0))
    full = frozenset(s for s in policy if s[1] == BUSY) | threshold_policy(model, [0] * model.batch_size, limit)
    with precision(bits):
        one = Arithmetic.BALLS.number(1)
        choice = dict.fromkeys(full, one)
        least = advantages(model, choice, limit, Arithmetic.BALLS, Closing.LOW, Closing.HIGH)
        most = advantages(model, choice, limit, Arithmetic.BALLS, Closing.HIGH, Closing.LOW)
        joins = {s: bool(most[s] < 0) for s in most}
        refuses = {s: bool(least[s] >= 0) for s in least}
    differs = tuple(s for s in least if (refuses[s] if s in full else joins[s]))
    open_ = tuple(s for s in least if not joins[s] and not refuses[s])
    return Confirmation(differs, open_, limit)


def idle_rule_is_sure(model: RetrialParallel) -> bool:
    """Whether z >= 1/μ2 + (N-1-j)/(λ+λ2) settles every idle state, at whatever i, as ``threshold_policy`` says."""
    slower = 1 / model.service - 1 / model.batch_rate
    return slower < 0 or slower < 1 / (model.general + model.dedicated_second)


def starts(model: RetrialParallel, limit: int) -> list[Pure]:
    """Five starts: nobody, everybody, and three in between."""
    size = model.batch_size
    busy = ([0] * size, [limit] * size, [3] * size, list(range(size, 0, -1)), [2 * (size - 1 - j) for j in range(size)])
    return [threshold_policy(model, tops, limit) for tops in busy]
