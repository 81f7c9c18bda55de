"""Random small instances of every walked policy, and random states with many ties and zeros (hypothesis)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st
from made import made
from stated import Holding, Preset, Routing, Sequencing

from verify.network.model import (
    Activity,
    Buffer,
    BufferNetwork,
    ExplicitTemplate,
    FreePieces,
    FunctionSpec,
    JobClass,
    Network,
    Route,
    RouteNetwork,
    Visit,
)
from verify.network.names import Coordinates, coordinate_names, server_buffers, subserver_names
from verify.policies.instance import Instance
from verify.policies.policy import Policy

Draw = st.DrawFn
State = dict[str, int]

#: Sequencings by what they need (theory 1); on buffer networks routing fixed is the only word.
STATIC = (Sequencing.PRIORITY, Sequencing.FBFS, Sequencing.LBFS, Sequencing.NON_IDLING)
COMPARING = (Sequencing.LONGEST_QUEUE, Sequencing.MAX_WEIGHT, Sequencing.BACK_PRESSURE)
ON_ROUTES = (*STATIC, *COMPARING, Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT)
UNDER_JSQ = (*STATIC, Sequencing.LONGEST_QUEUE, Sequencing.MAX_WEIGHT)
ON_BUFFERS = (Sequencing.PRIORITY, Sequencing.NON_IDLING, *COMPARING)


@dataclass(frozen=True)
class Combination:
    """A kind of policy, on a route network or (``buffers``) a buffer network; ``preset`` stands alone."""

    routing: Routing = Routing.FIXED
    sequencing: Sequencing = Sequencing.NON_IDLING
    holding: Holding = Holding.NONE
    buffers: bool = False
    preset: Preset | None = None

    def __str__(self) -> str:
        if self.preset is not None:
            return str(self.preset)
        words = ["buffers" if self.buffers else self.routing, self.sequencing, self.holding]
        return "-".join(words[: 2 if self.holding is Holding.NONE else 3])


#: All walked policies.
WALKED = (
    *(Combination(routing, rule) for routing in (Routing.FIXED, Routing.BERNOULLI, Routing.JSR) for rule in ON_ROUTES),
    *(Combination(Routing.WEIGHTED_ROUTE, rule) for rule in (Sequencing.NON_IDLING, Sequencing.LONGEST_DUPLICATE)),
    *(Combination(routing, rule, Holding.SPILLBACK) for routing in (Routing.FIXED, Routing.JSR) for rule in ON_ROUTES),
    *(Combination(Routing.JSQ, rule) for rule in UNDER_JSQ),
    *(Combination(Routing.FIXED, rule, buffers=True) for rule in ON_BUFFERS),
    Combination(preset=Preset.JSQ_AS),
)
DOMINANT = tuple(combination for combination in WALKED if combination.sequencing is Sequencing.DOMINANT)

RATES = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 4), Fraction(7, 5)])
WEIGHTS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2, 3), Fraction(2)])
JOBS = st.sampled_from([0, 0, 0, 1, 1, 1, 2, 2, 3, 7])
#: No coordinate is zero; nearly always no form of the walk vanishes.
SPREAD = st.integers(1, 10**6)


def shares(draw: Draw, number: int) -> list[Fraction]:
    """``number`` probabilities > 0 with sum 1."""
    parts = [draw(st.integers(1, 4)) for _ in range(number)]
    return [Fraction(part, sum(parts)) for part in parts]


def subset(draw: Draw, items: Sequence[str]) -> list[str]:
    """Some of the items, at least one, in their order."""
    chosen = draw(st.sets(st.sampled_from(items), min_size=1))
    return [item for item in items if item in chosen]


# ---- networks ------------------------------------------------------------------------------------------------------
@st.composite
def route_networks(draw: Draw, most_routes: int, most_classes: int = 2) -> RouteNetwork:
    """Routes of up to three visits, also with a server twice; every visit with its own rate."""
    servers = tuple(draw(st.permutations(["1", "A", "2"]))[: draw(st.integers(1, 3))])
    classes = []
    for name in ("c", "d")[: draw(st.integers(1, most_classes))]:
        routes = []
        for number in range(draw(st.integers(1, most_routes))):
            visits = draw(st.lists(st.builds(Visit, st.sampled_from(servers), RATES), min_size=1, max_size=3))
            routes.append(Route(f"r{number}", tuple(visits)))
        classes.append(JobClass(name, draw(RATES), tuple(routes)))
    return RouteNetwork(servers, tuple(classes))


@st.composite
def union_networks(draw: Draw, layered: bool) -> RouteNetwork:
    """Networks for jsq: the routes of a class are all paths of an acyclic graph from its first to its last servers.

    ``layered``: each server has one position, as fbfs and lbfs want it.
    """
    servers = tuple(draw(st.permutations(["1", "A", "2", "B"])))
    classes = []
    for name in ("c", "d")[: draw(st.integers(1, 2))]:
        order = draw(st.permutations(servers))
        classes.append(path_class(draw, name, layers(draw, order) if layered else graph_paths(draw, order, False)))
    return RouteNetwork(servers, tuple(classes))


@st.composite
def exchange_networks(draw: Draw) -> RouteNetwork:
    """Networks for jsq-as: one class; the beginning of a route and the end of another through a shared server are one."""
    order = draw(st.permutations(["1", "A", "2"]))
    return RouteNetwork(tuple(draw(st.permutations(order))), (path_class(draw, "c", graph_paths(draw, order, True)),))


def path_class(draw: Draw, name: str, paths: Sequence[Sequence[str]]) -> JobClass:
    """A class with these routes; one rate for each server."""
    rates = {server: draw(RATES) for server in dict.fromkeys(server for path in paths for server in path)}
    routes = (Route(f"r{i}", tuple(Visit(s, rates[s]) for s in path)) for i, path in enumerate(paths))
    return JobClass(name, draw(RATES), tuple(routes))


def layers(draw: Draw, order: Sequence[str]) -> list[list[str]]:
    """All ways through up to three layers of servers."""
    cuts = sorted(draw(st.sets(st.integers(1, len(order)), min_size=1, max_size=3)))
    paths: list[list[str]] = [[]]
    for start, end in pairwise([0, *cuts]):
        paths = [[*path, server] for path in paths for server in order[start:end]]
    return paths


def graph_paths(draw: Draw, order: Sequence[str], ends: bool) -> list[list[str]]:
    """All paths of a random acyclic graph from some servers to those without a follower (``ends``: or to any server at
    which jobs may leave)."""
    graph = {server: subset(draw, order[i + 1 :]) if order[i + 1 :] else [] for i, server in enumerate(order)}
    for server in order:
        if draw(st.booleans()):
            graph[server] = []
    last = {server for server in order if not graph[server] or (ends and draw(st.booleans()))}
    paths, complete = [[server] for server in subset(draw, order)], []
    while paths:
        path = paths.pop(0)
        complete += [path] if path[-1] in last else []
        paths += [[*path, server] for server in graph[path[-1]]]
    return complete


@st.composite
def buffer_networks(draw: Draw) -> BufferNetwork:
    """Up to four buffers on up to three servers, a buffer may have several; random next buffers, also itself."""
    servers, names = ("A", "1", "B"), [f"q{i}" for i in range(draw(st.integers(1, 4)))]
    activities = []
    for name in names:
        for number, server in enumerate(subset(draw, servers)):
            targets = subset(draw, names) if draw(st.booleans()) else []
            leaving = number == 0 or draw(st.booleans())  # a job of every buffer can leave
            split = shares(draw, len(targets) + leaving)
            activities.append(Activity(server, name, draw(RATES), dict(zip(targets, split, strict=False))))
    first = draw(RATES)
    arrivals = [first, *(draw(st.one_of(st.just(Fraction(0)), RATES)) for _ in names[1:])]
    buffers = tuple(Buffer(name, rate) for name, rate in zip(names, arrivals, strict=True))
    return BufferNetwork(servers, buffers, tuple(draw(st.permutations(activities))))


# ---- policies ------------------------------------------------------------------------------------------------------
@st.composite
def instances(draw: Draw, kind: Combination) -> Instance:
    """An instance with this kind of policy."""
    network: Network
    if kind.preset is not None:
        return Instance(draw(exchange_networks()), made(preset=kind.preset))
    if kind.buffers:
        network = draw(buffer_networks())
    elif kind.routing is Routing.JSQ:
        network = draw(union_networks(kind.sequencing in (Sequencing.FBFS, Sequencing.LBFS)))
    elif kind.routing is Routing.FIXED:
        network = draw(route_networks(1))
    elif kind.holding is Holding.SPILLBACK:  # at most six buffers at a server, more are not walked
        network = draw(route_networks(2, 1))
    else:
        network = draw(route_networks(2 if kind.sequencing is Sequencing.DOMINANT else 3))
    return Instance(network, draw(policies(network, kind)))


@st.composite
def policies(draw: Draw, network: Network, kind: Combination) -> Policy:
    """A policy with its details: probabilities, priorities, dominance function and tie order."""
    routing, sequencing = kind.routing, kind.sequencing
    probabilities, priority, tie_order = {}, {}, {}
    dominance: FunctionSpec | None = None
    if routing is Routing.BERNOULLI and isinstance(network, RouteNetwork):
        for job_class in network.classes:
            split = shares(draw, len(job_class.routes))
            probabilities[job_class.name] = {r.name: p for r, p in zip(job_class.routes, split, strict=True)}
    counted = Coordinates.PAIRS if routing is Routing.JSQ else Coordinates.SUBSERVERS
    queues = {n: found for n, found in server_buffers(network, counted).items() if found}
    if sequencing is Sequencing.PRIORITY:
        priority = {server: tuple(draw(st.permutations(found))) for server, found in queues.items()}
    if sequencing is Sequencing.DOMINANT and isinstance(network, RouteNetwork):
        dominance = draw(st.one_of(templates(network), free_functions(network)))
        ordered = subset(draw, list(queues)) if draw(st.booleans()) else []
        tie_order = {server: tuple(draw(st.permutations(queues[server]))) for server in ordered}
    servers: dict[str, list[str]] = {}
    if isinstance(network, BufferNetwork):
        for activity in network.activities:
            servers.setdefault(activity.buffer, []).append(activity.server)
    shared = [buffer for buffer, several in servers.items() if len(several) > 1]
    held = bool(shared) and draw(st.booleans())
    listed = subset(draw, shared) if held else []
    return made(
        routing=routing,
        sequencing=sequencing,
        holding=kind.holding,
        probabilities=probabilities,
        buffer_weights={name: draw(WEIGHTS) for name in coordinate_names(network, counted)}
        if draw(st.booleans())
        else {},
        route_weights={name: draw(WEIGHTS) for name in coordinate_names(network, counted)},
        priority=priority,
        tie_order=tie_order,
        dominance_function=dominance,
        server_order={buffer: tuple(draw(st.permutations(servers[buffer]))) for buffer in listed},
    )


@st.composite
def templates(draw: Draw, network: RouteNetwork) -> ExplicitTemplate:
    """Parameters of the explicit template, in no particular order of size."""
    lengths = (
        max(len(route) for job_class in network.classes for route in job_class.routes),
        max(len(job_class.routes) for job_class in network.classes),
        len(network.classes),
    )
    return ExplicitTemplate(*(tuple(draw(WEIGHTS) for _ in range(length)) for length in lengths))


@st.composite
def free_functions(draw: Draw, network: RouteNetwork) -> FreePieces:
    """Up to four pieces, on each route positive on an initial segment and 0 after it."""
    pieces: list[dict[str, Fraction]] = []
    for _ in range(draw(st.integers(1, 4))):
        piece = {}
        for job_class in network.classes:
            for route in job_class.routes:
                for position in range(1, draw(st.integers(0, len(route))) + 1):
                    piece[f"{job_class.name}.{route.name}.{position}"] = draw(WEIGHTS)
        if piece and piece not in pieces:
            pieces.append(piece)
    return FreePieces(tuple(pieces or [dict.fromkeys(subserver_names(network), Fraction(1))]))


# ---- states --------------------------------------------------------------------------------------------------------
@st.composite
def states(draw: Draw, names: Iterable[str]) -> State:
    """Few jobs: many ties and empty buffers."""
    return {name: draw(JOBS) for name in names}


@st.composite
def spread_states(draw: Draw, names: Iterable[str]) -> State:
    """Every buffer busy, no two alike, with hardly ever a tie of any kind."""
    return {name: draw(SPREAD) for name in names}
