"""The words shared by search and verification: a model, equilibria, roots that are none, the social optimum."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from proofs.equilibria.algebraic import Number
from proofs.equilibria.downs_thomson.queues import Queue
from verify.errors import QueueproofError


class NotSupported(QueueproofError):
    """A case the exact method does not reach; the message says which."""


@dataclass(frozen=True)
class Model:
    """Parallel queues and ``arrival_rate`` (lambda > 0), the Poisson rate of the customers who choose among them."""

    arrival_rate: Fraction
    queues: tuple[Queue, ...]
    title: str = ""

    @cached_property
    def total(self) -> Fraction:
        """T, the whole flow: customers who choose and dedicated ones."""
        return self.arrival_rate + sum((q.dedicated_rate for q in self.queues), Fraction(0))

    def flow(self, i: int, share: Number) -> Number:
        """The whole flow into queue i, lambda_i + lambda p_i."""
        return share * self.arrival_rate + self.queues[i].dedicated_rate

    def delays(self, shares: tuple[Number, ...]) -> tuple[Number | None, ...]:
        """The mean transit time in each queue; None where it is infinite."""
        return tuple(q.delay.at(self.flow(i, p)) for i, (q, p) in enumerate(zip(self.queues, shares, strict=True)))


@dataclass(frozen=True)
class Equilibrium:
    """A user equilibrium: all used queues have the same finite delay, no unused queue a smaller one (slides 38-39).

    Parameters: ``shares`` of the customers who choose, one per queue, summing to 1; ``delays`` the mean transit times
    (None: infinite); ``stable`` None if degenerate; ``reason`` the exact signs that decide stability.
    """

    shares: tuple[Number, ...]
    delays: tuple[Number | None, ...]
    stable: bool | None
    reason: str

    @property
    def kind(self) -> str:
        """ "corner" if one queue takes all, else "mixed"."""
        return "corner" if sum(share.sign() > 0 for share in self.shares) == 1 else "mixed"

    @property
    def delay(self) -> Number:
        """The common delay of the used queues."""
        return next(d for d, p in zip(self.delays, self.shares, strict=True) if d is not None and p.sign() > 0)


@dataclass(frozen=True)
class Dropped:
    """A root of the equations that is no equilibrium, and why."""

    shares: tuple[Number, ...]
    reason: str


@dataclass(frozen=True)
class Continuum:
    """Every division of the customers between two is an equilibrium; ``reason`` says if an end does not belong to it."""

    start: tuple[Number, ...]
    end: tuple[Number, ...]
    reason: str


@dataclass(frozen=True)
class Solution:
    """All user equilibria of a model, in increasing order of the share of queue 1."""

    equilibria: tuple[Equilibrium, ...]
    dropped: tuple[Dropped, ...]
    continua: tuple[Continuum, ...] = field(default=())


def corner(count: int, i: int) -> tuple[Number, ...]:
    """All customers choose queue i."""
    return tuple(Number.of(int(k == i)) for k in range(count))
