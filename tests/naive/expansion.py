"""Route expansion: one subserver per (class, route, position)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.network.model import RouteNetwork

from .types import State, Task


@dataclass(frozen=True)
class Subserver:
    """``successor`` is the name of the subserver after it on its route, None after the last."""

    name: str
    job_class: str
    route: str
    position: int
    server: str
    rate: Fraction
    successor: str | None


def subservers(network: RouteNetwork) -> list[Subserver]:
    """All subservers: by class, route, position."""
    found = []
    for job_class in network.classes:
        for route in job_class.routes:
            for position, visit in enumerate(route.visits, start=1):
                successor = None
                if position < len(route.visits):
                    successor = f"{job_class.name}.{route.name}.{position + 1}"
                name = f"{job_class.name}.{route.name}.{position}"
                found.append(Subserver(name, job_class.name, route.name, position, visit.server, visit.rate, successor))
    return found


def tasks(network: RouteNetwork, server: str) -> list[Task]:
    """What the server could work on, were its subservers not empty: a finished job goes on along its route."""
    return [
        Task(s.server, s.name, s.rate, ((Fraction(1), s.successor),), s.position)
        for s in subservers(network)
        if s.server == server
    ]


def held_by_spillback(network: RouteNetwork, state: State, buffer: str) -> bool:
    """Spillback: the rate of k is 0 while x_{k_s} >= x_k; the last visit is never held."""
    for s in subservers(network):
        if s.name == buffer:
            return s.successor is not None and state[s.successor] >= state[s.name]
    raise KeyError(buffer)
