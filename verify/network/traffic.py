"""Traffic equations, exactly: the flow through every buffer where jobs have no choice, and the work they bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.budget import look_at_the_clock
from verify.lp.exact import solve_rational
from verify.network.expansion import Expansion, Service

#: Buffers on cycles that are solved together.
MOST_TOGETHER = 400

Next = Sequence[Mapping[int, Fraction]]


def only_services(expansion: Expansion) -> list[Service] | None:
    """The one service of every buffer, by buffer; None if a buffer has several servers, or a job a choice."""
    found: dict[int, Service] = {}
    for service in expansion.services:
        if service.buffer in found or len(service.destinations) > 1:
            return None
        found[service.buffer] = service
    if len(found) < len(expansion.buffers) or any(len(stream.destinations) > 1 for stream in expansion.streams):
        return None
    return [found[k] for k in range(len(expansion.buffers))]


def throughputs(expansion: Expansion) -> list[Fraction] | None:
    """Jobs that pass each buffer per unit of time; None with choices, several servers at a buffer, or too many on cycles."""
    services = only_services(expansion)
    if services is None:
        return None
    external = [Fraction(0)] * len(services)
    for stream in expansion.streams:
        for k, p in stream.destinations[0].distribution.items():
            external[k] += stream.rate * p
    return solve_along(reversed_next(following(services)), external)


def following(services: Sequence[Service]) -> Next:
    """For each buffer where its jobs go next, with probabilities."""
    return [service.destinations[0].distribution for service in services]


def reversed_next(after: Next) -> Next:
    """For each buffer where its jobs come from, with the same probabilities."""
    found: list[dict[int, Fraction]] = [{} for _ in after]
    for k, row in enumerate(after):
        for target, p in row.items():
            found[target][k] = p
    return found


def solve_along(after: Next, given: Sequence[Fraction]) -> list[Fraction] | None:
    """v with v_k = given_k + Σ_j after_k(j) v_j, None if too many buffers lie on cycles.

    Buffers are settled as soon as all that follow them are; what is left, on cycles or before them, is one square system.
    For flows use :func:`reversed_next`: x_k = external_k + Σ_j p_jk x_j.
    """
    found: list[Fraction | None] = [None] * len(after)
    waiting = [len(row) for row in after]
    before = reversed_next(after)
    ready = [k for k, number in enumerate(waiting) if not number]
    while ready:
        look_at_the_clock()
        k = ready.pop()
        found[k] = given[k] + sum((p * (found[j] or 0) for j, p in after[k].items()), Fraction(0))
        for j in before[k]:
            waiting[j] -= 1
            if not waiting[j]:
                ready.append(j)
    rest = [k for k, value in enumerate(found) if value is None]
    if len(rest) > MOST_TOGETHER:
        return None
    place = {k: i for i, k in enumerate(rest)}
    matrix = [[Fraction(int(i == j)) for j in range(len(rest))] for i in range(len(rest))]
    right = []
    for i, k in enumerate(rest):
        value = given[k]
        for j, p in after[k].items():
            if j in place:
                matrix[i][place[j]] -= p
            else:
                value += p * (found[j] or 0)
        right.append(value)
    for k, value in zip(rest, solve_rational(matrix, right), strict=True):
        found[k] = value
    return [value for value in found if value is not None]
