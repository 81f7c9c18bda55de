"""A policy as theory 1.3 to 1.6 names it: the words of a file and their details, read from the form of the certificate.

The naive step functions ask for words by their names; they know nothing of the classes that the prover has for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol

from verify.network.model import ExplicitTemplate, FreePieces, FunctionSpec, Network


class Routing(StrEnum):
    """How a job chooses its route."""

    FIXED = "fixed"
    BERNOULLI = "bernoulli"
    JSR = "jsr"
    JSQ = "jsq"
    WEIGHTED_ROUTE = "weighted-route"


class Sequencing(StrEnum):
    """Which buffer a server works on."""

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
    """When a buffer is not worked on."""

    NONE = "none"
    SPILLBACK = "spillback"


class Preset(StrEnum):
    """Whole policies with a name."""

    JSQ_AS = "jsq-as"


@dataclass(frozen=True)
class Policy:
    """Words and their details; a preset has no other word."""

    routing: Routing | None = None
    sequencing: Sequencing | None = None
    holding: Holding | None = None
    preset: Preset | None = None
    probabilities: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    route_weights: Mapping[str, Fraction] = field(default_factory=dict)
    priority: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    buffer_weights: Mapping[str, Fraction] = field(default_factory=dict)
    tie_order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dominance_function: FunctionSpec | None = None
    server_order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Writable(Protocol):
    """What can be written in the form of the certificate."""

    def to_json(self) -> dict[str, Any]: ...


class Instance(Protocol):
    """A network with a policy, as it was read."""

    @property
    def network(self) -> Network: ...

    @property
    def policy(self) -> Writable | Policy: ...


def stated(policy: Writable | Policy) -> Policy:
    """The policy in words."""
    return policy if isinstance(policy, Policy) else in_words(policy.to_json())


def in_words(form: Mapping[str, Any]) -> Policy:
    """The policy of a certificate."""
    if "preset" in form:
        return Policy(preset=Preset(form["preset"]))
    split = form.get("probabilities", {})
    return Policy(
        Routing(form["routing"]),
        Sequencing(form["sequencing"]),
        Holding(form["holding"]),
        probabilities={name: {route: Fraction(p) for route, p in shares.items()} for name, shares in split.items()},
        route_weights={name: Fraction(a) for name, a in form.get("route_weights", {}).items()},
        priority=_orders(form.get("priority", {})),
        buffer_weights={name: Fraction(c) for name, c in form.get("buffer_weights", {}).items()},
        tie_order=_orders(form.get("tie_order", {})),
        dominance_function=_function(form.get("dominance_function")),
        server_order=_orders(form.get("server_order", {})),
    )


def _orders(form: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(order) for key, order in form.items()}


def _function(form: Mapping[str, Any] | None) -> FunctionSpec | None:
    if form is None:
        return None
    if "template" in form:
        return ExplicitTemplate(*(tuple(map(Fraction, form[scale])) for scale in ("alpha", "beta", "gamma")))
    return FreePieces(tuple({name: Fraction(w) for name, w in piece.items()} for piece in form["pieces"]))
