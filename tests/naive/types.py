"""States, outcomes, and what a server may work on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

State: TypeAlias = dict[str, int]
Outcome: TypeAlias = list[tuple[Fraction, State]]  # (rate, target state)
Choice: TypeAlias = dict[str, Outcome]  # one outcome for every component


@dataclass(frozen=True)
class Task:
    """Server ``server`` works on ``buffer`` at ``rate``; the finished job goes to each destination (None: exit) with
    its probability.  ``position`` on the route, where there is one."""

    server: str
    buffer: str
    rate: Fraction
    destinations: tuple[tuple[Fraction, str | None], ...]
    position: int | None


def moved(state: State, source: str | None, destination: str | None) -> State:
    """The state after one job went from ``source`` (None: from outside) to ``destination`` (None: exit)."""
    target = dict(state)
    if source is not None:
        target[source] -= 1
    if destination is not None:
        target[destination] += 1
    return target


def work(state: State, task: Task) -> Outcome:
    """The transitions of a server that works on this task."""
    return [(task.rate * p, moved(state, task.buffer, to)) for p, to in task.destinations]


def without_repetition(outcomes: list[Outcome]) -> list[Outcome]:
    """Every outcome once, in order of first appearance."""
    kept: list[Outcome] = []
    for outcome in outcomes:
        if outcome not in kept:
            kept.append(outcome)
    return kept
