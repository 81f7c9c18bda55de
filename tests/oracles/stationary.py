"""The stationary mean of a small network under one policy of the class, numerically: the truth beside bounds.

The chain of the naive step functions on the states with at most ``jobs`` jobs; arrivals beyond are lost.  Two truncations give an
estimate of the error, so nothing here is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from naive import Outcome, State, components, empty_state
from naive.types import without_repetition
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu
from stated import Instance, stated

from .outcomes import Spoken

#: Of a state, a component and its outcomes: the outcome, or several that are equally likely.
Rule = Callable[[State, str, list[Outcome]], list[Outcome]]

RULES: dict[str, Rule] = {
    "first": lambda state, key, outcomes: outcomes[:1],
    "last": lambda state, key, outcomes: outcomes[-1:],
    "uniform": lambda state, key, outcomes: outcomes,
}
Key = tuple[int, ...]


@dataclass(frozen=True)
class Stationary:
    """``mean``: Σ of·x under the stationary law; ``error``: what another truncation changes, and what is lost beyond this one if
    the law falls there as it does before, usually far more than the distance from the truth; infinite if it does not fall; ``law``: the probabilities of the states (numbers of jobs in the order of ``names``)."""

    mean: float
    error: float
    names: tuple[str, ...]
    law: Mapping[Key, float] = field(repr=False)

    def expected(self, of: Callable[[State], float]) -> float:
        """The mean of a function of the state."""
        return sum(p * of(dict(zip(self.names, key, strict=True))) for key, p in self.law.items())


def stationary(
    instance: Instance, jobs: int, of: Mapping[str, float] | None = None, rule: str | Rule = "uniform"
) -> Stationary:
    """The law on states with at most ``jobs`` jobs that can be reached from 0, and the mean of Σ of·x (``None``: of |x|).

    ``rule`` settles free choices: a word of ``RULES`` or a function.  Ties of routing are split as the step functions do.
    """
    chosen = RULES[rule] if isinstance(rule, str) else rule
    said = Spoken(instance.network, stated(instance.policy))  # read once
    start = empty_state(said)
    names = tuple(start)
    weights = [1.0 if of is None else float(of.get(name, 0)) for name in names]
    rates = _reachable(said, start, jobs, chosen)
    smaller = {key: row for key, row in rates.items() if sum(key) <= 2 * jobs // 3}
    means = []
    law: dict[Key, float] = {}
    for kept in (smaller, rates):
        law = _law(kept, tuple(start.values()))
        means.append(sum(p * sum(w * n for w, n in zip(weights, key, strict=True)) for key, p in law.items()))
    beyond = max(weights) * _beyond(law, jobs)
    return Stationary(means[1], abs(means[1] - means[0]) + beyond, names, law)


def _beyond(law: Mapping[Key, float], jobs: int) -> float:
    """Σ p(n) n over n > jobs for the number of jobs n, if p(n) goes on falling as it does from jobs/2 to jobs."""
    levels: list[float] = [0.0] * (jobs + 1)
    for key, p in law.items():
        levels[sum(key)] += p
    half = jobs // 2
    if levels[half] <= 0 or levels[jobs] <= 0:
        return 0.0
    ratio = float((levels[jobs] / levels[half]) ** (1 / (jobs - half)))
    if ratio > 1 - 1e-6:
        return float("inf")
    return levels[jobs] * ratio / (1 - ratio) * (jobs + 1 / (1 - ratio))


def moves(choice: Mapping[str, list[Outcome]], state: State, rule: Rule) -> list[tuple[float, Key]]:
    """Rates to other states, free choices made by the rule."""
    found = []
    for key, outcomes in choice.items():
        picked = rule(state, key, without_repetition(outcomes))
        found += [(float(rate) / len(picked), tuple(target.values())) for outcome in picked for rate, target in outcome]
    return found


def _reachable(instance: Instance, start: State, jobs: int, rule: Rule) -> dict[Key, list[tuple[float, Key]]]:
    names = list(start)
    left, rates = [tuple(start.values())], {}
    seen = set(left)
    while left:
        here = left.pop()
        state = dict(zip(names, here, strict=True))
        rates[here] = [
            (rate, to) for rate, to in moves(components(instance, state), state, rule) if sum(to) <= jobs and to != here
        ]
        new = {to for _, to in rates[here]} - seen
        seen |= new
        left += sorted(new)
    return rates


def _law(rates: Mapping[Key, list[tuple[float, Key]]], start: Key) -> dict[Key, float]:
    """π G = 0 with π(start) = 1, then scaled; moves to states that are not there are lost."""
    order = [start, *(key for key in sorted(rates, key=lambda key: (sum(key), key)) if key != start)]
    place = {key: i for i, key in enumerate(order)}
    rows, columns, values = [], [], []
    for key, row in rates.items():
        for rate, to in row:
            if to in place:
                rows += [place[to], place[key]]
                columns += [place[key], place[key]]
                values += [rate, -rate]
    if len(order) == 1:
        return {start: 1.0}
    matrix = csc_matrix((values, (rows, columns)), shape=(len(order), len(order)))
    solved = splu(matrix[1:, 1:].tocsc()).solve(-matrix[1:, 0].toarray().ravel())
    law = np.concatenate([[1.0], solved])
    law /= law.sum()
    return dict(zip(order, law.tolist(), strict=True))
