"""Which of its ready tasks a server may choose.  ``ready``: those on non-empty buffers that are not held, never none.

Every function returns all admissible choices (ties are free); an empty answer means that the server idles.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .types import State, Task


def priority(ready: list[Task], order: tuple[str, ...]) -> list[Task]:
    """The first buffer in the server's order."""
    for buffer in order:
        chosen = [task for task in ready if task.buffer == buffer]
        if chosen:
            return chosen
    raise ValueError(f"no priority given for {[task.buffer for task in ready]}")


def position_of(task: Task) -> int:
    """Its position on the route."""
    if task.position is None:
        raise ValueError(f"{task.buffer} has no position")
    return task.position


def fbfs(ready: list[Task]) -> list[Task]:
    """First buffer first served: the smallest position."""
    smallest = min(position_of(task) for task in ready)
    return [task for task in ready if position_of(task) == smallest]


def lbfs(ready: list[Task]) -> list[Task]:
    """Last buffer first served: the largest position."""
    largest = max(position_of(task) for task in ready)
    return [task for task in ready if position_of(task) == largest]


def non_idling(ready: list[Task]) -> list[Task]:
    """Anything."""
    return ready


def longest(ready: list[Task], state: State) -> list[Task]:
    """The buffer with most jobs (longest-queue, longest-duplicate)."""
    most = max(state[task.buffer] for task in ready)
    return [task for task in ready if state[task.buffer] == most]


def max_weight(ready: list[Task], state: State, weights: Mapping[str, Fraction]) -> list[Task]:
    """The largest c_k mu_k x_k (a missing c: 1)."""
    products = [weights.get(task.buffer, Fraction(1)) * task.rate * state[task.buffer] for task in ready]
    return [task for task, product in zip(ready, products, strict=True) if product == max(products)]


def pressure(task: Task, state: State) -> Fraction:
    """mu_k (x_k - sum of p x_next), the exit counting 0."""
    downstream = Fraction(0)
    for probability, destination in task.destinations:
        if destination is not None:
            downstream += probability * state[destination]
    return task.rate * (state[task.buffer] - downstream)


def back_pressure(ready: list[Task], state: State) -> list[Task]:
    """The largest pressure; idle when it is negative (at 0 the server works)."""
    largest = max(pressure(task, state) for task in ready)
    if largest < 0:
        return []
    return [task for task in ready if pressure(task, state) == largest]
