"""Networks and policies as the user states them: exact, immutable, free of defaults.

Two kinds of network (theory 1.1): a *route network* ([Xie & Jin 2020]), whose classes follow finite routes of
visits to servers, and a *buffer network* (multiclass queueing network), whose activities move jobs
between buffers at random.  Reading and checking files is the business of :mod:`verify.network.read`;
these classes only hold what has been found to be in order.  Rates are jobs per unit of time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias


class Routing(StrEnum):
    """How an arriving job of a class chooses its route (paper: the routing policy pi)."""

    FIXED = "fixed"
    BERNOULLI = "bernoulli"
    JSR = "jsr"
    JSQ = "jsq"


class Sequencing(StrEnum):
    """Which buffer a server works on (paper: the imaginary service rate control mu)."""

    DOMINANT = "dominant"
    PRIORITY = "priority"
    FBFS = "fbfs"
    LBFS = "lbfs"
    NON_IDLING = "non-idling"
    LONGEST_QUEUE = "longest-queue"
    LONGEST_DUPLICATE = "longest-duplicate"
    MAX_WEIGHT = "max-weight"
    BACK_PRESSURE = "back-pressure"
    FIFO = "fifo"


class Holding(StrEnum):
    """When a finished job is kept back (paper: the holding policy zeta)."""

    NONE = "none"
    SPILLBACK = "spillback"


class Preset(StrEnum):
    """Whole policies with a name."""

    JSQ_AS = "jsq-as"


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

    servers: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    activities: tuple[Activity, ...]


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

_EMPTY: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class Policy:
    """Routing, sequencing and holding, each chosen separately, or a preset (then the three are None).

    ``probabilities`` (bernoulli): class -> route -> probability.  ``priority``: server -> buffers, highest first.
    ``tie_order`` (dominant): server -> buffers, first served first; a server left out chooses freely.
    ``dominance_function`` (dominant): None while it is left to the tool.  ``server_order`` (buffer networks): buffer -> its
    servers, the first to take a job first; at a buffer left out it is free which of several servers takes a scarce job.
    """

    routing: Routing | None = None
    sequencing: Sequencing | None = None
    holding: Holding | None = None
    preset: Preset | None = None
    probabilities: Mapping[str, Mapping[str, Fraction]] = field(default_factory=lambda: MappingProxyType({}))
    priority: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    tie_order: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    dominance_function: FunctionSpec | None = None
    server_order: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)


@dataclass(frozen=True)
class Instance:
    """One question: a network, a policy, and possibly a test function V to try."""

    network: Network
    policy: Policy
    test_function: FunctionSpec | None = None
    title: str = ""
    source: str = ""
