"""The selfish policy D* (slides 49 and 58): join queue 1 iff y < z strictly, so ties go to queue 2; backwards in j.

Every entry is decided in rationals, or in balls where these leave no doubt.  A tie matters: at μ1 = 1 of the slides' example
y(0) = z(0,2) = 1 exactly, and the slides' table has a 2 there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision
from proofs.equilibria.state_dependent.delays import Slice, first_delays, last_slice, next_slice, sure_refusal_level
from proofs.equilibria.state_dependent.model import Parallel, Policy, Queue
from verify.errors import QueueproofError

#: Bits of the balls tried in turn before rationals.
BITS = (128, 512, 2048)
#: Levels above the last possible joining, where dedicated customers (λ1 > 0) still come; see ``tail.py``.
EXTRA = 30


class Ties(Enum):
    """Who gets the customers for whom y = z: queue 2 (the slides' tables), or queue 1 (the limit from the right in μ1)."""

    QUEUE_2 = "queue 2"
    QUEUE_1 = "queue 1"


class Undecided(QueueproofError):
    """An entry of the policy could not be decided: the limit is too small (λ1 > 0), or the balls are too coarse."""


@dataclass(frozen=True)
class Selfish:
    """The policy; whether cutting queue 1 at ``policy.limit`` changed anything; the arithmetic that decided; ties found."""

    policy: Policy
    cut: bool
    decided_in: Arithmetic
    ties: tuple[tuple[int, int, int], ...]

    @property
    def label(self) -> str:
        """In words: exact, or the name of the approximation."""
        limit = self.policy.limit
        return f"approximation: nobody is admitted to queue 1 beyond {limit} customers" if self.cut else "exact"


def selfish_policy(
    model: Parallel, limit: int | None = None, arithmetic: Arithmetic = Arithmetic.EXACT, ties: Ties = Ties.QUEUE_2
) -> Selfish:
    """D* of the model.  ``limit`` is the slides' M; None: large enough to be no approximation.

    For λ1 = 0 it is enough that nobody wants to join at the limit, for the chain then stays below: the limit is doubled
    until that is so.  For λ1 > 0 it is the level from which nobody ever joins, and ``EXTRA`` levels more.
    In balls, precision is raised until every entry is decided, and rationals have the last word.
    """
    if limit is None and not model.dedicated_first:
        sure, top = sure_refusal_level(model), model.servers + 4
        while top < sure and (found := selfish_policy(model, top, arithmetic, ties)).cut:
            top *= 2
        return selfish_policy(model, sure, arithmetic, ties) if top >= sure else found
    top = sure_refusal_level(model) + EXTRA if limit is None else limit
    if arithmetic is Arithmetic.EXACT:
        return _decide(model, top, arithmetic, ties)
    for bits in BITS:
        try:
            with precision(bits):
                return _decide(model, top, arithmetic, ties)
        except Undecided:
            continue
    return _decide(model, top, Arithmetic.EXACT, ties)


def _decide(model: Parallel, limit: int, arithmetic: Arithmetic, rule: Ties) -> Selfish:
    delays = first_delays(model, limit, arithmetic)
    joins: set[tuple[int, int, int]] = set()
    ties: list[tuple[int, int, int]] = []
    cut, last = False, model.batch_size - 1
    after = last_slice(model, limit, arithmetic)
    for j in range(last, -1, -1):
        if j < last:
            chosen = {(i, k) for i, k, seats in joins if seats == j + 1}
            after = next_slice(model, arithmetic, j, limit, chosen.__contains__, after)
        for queue, delay in delays.items():
            if j == last and queue[0] < model.servers:
                one, tie = model.service.mean < model.least_delay, model.service.mean == model.least_delay
            else:
                one, tie = _compare(delay, after, queue, j)
            one = one or (tie and rule is Ties.QUEUE_1)
            ties += [(*queue, j)] * tie
            cut = cut or (one and queue[0] == limit)
            if one and queue[0] < limit:
                joins.add((*queue, j))
    return Selfish(Policy(frozenset(joins), limit), cut, arithmetic, tuple(ties))


def _compare(delay: Any, after: Slice, queue: Queue, j: int) -> tuple[bool, bool]:
    """(y < z, y = z); ``Undecided`` if neither is certain."""
    low, high = after.low[queue], after.high[queue]
    if bool(delay < low):
        return True, False
    if bool(delay >= high):
        return False, bool(delay == high)
    raise Undecided(f"state (i,k,j) = {(*queue, j)}: y lies between the bounds {low} and {high} of z; raise the limit")
