"""Routing ``jsq``, join the shortest queue: of the servers that may come next, at arrival and after every service
(theory 1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.chain.guards import Guard, Normal, Normals
from verify.errors import InputError
from verify.linear_form import LinearForm
from verify.network.expansion import Destination, Expansion, Service, Stream, union_graph
from verify.network.model import JobClass, RouteNetwork
from verify.network.names import Coordinates
from verify.policies import route_graph
from verify.policies.rules import RoutingRule, also, shortest


@dataclass(frozen=True)
class JoinShortestQueue(RoutingRule):
    """A job compares the queues of the servers that may come next, all their jobs together."""

    word = "jsq"
    synonyms = also("shortest-queue", "join-the-shortest-queue", "join-shortest-queue")
    coordinates: ClassVar[Coordinates] = Coordinates.PAIRS
    by_state: ClassVar[bool] = True
    chooses: ClassVar[str] = "the server with the shortest queue of"

    @classmethod
    def check(cls, network: RouteNetwork) -> None:
        """Per class no route returns to a server, one rate for each server, the consecutive pairs of servers form an acyclic
        graph, a server is last on all or none of the routes through it, and every path from a first to a last server is
        a route."""
        for index, job_class in enumerate(network.classes):
            place = f"classes[{index}].routes"
            route_graph.check_no_return(job_class, place, cls.word)
            route_graph.check_one_rate(job_class, place, cls.word)
            route_graph.check_acyclic(job_class, place, cls.word)
            _check_last(job_class, place)
            _check_paths(job_class, place)

    def expansion(self, network: RouteNetwork) -> Expansion:
        """Jobs of a class that meet at a server are alike."""
        return union_graph(network)

    def guard(self, place: Stream | Service, chosen: Destination, expansion: Expansion, normals: Normals) -> Guard:
        """Q_chosen <= Q_other for every other server."""
        others = [destination.label for destination in place.destinations if destination.label != chosen.label]
        return shortest([_difference(chosen.label, other, expansion, normals) for other in others])


def _difference(a: str, b: str, expansion: Expansion, normals: Normals) -> tuple[Normal, int]:
    """Q_a − Q_b up to sign: the server listed first comes first in the name."""
    first, second = sorted((a, b), key=expansion.servers.index)

    def form() -> LinearForm:
        return LinearForm.sum_of(expansion.queue(first)) - LinearForm.sum_of(expansion.queue(second))

    return normals.get(f"queue({first} - {second})", form), 1 if first == a else -1


def _check_last(job_class: JobClass, place: str) -> None:
    graph = route_graph.graph(job_class)
    for route in job_class.routes:
        last = route_graph.stops(route)[-1]
        if graph[last]:
            after = next(r for r in job_class.routes if last in route_graph.stops(r)[:-1])
            raise InputError(
                f"{place}.{route.name}",
                f"server {last} last on all or none of the routes through it (jsq)",
                f"last here, not on {after.name}",
            )


def _check_paths(job_class: JobClass, place: str) -> None:
    routes = {route_graph.stops(route) for route in job_class.routes}
    starts = tuple(dict.fromkeys(route_graph.stops(route)[0] for route in job_class.routes))
    for path in route_graph.paths(route_graph.graph(job_class), starts):
        if path not in routes:
            raise InputError(
                place,
                f"every path from a first to a last server of class {job_class.name} as a route (jsq)",
                f"no route {route_graph.arrow(path)}",
                "add it",
            )
