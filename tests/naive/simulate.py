"""A plain simulation of the chain: exponential holding times, one jump after the other."""

from __future__ import annotations

import random
from dataclasses import dataclass

from stated import Instance

from .step import components
from .types import Outcome, State


@dataclass(frozen=True)
class Statistics:
    """What was seen.  Means are over time; ``batch_means``: the mean number of jobs in equal runs of jumps."""

    jumps: int
    time: float
    final: State
    largest_total: int
    mean_total: float
    mean: dict[str, float]
    empty_fraction: float
    batch_means: tuple[float, ...]


def pick(outcomes: list[Outcome], rule: str, source: random.Random) -> Outcome:
    """A free choice by the rule: first, last or random (uniform, anew at every jump)."""
    if rule == "first":
        return outcomes[0]
    if rule == "last":
        return outcomes[-1]
    if rule == "random":
        return source.choice(outcomes)
    raise ValueError(rule)


def simulate(
    instance: Instance, state: State, seed: int, jumps: int, rule: str = "first", batches: int = 20
) -> Statistics:
    """Run the chain from ``state`` for ``jumps`` jumps."""
    source = random.Random(seed)
    state = dict(state)
    known: dict[tuple[int, ...], dict[str, list[Outcome]]] = {}
    area = dict.fromkeys(state, 0.0)
    time = empty_time = 0.0
    largest = sum(state.values())
    batch_means = []
    batch_time = batch_area = 0.0
    for jump in range(1, jumps + 1):
        key = tuple(state.values())
        if key not in known:
            known[key] = components(instance, state)
        possible = [move for outcomes in known[key].values() for move in pick(outcomes, rule, source)]
        if not possible:
            raise ValueError(f"nothing can happen in {state}")
        rates = [float(rate) for rate, _ in possible]
        stay = source.expovariate(sum(rates))
        time += stay
        for name in state:
            area[name] += stay * state[name]
        total = sum(state.values())
        if total == 0:
            empty_time += stay
        batch_time += stay
        batch_area += stay * total
        if jump * batches // jumps > (jump - 1) * batches // jumps:
            batch_means.append(batch_area / batch_time)
            batch_time = batch_area = 0.0
        state = dict(source.choices([target for _, target in possible], rates)[0])
        largest = max(largest, sum(state.values()))
    mean = {name: value / time for name, value in area.items()}
    return Statistics(jumps, time, state, largest, sum(mean.values()), mean, empty_time / time, tuple(batch_means))
