"""Expected transit times seen by an arriving general customer: y in queue 1 (slides 48, 55), z in queue 2 (48, 56-57).

Printed errors are corrected here: on slide 56 the total rate has kμa (not iμa) for every i; on slide 57, (6), i > c, the
dedicated arrivals lead to z(i+1, j, k).  ``proofs/claims/state_dependent/printed.py`` shows by Little's law that the printed
versions are wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic, precision
from proofs.equilibria.state_dependent.levels import assemble
from proofs.equilibria.state_dependent.model import Parallel, Policy, Queue, Rates


def first_delays(model: Parallel, limit: int, arithmetic: Arithmetic = Arithmetic.EXACT) -> dict[Queue, Any]:
    """y(i, k), i = 0..limit, for a customer who finds (i, k) and joins queue 1.

    Exponential service: 1/μ1 + 1{i>=c} (i-c+1)/(cμ1), equation (1); Coxian-2: recursion (4), which needs no solving.
    """
    rates, mean = Rates(model, arithmetic), arithmetic.number(model.service.mean)
    found: dict[Queue, Any] = {}
    for level in model.queue_states(limit):
        for i, k in level:
            if i < model.servers:
                found[i, k] = mean
                continue
            total, value = arithmetic.number(0), rates.one
            for rate, (left, phase) in rates.services((i, k)):
                total = total + rate
                value = value + rate * (mean if left < model.servers else found[left, phase])
            found[i, k] = value / total
    return found


def sure_refusal_level(model: Parallel) -> int:
    """An i from which y >= 1/μ2 + (N-1)/λ2 >= z in every state: nobody joins queue 1 from there on.

    The least such i by (1) for exponential service; for Coxian-2 some i, confirmed in balls.  y grows with i (FIFO).
    """
    most, service = model.batch_bounds(0)[1], model.service
    if not service.has_phases:
        waits = (most - service.mean) * model.servers / service.mean
        return max(model.servers - 1 + -(-waits.numerator // waits.denominator), 0)
    guess = model.servers
    while min(_delays_at(model, guess, Arithmetic.FLOAT)) < float(most):
        guess = guess + guess // 8 + 1
    with precision(256):  # the float was only a proposal; in balls ">=" holds only when it is certain
        bound = Arithmetic.BALLS.number(most)
        while not all(bool(delay >= bound) for delay in _delays_at(model, guess, Arithmetic.BALLS)):
            guess += 1
    return guess


def _delays_at(model: Parallel, level: int, arithmetic: Arithmetic) -> list[Any]:
    """y(level, k) for all phases k."""
    delays = first_delays(model, level, arithmetic)
    return [delays[level, k] for k in model.phases(level)]


@dataclass(frozen=True)
class Slice:
    """z at one j for all states of queue 1: ``low`` <= z <= ``high`` (the same unless λ1 > 0 cuts an infinite system)."""

    low: dict[Queue, Any]
    high: dict[Queue, Any]


def last_slice(model: Parallel, limit: int, arithmetic: Arithmetic) -> Slice:
    """z(i, N-1, k) = 1/μ2."""
    value = arithmetic.number(model.least_delay)
    flat = {queue: value for level in model.queue_states(limit) for queue in level}
    return Slice(flat, flat)


def next_slice(
    model: Parallel, arithmetic: Arithmetic, j: int, limit: int, joins: Callable[[Queue], bool], after: Slice
) -> Slice:
    """z at j from z at j+1 (``after``) and the choices at j+1 (``joins``): slides 48 and 56-57.

    At i = limit nobody joins; if λ1 > 0, z(limit+1, j) is replaced by the two bounds of ``batch_bounds``.
    """
    rates, levels = Rates(model, arithmetic), model.queue_states(limit)

    def moves(queue: Queue) -> Any:
        grows = queue[0] < limit
        up = model.joined(queue) if grows else None
        yield rates.second, None
        yield rates.general, up if grows and joins(queue) else None
        if model.dedicated_first:
            yield rates.first, up
        yield from rates.services(queue)

    system = assemble(arithmetic, levels, moves)
    bounds = model.batch_bounds(j)

    def solved(below: dict[Queue, Any], beyond: Fraction) -> dict[Queue, Any]:
        right = {}
        for queue in (queue for level in levels for queue in level):
            leaving = rates.second if queue[0] < limit and joins(queue) else rates.second + rates.general
            right[queue] = rates.one + leaving * below[queue]
            if queue[0] == limit and model.dedicated_first:
                right[queue] = right[queue] + rates.first * arithmetic.number(beyond)
        return system.solve(right)

    low = solved(after.low, bounds[0])
    return Slice(low, low if not model.dedicated_first else solved(after.high, bounds[1]))


def policy_delays(model: Parallel, policy: Policy, arithmetic: Arithmetic) -> list[Slice]:
    """z for j = 0..N-1 under a given policy (the true delays under it, also for a heuristic policy)."""
    slices = [last_slice(model, policy.limit, arithmetic)]
    for j in range(model.batch_size - 2, -1, -1):
        chosen = {(i, k) for i, k, seats in policy.joins if seats == j + 1}
        slices.append(next_slice(model, arithmetic, j, policy.limit, chosen.__contains__, slices[-1]))
    return slices[::-1]
