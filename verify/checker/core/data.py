"""The nouns of FORMAT.md as frozen values, policies apart (`core/policy.py`, when guards are known). Nothing is checked here.

Networks come from the certificate and from a network file, and are compared field by field; everything else comes from
the certificate only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

Numbers = Mapping[str, Fraction]
Orders = Mapping[str, tuple[str, ...]]


# ---- section 2: networks -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Visit:
    """One visit of a route: at a server, served at a rate."""

    server: str
    rate: Fraction


@dataclass(frozen=True)
class Route:
    """A finite sequence of visits."""

    name: str
    visits: tuple[Visit, ...]


@dataclass(frozen=True)
class JobClass:
    """A Poisson stream of jobs and the routes it may take."""

    name: str
    arrival_rate: Fraction
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class RouteNetwork:
    """Servers and classes with finite routes."""

    servers: tuple[str, ...]
    classes: tuple[JobClass, ...]


@dataclass(frozen=True)
class Buffer:
    """A buffer of a buffer network with its external arrivals."""

    name: str
    arrival_rate: Fraction


@dataclass(frozen=True)
class Activity:
    """A server may serve a buffer at a rate; the job goes to `next` with these probabilities, else it leaves."""

    server: str
    buffer: str
    rate: Fraction
    next: Numbers


@dataclass(frozen=True)
class BufferNetwork:
    """Servers, buffers and activities (a multiclass queueing network)."""

    servers: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    activities: tuple[Activity, ...]


Network = RouteNetwork | BufferNetwork


# ---- section 4: functions -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Pieces:
    """A function max_i w_i x by its pieces."""

    pieces: tuple[Numbers, ...]


@dataclass(frozen=True)
class Explicit:
    """A function by the parameters of the explicit template."""

    alpha: tuple[Fraction, ...]
    beta: tuple[Fraction, ...]
    gamma: tuple[Fraction, ...]


Function = Pieces | Explicit


# ---- sections 10 to 12: evidence -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Exclusion:
    """Multipliers showing that a set holds no x >= 0 but 0."""

    kappa: Fraction
    multipliers: Numbers


@dataclass(frozen=True)
class Empty:
    """A node, or a face, that is excluded."""

    evidence: Exclusion
    exclude: Mapping[str, Exclusion] = field(default_factory=dict)


@dataclass(frozen=True)
class Split:
    """A node with a child for each sign of one normal."""

    normal: str
    children: Mapping[str, Node]
    exclude: Mapping[str, Exclusion] = field(default_factory=dict)


@dataclass(frozen=True)
class FeatureText:
    """A feature as it is written: the name of a normal, and where it is cut off."""

    normal: str
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Corrector:
    """Features, and a function of their values: h by cell, as cells are written."""

    features: tuple[FeatureText, ...]
    h: Numbers


@dataclass(frozen=True)
class Leaf:
    """A node, or a face, with the correction eta of the gradient; a node may have a corrector besides."""

    eta: Numbers
    exclude: Mapping[str, Exclusion] = field(default_factory=dict)
    corrector: Corrector | None = None


Node = Empty | Split | Leaf


@dataclass(frozen=True)
class Face:
    """The busy servers with their highest busy group, and the evidence (`eta` of a leaf is by buffer here)."""

    busy: Mapping[str, str]
    evidence: Empty | Leaf


# ---- sections 9 to 18: the certificate -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Claim:
    """The claim: condition, its number, the sentence.

    value: load (capacity), mean (product-form), else epsilon: of bounds on means that of the stability they rest on.
    """

    condition: str
    value: Fraction
    words: str


@dataclass(frozen=True)
class CapacityProof:
    """Evidence of condition N."""

    prices: Numbers
    potentials: Numbers


@dataclass(frozen=True)
class Emptying:
    """Why the network empties from a bounded set: phi, and where given the heights u."""

    potential: Numbers
    heights: Numbers | None


@dataclass(frozen=True)
class DriftProof:
    """Evidence of conditions F and S: either one tree per piece, or (F) one list of faces per piece."""

    test_function: Function
    theta: Numbers
    c: Fraction
    emptying: Emptying
    trees: tuple[Node, ...] | None
    faces: tuple[tuple[Face, ...], ...] | None


@dataclass(frozen=True)
class CorrectedProof:
    """Evidence of condition H."""

    weights: Numbers
    corrector: Corrector
    emptying: Emptying


@dataclass(frozen=True)
class Step:
    """A jump of a path, taken a number of times."""

    change: Numbers
    times: Fraction = Fraction(1)


@dataclass(frozen=True)
class GrowthProof:
    """Evidence of condition U; a witness is a priority order (one of the non-idling policies), a server order, or both."""

    pieces: tuple[Numbers, ...]
    corrector: Corrector
    v0: Fraction
    path: tuple[Step, ...]
    witness: Orders | None
    witness_server_order: Orders | None = None
