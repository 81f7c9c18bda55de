"""Arrivals of a class in the route expansion: fixed, bernoulli, jsr, weighted-route."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verify.network.model import JobClass

from .types import Outcome, State, moved


def fixed(job_class: JobClass, state: State) -> Outcome:
    """The only route."""
    if len(job_class.routes) != 1:
        raise ValueError(f"fixed routing, but class {job_class.name} has {len(job_class.routes)} routes")
    return [(job_class.arrival_rate, moved(state, None, f"{job_class.name}.{job_class.routes[0].name}.1"))]


def bernoulli(job_class: JobClass, state: State, probabilities: Mapping[str, Fraction]) -> Outcome:
    """A random route with fixed probabilities (a missing route: 0)."""
    outcome = []
    for route in job_class.routes:
        probability = probabilities.get(route.name, Fraction(0))
        if probability > 0:
            target = moved(state, None, f"{job_class.name}.{route.name}.1")
            outcome.append((job_class.arrival_rate * probability, target))
    return outcome


def jsr(job_class: JobClass, state: State) -> Outcome:
    """Join the route with the fewest jobs of all its subservers together; ties uniformly."""
    jobs_on_route = {}
    for route in job_class.routes:
        jobs_on_route[route.name] = 0
        for position in range(1, len(route.visits) + 1):
            jobs_on_route[route.name] += state[f"{job_class.name}.{route.name}.{position}"]
    fewest = min(jobs_on_route.values())
    winners = [name for name, jobs in jobs_on_route.items() if jobs == fewest]
    rate = job_class.arrival_rate / len(winners)
    return [(rate, moved(state, None, f"{job_class.name}.{name}.1")) for name in winners]


def weighted_route(job_class: JobClass, state: State, weights: Mapping[str, Fraction]) -> Outcome:
    """Join the route on which the jobs of all its subservers together weigh least; ties uniformly."""
    weight_on_route = {}
    for route in job_class.routes:
        weight_on_route[route.name] = Fraction(0)
        for position in range(1, len(route.visits) + 1):
            subserver = f"{job_class.name}.{route.name}.{position}"
            weight_on_route[route.name] += weights[subserver] * state[subserver]
    least = min(weight_on_route.values())
    winners = [name for name, weight in weight_on_route.items() if weight == least]
    rate = job_class.arrival_rate / len(winners)
    return [(rate, moved(state, None, f"{job_class.name}.{name}.1")) for name in winners]
