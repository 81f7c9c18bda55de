"""The two parallel queues of slides 35 and 47-57: a FIFO queue with c servers, and batches of N; policies on their states.

A state of queue 1 is (i, k): i customers, k of them in service phase 1 (for exponential service k = min(i, c) always).
A state is (i, k, j): j customers wait for the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.service import Service
from verify.errors import InputError

Queue = tuple[int, int]
State = tuple[int, int, int]


@dataclass(frozen=True)
class Parallel:
    """Rates of general (λ) and dedicated (λ1, λ2) customers, service and number c of servers of queue 1, batch size N, μ2.

    >>> Parallel.standard(Fraction(1)).batch_size
    3
    """

    general: Fraction
    dedicated_first: Fraction
    dedicated_second: Fraction
    service: Service
    servers: int
    batch_size: int
    batch_rate: Fraction

    def __post_init__(self) -> None:
        for name in ("general", "dedicated_second", "batch_rate", "servers", "batch_size"):
            if not getattr(self, name) > 0:
                raise InputError(name, "more than 0", str(getattr(self, name)))
        if self.dedicated_first < 0:
            raise InputError("dedicated_first", "at least 0", str(self.dedicated_first))
        if self.dedicated_first * self.service.mean >= self.servers:
            raise InputError("dedicated_first", "less than the capacity of queue 1", str(self.dedicated_first))

    @classmethod
    def standard(cls, rate: Fraction, servers: int = 1, service: Service | None = None) -> Parallel:
        """The slides' example: λ = 1, λ1 = 0, λ2 = 1/10, μ2 = 1, N = 3; exponential service at ``rate`` unless given."""
        from proofs.equilibria.state_dependent.service import exponential

        return cls(Fraction(1), Fraction(0), Fraction(1, 10), service or exponential(rate), servers, 3, Fraction(1))

    def phases(self, i: int) -> range:
        """The values k of states (i, k)."""
        busy = min(i, self.servers)
        return range(busy + 1) if self.service.has_phases else range(busy, busy + 1)

    def queue_states(self, limit: int) -> list[list[Queue]]:
        """States (i, k) of queue 1, level by level, i = 0..limit."""
        return [[(i, k) for k in self.phases(i)] for i in range(limit + 1)]

    def joined(self, queue: Queue) -> Queue:
        """Queue 1 after one more customer: in service, phase 1, if a server is free."""
        i, k = queue
        return i + 1, k + (i < self.servers)

    @property
    def least_delay(self) -> Fraction:
        """1/μ2, the delay in queue 2 of one who completes the batch."""
        return 1 / self.batch_rate

    def batch_bounds(self, j: int) -> tuple[Fraction, Fraction]:
        """1/μ2 + (N-1-j)/(λ+λ2) <= z <= 1/μ2 + (N-1-j)/λ2, whatever the policy: the others all help, or none does."""
        missing = self.batch_size - 1 - j
        fastest = missing / (self.general + self.dedicated_second)
        return self.least_delay + fastest, self.least_delay + missing / self.dedicated_second


@dataclass(frozen=True)
class Policy:
    """Where general customers go: ``joins`` the states in which they choose queue 1; none above ``limit`` customers there."""

    joins: frozenset[State]
    limit: int

    def table(self, model: Parallel, rows: int) -> list[str]:
        """One word per i = 0..rows-1, "112" for queues 1, 1, 2 at j = 0, 1, 2; phases separated by "/"."""
        words = []
        for i in range(rows):
            choices = (
                "".join("1" if (i, k, j) in self.joins else "2" for j in range(model.batch_size))
                for k in model.phases(i)
            )
            words.append("/".join(choices))
        return words

    @property
    def highest(self) -> int:
        """The largest i with a state that joins queue 1; -1 if there is none."""
        return max((i for i, _, _ in self.joins), default=-1)


class Rates:
    """The model's rates converted to one arithmetic, and the moves of queue 1 by service."""

    def __init__(self, model: Parallel, arithmetic: Arithmetic) -> None:
        self.model, self.arithmetic = model, arithmetic
        convert, service = arithmetic.number, model.service
        self.one = convert(1)
        self.general, self.first, self.second = map(
            convert, (model.general, model.dedicated_first, model.dedicated_second)
        )
        self._stop = convert(service.first * (1 - service.continuation))
        self._go_on, self._end = convert(service.first * service.continuation), convert(service.second)

    def services(self, queue: Queue) -> Iterator[tuple[Any, Queue]]:
        """Moves of (i, k): phase 1 to phase 2, a departure from phase 1, from phase 2; a waiting customer enters phase 1."""
        i, k = queue
        waiting, second = int(i > self.model.servers), min(i, self.model.servers) - k
        if k and self.model.service.has_phases:
            yield self._go_on * k, (i, k - 1)
        if k and self.model.service.continuation != 1:
            yield self._stop * k, (i - 1, k - 1 + waiting)
        if second:
            yield self._end * second, (i - 1, k + waiting)
