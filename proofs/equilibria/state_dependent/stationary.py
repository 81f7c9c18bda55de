"""The stationary law of the chain under a policy (slide 50), W by equation (3), and its check by Little's law.

Dedicated arrivals of queue 1 are blocked at i = limit; for λ1 = 0 nothing is cut (the chain never gets there), for λ1 > 0
``tail.py`` bounds the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.delays import first_delays, policy_delays
from proofs.equilibria.state_dependent.levels import LevelSystem, assemble
from proofs.equilibria.state_dependent.model import Parallel, Policy, Rates, State

Number = Fraction | float


@dataclass(frozen=True)
class Little:
    """Mean numbers by the stationary law, and by (arrival rate) × (delay): queue 1; general customers in the batch."""

    first_counted: Number
    first_by_delay: Number
    batch_counted: Number
    batch_by_delay: Number

    @property
    def gap(self) -> Number:
        """The larger discrepancy; exactly 0 in rationals."""
        pairs: tuple[tuple[Any, Any], ...] = (
            (self.first_counted, self.first_by_delay),
            (self.batch_counted, self.batch_by_delay),
        )
        largest: Number = max(abs(counted - by_delay) for counted, by_delay in pairs)
        return largest


@dataclass(frozen=True)
class Performance:
    """W of general customers, the fraction that joins queue 1, the check by Little's law, and the arithmetic (a label)."""

    transit_time: Number
    joining: Number
    little: Little
    arithmetic: Arithmetic


class Chain:
    """The chain (i, k, j) under a policy; levels above the reach of the policy are left out if λ1 = 0."""

    def __init__(self, model: Parallel, policy: Policy, arithmetic: Arithmetic) -> None:
        self.model, self.policy, self.arithmetic = model, policy, arithmetic
        self.rates = Rates(model, arithmetic)
        self.top = policy.limit if model.dedicated_first else min(policy.limit, policy.highest + 1)
        batch = range(model.batch_size)
        self.levels = [[(i, k, j) for i, k in level for j in batch] for level in model.queue_states(self.top)]

    def moves(self, state: State) -> Any:
        """All moves with their rates; the batch leaves when it reaches N."""
        i, k, j = state
        seat = (i, k, (j + 1) % self.model.batch_size)
        up = (*self.model.joined((i, k)), j) if i < self.top else state
        yield self.rates.second, seat
        yield self.rates.general, up if state in self.policy.joins else seat
        if self.model.dedicated_first:
            yield self.rates.first, up
        for rate, (left, phase) in self.rates.services((i, k)):
            yield rate, (left, phase, j)

    def law(self) -> dict[State, Any]:
        """π, by block elimination along i."""
        return assemble(self.arithmetic, self.levels, self.moves).stationary()

    def waiting_general(self, law: dict[State, Any]) -> Any:
        """Mean number of general customers waiting in the batch, from flows forward in time (nothing of z is used).

        G(x) = E[number; state x] satisfies G·(total rate) = Σ G(before)·rate over moves that keep the batch + π λ of those
        who sit down without completing it.
        """
        zero, full = self.arithmetic.number(0), self.model.batch_size - 1

        def keeping(state: State) -> Any:
            for rate, target in self.moves(state):
                yield rate, None if state[2] == full and target[2] == 0 else target

        seated = dict.fromkeys(law, zero)
        for i, k, j in law:
            if (i, k, j) not in self.policy.joins and j < full:
                seated[i, k, j + 1] = seated[i, k, j + 1] + law[i, k, j] * self.rates.general
        system: LevelSystem = assemble(self.arithmetic, self.levels, keeping)
        return sum(system.solve_left(seated).values(), zero)


def transit_time(model: Parallel, policy: Policy, arithmetic: Arithmetic = Arithmetic.EXACT) -> Number:
    """W = Σ π (y 1{join 1} + z 1{join 2}), equation (3), without the check."""
    return arithmetic.plain(transit_number(model, policy, arithmetic))


def transit_number(model: Parallel, policy: Policy, arithmetic: Arithmetic) -> Any:
    """The same as a number of the arithmetic: a ball holds W for sure."""
    chain = Chain(model, policy, arithmetic)
    return sum(_by_queue(chain, chain.law()), arithmetic.number(0))


def _by_queue(chain: Chain, law: dict[State, Any]) -> tuple[Any, Any]:
    """The terms of (3) for those who join queue 1 and queue 2; with λ1 > 0 the lower bound of z (``tail.py`` has both)."""
    model, joins, arithmetic = chain.model, chain.policy.joins, chain.arithmetic
    y = first_delays(model, chain.top, arithmetic)
    z = policy_delays(model, Policy(joins, chain.top), arithmetic)
    zero = arithmetic.number(0)
    one = sum((p * y[s[:2]] for s, p in law.items() if s in joins), zero)
    two = sum((p * z[s[2]].low[s[:2]] for s, p in law.items() if s not in joins), zero)
    return one, two


def performance(model: Parallel, policy: Policy, arithmetic: Arithmetic = Arithmetic.EXACT) -> Performance:
    """W by equation (3), and Little's law for both queues."""
    chain = Chain(model, policy, arithmetic)
    law = chain.law()
    zero, value, general = arithmetic.number(0), arithmetic.plain, chain.rates.general
    joining = sum((p for s, p in law.items() if s in policy.joins), zero)
    one, two = _by_queue(chain, law)
    dedicated = zero
    if model.dedicated_first:
        y = first_delays(model, chain.top, arithmetic)
        dedicated = sum((p * y[s[:2]] for s, p in law.items() if s[0] < chain.top), zero)
    little = Little(
        value(sum((p * i for (i, _, _), p in law.items()), zero)),
        value(general * one + chain.rates.first * dedicated),
        value(chain.waiting_general(law)),
        value(general * (two - (1 - joining) * arithmetic.number(model.least_delay))),
    )
    return Performance(value(one + two), value(joining), little, arithmetic)
