"""Networks and functions as the user states them: exact, immutable, free of defaults.

Two kinds of network (theory 1.1): a *route network* ([Xie & Jin 2020]), whose classes follow finite routes of
visits to servers, and a *buffer network* (multiclass queueing network), whose activities move jobs
between buffers at random.  Reading and checking files is the business of :mod:`verify.network.read_network`;
these classes only hold what has been found to be in order.  Rates are jobs per unit of time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias


@dataclass(frozen=True)
class Visit:
    """One stop of a route: the server and the rate (> 0) at which it serves this visit."""

    server: str
    rate: Fraction


@dataclass(frozen=True)
class Route:
    """A finite sequence of visits."""

    name: str
    visits: tuple[Visit, ...]

    def __len__(self) -> int:
        return len(self.visits)


@dataclass(frozen=True)
class JobClass:
    """A Poisson stream of jobs, rate ``arrival_rate`` > 0, with the routes open to it."""

    name: str
    arrival_rate: Fraction
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class RouteNetwork:
    """Servers and classes with routes (theory 1.1, the paper's network)."""

    kind: ClassVar[str] = "route"
    has_routes: ClassVar[bool] = True
    servers: tuple[str, ...]
    classes: tuple[JobClass, ...]


@dataclass(frozen=True)
class Buffer:
    """A waiting place with external Poisson arrivals of rate ``arrival_rate`` >= 0."""

    name: str
    arrival_rate: Fraction


@dataclass(frozen=True)
class Activity:
    """Server ``server`` works on ``buffer`` at ``rate``; the job goes to buffer b with probability ``next[b]``,
    and leaves the network with what is missing to 1."""

    server: str
    buffer: str
    rate: Fraction
    next: Mapping[str, Fraction]


@dataclass(frozen=True)
class BufferNetwork:
    """Buffers and activities (theory 1.1)."""

    kind: ClassVar[str] = "buffer"
    has_routes: ClassVar[bool] = False
    servers: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    activities: tuple[Activity, ...]

    @property
    def classes(self) -> tuple[JobClass, ...]:
        """No job follows a route."""
        return ()


Network: TypeAlias = RouteNetwork | BufferNetwork


@dataclass(frozen=True)
class ExplicitTemplate:
    """Parameters of the explicit construction (theory 3.2): ``alpha[d-1]`` the weight of a route dominant to
    depth d, ``beta[n-1]`` with n dominant routes in the class, ``gamma[m-1]`` with m dominant classes."""

    alpha: tuple[Fraction, ...]
    beta: tuple[Fraction, ...]
    gamma: tuple[Fraction, ...]


@dataclass(frozen=True)
class FreePieces:
    """Pieces given one by one: buffer name -> weight >= 0, a missing buffer counts 0."""

    pieces: tuple[Mapping[str, Fraction], ...]


FunctionSpec: TypeAlias = ExplicitTemplate | FreePieces
