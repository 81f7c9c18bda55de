"""Rows are true: in every state of a box, whatever a component can do is an alternative that may occur in the state's place and
all of whose rows hold there; and its drift, by place, is what the function changes by."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from fractions import Fraction

import pytest

from verify.checker.core.components import Component
from verify.checker.core.model import Model
from verify.checker.core.quadratics import CellTerm, QuadraticText
from verify.checker.quadratic.drift import Walk, change
from verify.checker.quadratic.function import Place, Quadratic, check_function, place_at
from verify.checker.quadratic.rows import CONSTANT, Option, Row

from .examples import Json, route_network
from .plain import IDLE, Choice, Plain, State, move
from .test_cover import (
    COMPARING,
    GROUPED,
    admitted,
    box,
    graph_class,
    named_class,
    random_buffers,
    random_policy,
    routes_of_any_kind,
)


def random_function(source: random.Random, names: tuple[str, ...], cut: bool = True) -> QuadraticText:
    """Small numbers; some buffers are cut, and most cells have terms."""

    def number() -> Fraction:
        return Fraction(source.randint(-6, 6), source.choice((1, 2, 3)))

    square = {k: {j: number() for j in names[i:]} for i, k in enumerate(names)}
    chosen = source.sample(names, min(2, len(names))) if cut else []
    cuts = {name: Fraction(source.randint(1, 2)) for name in chosen}
    cells = [
        CellTerm(dict(zip(cuts, map(Fraction, m), strict=True)), {name: number() for name in names}, number())
        for m in itertools.product(*(range(int(top) + 1) for top in cuts.values()))
        if source.random() < 0.7
    ]
    return QuadraticText(square, {name: number() for name in names}, cuts, tuple(cells) if cuts else ())


def value(text: QuadraticText, x: State) -> Fraction:
    """f(x) as section 20.1 says."""
    cell = {name: min(Fraction(x[name]), cut) for name, cut in text.cuts.items()}
    terms = [term for term in text.cells if term.at == cell] if text.cuts else []
    total = sum(
        (q * x[k] for linear in [text.linear, *(t.linear for t in terms)] for k, q in linear.items()), Fraction(0)
    )
    for k, row in text.square.items():
        total += sum((q * x[k] * x[j] / (2 if k == j else 1) for j, q in row.items()), Fraction(0))
    return total + sum((term.constant for term in terms), Fraction(0))


def holds(row: Row, values: list[int]) -> bool:
    left = row.form.entries.get(CONSTANT, 0)
    left += sum(c * values[k] for k, c in row.form.entries.items() if k != CONSTANT)
    return left == 0 if row.equality else left >= 0


class Places:
    """A model with a function: what is said of it in one state."""

    def __init__(self, model: Model, text: QuadraticText) -> None:
        self.walk = Walk(model)
        self.model = model
        self.text = text
        self.function: Quadratic = check_function(model.state, text, "f", model.work)

    def place(self, x: State) -> Place:
        names, cuts = self.model.state.names, self.function.cuts
        levels = tuple(min(x[names[k]], cut + 1) for k, cut in cuts.items())
        return place_at(self.model.state, self.function, levels, "place")

    def right(self, component: Component, x: State) -> list[tuple[str, str, Choice]]:
        """Branch, part and choice of every alternative that may occur here and all of whose rows hold."""
        place, names = self.place(x), self.model.state.names
        values, found = [x[name] for name in names], []
        for option in self.walk.occurring(component, place):
            if all(holds(row, values) for row in self.walk.rows(option).values()):
                assert self.drift(option, place, values) == self.by_hand(option, x)
                one, form = option.alternative, self.model.drifts[option.alternative.drift]
                drift = {names[k]: Fraction(v, form.denominator) for k, v in form.entries.items() if v}
                found.append(
                    (option.branch.name, option.part, (None if one.serves is None else names[one.serves], drift))
                )
        return found

    def drift(self, option: Option, place: Place, values: list[int]) -> Fraction:
        form = change(self.walk, self.function, place, option)
        z = {k: value - place.origin.get(k, 0) for k, value in enumerate(values)} | {CONSTANT: 1}
        return Fraction(sum(c * z[k] for k, c in form.entries.items()), form.denominator)

    def by_hand(self, option: Option, x: State) -> Fraction:
        """The sum of rate (f(x + e) - f(x)) over the jumps."""
        total, names = Fraction(0), self.model.state.names
        for source, target, amount in self.model.jumps[option.alternative.drift]:
            after = dict(x)
            for k, e in ((source, -1), (target, 1)):
                if k is not None:
                    after[names[k]] += e
            total += Fraction(amount, self.model.denominator) * (value(self.text, after) - value(self.text, x))
        return total


def together(plain: Plain, x: State) -> Iterable[dict[str, list[Choice]]]:
    """What the servers may do together: for each what it does, in all ways in which the job may go on."""
    if plain.shared():
        for one in plain.assignments(x):
            yield {n: [move(t.buffer, law, t.rate) for law in t.nexts] if t else [IDLE] for n, t in one.items()}
        return
    ends = plain.dominant(x) if plain.policy.get("sequencing") == "dominant" else set()
    yield {server: plain.service(x, server, ends) for server in plain.network["servers"]}


def check_rows(source: random.Random, network: Json, how: Json, states: int = 120) -> None:
    model, plain = admitted(network, how), Plain(network, how)
    places = Places(model, random_function(source, model.state.names))
    every = box(source, model.state.names)
    for x in source.sample(every, min(states, len(every))):
        right = {component.name: places.right(component, x) for component in model.components}
        for name, choices in plain.arrivals(x).items():
            listed = [choice for _, _, choice in right[name]]
            assert all(choice in listed for choice in choices), (x, name)
        for done in together(plain, x):
            assert served(model, right, done), (x, done)


def served(model: Model, right: dict[str, list[tuple[str, str, Choice]]], done: dict[str, list[Choice]]) -> bool:
    """Whether all that the servers do together is there: under `dominant` within one branch."""
    if "dominant" in right:
        parts = right["dominant"]
        return any(
            all((branch, f"{branch} / server {n}", one) in parts for n, choices in busy(model, done) for one in choices)
            for branch in {branch for branch, _, _ in parts}
        )
    return all(("", "", one) in right[f"server {n}"] for n, choices in busy(model, done) for one in choices)


def busy(model: Model, done: dict[str, list[Choice]]) -> list[tuple[str, list[Choice]]]:
    servers = set(model.state.busy_servers())
    return [(n, choices) for n, choices in done.items() if n in servers]


# ---- the tests -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("holding", ["none", "spillback"])
@pytest.mark.parametrize("sequencing", [*GROUPED, *COMPARING])
@pytest.mark.parametrize("routing", ["fixed", "jsr", "weighted-route", "bernoulli"])
def test_rows_of_route_expansions_are_true(routing: str, sequencing: str, holding: str) -> None:
    source = random.Random(f"rows {routing} {sequencing} {holding}")
    network = routes_of_any_kind(source, routing != "fixed")
    check_rows(source, network, random_policy(source, network, routing, sequencing, holding), 60)


@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight"])
def test_rows_of_jsq_are_true(sequencing: str) -> None:
    source = random.Random(f"rows {sequencing}")
    for _ in range(2):
        network = route_network("4 3 2 1", *(graph_class(source, name, False, 5) for name in "ab"))
        check_rows(source, network, random_policy(source, network, "jsq", sequencing, "none"), 60)


@pytest.mark.parametrize("sequencing", ["non-idling", "lbfs", "back-pressure", "longest-queue"])
def test_rows_of_jsq_under_spillback_are_true(sequencing: str) -> None:
    source = random.Random(f"rows {sequencing}")
    network = route_network("1 2 3 4", named_class(source, "a", ["123", "4"], dict.fromkeys("1234", "2")))
    check_rows(source, network, random_policy(source, network, "jsq", sequencing, "spillback"), 60)


@pytest.mark.parametrize("ordered", [False, True], ids=["free", "ordered"])
@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight", "back-pressure"])
@pytest.mark.parametrize("holding", ["none", "spillback"])
def test_rows_of_shared_buffers_are_true(sequencing: str, holding: str, ordered: bool) -> None:
    """Few jobs: servers pass over buffers whose jobs are all with others; with an order some need more than one job."""
    source, seen = random.Random(f"rows {sequencing} {holding} {ordered}"), 0
    while seen < 5:
        network = random_buffers(source, holding == "spillback", ("A", "B", "AB", "BA"))
        how, shared = random_policy(source, network, "fixed", sequencing, holding), Plain(network, {}).shared()
        if shared:
            orders = {buffer: source.sample(servers, len(servers)) for buffer, servers in shared.items()}
            check_rows(source, network, how | ({"server_order": orders} if ordered else {}), 60)
            seen += 1


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_jsq_as_are_true(seed: int) -> None:
    source = random.Random(seed)
    check_rows(source, route_network("2 1 4 3", graph_class(source, "c", True, 7)), {"preset": "jsq-as"}, 40)
