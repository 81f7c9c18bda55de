"""What must hold of a network as a whole: the graph rules of jsq and jsq-as, and that jobs can leave (theory 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from verify.errors import InputError
from verify.network.messages import listed, shown_number
from verify.network.model import BufferNetwork, JobClass, Route, RouteNetwork
from verify.network.names import class_servers


def check_jsq(network: RouteNetwork) -> None:
    """Routing jsq: per class no route returns to a server, one rate for each server, the consecutive pairs of servers
    form an acyclic graph, a server is last on all or none of the routes through it, and every path from a first to a
    last server is a route.  Raises ``InputError``."""
    for index, job_class in enumerate(network.classes):
        place = f"classes[{index}].routes"
        _check_no_return(job_class, place, "jsq")
        _check_one_rate(job_class, place, "jsq")
        _check_acyclic(job_class, place, "jsq")
        _check_last(job_class, place)
        _check_paths(job_class, place)


def check_jsq_as(network: RouteNetwork) -> None:
    """Preset jsq-as: one class, no route returns to a server, one rate for each server, the graph is acyclic, and the
    beginning of a route and the end of another through a shared server together are a route.  Raises ``InputError``."""
    if len(network.classes) != 1:
        raise InputError("classes", "one class (preset jsq-as)", f"{len(network.classes)} classes")
    job_class, place = network.classes[0], "classes[0].routes"
    _check_no_return(job_class, place, "jsq-as")
    _check_one_rate(job_class, place, "jsq-as")
    _check_acyclic(job_class, place, "jsq-as")
    _check_exchange(job_class, place)


def check_same_positions(network: RouteNetwork, place: str, word: str) -> None:
    """fbfs and lbfs under jsq: a buffer ``class@server`` has one position, the same on all routes through it."""
    for job_class in network.classes:
        positions: dict[str, dict[int, str]] = {}
        for route in job_class.routes:
            for position, visit in enumerate(route.visits, 1):
                positions.setdefault(visit.server, {}).setdefault(position, route.name)
        for server, found in positions.items():
            if len(found) > 1:
                where = ", ".join(f"{position} on {route}" for position, route in found.items())
                raise InputError(
                    place,
                    f"{job_class.name}@{server} at one position on all routes ({word} under jsq)",
                    f"position {where}",
                    'write sequencing = "priority" and the order you want',
                )


def check_leaving(network: BufferNetwork) -> None:
    """The traffic equations can be solved: from every buffer some choice of activities leads out of the network with
    positive probability.  Raises ``InputError`` with the buffers from which no job can ever leave."""
    leaving: set[str] = set()
    grown = True
    while grown:
        more = {a.buffer for a in network.activities if sum(a.next.values()) < 1 or leaving.intersection(a.next)}
        grown = not more <= leaving
        leaving |= more
    kept = [buffer.name for buffer in network.buffers if buffer.name not in leaving]
    if kept:
        raise InputError(
            "activities",
            "a way out of the network from every buffer",
            f"none from {listed(kept)}",
            "probabilities of next with sum < 1 somewhere on the way",
        )


def _servers(route: Route) -> tuple[str, ...]:
    return tuple(visit.server for visit in route.visits)


def _arrow(servers: Sequence[str]) -> str:
    return " -> ".join(servers)


def _check_no_return(job_class: JobClass, place: str, word: str) -> None:
    for route in job_class.routes:
        first: dict[str, int] = {}
        for position, server in enumerate(_servers(route)):
            if first.setdefault(server, position) != position:
                raise InputError(
                    f"{place}.{route.name}[{position}].server",
                    f"no server twice on a route ({word})",
                    f"{server!r} again",
                    f"first at {place}.{route.name}[{first[server]}]",
                )


def _check_one_rate(job_class: JobClass, place: str, word: str) -> None:
    rates: dict[str, Fraction] = {}
    for route in job_class.routes:
        for position, visit in enumerate(route.visits):
            rate = rates.setdefault(visit.server, visit.rate)
            if rate != visit.rate:
                raise InputError(
                    f"{place}.{route.name}[{position}].rate",
                    f"the rate {shown_number(rate)} that class {job_class.name} has elsewhere at server "
                    f"{visit.server} ({word})",
                    shown_number(visit.rate),
                )


def _graph(job_class: JobClass) -> dict[str, dict[str, None]]:
    """Server -> the servers that follow it on some route, in order of appearance."""
    graph: dict[str, dict[str, None]] = {}
    for route in job_class.routes:
        servers = _servers(route)
        for server in servers:
            graph.setdefault(server, {})
        for server, following in pairwise(servers):
            graph[server][following] = None
    return graph


def _check_acyclic(job_class: JobClass, place: str, word: str) -> None:
    predecessors: dict[str, list[str]] = {}
    for server, following in _graph(job_class).items():
        for after in following:
            predecessors.setdefault(after, []).append(server)
    try:
        TopologicalSorter(predecessors).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1][:-1]
        start = cycle.index(next(server for server in class_servers(job_class) if server in cycle))
        raise InputError(
            place,
            f"no cycle among the servers of class {job_class.name} ({word})",
            f"the cycle {_arrow([*cycle[start:], *cycle[: start + 1]])}",
        ) from error


def _check_last(job_class: JobClass, place: str) -> None:
    graph = _graph(job_class)
    for route in job_class.routes:
        last = _servers(route)[-1]
        if graph[last]:
            after = next(r for r in job_class.routes if last in _servers(r)[:-1])
            raise InputError(
                f"{place}.{route.name}",
                f"server {last} last on all or none of the routes through it (jsq)",
                f"last here, not on {after.name}",
            )


def _paths(graph: dict[str, dict[str, None]], starts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All paths from the starts to servers that nothing follows; the graph has no cycle."""
    waiting: list[tuple[str, ...]] = [(start,) for start in reversed(starts)]
    while waiting:
        path = waiting.pop()
        following = graph[path[-1]]
        if not following:
            yield path
        waiting.extend((*path, server) for server in reversed(following))


def _check_paths(job_class: JobClass, place: str) -> None:
    routes = {_servers(route) for route in job_class.routes}
    starts = tuple(dict.fromkeys(_servers(route)[0] for route in job_class.routes))
    for path in _paths(_graph(job_class), starts):
        if path not in routes:
            raise InputError(
                place,
                f"every path from a first to a last server of class {job_class.name} as a route (jsq)",
                f"no route {_arrow(path)}",
                "add it",
            )


def _check_exchange(job_class: JobClass, place: str) -> None:
    routes = {_servers(route) for route in job_class.routes}
    for route in job_class.routes:
        for other in job_class.routes:
            for position, server in enumerate(_servers(route)):
                ends = _servers(other)
                if server not in ends:
                    continue
                joined = _servers(route)[:position] + ends[ends.index(server) :]
                if joined not in routes:
                    raise InputError(
                        place,
                        f"the beginning of {route.name} and the end of {other.name} through server "
                        f"{server} as a route (jsq-as)",
                        f"no route {_arrow(joined)}",
                        "add it",
                    )
