"""State-dependent routing between a retrial queue and a batch queue: equations (14)-(17) of slides 88-92 for a given policy.

State (i, k, j): i customers in orbit, server idle (0) or busy (1), j customers waiting for the batch, which leaves at N: j runs
modulo N.  A policy gives the probability of queue 1 in each state; beyond the limit M a busy server is refused.
Corrections: in (14) kμ1 for kμ, and j+1 modulo N.  The orbit is cut at i = M; ``Closing`` says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from proofs.equilibria.retrial.waiting import BUSY, IDLE, Rates, mean_delay
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.levels import LevelSystem, assemble
from verify.errors import InputError

State = tuple[int, int, int]
Choice = Mapping[State, Any]


@dataclass(frozen=True)
class RetrialParallel:
    """Rates λ, λ1, λ2, service μ1, retrial ν (each customer), batch size N, batch rate μ2.

    >>> RetrialParallel.standard(Fraction(5, 4)).batch_size
    7
    """

    general: Fraction
    dedicated_first: Fraction
    dedicated_second: Fraction
    service: Fraction
    retrial: Fraction
    batch_size: int
    batch_rate: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.dedicated_first < self.service:
            raise InputError(
                "dedicated_first", f"positive and below the service rate {self.service}", str(self.dedicated_first)
            )
        if not self.dedicated_second > 0:
            raise InputError("dedicated_second", "more than 0", str(self.dedicated_second))

    @classmethod
    def standard(cls, service: Fraction, retrial: Fraction = Fraction(2)) -> RetrialParallel:
        """The slides' example: λ = 1, λ1 = 1/2, λ2 = 1/10, μ2 = 1, N = 7; ν = 2 unless given."""
        return cls(Fraction(1), Fraction(1, 2), Fraction(1, 10), service, retrial, 7, Fraction(1))

    def orbit(self, arrival: Fraction) -> Rates:
        """The tagged customer's queue of ``waiting.py`` with one arrival rate."""
        return Rates.classical(arrival, self.service, self.retrial)

    def states(self, limit: int) -> list[list[State]]:
        """(i, k, j) level by level, i = 0..limit."""
        return [[(i, k, j) for k in (IDLE, BUSY) for j in range(self.batch_size)] for i in range(limit + 1)]

    def refusal_level(self) -> int:
        """L_0, corrected: the least i with f(1,i) + 1/μ1 >= (N-1)/λ2 + 1/μ2 for α = β = λ1, a lower bound of y (Lemma 6)."""
        rates, most, i = (
            self.orbit(self.dedicated_first),
            (self.batch_size - 1) / self.dedicated_second + 1 / self.batch_rate,
            0,
        )
        while mean_delay(BUSY, i, rates) + 1 / self.service < most:
            i += 1
        return i


class Closing(Enum):
    """What replaces the unknown values at i = M+1: slope 1/(2μ1-λ1) for y and slope 0 for z, or proved bounds of both.

    Bounds: y between f + 1/μ1 for α = β = λ1 and for α = β = λ + λ1 (Lemma 6); z between everybody and nobody helping.
    """

    SLOPE = "closed with slope 1/(2μ1-λ1) at the limit"
    LOW = "lower bounds at the limit"
    HIGH = "upper bounds at the limit"


class Equations:
    """(14)-(17) for one policy, one arithmetic, one closing."""

    def __init__(
        self, model: RetrialParallel, choice: Choice, limit: int, arithmetic: Arithmetic, closing: Closing
    ) -> None:
        self.model, self.choice, self.limit, self.arithmetic, self.closing = model, choice, limit, arithmetic, closing
        number = arithmetic.number
        self.zero, self.one = number(0), number(1)
        self.general, self.first, self.second, self.service, self.retrial = map(
            number, (model.general, model.dedicated_first, model.dedicated_second, model.service, model.retrial)
        )

    def probability(self, state: State) -> Any:
        """Probability of queue 1; beyond the limit 0 if busy, and as at the limit if idle."""
        i, k, j = state
        if i > self.limit:
            return self.zero if k == BUSY else self.choice.get((self.limit, k, j), self.zero)
        return self.choice.get(state, self.zero)

    def after_joining(self, state: State) -> State | None:
        """Queue 1 after an arrival there; None beyond the limit."""
        i, k, j = state
        if k == IDLE:
            return i, BUSY, j
        return (i + 1, BUSY, j) if i < self.limit else None

    def others(self, state: State, seen: State) -> Iterator[tuple[Any, State | None]]:
        """Moves by arrivals, retrials of the i others and service; an arriving general customer sees ``seen``."""
        i, k, j = state
        up, seat = self.after_joining(state), (i, k, (j + 1) % self.model.batch_size)
        joining = self.probability(seen)
        yield self.general * joining + self.first, up
        yield self.general * (self.one - joining) + self.second, seat
        if k == BUSY:
            yield self.service, (i, IDLE, j)
        elif i:
            yield self.retrial * i, (i - 1, BUSY, j)

    def orbit_system(self) -> LevelSystem:
        """The matrix of (14) and (15)."""

        def moves(state: State) -> Iterator[tuple[Any, State | None]]:
            i, k, j = state
            for rate, target in self.others(state, (i + 1, k, j)):
                slope = target is None and self.closing is Closing.SLOPE
                yield rate, state if slope else target
            if k == IDLE:
                yield self.retrial, None

        return assemble(self.arithmetic, self.model.states(self.limit), moves)

    def orbit_delays(self) -> dict[State, Any]:
        """y(i,k,j), (14) and (15): one who is in orbit with i others, service included."""
        own, right = self.arithmetic.number(1 / self.model.service), {}
        for state in (s for level in self.model.states(self.limit) for s in level):
            i, k, j = state
            right[state] = self.one + (self.retrial * own if k == IDLE else self.zero)
            if i == self.limit and k == BUSY:
                rate = self.general * self.probability((i + 1, k, j)) + self.first
                right[state] = right[state] + rate * self.arithmetic.number(self._beyond())
        return self.orbit_system().solve(right)

    def _beyond(self) -> Fraction:
        """What stands for y(M+1,1,j), or for y(M+1,1,j) - y(M,1,j)."""
        if self.closing is Closing.SLOPE:
            return Fraction(1 / (2 * self.model.service - self.model.dedicated_first))
        return self._bound_of_orbit_delay()

    def _bound_of_orbit_delay(self) -> Fraction:
        model = self.model
        arrival = model.dedicated_first + (model.general if self.closing is Closing.HIGH else 0)
        if arrival >= 2 * model.service:
            raise InputError("service", f"more than {arrival / 2} for an upper bound of the delay", str(model.service))
        return Fraction(mean_delay(BUSY, self.limit + 1, model.orbit(arrival)) + 1 / model.service)

    def batch_delays(self) -> dict[State, Any]:
        """z(i,k,j), (16) and (17), backwards in j: z at j needs the policy at j+1 only."""
        last, found = self.model.batch_size - 1, {}
        queues = [(i, k) for i in range(self.limit + 1) for k in (IDLE, BUSY)]
        for i, k in queues:
            found[i, k, last] = self.arithmetic.number(1 / self.model.batch_rate)
        for j in range(last - 1, -1, -1):
            right = {(i, k): self._batch_right((i, k, j), found) for i, k in queues}
            found |= {(i, k, j): value for (i, k), value in self.batch_system(j).solve(right).items()}
        return found

    def batch_system(self, j: int) -> LevelSystem:
        """The matrix of (16) and (17) at j, on states (i, k)."""
        levels = [[(i, k) for k in (IDLE, BUSY)] for i in range(self.limit + 1)]
        return assemble(self.arithmetic, levels, lambda queue: self._batch_moves(queue, j))

    def _batch_moves(self, queue: tuple[int, int], j: int) -> Iterator[tuple[Any, tuple[int, int] | None]]:
        i, k = queue
        for rate, target in self.others((i, k, j), (i, k, j + 1)):
            if target is None:  # beyond the limit
                yield rate, queue if self.closing is Closing.SLOPE else None
            else:
                yield rate, target[:2] if target[2] == j else None

    def _batch_right(self, state: State, found: dict[State, Any]) -> Any:
        i, k, j = state
        joining = self.probability((i, k, j + 1))
        total = self.one + (self.general * (self.one - joining) + self.second) * found[i, k, j + 1]
        if i == self.limit and k == BUSY and self.closing is not Closing.SLOPE:
            everybody = self.model.general if self.closing is Closing.LOW else 0
            beyond = (self.model.batch_size - 1 - j) / (
                self.model.dedicated_second + everybody
            ) + 1 / self.model.batch_rate
            total = total + (self.general * joining + self.first) * self.arithmetic.number(beyond)
        return total
