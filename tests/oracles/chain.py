"""The chain a certificate speaks of, rebuilt from its JSON (theory 1): buffers, arrivals, and what each server can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from .claimed import Form, Json, Unreadable, number, numbers, pieces

ONE = Fraction(1)


@dataclass(frozen=True)
class Option:
    """One way for a job: (probability, buffer or None for the exit), and the form that is compared (smallest wins)."""

    moves: tuple[tuple[Fraction, int | None], ...]
    compared: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True)
class Task:
    """A server working on a buffer at a rate; then the job takes one of the options."""

    server: str
    buffer: int
    rate: Fraction
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Arrival:
    """A Poisson stream."""

    name: str
    rate: Fraction
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Chain:
    """``positions``: place of a buffer on its route (0 in buffer networks); ``dominance``: pieces of the dominance function."""

    names: tuple[str, ...]
    servers: tuple[str, ...]
    arrivals: tuple[Arrival, ...]
    tasks: Mapping[str, tuple[Task, ...]]
    positions: Mapping[int, int]
    dominance: tuple[Form, ...]
    network: Json
    policy: Json

    @property
    def place(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    @property
    def rule(self) -> str:
        """The sequencing; fifo is one of the adapted non-idling policies."""
        found = str(self.policy.get("sequencing", ""))
        return "non-idling" if found == "fifo" else found

    @property
    def spillback(self) -> bool:
        return self.policy.get("holding") == "spillback"

    @property
    def shared(self) -> bool:
        """Does some buffer have several servers?"""
        return any(len(self.at(k)) > 1 for k in range(len(self.names)))

    def total_rate(self) -> Fraction:
        """Rate of all events together, at most."""
        work = sum((max(task.rate for task in tasks) for tasks in self.tasks.values() if tasks), Fraction(0))
        return work + sum((arrival.rate for arrival in self.arrivals), Fraction(0))

    def successor(self, k: int) -> int | None:
        """The one next buffer of k (None: it leaves).  Raises ``Unreadable`` if it has several."""
        targets = {move for task in self.at(k) for option in task.options for _, move in option.moves}
        if len(targets) != 1:
            raise Unreadable(f"{self.names[k]} has several successors")
        return next(iter(targets))

    def at(self, k: int) -> list[Task]:
        return [task for tasks in self.tasks.values() for task in tasks if task.buffer == k]


def build(network: Json, policy: Json) -> Chain:
    """The chain.  Raises ``Unreadable``, also if the network is not one."""
    try:
        if network["kind"] == "buffer":
            return _buffers(network, policy)
        return _union(network, policy) if policy.get("routing") == "jsq" else _expansion(network, policy)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error


def _option(k: int | None, *, compared: Form | None = None) -> Option:
    return Option(((ONE, k),), tuple(sorted((compared or {}).items())))


def _by_server(servers: list[str], tasks: list[Task]) -> dict[str, tuple[Task, ...]]:
    if len(set(servers)) < len(servers) or any(task.server not in servers or task.rate <= 0 for task in tasks):
        raise Unreadable("servers or rates")
    return {n: tuple(sorted((t for t in tasks if t.server == n), key=lambda t: t.buffer)) for n in servers}


def _rate(job_class: Json) -> Fraction:
    rate = number(job_class["arrival_rate"])
    if rate <= 0:
        raise Unreadable("an arrival rate of 0")
    return rate


# ---- route networks ------------------------------------------------------------------------------------------------
def _expansion(network: Json, policy: Json) -> Chain:
    names: list[str] = []
    tasks: list[Task] = []
    arrivals: list[Arrival] = []
    positions: dict[int, int] = {}
    for c in network["classes"]:
        routes: dict[str, list[int]] = {}
        for route in c["routes"]:
            buffers = range(len(names), len(names) + len(route["visits"]))
            if route["name"] in routes or not buffers:
                raise Unreadable("routes")
            routes[route["name"]] = list(buffers)
            for position, (k, visit) in enumerate(zip(buffers, route["visits"], strict=True), start=1):
                names.append(f"{c['name']}.{route['name']}.{position}")
                positions[k] = position
                after = k + 1 if k + 1 in buffers else None
                tasks.append(Task(visit["server"], k, number(visit["rate"]), (_option(after),)))
        arrivals.append(Arrival(c["name"], _rate(c), _entries(c["name"], routes, policy, names)))
    return _chain(names, tasks, arrivals, positions, network, policy)


def _entries(name: str, routes: Mapping[str, list[int]], policy: Json, names: list[str]) -> tuple[Option, ...]:
    routing = policy.get("routing", policy.get("preset"))
    if routing == "bernoulli":
        shares = numbers(policy["probabilities"][name])
        if set(shares) != set(routes) or sum(shares.values()) != 1 or min(shares.values()) <= 0:
            raise Unreadable("probabilities")
        return (Option(tuple((shares[route], buffers[0]) for route, buffers in routes.items())),)
    if routing == "fixed" and len(routes) > 1:
        raise Unreadable("several routes under fixed")
    if routing == "weighted-route":
        weights = numbers(policy["route_weights"])
        mine = {buffer: weights.get(names[buffer], Fraction(0)) for buffers in routes.values() for buffer in buffers}
        if min(mine.values()) <= 0:
            raise Unreadable("route weights")
        return tuple(_option(b[0], compared={k: mine[k] for k in b}) for b in routes.values())
    if routing not in ("fixed", "jsr", "jsq-as"):
        raise Unreadable(f"routing {routing}")
    counted = {r: b[:1] if routing == "jsq-as" else b for r, b in routes.items()}
    return tuple(_option(b[0], compared=dict.fromkeys(counted[r], ONE)) for r, b in routes.items())


def _union(network: Json, policy: Json) -> Chain:
    """Routing jsq: one buffer per class and server."""
    names: list[str] = []
    for c in network["classes"]:
        names += dict.fromkeys(f"{c['name']}@{visit['server']}" for route in c["routes"] for visit in route["visits"])
    place = {name: k for k, name in enumerate(names)}
    queue: dict[str, Form] = {}
    for name, k in place.items():
        queue.setdefault(name.split("@")[1], {})[k] = ONE
    tasks, arrivals, positions = [], [], {}
    for c in network["classes"]:
        routes = [[visit["server"] for visit in route["visits"]] for route in c["routes"]]
        rates = {visit["server"]: number(visit["rate"]) for route in c["routes"] for visit in route["visits"]}

        def to(servers: list[str], name: str = c["name"]) -> tuple[Option, ...]:
            return tuple(_option(place[f"{name}@{n}"], compared=queue[n]) for n in dict.fromkeys(servers))

        for n, rate in rates.items():
            after = [b for route in routes for a, b in pairwise(route) if a == n]
            if after and any(route[-1] == n for route in routes):
                raise Unreadable("a server that is last on some routes only")
            tasks.append(Task(n, place[f"{c['name']}@{n}"], rate, to(after) if after else (_option(None),)))
            places = {route.index(n) + 1 for route in routes if n in route}
            if len(places) > 1 and policy.get("sequencing") in ("fbfs", "lbfs"):
                raise Unreadable(f"{n} has several positions")
            positions[place[f"{c['name']}@{n}"]] = min(places)
        arrivals.append(Arrival(c["name"], _rate(c), to([route[0] for route in routes])))
    return _chain(names, tasks, arrivals, positions, network, policy)


def _chain(
    names: list[str], tasks: list[Task], arrivals: list[Arrival], positions: dict[int, int], network: Json, policy: Json
) -> Chain:
    if len({c["name"] for c in network["classes"]}) < len(network["classes"]):
        raise Unreadable("classes")
    place = {name: k for k, name in enumerate(names)}
    spec = policy.get("dominance_function")
    dominance = tuple(pieces(spec, network, place)) if spec is not None else ()
    by_server = _by_server(list(network["servers"]), tasks)
    return Chain(tuple(names), tuple(by_server), tuple(arrivals), by_server, positions, dominance, network, policy)


# ---- buffer networks -----------------------------------------------------------------------------------------------
def _buffers(network: Json, policy: Json) -> Chain:
    names = [buffer["name"] for buffer in network["buffers"]]
    place = {name: k for k, name in enumerate(names)}
    tasks, streams = [], {buffer["name"]: number(buffer["arrival_rate"]) for buffer in network["buffers"]}
    for activity in network["activities"]:
        shares = {place[target]: p for target, p in numbers(activity["next"]).items()}
        rest = 1 - sum(shares.values(), Fraction(0))
        if rest < 0 or any(p <= 0 for p in shares.values()):
            raise Unreadable("probabilities")
        moves: list[tuple[Fraction, int | None]] = [(p, k) for k, p in shares.items()]
        moves += [(rest, None)] if rest else []
        tasks.append(
            Task(activity["server"], place[activity["buffer"]], number(activity["rate"]), (Option(tuple(moves)),))
        )
    pairs = {(task.server, task.buffer) for task in tasks}
    if len(pairs) < len(tasks) or {k for _, k in pairs} != set(range(len(names))) or min(streams.values()) < 0:
        raise Unreadable("activities or arrival rates")
    arrivals = tuple(Arrival(name, rate, (_option(place[name]),)) for name, rate in streams.items() if rate)
    by_server = _by_server(list(network["servers"]), tasks)
    return Chain(tuple(names), tuple(by_server), arrivals, by_server, {}, (), network, policy)
