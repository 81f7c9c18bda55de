"""Random small instances of every walked policy, and random states with many ties and zeros (hypothesis)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from verify.network.model import (
    Activity,
    Buffer,
    BufferNetwork,
    ExplicitTemplate,
    FreePieces,
    FunctionSpec,
    Holding,
    Instance,
    JobClass,
    Network,
    Policy,
    Route,
    RouteNetwork,
    Routing,
    Sequencing,
    Visit,
)
from verify.network.names import server_buffers, subserver_names

Draw = st.DrawFn
State = dict[str, int]

#: What each routing may be combined with (THEORY 1, holding none); on buffer networks routing fixed is the only word.
STATIC = (Sequencing.PRIORITY, Sequencing.FBFS, Sequencing.LBFS, Sequencing.NON_IDLING)
ON_ROUTES = (*STATIC, Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT)
UNDER_JSQ = (*STATIC, Sequencing.LONGEST_QUEUE)
ON_BUFFERS = (Sequencing.PRIORITY, Sequencing.NON_IDLING, Sequencing.LONGEST_QUEUE)

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
def route_networks(draw: Draw, most_routes: int = 3) -> RouteNetwork:
    """One or two classes; routes of up to three visits, also with a server twice; every visit with its own rate."""
    servers = tuple(draw(st.permutations(["1", "A", "2"]))[: draw(st.integers(1, 3))])
    classes = []
    for name in ("c", "d")[: draw(st.integers(1, 2))]:
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
        paths = layers(draw, order) if layered else graph_paths(draw, order)
        rates = {server: draw(RATES) for server in order}
        routes = (Route(f"r{i}", tuple(Visit(s, rates[s]) for s in path)) for i, path in enumerate(paths))
        classes.append(JobClass(name, draw(RATES), tuple(routes)))
    return RouteNetwork(servers, tuple(classes))


def layers(draw: Draw, order: Sequence[str]) -> list[list[str]]:
    """All ways through up to three layers of servers."""
    cuts = sorted(draw(st.sets(st.integers(1, len(order)), min_size=1, max_size=3)))
    paths: list[list[str]] = [[]]
    for start, end in pairwise([0, *cuts]):
        paths = [[*path, server] for path in paths for server in order[start:end]]
    return paths


def graph_paths(draw: Draw, order: Sequence[str]) -> list[list[str]]:
    """All paths of a random acyclic graph from some servers to those without a follower."""
    graph = {server: subset(draw, order[i + 1 :]) if order[i + 1 :] else [] for i, server in enumerate(order)}
    for server in order:
        if draw(st.booleans()):
            graph[server] = []
    paths, complete = [[server] for server in subset(draw, order)], []
    while paths:
        path = paths.pop(0)
        complete += [] if graph[path[-1]] else [path]
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
def instances(draw: Draw, routing: Routing, sequencing: Sequencing, buffers: bool = False) -> Instance:
    """An instance with this routing and sequencing."""
    network: Network
    if buffers:
        network = draw(buffer_networks())
    elif routing is Routing.JSQ:
        network = draw(union_networks(sequencing in (Sequencing.FBFS, Sequencing.LBFS)))
    elif routing is Routing.FIXED:
        network = draw(route_networks(1))
    else:
        network = draw(route_networks(2 if sequencing is Sequencing.DOMINANT else 3))
    return Instance(network, draw(policies(network, routing, sequencing)))


@st.composite
def policies(draw: Draw, network: Network, routing: Routing, sequencing: Sequencing) -> Policy:
    """A policy with its details: probabilities, priorities, dominance function and tie order."""
    probabilities, priority, tie_order = {}, {}, {}
    dominance: FunctionSpec | None = None
    if routing is Routing.BERNOULLI and isinstance(network, RouteNetwork):
        for job_class in network.classes:
            split = shares(draw, len(job_class.routes))
            probabilities[job_class.name] = {r.name: p for r, p in zip(job_class.routes, split, strict=True)}
    queues = {n: found for n, found in server_buffers(network, Policy(routing=routing)).items() if found}
    if sequencing is Sequencing.PRIORITY:
        priority = {server: tuple(draw(st.permutations(found))) for server, found in queues.items()}
    if sequencing is Sequencing.DOMINANT and isinstance(network, RouteNetwork):
        dominance = draw(st.one_of(templates(network), free_functions(network)))
        ordered = subset(draw, list(queues)) if draw(st.booleans()) else []
        tie_order = {server: tuple(draw(st.permutations(queues[server]))) for server in ordered}
    return Policy(
        routing=routing,
        sequencing=sequencing,
        holding=Holding.NONE,
        probabilities=probabilities,
        priority=priority,
        tie_order=tie_order,
        dominance_function=dominance,
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


WALKED = [
    *((Routing.FIXED, rule, False) for rule in ON_ROUTES),
    *((routing, rule, False) for routing in (Routing.BERNOULLI, Routing.JSR) for rule in ON_ROUTES),
    *((Routing.JSQ, rule, False) for rule in UNDER_JSQ),
    *((Routing.FIXED, rule, True) for rule in ON_BUFFERS),
]
"""All walked combinations: (routing, sequencing, on a buffer network)."""


def label(combination: tuple[Routing, Sequencing, bool]) -> str:
    """The combination as a test's name."""
    routing, sequencing, buffers = combination
    return f"{'buffers' if buffers else routing}-{sequencing}"
