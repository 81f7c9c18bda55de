"""The social optimum (slides 72-75): the policy of least mean transit time of general customers, as a Markov decision problem.

State (i, k, n2, n3): queue 1, general customers n2 and dedicated ones n3 waiting for the batch, i <= C = limit.  Cost per
unit of time: n2, plus λ/μ2 where general customers choose queue 2, plus λ y(i,k) where they choose queue 1; for λ1 = 0 the
mean of the last is the mean of i (Little), so W is that of slide 74.  (Slide 73 offers action 1 at n1 = C; slide 74 does not.)

Value iteration in floats, with span bounds, proposes; the policy is then evaluated exactly, and its optimality is proved by
Bellman's inequalities in rationals, state by state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.delays import first_delays
from proofs.equilibria.state_dependent.levels import assemble
from proofs.equilibria.state_dependent.model import Parallel, Rates
from verify.errors import InternalError

SocialState = tuple[int, int, int, int]


@dataclass(frozen=True)
class SocialPolicy:
    """States in which general customers are sent to queue 1; nobody at i = limit."""

    joins: frozenset[SocialState]
    limit: int

    def table(self, model: Parallel, dedicated: int, rows: int) -> list[str]:
        """s(n1, n2, dedicated) as on slide 76: a word per n1, "-" outside the state space; exponential service."""
        size = model.batch_size

        def choice(i: int, general: int) -> str:
            if general + dedicated > size - 1:
                return "-"
            return "1" if (i, min(i, model.servers), general, dedicated) in self.joins else "2"

        return ["".join(choice(i, general) for general in range(size)) for i in range(rows)]


@dataclass(frozen=True)
class SpanBounds:
    """``low`` <= least W <= ``high`` from the span of the last step of value iteration (float), and the number of steps."""

    low: float
    high: float
    steps: int


@dataclass(frozen=True)
class SocialOptimum:
    """The policy, its exact W, the span bounds, and the least margin by which the chosen action beats the other (exact)."""

    policy: SocialPolicy
    transit_time: Fraction
    bounds: SpanBounds
    least_margin: Fraction


class Decisions:
    """Moves and costs of the decision problem in one arithmetic."""

    def __init__(self, model: Parallel, limit: int, arithmetic: Arithmetic) -> None:
        self.model, self.limit, self.arithmetic = model, limit, arithmetic
        self.rates, self.delay = Rates(model, arithmetic), first_delays(model, limit, arithmetic)
        size = model.batch_size
        waiting = [(n2, n3) for n2 in range(size) for n3 in range(size - n2)]
        self.levels = [[(i, k, *w) for i, k in level for w in waiting] for level in model.queue_states(limit)]
        self.refusing_cost = self.rates.general * arithmetic.number(model.least_delay)

    def seat(self, state: SocialState, general: int, dedicated: int) -> SocialState:
        """The state after one more customer for the batch, which leaves when full."""
        i, k, n2, n3 = state
        full = n2 + n3 == self.model.batch_size - 1
        return (i, k, 0, 0) if full else (i, k, n2 + general, n3 + dedicated)

    def join(self, state: SocialState) -> SocialState:
        """The state after one more customer for queue 1."""
        return (*self.model.joined(state[:2]), *state[2:])

    def uncontrolled(self, state: SocialState) -> Iterator[tuple[Any, SocialState]]:
        """Moves that no decision touches."""
        i, k, n2, n3 = state
        yield self.rates.second, self.seat(state, 0, 1)
        if self.model.dedicated_first and i < self.limit:
            yield self.rates.first, self.join(state)
        for rate, (left, phase) in self.rates.services((i, k)):
            yield rate, (left, phase, n2, n3)

    def joining_cost(self, state: SocialState) -> Any:
        """λ y(i, k)."""
        return self.rates.general * self.delay[state[:2]]


def value_iteration(
    model: Parallel, limit: int, width: float = 1e-10, most: int = 200_000
) -> tuple[SocialPolicy, SpanBounds]:
    """Slide 74 in floats, until the span of V_{k+1} - V_k shows W to within ``width``; a proposal."""
    tables = _Tables(Decisions(model, limit, Arithmetic.FLOAT))
    value = np.zeros(len(tables.states))
    steps = 0
    while steps < most:
        steps += 1
        after, joins = tables.step(value)
        low, high = float((after - value).min()), float((after - value).max())
        value = after - after[0]
        if (high - low) * tables.scale <= width:
            break
    chosen = frozenset(state for state, one in zip(tables.states, joins, strict=True) if one)
    scale = tables.scale / float(model.general)
    return SocialPolicy(chosen, limit), SpanBounds(low * scale, high * scale, steps)


class _Tables:
    """The decision problem as index arrays: V after each action is a few gathers."""

    def __init__(self, problem: Decisions) -> None:
        self.states = [state for level in problem.levels for state in level]
        place = {state: n for n, state in enumerate(self.states)}
        listed = [list(problem.uncontrolled(state)) for state in self.states]
        self.scale = max(sum(rate for rate, _ in moves) for moves in listed) + problem.rates.general
        width = max(map(len, listed))
        self.targets, self.weights = np.zeros((len(listed), width), dtype=int), np.zeros((len(listed), width))
        for n, moves in enumerate(listed):
            for m, (rate, target) in enumerate(moves):
                self.targets[n, m], self.weights[n, m] = place[target], rate / self.scale
        self.stay = 1 - self.weights.sum(axis=1) - problem.rates.general / self.scale
        self.general = problem.rates.general / self.scale
        self.allowed = np.array([state[0] < problem.limit for state in self.states])
        self.join = np.array([place[problem.join(s)] if s[0] < problem.limit else 0 for s in self.states])
        self.seat = np.array([place[problem.seat(s, 1, 0)] for s in self.states])
        self.waiting = np.array([state[2] for state in self.states]) / self.scale
        self.joining = np.array([problem.joining_cost(state) for state in self.states]) / self.scale
        self.refusing = problem.refusing_cost / self.scale

    def step(self, value: Any) -> tuple[Any, Any]:
        """(V_{k+1}, which states choose queue 1)."""
        common = self.waiting + (self.weights * value[self.targets]).sum(axis=1) + self.stay * value
        one = self.joining + self.general * value[self.join]
        two = self.refusing + self.general * value[self.seat]
        joins = self.allowed & (one < two)
        return common + np.where(joins, one, two), joins


def evaluate(model: Parallel, policy: SocialPolicy, arithmetic: Arithmetic = Arithmetic.EXACT) -> Fraction | float:
    """W of a policy on (i, k, n2, n3) by the stationary law: mean cost over λ."""
    problem = Decisions(model, policy.limit, arithmetic)
    top = (
        policy.limit if model.dedicated_first else min(policy.limit, max((s[0] for s in policy.joins), default=-1) + 1)
    )
    law = assemble(arithmetic, problem.levels[: top + 1], _moves(problem, policy)).stationary()
    cost = sum((p * _cost(problem, policy, state) for state, p in law.items()), arithmetic.number(0))
    return arithmetic.plain(cost / problem.rates.general)


def _cost(problem: Decisions, policy: SocialPolicy, state: SocialState) -> Any:
    return state[2] + (problem.joining_cost(state) if state in policy.joins else problem.refusing_cost)


def _moves(problem: Decisions, policy: SocialPolicy) -> Any:
    def moves(state: SocialState) -> Any:
        yield from problem.uncontrolled(state)
        yield problem.rates.general, problem.join(state) if state in policy.joins else problem.seat(state, 1, 0)

    return moves


def least_margin(model: Parallel, policy: SocialPolicy, transit_time: Fraction) -> Fraction:
    """min over states i < limit of (value of the other action) - (value of the chosen one), in rationals.

    Positive: the policy satisfies Bellman's equation strictly, so it is the only optimal one (up to i = limit).
    """
    problem = Decisions(model, policy.limit, Arithmetic.EXACT)
    pinned, number = problem.levels[0][0], Arithmetic.EXACT.number
    gain = problem.rates.general * number(transit_time)
    right = {s: _cost(problem, policy, s) - gain for level in problem.levels for s in level} | {pinned: number(0)}
    bias = assemble(Arithmetic.EXACT, problem.levels, _moves(problem, policy), frozenset({pinned})).solve(right)
    margins = []
    for state in (s for level in problem.levels[:-1] for s in level):
        one = problem.joining_cost(state) + problem.rates.general * bias[problem.join(state)]
        two = problem.refusing_cost + problem.rates.general * bias[problem.seat(state, 1, 0)]
        margins.append(two - one if state in policy.joins else one - two)
    return Fraction(Arithmetic.EXACT.plain(min(margins)))


def social_optimum(model: Parallel, limit: int) -> SocialOptimum:
    """Value iteration, exact W, and the exact proof of optimality; ``InternalError`` if the float proposal is not optimal."""
    policy, bounds = value_iteration(model, limit)
    time = Fraction(evaluate(model, policy))
    margin = least_margin(model, policy, time)
    if margin < 0:
        raise InternalError(f"value iteration stopped at a policy that is not optimal (margin {margin})")
    return SocialOptimum(policy, time, bounds, margin)
