"""No alternative is missing: in every state of a box, whatever a component can do is listed and its closed guard holds.

The other way round, an alternative all of whose comparisons hold strictly is something that the component can do.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from verify.checker.core.components import Alternative, Guard, Part
from verify.checker.core.data import Pieces
from verify.checker.core.forms import EQUAL, GREATER, LESS, function_pieces
from verify.checker.core.model import Model, build_model
from verify.checker.core.network import check_network
from verify.checker.core.read import read_network
from verify.checker.policies.read import read_policy

from .examples import Json, policy, route_network
from .plain import Choice, Plain, State

RATES = ("1", "2", "3", "1/2", "2/3")
WEIGHTS = ("1", "2", "3", "1/2", "3/5", "100")
GROUPED = ("non-idling", "priority", "fbfs", "lbfs", "dominant")
COMPARING = ("longest-queue", "longest-duplicate", "max-weight", "back-pressure")


def admitted(network: Json, how: Json) -> Model:
    """The checker's model, after all rules on network and policy."""
    read, chosen = read_network(network, "network"), read_policy(how, "policy")
    check_network(read)
    chosen.check_network(read)
    state = chosen.state(read, "fluid")
    chosen.check_state(state, "fluid")
    ones = Pieces((dict.fromkeys(state.names, Fraction(1)),))
    return build_model(state, chosen, function_pieces(ones, state, "V"), chosen.pieces(state))


# ---- random networks -----------------------------------------------------------------------------------------------
def named_class(source: random.Random, name: str, paths: list[str], rates: dict[str, str] | None = None) -> Json:
    """A class with these routes; `rates`: one for each server, else a rate for each visit."""
    routes = [
        [{"server": server, "rate": rates[server] if rates else source.choice(RATES)} for server in path]
        for path in paths
    ]
    listed = [{"name": f"r{i}", "visits": visits} for i, visits in enumerate(routes, start=1)]
    return {"name": name, "arrival_rate": source.choice(RATES), "routes": listed}


def routes_of_any_kind(source: random.Random, several: bool) -> Json:
    """One or two classes on three servers; a route may visit a server twice, also one after the other."""
    classes, left = [], 5
    for name in "ab":
        paths = []
        for _ in range(source.randint(1, 3 if several else 1)):
            length = min(source.choice((1, 2, 2, 3)), left)
            if length:
                paths.append("".join(source.choice("123") for _ in range(length)))
            left -= length
        if paths:
            classes.append(named_class(source, name, paths))
    return route_network("1 2 3", *classes)


def all_paths(edges: dict[str, str], first: str, last: str) -> list[str]:
    """All paths of an acyclic graph from one of the first servers to one of the last."""
    paths, stack = [], list(first)
    while stack:
        path = stack.pop()
        paths += [path] * (path[-1] in last)
        stack += [path + after for after in edges[path[-1]]]
    return sorted(paths)


def graph_class(source: random.Random, name: str, inner_exits: bool, most: int) -> Json:
    """A class whose routes are all paths of a random graph on the servers 1 to 4."""
    while True:
        edges = {n: "".join(m for m in "1234" if m > n and source.random() < 1 / 2) for n in "1234"}
        first = "".join(source.sample("123", source.randint(1, 2)))
        last = "".join(n for n in "1234" if not edges[n] or (inner_exits and source.random() < 1 / 3))
        paths = all_paths(edges, first, last)
        if paths and sum(map(len, paths)) <= most:
            rates = {n: source.choice(RATES) for n in "1234"}
            return named_class(source, name, source.sample(paths, len(paths)), rates)


def random_buffers(source: random.Random, single: bool, who: Sequence[str] = ("A", "B", "AB")) -> Json:
    """Up to four buffers with servers as in `who`; `single`: one successor for each buffer."""
    names = [f"q{i}" for i in range(1, source.randint(2, 4) + 1)]
    activities = []
    for i, name in enumerate(names):
        chain = {source.choice(names[i + 1 :]): "1"} if i + 1 < len(names) and source.random() < 2 / 3 else {}
        for server in source.choice(who):
            law = dict(zip(source.sample(names, 2), ("1/2", source.choice(("1/4", "1/3"))), strict=True))
            row = {"server": server, "buffer": name, "rate": source.choice(RATES), "next": chain if single else law}
            activities.append(row)
    arrivals = [{"name": name, "arrival_rate": source.choice(("1", "1/2", "0"))} for name in names]
    arrivals[0]["arrival_rate"] = "1"
    return {"kind": "buffer", "servers": ["A", "B"], "buffers": arrivals, "activities": activities}


def random_policy(source: random.Random, network: Json, routing: str, sequencing: str, holding: str) -> Json:
    """The words, with what they ask for."""
    more: dict[str, Any] = {"holding": holding}
    if routing == "bernoulli":
        more["probabilities"] = {one["name"]: even_split(one) for one in network["classes"]}
    plain = Plain(network, {"routing": routing})
    orders = {}
    for server in network["servers"]:
        zero: State = Counter()  # every queue is empty
        buffers = [task.buffer for task in plain.tasks(zero, server)]
        if buffers:
            orders[server] = source.sample(buffers, len(buffers))
    if routing == "weighted-route":
        more["route_weights"] = {name: source.choice(WEIGHTS) for name in plain.subservers()}
    if sequencing == "priority":
        more["priority"] = orders
    if sequencing == "max-weight" and source.random() < 2 / 3:
        names = {buffer for order in orders.values() for buffer in order}
        more["buffer_weights"] = {name: source.choice(WEIGHTS) for name in sorted(names)}
    if sequencing == "dominant":
        more["dominance_function"] = {"pieces": random_pieces(source, network)}
        more["tie_order"] = {n: order for n, order in orders.items() if source.random() < 1 / 2}
    return policy(routing, sequencing, **more)


def even_split(job_class: Json) -> dict[str, str]:
    routes = job_class["routes"]
    return {route["name"]: str(Fraction(1, len(routes))) for route in routes}


def random_pieces(source: random.Random, network: Json) -> list[dict[str, str]]:
    """Distinct pieces, each positive on an initial segment of some routes."""
    found: list[dict[str, str]] = []
    while len(found) < 3:
        piece = {}
        for one in network["classes"]:
            for route in one["routes"]:
                for i in range(1, source.randint(0, len(route["visits"])) + 1):
                    piece[f"{one['name']}.{route['name']}.{i}"] = source.choice(("1", "2", "1/2"))
        if piece and piece not in found:
            found.append(piece)
    return found


# ---- the comparison ------------------------------------------------------------------------------------------------
def box(source: random.Random, names: tuple[str, ...]) -> list[State]:
    """All states up to 2 (3 if they are few), and some larger ones."""
    top = 3 if len(names) <= 3 else 2 if len(names) <= 5 else 1
    small = [dict(zip(names, x, strict=True)) for x in itertools.product(range(top + 1), repeat=len(names))]
    return [*small, *({name: source.choice((0, 1, 2, 3, 4, 6, 9)) for name in names} for _ in range(150))]


class Cover:
    """A model in one state."""

    def __init__(self, model: Model, x: State) -> None:
        self.model = model
        self.x = x
        values = [x[name] for name in model.state.names]
        forms = ((name, model.normals.get(name)) for name in model.normals.named)
        totals = {name: sum(c * values[k] for k, c in form.entries.items()) for name, form in forms}
        self.signs = {name: LESS if v < 0 else GREATER if v > 0 else EQUAL for name, v in totals.items()}

    def holds(self, guard: Guard) -> bool:
        return all(self.signs[fact.normal] & fact.signs for fact in guard)

    def strictly(self, guard: Guard) -> bool:
        """Holds, and no comparison is a tie."""
        return self.holds(guard) and all(fact.signs == EQUAL or self.signs[fact.normal] != EQUAL for fact in guard)

    def choice(self, option: Alternative) -> Choice:
        names, form = self.model.state.names, self.model.drifts[option.drift]
        drift = {names[k]: Fraction(v, form.denominator) for k, v in form.entries.items() if v}
        return (None if option.serves is None else names[option.serves]), drift

    def check_part(self, part: Part, possible: list[Choice]) -> None:
        """Everything possible is listed and its guard holds; everything listed that clearly holds is possible."""
        listed = [self.choice(option) for option in part.alternatives if self.holds(option.guard)]
        for choice in possible:
            assert choice in listed, (self.x, part.server, choice)
        for option in part.alternatives:
            served = option.serves is None or self.x[self.model.state.names[option.serves]] > 0
            # jsq-as may let a job leave only if a source of the exit is not empty, which closes to no information.
            if served and self.strictly(option.guard) and not option.name.endswith(" > exit"):
                assert self.choice(option) in possible, (self.x, option.name)


def check_state(model: Model, plain: Plain, x: State) -> None:
    """All components in one state."""
    cover, arrivals = Cover(model, x), plain.arrivals(x)
    ends = plain.dominant(x) if plain.policy.get("sequencing") == "dominant" else set()
    seen = set()
    for component in model.components:
        if component.name == "dominant":
            branches = [b for b in component.branches if cover.holds(b.guard)]
            chosen = [branch for branch in branches if follows(cover, branch.parts, plain, x, ends)]
            assert chosen, x
            continue
        seen.add(component.name)
        (part,) = component.branches[0].parts
        is_server = component.name.startswith("server ")
        cover.check_part(part, plain.service(x, part.server, ends) if is_server else arrivals[component.name])
    assert seen >= set(arrivals)


def follows(cover: Cover, parts: tuple[Part, ...], plain: Plain, x: State, ends: set[str]) -> bool:
    """Whether all servers together may do within one branch all that they can do."""
    try:
        for part in parts:
            cover.check_part(part, plain.service(x, part.server, ends))
    except AssertionError:
        return False
    return True


def check_cover(source: random.Random, network: Json, how: Json) -> None:
    model, plain = admitted(network, how), Plain(network, how)
    names = [option.name for option in model.alternatives()]
    assert len(names) == len(set(names))
    for x in box(source, model.state.names):
        check_state(model, plain, x)


# ---- the tests -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("holding", ["none", "spillback"])
@pytest.mark.parametrize("sequencing", [*GROUPED, *COMPARING])
@pytest.mark.parametrize("routing", ["fixed", "jsr", "weighted-route", "bernoulli"])
def test_route_expansion_is_covered(routing: str, sequencing: str, holding: str) -> None:
    source = random.Random(f"{routing} {sequencing} {holding}")
    for _ in range(2):
        network = routes_of_any_kind(source, routing != "fixed")
        check_cover(source, network, random_policy(source, network, routing, sequencing, holding))


@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight"])
def test_jsq_is_covered(sequencing: str) -> None:
    source = random.Random(sequencing)
    for _ in range(4):
        network = route_network("4 3 2 1", *(graph_class(source, name, False, 5) for name in "ab"))
        check_cover(source, network, random_policy(source, network, "jsq", sequencing, "none"))


@pytest.mark.parametrize("sequencing", ["non-idling", "lbfs", "max-weight", "back-pressure", "longest-queue"])
@pytest.mark.parametrize("holding", ["none", "spillback"])
def test_jsq_without_inner_choice_is_covered(sequencing: str, holding: str) -> None:
    """One next server each: only then back-pressure and spillback are defined."""
    source = random.Random(sequencing)
    for paths in (["12", "32"], ["123", "4"], ["1", "2"]):
        classes = [
            named_class(source, name, paths, dict.fromkeys("1234", rate)) for name, rate in (("a", "1"), ("b", "2"))
        ]
        network = route_network("1 2 3 4", *classes[: 2 if len("".join(paths)) < 4 else 1])
        check_cover(source, network, random_policy(source, network, "jsq", sequencing, holding))


@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight", "back-pressure"])
@pytest.mark.parametrize("holding", ["none", "spillback"])
def test_buffer_network_is_covered(sequencing: str, holding: str) -> None:
    """Random next buffers, also itself and others of the same server; two servers for one buffer, each with a job (the
    closed guards say nothing of fewer jobs)."""
    source = random.Random(f"{sequencing} {holding}")
    for _ in range(6):
        network = random_buffers(source, holding == "spillback")
        check_cover(source, network, random_policy(source, network, "fixed", sequencing, holding))


@pytest.mark.parametrize("seed", range(16))
def test_jsq_as_is_covered(seed: int) -> None:
    """Random graphs on four servers, with exits in the middle: several targets, forbidden ones, and the exit."""
    source = random.Random(seed)
    network = route_network("2 1 4 3", graph_class(source, "c", True, 8))
    check_cover(source, network, {"preset": "jsq-as"})


def test_jsq_as_with_every_kind_of_target_is_covered() -> None:
    """1 feeds 2 and 3, which two routes reach, and the exit."""
    source = random.Random(0)
    paths = ["1", "12", "13", "123", "43", "412", "413", "4123", "41"][:4]
    network = route_network("1 2 3", named_class(source, "c", paths, dict.fromkeys("123", "1")))
    check_cover(source, network, {"preset": "jsq-as"})
