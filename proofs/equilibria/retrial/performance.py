"""W of general customers next to the retrial queue under a policy, with Little's law for the orbit and for the batch.

Dedicated customers who find the server busy with ``limit`` others in orbit are blocked: the label "orbit cut at M".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from proofs.equilibria.retrial.routing import Choice, Closing, Equations, RetrialParallel, State
from proofs.equilibria.retrial.waiting import BUSY, IDLE
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.levels import assemble
from proofs.equilibria.state_dependent.stationary import Little, Number


@dataclass(frozen=True)
class RetrialPerformance:
    """W, the fraction that chooses queue 1, Little's check (orbit; general customers in the batch), limit, arithmetic."""

    transit_time: Number
    joining: Number
    little: Little
    limit: int
    arithmetic: Arithmetic

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.arithmetic.value}, orbit cut at {self.limit}"


class _Chain:
    """The chain (i, k, j) under a policy."""

    def __init__(self, model: RetrialParallel, choice: Choice, limit: int, arithmetic: Arithmetic) -> None:
        self.equations = Equations(model, choice, limit, arithmetic, Closing.SLOPE)
        self.levels, self.full = model.states(limit), model.batch_size - 1

    def moves(self, state: State) -> Iterator[tuple[Any, State]]:
        for rate, target in self.equations.others(state, state):
            yield rate, state if target is None else target

    def law(self) -> dict[State, Any]:
        return assemble(self.equations.arithmetic, self.levels, self.moves).stationary()

    def waiting_general(self, law: dict[State, Any]) -> Any:
        """Mean number of general customers in the batch, from forward flows, as in ``stationary.Chain.waiting_general``."""
        e, zero = self.equations, self.equations.zero

        def keeping(state: State) -> Iterator[tuple[Any, State | None]]:
            for rate, target in self.moves(state):
                yield rate, None if state[2] == self.full and target[2] == 0 else target

        seated = dict.fromkeys(law, zero)
        for i, k, j in law:
            if j < self.full:
                rate = e.general * (e.one - e.probability((i, k, j)))
                seated[i, k, j + 1] = seated[i, k, j + 1] + law[i, k, j] * rate
        return sum(assemble(e.arithmetic, self.levels, keeping).solve_left(seated).values(), zero)


def retrial_performance(
    model: RetrialParallel, choice: Choice, limit: int, arithmetic: Arithmetic = Arithmetic.FLOAT
) -> RetrialPerformance:
    """W = Σ π [q (1/μ1 or y) + (1-q) z] over the states that arriving customers find.

    ``choice`` must say what happens in all states up to ``limit`` (a state that is not named means queue 2).
    """
    chain = _Chain(model, choice, limit, arithmetic)
    e, law = chain.equations, chain.law()
    y, z, served = e.orbit_delays(), e.batch_delays(), arithmetic.number(1 / model.service)
    one = two = joining = orbit = orbit_delay = e.zero
    for state, p in law.items():
        share, delay = e.probability(state), served if state[1] == IDLE else y[state]
        joining, orbit = joining + p * share, orbit + p * state[0]
        one, two = one + p * share * delay, two + p * (e.one - share) * z[state]
        if state[1] == BUSY and state[0] < limit:
            orbit_delay = orbit_delay + p * (share * e.general + e.first) * (delay - served)
    value, least = arithmetic.plain, arithmetic.number(1 / model.batch_rate)
    batch = e.general * (two - (e.one - joining) * least)
    little = Little(value(orbit), value(orbit_delay), value(chain.waiting_general(law)), value(batch))
    return RetrialPerformance(value(one + two), value(joining), little, limit, arithmetic)
