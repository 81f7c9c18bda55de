"""The chain cut off at a box, in floats: stationary law and mean times to empty, built from the naive step functions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from naive import buffer_names, transitions
from numpy.typing import NDArray

from verify.policies.instance import Instance


@dataclass(frozen=True)
class Truncated:
    """``states`` of the box; ``generator``, shape (S, S), without the jumps out of it."""

    states: tuple[tuple[int, ...], ...]
    generator: NDArray[np.float64]

    @cached_property
    def stationary(self) -> NDArray[np.float64]:
        """π, shape (S,)."""
        system = np.vstack([self.generator.T[:-1], np.ones(len(self.states))])
        return np.linalg.solve(system, np.append(np.zeros(len(self.states) - 1), 1.0))

    def mean_times(self) -> Mapping[tuple[int, ...], float]:
        """State -> mean time until it is empty."""
        times = np.linalg.solve(self.generator[1:, 1:], -np.ones(len(self.states) - 1))
        return dict(zip(self.states[1:], times, strict=True))

    def jobs_above(self, jobs: int) -> float:
        """P(|X| > jobs)."""
        return float(sum(p for x, p in zip(self.states, self.stationary, strict=True) if sum(x) > jobs))

    def mean_jobs(self) -> float:
        """E|X|."""
        return float(sum(sum(x) * p for x, p in zip(self.states, self.stationary, strict=True)))


def truncated(instance: Instance, most: int) -> Truncated:
    """At most ``most`` jobs in each buffer, under the first of the choices at every state."""
    names = buffer_names(instance)
    states = tuple(itertools.product(range(most + 1), repeat=len(names)))
    number = {state: i for i, state in enumerate(states)}
    generator = np.zeros((len(states), len(states)))
    for state in states:
        choice, *_ = transitions(instance, dict(zip(names, state, strict=True)))
        for rate, target in (jump for outcome in choice.values() for jump in outcome):
            j = number.get(tuple(target[name] for name in names))
            if j is not None:
                generator[number[state], j] += float(rate)
                generator[number[state], number[state]] -= float(rate)
    return Truncated(states, generator)
