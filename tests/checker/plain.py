"""What each component can do in one state: a plain reading of theory 1, for `test_cover` to compare with.

Networks and policies are the JSON of a certificate; nothing of the checker is used. A choice is the buffer served
(None: an arrival, or nothing) with the mean drift; at a uniform tie every possible target is a choice of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from .examples import Json

State = dict[str, int]
Drift = dict[str, Fraction]
Choice = tuple[str | None, Drift]
EXIT = "exit"
IDLE: Choice = (None, {})


@dataclass(frozen=True)
class Task:
    """A buffer that a server may serve: at which rate, at which position, and the possible laws of the next buffer."""

    buffer: str
    rate: Fraction
    position: int
    nexts: tuple[Drift, ...]


def move(source: str | None, law: Drift, rate: Fraction) -> Choice:
    """One job leaves the source (None: arrives) at a rate, and goes where the law says."""
    drift: Drift = {} if source is None else {source: -rate}
    for target, probability in law.items():
        drift[target] = drift.get(target, Fraction(0)) + rate * probability
    drift.pop(EXIT, None)
    return source, {key: value for key, value in drift.items() if value}


def smallest(values: Mapping[str, int | Fraction]) -> list[str]:
    return [key for key, value in values.items() if value == min(values.values())]


class Plain:
    """A network under a policy."""

    def __init__(self, network: Json, policy: Json) -> None:
        self.network = network
        self.policy = policy
        self.jsq = policy.get("routing") == "jsq"
        self.classes: list[Json] = network.get("classes", [])

    def paths(self, job_class: Json) -> list[list[Json]]:
        return [route["visits"] for route in job_class["routes"]]

    def subservers(self) -> dict[str, tuple[str, str, Fraction, int]]:
        """name -> (server, next subserver or exit, rate, position)"""
        found = {}
        for job_class in self.classes:
            for route in job_class["routes"]:
                prefix = f"{job_class['name']}.{route['name']}."
                for i, visit in enumerate(route["visits"], start=1):
                    after = f"{prefix}{i + 1}" if i < len(route["visits"]) else EXIT
                    found[f"{prefix}{i}"] = (visit["server"], after, Fraction(visit["rate"]), i)
        return found

    def queue(self, x: State, server: str) -> int:
        return sum(jobs for name, jobs in x.items() if name.endswith(f"@{server}"))

    # ---- arrivals
    def arrivals(self, x: State) -> dict[str, list[Choice]]:
        found: dict[str, list[Choice]] = {}
        for buffer in self.network.get("buffers", []):
            if Fraction(buffer["arrival_rate"]) > 0:
                law = {buffer["name"]: Fraction(1)}
                found[f"arrival {buffer['name']}"] = [move(None, law, Fraction(buffer["arrival_rate"]))]
        for job_class in self.classes:
            rate = Fraction(job_class["arrival_rate"])
            laws = self.entries(job_class, x)
            found[f"class {job_class['name']}"] = [move(None, law, rate) for law in laws]
        return found

    def entries(self, job_class: Json, x: State) -> list[Drift]:
        """The possible laws of the first buffer."""
        name = job_class["name"]
        first = {route["name"]: f"{name}.{route['name']}.1" for route in job_class["routes"]}
        if self.policy.get("preset"):
            return [{k: Fraction(1)} for k in smallest({k: x[k] for k in first.values()})]
        if self.jsq:
            servers = {path[0]["server"]: self.queue(x, path[0]["server"]) for path in self.paths(job_class)}
            return [{f"{name}@{server}": Fraction(1)} for server in smallest(servers)]
        if self.policy["routing"] == "bernoulli":
            given = self.policy["probabilities"][name]
            return [{first[route]: Fraction(p) for route, p in given.items()}]
        weights = {k: Fraction(a) for k, a in self.policy.get("route_weights", {}).items()}
        jobs = {r: sum(weights.get(k, 1) * x[k] for k in x if k.startswith(f"{name}.{r}.")) for r in first}
        return [{first[route]: Fraction(1)} for route in smallest(jobs)]

    # ---- tasks
    def tasks(self, x: State, server: str) -> list[Task]:
        if not self.classes:
            return [self.activity(a) for a in self.network["activities"] if a["server"] == server]
        if self.jsq:
            return [task for job_class in self.classes for task in self.queue_tasks(job_class, x, server)]
        return [
            Task(name, rate, position, ({after: Fraction(1)},))
            for name, (at, after, rate, position) in self.subservers().items()
            if at == server
        ]

    def activity(self, activity: Json) -> Task:
        law = {name: Fraction(p) for name, p in activity["next"].items()}
        rest = 1 - sum(law.values(), Fraction(0))
        if rest > 0:
            law[EXIT] = rest
        return Task(activity["buffer"], Fraction(activity["rate"]), 0, (law,))

    def queue_tasks(self, job_class: Json, x: State, server: str) -> list[Task]:
        visits = [(p, i) for p in self.paths(job_class) for i, v in enumerate(p) if v["server"] == server]
        if not visits:
            return []
        after = {p[i + 1]["server"]: self.queue(x, p[i + 1]["server"]) for p, i in visits if i + 1 < len(p)}
        names = [f"{job_class['name']}@{n}" for n in smallest(after)] if after else [EXIT]
        path, i = visits[0]
        laws = tuple({name: Fraction(1)} for name in names)
        return [Task(f"{job_class['name']}@{server}", Fraction(path[i]["rate"]), i + 1, laws)]

    # ---- sequencing and holding
    def held(self, x: State, task: Task) -> bool:
        """The rate of k is 0 while x_{k_s} >= x_k; the last visit is never held."""
        if self.policy["holding"] == "none" or EXIT in task.nexts[0]:
            return False
        ((after, _),) = task.nexts[0].items()
        return x[after] >= x[task.buffer]

    def pressure(self, x: State, task: Task) -> Fraction:
        (law,) = task.nexts
        return task.rate * (x[task.buffer] - sum(p * x.get(after, 0) for after, p in law.items()))

    def chosen(self, x: State, server: str, ready: list[Task], ends: set[str]) -> list[Task]:
        """The ready tasks that the sequencing allows; `ends` are the bottlenecks of the dominant piece."""
        if self.policy["sequencing"] == "dominant":
            order = self.policy.get("tie_order", {}).get(server)
            first = [task for task in ready if task.buffer in ends]
            if first and order:
                return [min(first, key=lambda task: order.index(task.buffer))]
            return first or ready
        score = self.score(x, server)
        return [task for task in ready if score(task) == max(map(score, ready))]

    def score(self, x: State, server: str) -> Callable[[Task], Fraction | int]:
        """How much the server wants a task."""
        found: dict[str, Callable[[Task], Fraction | int]] = {
            "non-idling": lambda task: 0,
            "priority": lambda task: -self.policy["priority"][server].index(task.buffer),
            "fbfs": lambda task: -task.position,
            "lbfs": lambda task: task.position,
            "longest-queue": lambda task: x[task.buffer],
            "longest-duplicate": lambda task: x[task.buffer],
            "max-weight": lambda task: self.weight(task) * task.rate * x[task.buffer],
            "back-pressure": lambda task: self.pressure(x, task),
        }
        return found[self.policy["sequencing"]]

    def weight(self, task: Task) -> Fraction:
        """Of its buffer, 1 without one."""
        return Fraction(self.policy.get("buffer_weights", {}).get(task.buffer, "1"))

    # ---- several servers at one buffer
    def shared(self) -> dict[str, list[str]]:
        """The buffers with several servers, and these."""
        found: dict[str, list[str]] = {}
        for activity in self.network.get("activities", []):
            found.setdefault(activity["buffer"], []).append(activity["server"])
        return {buffer: servers for buffer, servers in found.items() if len(servers) > 1}

    def assignments(self, x: State) -> list[dict[str, Task | None]]:
        """All that the servers may do together: one server for a job, and nobody would rather have what he can have."""
        servers = self.network["servers"]
        choices = [[t for t in self.tasks(x, n) if self.ready(x, t)] for n in servers]
        every = itertools.product(*([*ready, None] for ready in choices))
        found = [dict(zip(servers, chosen, strict=True)) for chosen in every]
        return [
            one
            for one in found
            if all(len(self.at(one, t.buffer)) <= x[t.buffer] for t in one.values() if t)
            and not any(self.rather(x, one, n, t) for n, ready in zip(servers, choices, strict=True) for t in ready)
        ]

    def ready(self, x: State, task: Task) -> bool:
        """A job that is not held; under back-pressure one that presses."""
        pressed = self.policy["sequencing"] == "back-pressure"
        return x[task.buffer] > 0 and not self.held(x, task) and not (pressed and self.pressure(x, task) < 0)

    def at(self, assignment: dict[str, Task | None], buffer: str) -> list[str]:
        return [server for server, task in assignment.items() if task is not None and task.buffer == buffer]

    def rather(self, x: State, assignment: dict[str, Task | None], server: str, task: Task) -> bool:
        """Whether the server would rather do this, and can: a job is free, or with a server after it in the order."""
        now, score = assignment[server], self.score(x, server)
        if now is not None and score(task) <= score(now):
            return False
        busy = self.at(assignment, task.buffer)
        order = self.policy.get("server_order", {}).get(task.buffer, [])
        behind = order and any(order.index(other) > order.index(server) for other in busy)
        return len(busy) < x[task.buffer] or bool(behind)

    def service(self, x: State, server: str, ends: set[str]) -> list[Choice]:
        """All that a server may do."""
        if self.policy.get("preset"):
            return self.moves(x, server)
        ready = [task for task in self.tasks(x, server) if x[task.buffer] > 0 and not self.held(x, task)]
        pressed = self.policy["sequencing"] == "back-pressure"
        if not ready or (pressed and max(self.pressure(x, task) for task in ready) < 0):
            return [IDLE]
        served = [move(t.buffer, law, t.rate) for t in self.chosen(x, server, ready, ends) for law in t.nexts]
        # At pressure 0 it does not matter to us whether the server works.
        at_zero = pressed and max(self.pressure(x, task) for task in ready) == 0
        return [*served, IDLE] if at_zero else served

    # ---- jsq-as
    def moves(self, x: State, server: str) -> list[Choice]:
        """The longest subserver loses a job, the allowed destination with the fewest jobs gains it."""
        known = self.subservers()
        allowed: dict[str, int] = {}
        for k, (at, after, _, _) in known.items():
            places = [EXIT] if after == EXIT else [j for j in known if known[j][0] == known[after][0]]
            for j in places:
                if at == server and x[k] >= 1 and x.get(j, 0) < x[k]:
                    allowed[j] = x.get(j, 0)
        if not allowed:
            return [IDLE]
        own = [k for k in known if known[k][0] == server]
        longest = [k for k in own if x[k] == max(x[k] for k in own)]
        return [move(s, {j: Fraction(1)}, known[s][2]) for s in longest for j in smallest(allowed)]

    # ---- dominant
    def dominant(self, x: State) -> set[str]:
        """The bottlenecks of the first maximal piece of the dominance function."""
        pieces = [{k: Fraction(w) for k, w in piece.items()} for piece in self.policy["dominance_function"]["pieces"]]
        piece = max(pieces, key=lambda weights: sum(w * x[k] for k, w in weights.items()))
        return {k for k, (_, after, _, _) in self.subservers().items() if piece.get(k, 0) > piece.get(after, 0)}
