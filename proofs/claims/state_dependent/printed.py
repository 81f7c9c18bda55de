"""The recursions of slides 56 and 57 as printed: kept to show, by Little's law, that they are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.delays import first_delays
from proofs.equilibria.state_dependent.levels import assemble
from proofs.equilibria.state_dependent.model import Parallel, Policy, Queue, Rates
from proofs.equilibria.state_dependent.stationary import Chain, performance

_EXACT = Arithmetic.EXACT


class Misprint(Enum):
    """Which printed formula is used."""

    TOTAL_RATE = "slide 56: iμa in place of kμa in the total rate"
    DEDICATED = "slide 57, (6), i > c: λ1 z(i, j, k) in place of λ1 z(i+1, j, k)"


@dataclass(frozen=True)
class PrintedResult:
    """Policy from the printed recursion, W by (3) with the printed z, true W of that policy (by Little's law), and z."""

    policy: Policy
    by_formula: Fraction
    by_little: Fraction
    delays: tuple[dict[Queue, Fraction], ...]


def printed_selfish(model: Parallel, limit: int, misprint: Misprint) -> PrintedResult:
    """The selfish policy that the printed recursion would give; z(M+1) is taken as z(M)."""
    y = first_delays(model, limit)
    z = dict.fromkeys(y, _EXACT.number(model.least_delay))
    joins: set[tuple[int, int, int]] = set()
    slices = []
    for j in range(model.batch_size - 1, -1, -1):
        if j < model.batch_size - 1:
            z = _slice(model, limit, {(i, k) for i, k, seats in joins if seats == j + 1}, z, misprint)
        joins |= {(*queue, j) for queue in y if queue[0] < limit and y[queue] < z[queue]}
        slices.append(z)
    policy, slices = Policy(frozenset(joins), limit), slices[::-1]
    law = Chain(model, policy, _EXACT).law()
    zero = _EXACT.number(0)
    total = sum((p * (y[s[:2]] if s in joins else slices[s[2]][s[:2]]) for s, p in law.items()), zero)
    result = performance(model, policy)
    readable = tuple({queue: Fraction(_EXACT.plain(v)) for queue, v in part.items()} for part in slices)
    return PrintedResult(policy, Fraction(_EXACT.plain(total)), Fraction(result.transit_time), readable)


def _slice(
    model: Parallel, limit: int, joins: set[Queue], after: dict[Queue, Any], misprint: Misprint
) -> dict[Queue, Any]:
    """One step backwards in j with the misprint; extra weight in the total rate is a move without a term on the right."""
    rates, levels = Rates(model, _EXACT), model.queue_states(limit)

    def moves(queue: Queue) -> Iterator[tuple[Any, Queue | None]]:
        i, k = queue
        up = model.joined(queue) if i < limit else queue
        stays = misprint is Misprint.DEDICATED and i > model.servers and queue not in joins
        yield rates.second, None
        yield rates.general, up if queue in joins else None
        yield rates.first, queue if stays else up
        yield from rates.services(queue)
        if misprint is Misprint.TOTAL_RATE:
            yield _EXACT.number(model.service.first * (i - k)), None

    right = {}
    for queue in after:
        leaving = rates.second if queue in joins else rates.second + rates.general
        right[queue] = rates.one + leaving * after[queue]
    return assemble(_EXACT, levels, moves).solve(right)
