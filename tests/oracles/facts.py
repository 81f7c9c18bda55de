"""What is known about an instance from the literature alone: ``truth`` gives the answer and the fact it rests on.

Poisson arrivals, exponential service, preemptive.  Every fact names its conditions; an instance without one is OPEN.
A claim is *wrong* if STABLE is claimed where a fact says NOT_STABLE, or UNSTABLE where a fact says STABLE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, pairwise

import networkx
from stated import Holding, Instance, Policy, Preset, Routing, Sequencing, stated

from verify.network.model import BufferNetwork, JobClass, Network, RouteNetwork

from .dai_vande_vate import globally_stable, nominal_loads, work

#: A server with jobs works, whatever the rule chooses (without holding).
BY_STATE = (Routing.JSQ, Routing.JSR, Routing.WEIGHTED_ROUTE)
WORK_CONSERVING = {
    Sequencing.DOMINANT, Sequencing.PRIORITY, Sequencing.FBFS, Sequencing.LBFS, Sequencing.NON_IDLING,
    Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE, Sequencing.MAX_WEIGHT, Sequencing.FIFO,
}  # fmt: skip


class Answer(StrEnum):
    """STABLE: for every policy of the class; NOT_STABLE: for some of them no positive recurrence; OPEN: no fact applies."""

    STABLE = "stable"
    NOT_STABLE = "not stable"
    OPEN = "open"


@dataclass(frozen=True)
class Truth:
    """The answer and its reason."""

    answer: Answer
    reason: str


def contradicts(verdict: str, truth: Truth) -> bool:
    """Is a verdict ("stable", "unstable", "undecided") wrong?"""
    return (verdict, truth.answer) in {("stable", Answer.NOT_STABLE), ("unstable", Answer.STABLE)}


@dataclass(frozen=True)
class Question:
    """A network with a policy in words."""

    network: Network
    policy: Policy


def truth(instance: Instance) -> Truth:
    """The first fact that applies."""
    for found in _facts(Question(instance.network, stated(instance.policy))):
        if found is not None:
            return found
    return Truth(Answer.OPEN, "no fact")


def _facts(instance: Question) -> Iterator[Truth | None]:
    network, policy = instance.network, instance.policy
    if isinstance(network, BufferNetwork):
        yield jackson(instance)
        yield cross_trained_pair(instance)
        return
    if single_visits(network):
        yield parallel_servers(instance)
    if policy.preset is Preset.JSQ_AS or policy.routing in BY_STATE:
        yield recombining_routes(instance)
    if policy.routing is Routing.BERNOULLI:
        yield from _fixed_route_facts(split(instance))
    if policy.routing is Routing.FIXED:
        yield from _fixed_route_facts(instance)


def _fixed_route_facts(instance: Question) -> Iterator[Truth | None]:
    network, policy = instance.network, instance.policy
    if not isinstance(network, RouteNetwork):
        raise TypeError("a route network is expected")
    load = max(nominal_loads(network).values())
    if load >= 1:
        yield Truth(Answer.NOT_STABLE, f"load {load}")
    yield two_station_priority(instance)
    if policy.holding is not Holding.NONE:
        return
    if policy.sequencing is Sequencing.BACK_PRESSURE:
        yield Truth(Answer.STABLE, "back-pressure inside the capacity region")
    if policy.sequencing in (Sequencing.FBFS, Sequencing.LBFS) and len(network.classes) == 1:
        yield Truth(Answer.STABLE, f"{policy.sequencing} in a re-entrant line")
    if policy.sequencing in WORK_CONSERVING:
        yield from _every_work_conserving(instance, network)


def _every_work_conserving(instance: Question, network: RouteNetwork) -> Iterator[Truth | None]:
    for name, holds in GLOBAL_FACTS.items():
        if holds(network):
            yield Truth(Answer.STABLE, f"{name}, loads below 1")
    if len(nominal_loads(network)) <= 2:
        if globally_stable(network):
            yield Truth(Answer.STABLE, "Dai-Vande Vate")
        elif instance.policy.sequencing is Sequencing.NON_IDLING:
            yield Truth(Answer.NOT_STABLE, "Dai-Vande Vate")


# ---- stable iff the loads are below 1, under every work-conserving policy -------------------------------------------
def feed_forward(network: RouteNetwork) -> bool:
    """Between different servers jobs move along an acyclic graph."""
    graph: networkx.DiGraph = networkx.DiGraph()
    for steps in map(work, network.classes):
        graph.add_edges_from((a, b) for (a, _), (b, _) in pairwise(steps) if a != b)
    return bool(networkx.is_directed_acyclic_graph(graph))


def ring_with_one_mean_per_station(network: RouteNetwork) -> bool:
    """Every route walks a part of one unidirectional ring, at most once around; a server has one rate."""
    rates: dict[str, set[Fraction]] = {}
    after: dict[str, str] = {}
    for job_class in network.classes:
        visits = job_class.routes[0].visits
        for visit in visits:
            rates.setdefault(visit.server, set()).add(visit.rate)
        if len({visit.server for visit in visits}) < len(visits):
            return False
        if any(after.setdefault(a.server, b.server) != b.server for a, b in pairwise(visits)):
            return False
    return len(set(after.values())) == len(after) and all(len(found) == 1 for found in rates.values())


def three_buffer_line(network: RouteNetwork) -> bool:
    """One class, one route of at most three visits."""
    return len(network.classes) == 1 and len(network.classes[0].routes[0]) <= 3


GLOBAL_FACTS: dict[str, Callable[[RouteNetwork], bool]] = {
    "feed-forward": feed_forward,
    "ring with one mean per station": ring_with_one_mean_per_station,
    "three-buffer line": three_buffer_line,
}


# ---- particular priorities -----------------------------------------------------------------------------------------
def two_station_priority(instance: Question) -> Truth | None:
    """Lu-Kumar with last buffers first, Rybko-Stolyar with exits first: not stable iff m2 + m4 >= 1 (loads below 1).

    Started empty, the last two buffers are never both busy; then their virtual workload has drift λ(m2 + m4) − 1."""
    network, policy = instance.network, instance.policy
    if policy.sequencing is not Sequencing.PRIORITY or not isinstance(network, RouteNetwork):
        return None
    lines = {job_class.name: work(job_class) for job_class in network.classes}
    shapes = sorted("".join(server for server, _ in steps) for steps in lines.values())
    loads: list[Fraction] = []
    if len(shapes) == 1 and _is(shapes[0], "abba") and _heads(policy.priority) == {(0, 4), (0, 2)}:
        loads = [r for _, r in next(iter(lines.values()))]
    elif len(shapes) == 2 and _is("".join(shapes), "abba") and {p for _, p in _heads(policy.priority)} == {2}:
        first, second = lines.values()
        loads = [r for _, r in (*first, *second)]
    if not loads or max(loads[0] + loads[3], loads[1] + loads[2]) >= 1:
        return None
    answer = Answer.NOT_STABLE if loads[1] + loads[3] >= 1 else Answer.STABLE
    return Truth(answer, f"m2 + m4 = {loads[1] + loads[3]} under the bad priority")


def _is(shape: str, pattern: str) -> bool:
    names = dict(zip(pattern, shape, strict=False))
    return len(shape) == len(pattern) and "".join(names[p] for p in pattern) == shape and names["a"] != names["b"]


def _heads(priority: object) -> set[tuple[int, int]]:
    """(0, position) of the buffer on top at each server; positions end the names."""
    if not isinstance(priority, dict) and not hasattr(priority, "values"):
        raise TypeError("a priority is expected")
    return {(0, int(order[0].rsplit(".", 1)[1])) for order in priority.values()}


# ---- parallel servers ----------------------------------------------------------------------------------------------
def single_visits(network: RouteNetwork) -> bool:
    """Every route is one visit, and a server has one rate."""
    visits = [route.visits for job_class in network.classes for route in job_class.routes]
    if any(len(found) > 1 for found in visits):
        return False
    return len({found[0] for found in visits}) == len({found[0].server for found in visits})


def parallel_servers(instance: Question) -> Truth | None:
    """Stable iff for every set of servers the classes confined to it bring less than it serves; under jsq, and under jsr
    and weighted-route with a single class.  Not stable under any routing if some set is overloaded; bernoulli and fixed: server by server."""
    network, policy = instance.network, instance.policy
    if not isinstance(network, RouteNetwork) or policy.routing not in BY_STATE:
        return None
    tight = max(_subset_loads(network))
    if tight >= 1:
        return Truth(Answer.NOT_STABLE, f"a set of servers has load {tight}")
    if (
        policy.holding is Holding.NONE
        and policy.sequencing in WORK_CONSERVING
        and (policy.routing is Routing.JSQ or len(network.classes) == 1)
    ):
        return Truth(Answer.STABLE, f"{policy.routing} over parallel servers")
    return None


def _subset_loads(network: RouteNetwork) -> Iterator[Fraction]:
    rates = {route.visits[0].server: route.visits[0].rate for c in network.classes for route in c.routes}
    allowed = [({route.visits[0].server for route in c.routes}, c.arrival_rate) for c in network.classes]
    for size in range(1, len(rates) + 1):
        for chosen in combinations(rates, size):
            arrivals = sum((rate for servers, rate in allowed if servers <= set(chosen)), Fraction(0))
            yield arrivals / sum(rates[server] for server in chosen)


def recombining_routes(instance: Question) -> Truth | None:
    """One class that may take every path of an acyclic graph of servers with one rate each: at or above the least cut of
    servers no routing is stable (exact maximum flow)."""
    network = instance.network
    if not isinstance(network, RouteNetwork) or len(network.classes) != 1:
        return None
    routes = [route.visits for route in network.classes[0].routes]
    rates = {visit.server: visit.rate for visits in routes for visit in visits}
    steps = {(a.server, b.server) for visits in routes for a, b in pairwise(visits)}
    graph: networkx.DiGraph = networkx.DiGraph(steps)
    graph.add_nodes_from(rates)
    if any(visit.rate != rates[visit.server] for visits in routes for visit in visits):
        return None
    if not networkx.is_directed_acyclic_graph(graph):
        return None
    firsts, lasts = {visits[0].server for visits in routes}, {visits[-1].server for visits in routes}
    if _number_of_paths(graph, firsts, lasts) != len({tuple(v.server for v in visits) for visits in routes}):
        return None
    flow: networkx.DiGraph = networkx.DiGraph()
    for server, rate in rates.items():
        flow.add_edge((server, "in"), (server, "out"), capacity=rate)
    flow.add_edges_from(((a, "out"), (b, "in")) for a, b in steps)
    flow.add_edges_from(("source", (server, "in")) for server in firsts)
    flow.add_edges_from(((server, "out"), "sink") for server in lasts)
    cut = networkx.maximum_flow_value(flow, "source", "sink")
    arrivals = network.classes[0].arrival_rate
    return Truth(Answer.NOT_STABLE, f"arrivals {arrivals}, least cut {cut}") if arrivals >= cut else None


def _number_of_paths(graph: networkx.DiGraph, firsts: set[str], lasts: set[str]) -> int:
    """From a first to a last server; a last server also counts where it is not the end of its path."""
    ways: dict[str, int] = {}
    for server in reversed(list(networkx.topological_sort(graph))):
        ways[server] = (server in lasts) + sum(ways[after] for after in graph.successors(server))
    return sum(ways[server] for server in firsts)


def split(instance: Question) -> Question:
    """Bernoulli routing as fixed routing: a Poisson stream thins into independent ones.  Names of buffers do not change."""
    network, policy = instance.network, instance.policy
    if not isinstance(network, RouteNetwork):
        raise TypeError("a route network is expected")
    classes = tuple(
        JobClass(f"{c.name}.{route.name}", c.arrival_rate * policy.probabilities[c.name][route.name], (route,))
        for c in network.classes
        for route in c.routes
    )
    return replace(
        instance,
        network=RouteNetwork(network.servers, classes),
        policy=replace(policy, routing=Routing.FIXED, probabilities={}),
    )


# ---- buffer networks -----------------------------------------------------------------------------------------------
def jackson(instance: Question) -> Truth | None:
    """Generalised Jackson: one buffer per server, one server per buffer.  Stable iff the traffic loads are below 1."""
    network = instance.network
    if not isinstance(network, BufferNetwork) or instance.policy.holding is not Holding.NONE:
        return None
    pairs = [(activity.server, activity.buffer) for activity in network.activities]
    if len({n for n, _ in pairs}) < len(pairs) or len({k for _, k in pairs}) < len(pairs):
        return None
    if instance.policy.sequencing not in WORK_CONSERVING:
        return None
    flows = traffic(network)
    load = max(flows[activity.buffer] / activity.rate for activity in network.activities)
    return Truth(Answer.STABLE if load < 1 else Answer.NOT_STABLE, f"generalised Jackson network with load {load}")


def traffic(network: BufferNetwork) -> dict[str, Fraction]:
    """The flows f = λ + Pᵀf, by elimination in exact fractions (one activity per buffer)."""
    names = [buffer.name for buffer in network.buffers]
    place = {name: i for i, name in enumerate(names)}
    rows = [[Fraction(i == j) for j in range(len(names))] for i in range(len(names))]
    for activity in network.activities:
        for target, probability in activity.next.items():
            rows[place[target]][place[activity.buffer]] -= probability
    for row, buffer in zip(rows, network.buffers, strict=True):
        row.append(buffer.arrival_rate)
    return dict(zip(names, solve(rows), strict=True))


def solve(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss-Jordan elimination of an augmented square system."""
    for column in range(len(rows)):
        pivot = next(i for i in range(column, len(rows)) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for i, row in enumerate(rows):
            if i != column and row[column]:
                factor = row[column]
                rows[i] = [a - factor * b for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def cross_trained_pair(instance: Question) -> Truth | None:
    """The X-model: two servers, two buffers that leave, own rate 1 and cross rate 1/2 (or multiples of both).

    In units of the own rate, capacity: λ1 + λ2/2 < 3/2 and λ1/2 + λ2 < 3/2.  Cross priority: not stable if both λ > 1/2,
    stable if both are below.
    """
    network, policy = instance.network, instance.policy
    if not isinstance(network, BufferNetwork) or len(network.buffers) != 2 or len(network.activities) != 4:
        return None
    rates = {(a.server, a.buffer): a.rate for a in network.activities if not a.next}
    (first, second), (one, two) = network.servers, (buffer.name for buffer in network.buffers)
    own, cross = ((first, one), (second, two)), ((first, two), (second, one))
    unit = rates.get(own[0], Fraction(1))
    if len(rates) < 4 or rates[own[1]] != unit or {2 * rates[a] for a in cross} != {unit}:
        return None
    lam = [buffer.arrival_rate / unit for buffer in network.buffers]
    if max(lam[0] + lam[1] / 2, lam[0] / 2 + lam[1]) >= Fraction(3, 2):
        return Truth(Answer.NOT_STABLE, "outside the capacity of the X-model")
    if policy.sequencing is Sequencing.PRIORITY and all(policy.priority[n][0] == k for n, k in cross):
        if min(lam) > Fraction(1, 2):
            return Truth(Answer.NOT_STABLE, "X-model with cross priority")
        if max(lam) < Fraction(1, 2):
            return Truth(Answer.STABLE, "X-model with cross priority")
    return None
