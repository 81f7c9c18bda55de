"""Routing ``fixed``: every class has one route (theory 1.5); the only routing of a buffer network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.policies.rules import RoutingRule


@dataclass(frozen=True)
class Fixed(RoutingRule):
    """No choice."""

    word = "fixed"
    one_route: ClassVar[bool] = True
    misuse: ClassVar[str] = "fixed means one route for each class; bernoulli splits at random with fixed probabilities"
