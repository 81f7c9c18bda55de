"""Rule **policy** on the routes of one class under `jsq` and `jsq-as` (FORMAT.md section 3): its graph, and which routes it has.

Paths are counted and never listed: there may be many more of them than routes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from verify.checker.core.data import JobClass
from verify.checker.core.errors import require

Graph = dict[str, dict[str, None]]  # for each server those that follow it on some route


def routes_of(job_class: JobClass) -> list[tuple[str, ...]]:
    """The distinct routes by their servers."""
    return list(dict.fromkeys(tuple(visit.server for visit in route.visits) for route in job_class.routes))


def graph_of(routes: Iterable[Sequence[str]]) -> Graph:
    """All consecutive pairs of servers."""
    graph: Graph = {server: {} for route in routes for server in route}
    for route in routes:
        for server, following in pairwise(route):
            graph[server][following] = None
    return graph


def upstream_order(job_class: JobClass, graph: Graph) -> list[str]:
    """The servers, each after all that follow it: there is no cycle."""
    before: dict[str, list[str]] = {server: [] for server in graph}
    left = {server: len(following) for server, following in graph.items()}
    for server, following in graph.items():
        for after in following:
            before[after].append(server)
    ordered = [server for server, number in left.items() if number == 0]
    for after in ordered:  # grows while it is read
        for server in before[after]:
            left[server] -= 1
            if left[server] == 0:
                ordered.append(server)
    where = f"class {job_class.name}, graph of its routes"
    require(len(ordered) == len(graph), "policy", where, "a cycle", "no cycle")
    return ordered


def check_graph(job_class: JobClass) -> list[str]:
    """No server twice on a route, one rate for each server, no cycle. Returns the servers as `upstream_order` does."""
    rates: dict[str, Fraction] = {}
    for route in job_class.routes:
        where, seen = f"class {job_class.name}, route {route.name}", set[str]()
        for visit in route.visits:
            require(visit.server not in seen, "policy", where, f"{visit.server} twice", "distinct names")
            seen.add(visit.server)
            rate = rates.setdefault(visit.server, visit.rate)
            require(visit.rate == rate, "policy", f"{where}, rate at {visit.server}", visit.rate, rate)
    return upstream_order(job_class, graph_of(routes_of(job_class)))


def check_jsq(job_class: JobClass) -> None:
    """Every path of the class's graph from a first to a last server is one of its routes.

    Sound because every route is such a path, so all are routes if there are as many of these as of those.
    """
    ordered = check_graph(job_class)
    routes, where = routes_of(job_class), f"class {job_class.name}"
    graph = graph_of(routes)
    for route in routes:
        require(not graph[route[-1]], "policy", where, f"server {route[-1]} last on some routes", "on all or none")
    paths: dict[str, int] = {}  # how many lead from a server to a last one; never more than one above the routes
    for server in ordered:
        number = sum(paths[following] for following in graph[server]) if graph[server] else 1
        paths[server] = min(number, len(routes) + 1)
    found = sum(paths[server] for server in {route[0] for route in routes})
    require(found <= len(routes), "policy", where, "a path that is no route", "every path a route")


def check_preset(job_class: JobClass) -> None:
    """A prefix of a route and a suffix of another that meet at a shared server make a route.

    Sound because a route through a server is one prefix and one suffix: each pair of these is a route if there are as
    many routes through the server as pairs.
    """
    check_graph(job_class)
    beginnings, ends = _Threads(), _Threads()
    prefixes: dict[str, set[int]] = {}
    suffixes: dict[str, set[int]] = {}
    number: dict[str, int] = {}
    for route in routes_of(job_class):
        for server, thread in zip(route, beginnings.along(route), strict=True):
            prefixes.setdefault(server, set()).add(thread)
            number[server] = number.get(server, 0) + 1
        for server, thread in zip(reversed(route), ends.along(reversed(route)), strict=True):
            suffixes.setdefault(server, set()).add(thread)
    for server, routes in number.items():
        pairs = len(prefixes[server]) * len(suffixes[server])
        where = f"class {job_class.name}, routes through {server}"
        require(pairs == routes, "policy", where, routes, f"{pairs}, every beginning with every end")


class _Threads:
    """Numbers sequences of servers by what they begin with, so that none is copied."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[int, str], int] = {}

    def along(self, servers: Iterable[str]) -> list[int]:
        """The number of the sequence up to each of the servers."""
        found: list[int] = []
        for server in servers:
            key = (found[-1] if found else -1, server)
            found.append(self.numbers.setdefault(key, len(self.numbers)))
        return found
