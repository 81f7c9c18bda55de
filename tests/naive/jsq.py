"""Routing jsq: one buffer per (class, server), named ``class@server``; jobs go to the shortest total queue next."""

from __future__ import annotations

from fractions import Fraction

from verify.network.model import JobClass, RouteNetwork

from .types import Outcome, State, Task, moved


def buffer_names(network: RouteNetwork) -> list[str]:
    """By class, then in the order of the network's servers."""
    names = []
    for job_class in network.classes:
        visited = {visit.server for route in job_class.routes for visit in route.visits}
        names += [f"{job_class.name}@{server}" for server in network.servers if server in visited]
    return names


def total_queue(network: RouteNetwork, state: State, server: str) -> int:
    """The jobs of all classes at the server."""
    total = 0
    for job_class in network.classes:
        total += state.get(f"{job_class.name}@{server}", 0)
    return total


def shortest(network: RouteNetwork, state: State, servers: list[str]) -> list[str]:
    """Those of the servers with the smallest total queue."""
    smallest = min(total_queue(network, state, server) for server in servers)
    return [server for server in servers if total_queue(network, state, server) == smallest]


def arrival(network: RouteNetwork, job_class: JobClass, state: State) -> Outcome:
    """Join the shortest of the first servers; ties uniformly over the servers."""
    first: list[str] = []
    for route in job_class.routes:
        if route.visits[0].server not in first:
            first.append(route.visits[0].server)
    winners = shortest(network, state, first)
    rate = job_class.arrival_rate / len(winners)
    return [(rate, moved(state, None, f"{job_class.name}@{server}")) for server in winners]


def next_servers(job_class: JobClass, server: str) -> list[str]:
    """The servers that follow this one on some route of the class."""
    following: list[str] = []
    for route in job_class.routes:
        for visit, after in zip(route.visits, route.visits[1:], strict=False):
            if visit.server == server and after.server not in following:
                following.append(after.server)
    return following


def tasks(network: RouteNetwork, server: str, state: State) -> list[Task]:
    """One task per class that visits the server; where the finished job would go in this state."""
    found = []
    for job_class in network.classes:
        visits = [
            (position, visit)
            for route in job_class.routes
            for position, visit in enumerate(route.visits, start=1)
            if visit.server == server
        ]
        if not visits:
            continue
        rates = {visit.rate for _, visit in visits}
        if len(rates) != 1:
            raise ValueError(f"jsq: class {job_class.name} has several rates at server {server}")
        positions = {position for position, _ in visits}
        position = positions.pop() if len(positions) == 1 else None
        following = next_servers(job_class, server)
        destinations: list[tuple[Fraction, str | None]] = [(Fraction(1), None)]
        if following:
            winners = shortest(network, state, following)
            destinations = [(Fraction(1, len(winners)), f"{job_class.name}@{winner}") for winner in winners]
        found.append(Task(server, f"{job_class.name}@{server}", rates.pop(), tuple(destinations), position))
    return found


def branches(network: RouteNetwork, task: Task) -> bool:
    """Whether a job that finishes this task has a choice of its next server (in some state)."""
    for job_class in network.classes:
        if task.buffer == f"{job_class.name}@{task.server}":
            return len(next_servers(job_class, task.server)) > 1
    raise KeyError(task.buffer)
