"""Rules **network** and **policy**: what networks and policies a certificate may speak of (FORMAT.md sections 2, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verify.checker.core.data import BufferNetwork, Network, Orders, Policy, RouteNetwork
from verify.checker.core.errors import Rejected, require
from verify.checker.core.state import State
from verify.checker.core.work import exact_sum
from verify.checker.policies.graphs import check_jsq, check_preset
from verify.checker.policies.jsq_as import elsewhere, sources_of_targets
from verify.checker.policies.servers import COMPARING

ROUTINGS = ("fixed", "bernoulli", "jsr", "jsq")
SEQUENCINGS = ("priority", "fbfs", "lbfs", "non-idling", "fifo", "dominant", *COMPARING)
HOLDINGS = ("none", "spillback")
MOST_HELD = 6  # of what section 8 lists by subsets: buffers of a server, targets of jsq-as at other servers


def _distinct(rule: str, where: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        require(name not in seen, rule, where, f"{name} twice", "distinct names")
        seen.add(name)


# ---- network -------------------------------------------------------------------------------------------------------
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


# ---- routing -------------------------------------------------------------------------------------------------------
def check_routing(network: Network, policy: Policy) -> None:
    """**policy**, routing: a known word, with what it asks for, on a network on which it is defined.

    Sound because section 8 defines the routing's alternatives only under these requirements.
    """
    if policy.preset:
        require(policy.preset == "jsq-as", "policy", "preset", policy.preset, "jsq-as")
        _check_preset(network)
        return
    require(policy.routing in ROUTINGS, "policy", "routing", policy.routing, ROUTINGS)
    if isinstance(network, BufferNetwork):
        require(policy.routing == "fixed", "policy", "routing of a buffer network", policy.routing, "fixed")
    else:
        for job_class in network.classes:
            if policy.routing == "fixed":
                found = len(job_class.routes)
                require(found == 1, "policy", f"class {job_class.name}, fixed routing", f"{found} routes", "1 route")
            if policy.routing == "jsq":
                check_jsq(job_class)
    _check_probabilities(network, policy)


def _check_probabilities(network: Network, policy: Policy) -> None:
    given = policy.probabilities
    wanted = policy.routing == "bernoulli"
    require((given is not None) == wanted, "policy", "probabilities", given is not None, wanted)
    if given is None or isinstance(network, BufferNetwork):
        return
    same_keys("policy", "probabilities", given, [job_class.name for job_class in network.classes])
    for job_class in network.classes:
        split, where = given[job_class.name], f"probabilities of class {job_class.name}"
        same_keys("policy", where, split, [route.name for route in job_class.routes])
        for route, probability in split.items():
            require(probability > 0, "policy", f"{where}, route {route}", probability, "> 0")
        total = exact_sum(split.values(), "probabilities")
        require(total == 1, "policy", f"sum of {where}", total, 1)


def same_keys(rule: str, where: str, found: Mapping[str, object], expected: Sequence[str]) -> None:
    """A map with exactly these keys."""
    require(set(found) == set(expected), rule, where, set(found), set(expected))


def _check_preset(network: Network) -> None:
    """jsq-as: one class; a prefix of a route and a suffix of another through a shared server make a route."""
    if isinstance(network, BufferNetwork) or len(network.classes) != 1:
        raise Rejected("policy", "preset jsq-as", "another network", "a route network with one class")
    check_preset(network.classes[0])


# ---- sequencing and holding ----------------------------------------------------------------------------------------
def check_sequencing(network: Network, policy: Policy, state: State, condition: str) -> None:
    """**policy**, sequencing and holding: known words, with what they ask for, admitted by the condition.

    Sound because F, S, H and U bound the alternatives of exactly these words; N every activity whatever the order. (The
    preset lists forbidden moves at ties besides: enough for an upper bound, but not for a path that is sure.)
    """
    if policy.preset:
        require(condition != "growth", "policy", "condition growth", policy.preset, "no preset")
        if condition != "capacity":
            _check_targets(state)
        return
    require(policy.sequencing in SEQUENCINGS, "policy", "sequencing", policy.sequencing, SEQUENCINGS)
    require(policy.holding in HOLDINGS, "policy", "holding", policy.holding, HOLDINGS)
    expansion = isinstance(network, RouteNetwork) and policy.routing != "jsq"
    if policy.sequencing in ("longest-duplicate", "dominant"):
        require(expansion, "policy", policy.sequencing, "no route expansion", "a route expansion")
    if policy.sequencing in ("fbfs", "lbfs"):
        for buffer, positions in zip(state.names, state.positions, strict=True):
            require(len(positions) == 1, "policy", f"{policy.sequencing}, positions of {buffer}", positions, "one")
    _check_orders(policy, state)
    if policy.server_order is not None:
        check_server_order("policy", "server_order", policy.server_order, state)
    _check_dominance(policy, condition)
    if condition != "capacity":
        _check_pressure(policy, state)
        _check_holding(policy, state)


def _check_orders(policy: Policy, state: State) -> None:
    wanted = policy.sequencing == "priority"
    require((policy.priority is not None) == wanted, "policy", "priority", policy.priority is not None, wanted)
    if policy.priority is not None:
        same_keys("policy", "priority", policy.priority, state.busy_servers())
        check_order("policy", "priority", policy.priority, state)
    check_order("policy", "tie_order", policy.tie_order or {}, state)


def check_order(rule: str, where: str, orders: Orders, state: State) -> None:
    """Each listed server with all its buffers, each once."""
    for server, order in orders.items():
        buffers = [state.names[buffer] for buffer in state.buffers_of(server)]
        require(bool(buffers), rule, where, server, "a server with buffers")
        require(sorted(order) == sorted(buffers), rule, f"{where} of server {server}", order, buffers)


def check_server_order(rule: str, where: str, orders: Orders, state: State) -> None:
    """At least one buffer; each listed buffer is shared and has all its servers, each once."""
    require(bool(orders), rule, where, "no buffer", "one at least")
    for buffer, order in orders.items():
        servers = [service.server for service in state.services if state.names[service.buffer] == buffer]
        require(len(servers) > 1, rule, f"{where} of {buffer}", servers, "two or more servers")
        require(sorted(order) == sorted(servers), rule, f"{where} of {buffer}", order, servers)


def _check_dominance(policy: Policy, condition: str) -> None:
    given, wanted = policy.dominance_function is not None, policy.sequencing == "dominant"
    if not (wanted and condition == "capacity"):
        require(given == wanted, "policy", "dominance_function", given, wanted)
    require(wanted or policy.tie_order is None, "policy", "tie_order", "given", "only with sequencing dominant")
    in_cells = condition in ("corrected", "growth")
    require(not (wanted and in_cells), "policy", f"sequencing (condition {condition})", "dominant", "another one")


def _check_pressure(policy: Policy, state: State) -> None:
    """Back-pressure compares a buffer with the one after it: no choice of jsq in between."""
    if policy.sequencing == "back-pressure":
        for service in state.services:
            where = f"back-pressure, next servers of {state.names[service.buffer]}"
            require(len(service.destinations) == 1, "policy", where, len(service.destinations), 1)


def _check_holding(policy: Policy, state: State) -> None:
    """Spillback holds a buffer by its one successor; sets of held buffers are listed one by one, so they are few."""
    if policy.holding != "spillback":
        return
    for k, name in enumerate(state.names):
        found = {"exit" if j is None else state.names[j] for j in state.successors(k)}
        require(len(found) == 1, "policy", f"spillback, successors of {name}", found, "one")
    if policy.sequencing in COMPARING:
        for server in state.busy_servers():
            number = len(state.buffers_of(server))
            require(number <= MOST_HELD, "policy", f"spillback, buffers of server {server}", number, f"<= {MOST_HELD}")


def _check_targets(state: State) -> None:
    """jsq-as lists the sets of forbidden targets one by one, so they are few."""
    for server in state.busy_servers():
        sources = sources_of_targets(state, server)
        first = {state.place[target]: target for target in reversed(sources) if target is not None}
        for target in first.values():  # one at each server
            number, name = len(elsewhere(state, sources, target)), state.names[target]
            where = f"jsq-as, targets of server {server} elsewhere than {name}"
            require(number <= MOST_HELD, "policy", where, number, f"<= {MOST_HELD}")
