"""Sequencing ``dominant``: one dominant piece of the dominance function for all servers (theory 1.3 and 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from verify.network.model import ExplicitTemplate, FunctionSpec, RouteNetwork

from .expansion import subservers
from .types import State, Task


def template_pieces(network: RouteNetwork, template: ExplicitTemplate) -> list[dict[str, Fraction]]:
    """One piece per choice of a depth for every route, not all 0.

    Order: the depth of the last route of the last class runs fastest, depths upwards from 0.
    """
    routes = [(job_class.name, route) for job_class in network.classes for route in job_class.routes]
    found = []
    for depths in product(*[range(len(route.visits) + 1) for _, route in routes]):
        if not any(depths):
            continue
        dominant_routes = {job_class.name: 0 for job_class in network.classes}
        for (class_name, _), depth in zip(routes, depths, strict=True):
            if depth > 0:
                dominant_routes[class_name] += 1
        dominant_classes = sum(1 for number in dominant_routes.values() if number > 0)
        piece = {}
        for (class_name, route), depth in zip(routes, depths, strict=True):
            for position in range(1, len(route.visits) + 1):
                weight = Fraction(0)
                if position <= depth:
                    gamma = template.gamma[dominant_classes - 1]
                    beta = template.beta[dominant_routes[class_name] - 1]
                    weight = gamma * beta * template.alpha[depth - 1]
                piece[f"{class_name}.{route.name}.{position}"] = weight
        found.append(piece)
    return found


def pieces(network: RouteNetwork, function: FunctionSpec) -> list[dict[str, Fraction]]:
    """The pieces in the listed order, every buffer with its weight."""
    if isinstance(function, ExplicitTemplate):
        return template_pieces(network, function)
    names = [s.name for s in subservers(network)]
    return [{name: piece.get(name, Fraction(0)) for name in names} for piece in function.pieces]


def dominant_piece(listed: list[dict[str, Fraction]], state: State) -> dict[str, Fraction]:
    """The first in the listed order among the maximal ones."""
    values = [sum((piece[name] * state[name] for name in state), Fraction(0)) for piece in listed]
    return listed[values.index(max(values))]


def bottlenecks(network: RouteNetwork, piece: dict[str, Fraction]) -> list[str]:
    """Subserver k is one iff w_k > w_{k_s}, with 0 after the last."""
    found = []
    for s in subservers(network):
        after = Fraction(0) if s.successor is None else piece[s.successor]
        if piece[s.name] > after:
            found.append(s.name)
    return found


def dominant(
    network: RouteNetwork,
    function: FunctionSpec,
    tie_order: Mapping[str, tuple[str, ...]],
    server: str,
    ready: list[Task],
    state: State,
) -> list[Task]:
    """A ready bottleneck of the dominant piece (several: first in the tie order, without one free), else anything."""
    ends = bottlenecks(network, dominant_piece(pieces(network, function), state))
    candidates = [task for task in ready if task.buffer in ends]
    if not candidates:
        return ready
    for buffer in tie_order.get(server, ()):
        chosen = [task for task in candidates if task.buffer == buffer]
        if chosen:
            return chosen
    return candidates
