"""The components of the walk, with guards and mean drifts, rebuilt from network and policy (FORMAT.md section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verify.checker.data import Policy
from verify.checker.forms import AT_LEAST, EQUAL, Fact, Family, Form, Normals, count
from verify.checker.state import Service, State, Stream

Jumps = Iterable[tuple[int | None, int | None, Fraction]]  # from, to (None: outside), rate


@dataclass(frozen=True)
class Alternative:
    """One thing a component may do where its closed guard holds.

    drift: the number of its mean drift in the model's list. serves: the buffer that loses a job (then x >= 1).
    targets: the buffers the job may reach with positive probability, None for the exit.
    """

    name: str
    guard: tuple[Fact, ...]
    drift: int
    serves: int | None = None
    targets: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Part:
    """Alternatives one of which is taken; `server` is empty for a class."""

    server: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Branch:
    """A common choice of a component: a guard, and parts that choose freely within it."""

    name: str
    guard: tuple[Fact, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Component:
    """An independent part of the walk."""

    name: str
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Model:
    """Everything the conditions need.

    word: how differences of pieces are called: "dominance" if V is the dominance function, else "piece".
    drifts: the distinct mean drifts, all over the common `denominator`.
    groups: see `priority_groups`; None where sequencing is not of that kind.
    """

    state: State
    pieces: tuple[Form, ...]
    word: str
    normals: Normals
    components: tuple[Component, ...]
    groups: dict[str, tuple[tuple[int, ...], ...]] | None
    drifts: list[Form]
    denominator: int

    def root_signs(self, piece: int) -> dict[str, int]:
        """The root facts of a piece: x >= 0, and the piece is active: w_piece x >= w_j x for every other j."""
        family = piece_family(self.word, self.pieces, self.normals)
        facts = [family.at_least(piece, j) for j in range(len(self.pieces)) if j != piece]
        return {f"x({name})": AT_LEAST for name in self.state.names} | {fact.normal: fact.signs for fact in facts}


def piece_family(word: str, pieces: Sequence[Form], normals: Normals) -> Family:
    """The normals w_i x - w_j x, called by `word`."""
    return Family(f"{word}(", [str(i) for i in range(len(pieces))], pieces, normals)


def build_model(state: State, policy: Policy, pieces: tuple[Form, ...], dominance: tuple[Form, ...]) -> Model:
    """The model of a state, a policy that satisfies **policy**, the pieces of V and of the dominance function."""
    build = _Builder(state, policy)
    components = [build.arrivals(index, stream) for index, stream in enumerate(state.streams)]
    if policy.sequencing == "dominant":
        components.append(build.dominant(dominance))
    else:
        components += [Component(f"server {n}", (Branch("", (), (build.server(n),)),)) for n in state.busy_servers()]
    word = "dominance" if pieces == dominance else "piece"
    family = piece_family(word, pieces, build.normals)
    for i in range(len(pieces)):
        for j in range(i + 1, len(pieces)):
            family.at_least(i, j)
    return Model(state, pieces, word, build.normals, tuple(components), build.groups, build.drifts, build.denominator)


def priority_groups(state: State, policy: Policy) -> dict[str, tuple[tuple[int, ...], ...]] | None:
    """For each server its buffers in groups, the highest first; it serves some buffer of its highest non-empty group.

    One group for non-idling, single buffers for priority, equal positions for fbfs and lbfs; None for other words.
    """
    groups: dict[str, tuple[tuple[int, ...], ...]] = {}
    for server in state.busy_servers():
        buffers = state.buffers_of(server)
        if policy.sequencing == "non-idling":
            rank = dict.fromkeys(buffers, 0)
        elif policy.sequencing == "priority":
            order = (policy.priority or {})[server]
            rank = {k: order.index(state.names[k]) for k in buffers}
        elif policy.sequencing in ("fbfs", "lbfs"):
            sign = 1 if policy.sequencing == "fbfs" else -1
            rank = {k: sign * min(state.positions[k]) for k in buffers}
        else:
            return None
        levels = sorted(set(rank.values()))
        groups[server] = tuple(tuple(k for k in buffers if rank[k] == level) for level in levels)
    return groups


class _Builder:
    """Builds components; all drifts get one common denominator, so that they can be compared as integers."""

    def __init__(self, state: State, policy: Policy) -> None:
        self.state = state
        self.policy = policy
        self.normals = Normals()
        self.groups = priority_groups(state, policy)
        for k, name in enumerate(state.names):
            self.normals.add(f"x({name})", count([k]), count([]))
        queues = [count(state.buffers_of(server)) for server in state.servers]
        self.queues = Family("queue(", state.servers, queues, self.normals)
        rates = [s.rate * o.probability for s in state.services for d in s.destinations for o in d.outcomes]
        rates += [a.rate * (e.probability or 1) for a in state.streams for e in a.entries]
        self.denominator = lcm(*(rate.denominator for rate in rates))
        self.drifts: list[Form] = []
        self.numbers: dict[frozenset[tuple[int, int]], int] = {}

    # ---- helpers
    def drift(self, jumps: Jumps) -> int:
        """The number of the mean drift: sum of rate * jump."""
        total: dict[int, int] = {}
        for source, target, rate in jumps:
            amount = int(rate * self.denominator)
            if source is not None:
                total[source] = total.get(source, 0) - amount
            if target is not None:
                total[target] = total.get(target, 0) + amount
        number = self.numbers.setdefault(frozenset(total.items()), len(self.drifts))
        if number == len(self.drifts):
            self.drifts.append(Form(self.denominator, total))
        return number

    def empty(self, buffers: Iterable[int]) -> tuple[Fact, ...]:
        """x_k = 0 for these buffers."""
        return tuple(Fact(f"x({self.state.names[k]})", EQUAL) for k in buffers)

    def shortest(self, server: str, servers: Sequence[str]) -> tuple[Fact, ...]:
        """Q_server <= Q_other for every other one of the servers."""
        rank = self.state.servers.index
        return tuple(self.queues.at_least(rank(other), rank(server)) for other in servers if other != server)

    def serve(self, prefix: str, service: Service, guard: tuple[Fact, ...]) -> list[Alternative]:
        """The alternatives that serve a buffer: one, or one for each next server that jsq may choose."""
        name = f"{prefix}{self.state.names[service.buffer]}"
        choices = [destination.server for destination in service.destinations]
        found = []
        for destination in service.destinations:
            outcomes = destination.outcomes
            found.append(
                Alternative(
                    name=f"{name} > {destination.server}" if len(choices) > 1 else name,
                    guard=guard + self.shortest(destination.server, choices) if len(choices) > 1 else guard,
                    drift=self.drift((service.buffer, o.target, service.rate * o.probability) for o in outcomes),
                    serves=service.buffer,
                    targets=tuple(outcome.target for outcome in outcomes),
                )
            )
        return found

    def idle(self, prefix: str, server: str) -> Alternative:
        """A server idles only when all its buffers are empty."""
        return Alternative(f"{prefix}(idle)", self.empty(self.state.buffers_of(server)), self.drift([]))

    # ---- 1. classes
    def arrivals(self, index: int, stream: Stream) -> Component:
        """Component of a class (or of a buffer's arrivals): the routing decision at arrival."""
        if self.policy.routing == "bernoulli":
            split = [(None, e.buffer, stream.rate * (e.probability or 0)) for e in stream.entries]
            alternatives = [Alternative(f"{stream.name} / split", (), self.drift(split))]
        else:
            alternatives = [
                Alternative(
                    f"{stream.name} / {entry.label}",
                    self.entry_guard(index, number),
                    self.drift([(None, entry.buffer, stream.rate)]),
                )
                for number, entry in enumerate(stream.entries)
            ]
        return Component(stream.name, (Branch("", (), (Part("", tuple(alternatives)),)),))

    def entry_guard(self, index: int, number: int) -> tuple[Fact, ...]:
        """jsr: the route with the fewest jobs. jsq: the first server with the shortest queue."""
        labels = [entry.label for entry in self.state.streams[index].entries]
        if self.policy.routing == "jsq":
            return self.shortest(labels[number], labels)
        if self.policy.routing == "jsr":
            spans = [count(span) for span in self.state.routes[index]]
            class_name = self.state.streams[index].name.removeprefix("class ")
            family = Family(f"route({class_name}:", labels, spans, self.normals)
            return tuple(family.at_least(other, number) for other in range(len(spans)) if other != number)
        return ()

    # ---- 2. servers
    def server(self, server: str) -> Part:
        """Component of a server: what it serves and where the job goes."""
        prefix = f"server {server} / "
        found: list[Alternative] = []
        for service in self.state.services_of(server):
            found += self.serve(prefix, service, self.service_guard(server, service.buffer))
        return Part(server, (*found, self.idle(prefix, server)))

    def service_guard(self, server: str, buffer: int) -> tuple[Fact, ...]:
        """Groups: every buffer of a higher group is empty. Longest queue: no other buffer of the server has more."""
        if self.groups is not None:
            groups = self.groups[server]
            own = next(index for index, group in enumerate(groups) if buffer in group)
            return self.empty(k for group in groups[:own] for k in group)
        buffers = self.state.buffers_of(server)
        names, own = [self.state.names[k] for k in buffers], buffers.index(buffer)
        family = Family("length(", names, [count([k]) for k in buffers], self.normals)
        return tuple(family.at_least(own, other) for other in range(len(buffers)) if other != own)

    # ---- 3. dominant
    def dominant(self, pieces: Sequence[Form]) -> Component:
        """One component for all servers: they follow one dominant piece."""
        family = piece_family("dominance", pieces, self.normals)
        branches = []
        for i, piece in enumerate(pieces):
            guard = tuple(family.at_least(i, j) for j in range(len(pieces)) if j != i)
            parts = tuple(self.dominant_part(i, piece, server) for server in self.state.busy_servers())
            branches.append(Branch(f"dominant {i}", guard, parts))
        return Component("dominant", tuple(branches))

    def dominant_part(self, number: int, piece: Form, server: str) -> Part:
        """A server serves a non-empty bottleneck of the piece (in its tie order, else free), else any buffer."""
        prefix = f"dominant {number} / server {server} / "
        weight, names = piece.entries, self.state.names
        services = self.state.services_of(server)
        bottlenecks = [s.buffer for s in services if weight.get(s.buffer, 0) > weight.get(_successor(s), 0)]
        order = (self.policy.tie_order or {}).get(server)
        found: list[Alternative] = []
        for service in services:
            if service.buffer not in bottlenecks:
                first = bottlenecks
            elif order is None:
                first = []
            else:
                first = [k for k in bottlenecks if order.index(names[k]) < order.index(names[service.buffer])]
            found += self.serve(prefix, service, self.empty(first))
        return Part(server, (*found, self.idle(prefix, server)))


def _successor(service: Service) -> int:
    """The next subserver on the route; -1, where every piece has weight 0, after the last."""
    target = service.destinations[0].outcomes[0].target
    return -1 if target is None else target
