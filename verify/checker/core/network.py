"""Rule **network**: what networks a certificate may speak of (FORMAT.md section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from verify.checker.core.data import BufferNetwork, Network, RouteNetwork
from verify.checker.core.errors import Rejected, require
from verify.checker.core.work import exact_sum


def _distinct(rule: str, where: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        require(name not in seen, rule, where, f"{name} twice", "distinct names")
        seen.add(name)


def check_network(network: Network) -> None:
    """**network**: names distinct and listed, rates positive, every job can leave.

    Sound because everything later (coordinates, jumps, total rate) presupposes exactly this and nothing more.
    """
    _distinct("network", "servers", network.servers)
    if isinstance(network, RouteNetwork):
        _check_classes(network)
    else:
        _check_buffers(network)
        _check_activities(network)
        _check_exits(network)


def _check_classes(network: RouteNetwork) -> None:
    require(bool(network.classes), "network", "classes", 0, "at least one")
    servers = set(network.servers)
    _distinct("network", "classes", [job_class.name for job_class in network.classes])
    for job_class in network.classes:
        where = f"class {job_class.name}"
        require(job_class.arrival_rate > 0, "network", f"{where}, arrival rate", job_class.arrival_rate, "> 0")
        require(bool(job_class.routes), "network", f"{where}, routes", 0, "at least one")
        _distinct("network", f"{where}, routes", [route.name for route in job_class.routes])
        for route in job_class.routes:
            at = f"{where}, route {route.name}"
            require(bool(route.visits), "network", f"{at}, visits", 0, "at least one")
            for visit in route.visits:
                require(visit.server in servers, "network", at, visit.server, network.servers)
                require(visit.rate > 0, "network", f"{at}, rate at {visit.server}", visit.rate, "> 0")


def _check_buffers(network: BufferNetwork) -> None:
    names = [buffer.name for buffer in network.buffers]
    require(bool(names), "network", "buffers", 0, "at least one")
    _distinct("network", "buffers", names)
    for buffer in network.buffers:
        require(buffer.arrival_rate >= 0, "network", f"buffer {buffer.name}", buffer.arrival_rate, ">= 0")
    require(any(b.arrival_rate > 0 for b in network.buffers), "network", "arrival rates", "all 0", "one > 0")


def _check_activities(network: BufferNetwork) -> None:
    names, servers = {buffer.name for buffer in network.buffers}, set(network.servers)
    pairs: set[tuple[str, str]] = set()
    for activity in network.activities:
        where = f"activity of {activity.server} on {activity.buffer}"
        require(activity.server in servers, "network", where, activity.server, network.servers)
        require(activity.buffer in names, "network", where, activity.buffer, names)
        require((activity.server, activity.buffer) not in pairs, "network", where, "twice", "once")
        pairs.add((activity.server, activity.buffer))
        require(activity.rate > 0, "network", f"{where}, rate", activity.rate, "> 0")
        for target, probability in activity.next.items():
            require(target in names, "network", f"{where}, next", target, names)
            require(probability > 0, "network", f"{where}, next {target}", probability, "> 0")
        total = exact_sum(activity.next.values(), "probabilities")
        require(total <= 1, "network", f"{where}, sum of probabilities", total, "<= 1")
    for name in names - {buffer for _, buffer in pairs}:
        raise Rejected("network", f"buffer {name}", "no activity", "at least one")


def _check_exits(network: BufferNetwork) -> None:
    before: dict[str, list[str]] = {buffer.name: [] for buffer in network.buffers}
    leaving: dict[str, None] = {}
    for activity in network.activities:
        for target in activity.next:
            before[target].append(activity.buffer)
        if exact_sum(activity.next.values(), "probabilities") < 1:
            leaving[activity.buffer] = None
    waiting = list(leaving)
    while waiting:
        for buffer in before[waiting.pop()]:
            if buffer not in leaving:
                leaving[buffer] = None
                waiting.append(buffer)
    for name in before:
        require(name in leaving, "network", f"buffer {name}", "no way out", "a way out")
