"""The graph of a class's servers in the order of its routes, and what words with changes of routes ask of it (theory 1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from verify.errors import InputError
from verify.network.messages import shown_number
from verify.network.model import JobClass, Route
from verify.network.names import class_servers

Graph = dict[str, dict[str, None]]
"""Server -> the servers that follow it on some route, in order of appearance."""


def stops(route: Route) -> tuple[str, ...]:
    """The servers of a route, in its order."""
    return tuple(visit.server for visit in route.visits)


def arrow(servers: Sequence[str]) -> str:
    """For messages."""
    return " -> ".join(servers)


def check_no_return(job_class: JobClass, place: str, word: str) -> None:
    """No route returns to a server.  Raises ``InputError`` at ``place``, where the routes stand."""
    for route in job_class.routes:
        first: dict[str, int] = {}
        for position, server in enumerate(stops(route)):
            if first.setdefault(server, position) != position:
                raise InputError(
                    f"{place}.{route.name}[{position}].server",
                    f"no server twice on a route ({word})",
                    f"{server!r} again",
                    f"first at {place}.{route.name}[{first[server]}]",
                )


def check_one_rate(job_class: JobClass, place: str, word: str) -> None:
    """One rate of the class for each server.  Raises ``InputError``."""
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


def graph(job_class: JobClass) -> Graph:
    """The servers of a class with those that follow them."""
    found: Graph = {}
    for route in job_class.routes:
        listed = stops(route)
        for server in listed:
            found.setdefault(server, {})
        for server, following in pairwise(listed):
            found[server][following] = None
    return found


def check_acyclic(job_class: JobClass, place: str, word: str) -> None:
    """The graph has no cycle.  Raises ``InputError``."""
    predecessors: dict[str, list[str]] = {}
    for server, following in graph(job_class).items():
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
            f"the cycle {arrow([*cycle[start:], *cycle[: start + 1]])}",
        ) from error


def paths(following: Graph, starts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All paths from the starts to servers that nothing follows; the graph has no cycle."""
    waiting: list[tuple[str, ...]] = [(start,) for start in reversed(starts)]
    while waiting:
        path = waiting.pop()
        after = following[path[-1]]
        if not after:
            yield path
        waiting.extend((*path, server) for server in reversed(after))
