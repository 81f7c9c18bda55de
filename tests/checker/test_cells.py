"""Pattern cells against direct enumeration: states of a box, real jumps, real choices, true drifts.

What really happens in a state comes from `plain`; the checker's cells may only say more, never less.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest

from verify.checker.cells.cell_walk import CellWalk, as_fraction, common
from verify.checker.cells.cells import Cells
from verify.checker.cells.features import Feature, read_features, read_h
from verify.checker.cells.growth import Growth
from verify.checker.cells.mixtures import choices
from verify.checker.cells.path import Steps
from verify.checker.core.components import Part
from verify.checker.core.data import Corrector, FeatureText, GrowthProof, Pieces
from verify.checker.core.errors import Rejected
from verify.checker.core.forms import form, function_pieces
from verify.checker.core.model import Model

from .examples import Json, job_class, policy, route_network
from .plain import EXIT, Plain, Task
from .test_cover import admitted, graph_class, random_buffers, random_policy, routes_of_any_kind

Jumps = list[tuple[dict[str, int], Fraction]]  # change, rate
EXACT = ("non-idling", "priority", "fbfs", "lbfs", "longest-queue", "longest-duplicate", "max-weight")


# ---- what really happens -------------------------------------------------------------------------------------------
def jump(source: str | None, target: str) -> dict[str, int]:
    change = {} if source is None else {source: -1}
    if target != EXIT:
        change[target] = change.get(target, 0) + 1
    return {name: amount for name, amount in change.items() if amount}


def arrivals(plain: Plain, x: dict[str, int]) -> list[Jumps]:
    """For each stream its jumps; a tie is split uniformly."""
    buffers = plain.network.get("buffers", [])
    found = [[(jump(None, b["name"]), rate)] for b in buffers if (rate := Fraction(b["arrival_rate"])) > 0]
    for one in plain.classes:
        laws, rate = plain.entries(one, x), Fraction(one["arrival_rate"])
        if plain.policy.get("preset"):  # ties are free here: the checker may do so, a mixture is between them
            laws = laws[:1]
        found.append([(jump(None, k), rate * p / len(laws)) for law in laws for k, p in law.items()])
    return found


def services(plain: Plain, x: dict[str, int], server: str, ends: set[str]) -> list[Jumps]:
    """All that a server may do: for each choice its jumps."""
    if plain.policy.get("preset"):
        found = []
        for served, drift in plain.moves(x, server):
            gains = [name for name, rate in drift.items() if rate > 0]
            found.append([(jump(served, (gains or [EXIT])[0]), -drift[served])] if served else [])
        return found
    ready = [task for task in plain.tasks(x, server) if x[task.buffer] > 0 and not plain.held(x, task)]
    if plain.policy["sequencing"] == "back-pressure":
        pressures = {task.buffer: plain.pressure(x, task) for task in ready}
        if max(pressures.values(), default=-1) < 0:
            return [[]]
    if not ready:
        return [[]]
    return [
        [(jump(task.buffer, k), task.rate * p / len(task.nexts)) for law in task.nexts for k, p in law.items()]
        for task in plain.chosen(x, server, ready, ends)
    ]


def everything(plain: Plain, x: dict[str, int]) -> list[list[Jumps]]:
    """For each stream and server its choices."""
    ends = plain.dominant(x) if plain.policy.get("sequencing") == "dominant" else set()
    found = [[jumps] for jumps in arrivals(plain, x)]
    if plain.shared():
        return [*found, [together(assignment) for assignment in plain.assignments(x)]]
    return [*found, *(services(plain, x, server, ends) for server in plain.network["servers"])]


def together(assignment: dict[str, Task | None]) -> Jumps:
    """The jumps of all servers in an assignment."""
    tasks = [task for task in assignment.values() if task is not None]
    return [(jump(t.buffer, k), t.rate * p) for t in tasks for law in t.nexts for k, p in law.items()]


# ---- random features -----------------------------------------------------------------------------------------------
def random_corrector(source: random.Random, model: Model, exact: bool = False) -> Corrector:
    """Coordinates, differences, rows of guards, combinations; and a random h on some cells. `exact`: all coordinates."""
    names = model.state.names
    kept = names if exact else source.sample(names, source.randint(0, min(3, len(names))))
    found = {f"x({name})": (0, source.randint(1, 3)) for name in kept}
    rows = [name for name in model.normals.named if not name.startswith(("x(", "piece("))]
    for _ in range(source.randint(0, 3)):
        if len(names) < 2:
            break
        i, j = sorted(source.sample(range(len(names)), 2))
        a, b = source.choice((1, 2, 3)), source.choice((1, 1, 2))
        written = [f"difference({names[i]} - {names[j]})", f"combination({a} {names[i]} - {b} {names[j]})"]
        written += [f"combination(-{a} {names[i]} + {b} {names[j]})", f"combination({a} {names[i]} + {b} {names[j]})"]
        found[source.choice(written + rows)] = (-source.randint(1, 2), source.randint(1, 3))
    texts = [FeatureText(name, Fraction(low), Fraction(high)) for name, (low, high) in found.items()]
    while True:
        try:
            features = read_features(model, Corrector(tuple(texts), {}))
            break
        except Rejected:  # a row with fractions, or of another condition
            texts = [text for text in texts if text.normal not in rows]
    h = {}
    for _ in range(40):
        cell = [source.choice((f.low, f.high, source.randint(f.low, f.high))) for f in features]
        h[",".join(map(str, cell))] = Fraction(source.randint(-6, 6) or 1, source.randint(1, 3))
    return Corrector(tuple(texts), h)


def box(source: random.Random, size: int) -> Iterable[tuple[int, ...]]:
    top = {1: 8, 2: 6, 3: 4, 4: 2}.get(size, 1)
    yield from itertools.product(range(top + 1), repeat=size)
    yield from (tuple(source.choice((0, 1, 2, 3, 4, 6)) for _ in range(size)) for _ in range(60))


class Cellular:
    """A network in cells, and what V = w.x + h really does."""

    def __init__(self, source: random.Random, network: Json, how: Json, exact: bool = False) -> None:
        self.source = source
        self.model = admitted(network, how)
        self.plain = Plain(network, how)
        self.names = self.model.state.names
        corrected = random_corrector(source, self.model, exact)
        self.features = read_features(self.model, corrected)
        weights = form({k: Fraction(source.randint(-3, 4), 2) for k in range(len(self.names))})
        self.cells = Cells(self.features, 10**6, "features")
        (self.weights,), self.h = common([weights], read_h(self.features, corrected))
        self.walks = [CellWalk(self.model, self.model.components, self.cells, self.h, pick) for pick in (max, min)]
        self.all = set(self.cells.all()) if len(self.features) <= 7 else None

    def after(self, x: Sequence[int], change: dict[str, int]) -> tuple[int, ...]:
        return tuple(jobs + change.get(name, 0) for name, jobs in zip(self.names, x, strict=True))

    def value(self, x: Sequence[int]) -> Fraction:
        level = sum(self.weights.entries.get(k, 0) * jobs for k, jobs in enumerate(x))
        return Fraction(level, self.weights.denominator) + self.h.at(self.cells.of(x))

    def check(self, x: tuple[int, ...]) -> None:
        """One state: its cell, its jumps, and its drift between the least and the largest of the cell."""
        cell, named = self.cells.of(x), dict(zip(self.names, x, strict=True))
        assert not self.cells.is_empty(cell)
        assert self.all is None or cell in self.all
        drifts: list[list[Fraction]] = []
        for component in everything(self.plain, named):
            drifts.append([])
            for jumps in component:
                drift = Fraction(0)
                for change, rate in jumps:
                    self.check_jump(x, change)
                    drift += rate * (self.value(self.after(x, change)) - self.value(x))
                drifts[-1].append(drift)
        bounds = []
        for walk in self.walks:
            total = walk.total(cell, walk.slopes(self.weights), {})
            assert total is not None, (x, "a cell left out")
            bounds.append(as_fraction(total, walk))
        most, least = sum(map(max, drifts)), sum(map(min, drifts))
        assert bounds[1] <= least <= most <= bounds[0], (x, cell)
        exact = self.plain.policy.get("sequencing") in EXACT and self.plain.policy["holding"] == "none"
        if self.is_point(x) and exact and not self.plain.shared():
            assert bounds == [most, least], (x, cell)

    def is_point(self, x: tuple[int, ...]) -> bool:
        """Whether the cell holds this state alone, known by its coordinates."""
        ends = {f.coordinate: f.high for f in self.features}
        inner = all(-1 < jobs < ends.get(k, 0) for k, jobs in enumerate(x))
        values = [(f, sum(c * x[k] for k, c in f.entries.items())) for f in self.features]
        return inner and all(f.coordinate is not None or f.low < v < f.high for f, v in values)

    def check_jump(self, x: tuple[int, ...], change: dict[str, int]) -> None:
        index = {self.names.index(name): amount for name, amount in change.items()}
        move = self.cells.move(index)
        assert self.cells.of(self.after(x, change)) in self.cells.targets(self.cells.of(x), move), (x, change)


def check_network(source: random.Random, network: Json, how: Json) -> None:
    for exact in (False, True):
        here = Cellular(source, network, how, exact)
        for x in box(source, len(here.names)):
            here.check(x)


# ---- the tests -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("holding", ["none", "spillback"])
@pytest.mark.parametrize(
    "sequencing", ["non-idling", "priority", "fbfs", "longest-queue", "max-weight", "back-pressure", "dominant"]
)
@pytest.mark.parametrize("routing", ["fixed", "jsr", "weighted-route", "bernoulli"])
def test_route_networks_in_cells(routing: str, sequencing: str, holding: str) -> None:
    source = random.Random(f"cells {routing} {sequencing} {holding}")
    network = routes_of_any_kind(source, routing != "fixed")
    check_network(source, network, random_policy(source, network, routing, sequencing, holding))


@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight"])
@pytest.mark.parametrize("seed", range(3))
def test_jsq_in_cells(sequencing: str, seed: int) -> None:
    """Choices at arrival and after services; at ties the split is uniform, and in a point the bound is exact."""
    source = random.Random(f"{sequencing} {seed}")
    network = route_network("4 3 2 1", *(graph_class(source, name, False, 5) for name in "ab"[: 1 + seed % 2]))
    check_network(source, network, random_policy(source, network, "jsq", sequencing, "none"))


@pytest.mark.parametrize("sequencing", ["non-idling", "priority", "longest-queue", "max-weight", "back-pressure"])
@pytest.mark.parametrize("holding", ["none", "spillback"])
def test_buffer_networks_in_cells(sequencing: str, holding: str) -> None:
    """Random next buffers, also the same one; one server for each buffer."""
    source = random.Random(f"cells {sequencing} {holding}")
    for _ in range(2):
        network = random_buffers(source, holding == "spillback", ("A", "B"))
        check_network(source, network, random_policy(source, network, "fixed", sequencing, holding))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sequencing", ["non-idling", "priority"])
def test_shared_buffers_in_cells(sequencing: str, seed: int) -> None:
    """Two or three servers at a buffer, with server orders at some: at few jobs a server may have to pass over it."""
    source = random.Random(f"shared {sequencing} {seed}")
    network = random_buffers(source, False, ("A", "AB", "BC", "ABC"))
    network["servers"] = ["A", "B", "C"]
    how = random_policy(source, network, "fixed", sequencing, "none")
    shared = Plain(network, how).shared()
    orders = {
        buffer: source.sample(servers, len(servers)) for buffer, servers in shared.items() if source.random() < 0.6
    }
    check_network(source, network, how | ({"server_order": orders} if orders else {}))


@pytest.mark.parametrize("seed", range(4))
def test_jsq_as_in_cells(seed: int) -> None:
    source = random.Random(seed)
    network = route_network("2 1 4 3", graph_class(source, "c", True, 5))
    check_network(source, network, {"preset": "jsq-as"})


@pytest.mark.parametrize("seed", range(30))
def test_closures_are_exact(seed: int) -> None:
    """A cell of coordinates and differences is empty if and only if no state of a large box lies in it."""
    source = random.Random(seed)
    features = [Feature(f"x({k})", {k: 1}, 0, source.randint(1, 3), k) for k in range(3) if source.random() < 2 / 3]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if source.random() < 2 / 3:
            features.append(Feature(f"{i}-{j}", {i: 1, j: -1}, -source.randint(1, 3), source.randint(1, 3)))
    source.shuffle(features)
    cells = Cells(features, 10**6, "")
    found = {cells.of(x) for x in itertools.product(range(12), repeat=3)}
    every = itertools.product(*(range(f.low, f.high + 1) for f in features))
    assert set(cells.all()) == found == {cell for cell in every if not cells.is_empty(cell)}


def test_feature_after_a_jump_of_two_from_the_end() -> None:
    one = Feature("combination(2 a)", {0: 2}, -2, 3)
    assert one.after(3, -2) == (1, 2, 3)
    assert one.after(2, -2) == (0,)
    assert one.after(2, 2) == (3,)
    assert one.after(-2, 2) == (-2, -1, 0)
    assert one.after(-2, -2) == (-2,)
    coordinate = Feature("x(a)", {0: 1}, 0, 3, 0)
    assert coordinate.after(0, 1) == (1,)
    assert coordinate.after(3, -1) == (2, 3)


def test_parallel_features_meet() -> None:
    """2a - 2b >= 3 says a - b >= 3/2, so b - a < 0."""
    features = [Feature("combination(2 a - 2 b)", {0: 2, 1: -2}, -1, 3)]
    cells = Cells(features, 10, "")
    closure = cells.closure((3,))
    assert closure is not None
    assert cells.interval(cells.measure({0: -1, 1: 1}), (3,), closure) == (None, Fraction(-3, 2))
    assert cells.interval(cells.measure({0: 4, 1: -4}), (1,), closure) == (2, 2)


def test_a_cell_with_empty_intersection_allows_nothing() -> None:
    """a - b = 1 and 2a - 2b = 0 have no common point; intervals see it, the cell's closure need not."""
    features = [Feature("d", {0: 1, 1: -1}, -2, 2), Feature("c", {0: 2, 1: -2}, -2, 2)]
    cells = Cells(features, 100, "")
    assert (1, 0) not in {cells.of(x) for x in itertools.product(range(9), repeat=2)}
    closure = cells.closure((1, 0))
    assert closure is not None
    low, high = cells.interval(cells.measure({0: 1, 1: -1}), (1, 0), closure)
    assert (low, high) == (1, 0)


# ---- mixtures ------------------------------------------------------------------------------------------------------
def test_mixtures_of_three_options_are_strict_outside() -> None:
    network = route_network("1 2 3", job_class("a", "3", [("1", "1")], [("2", "1")], [("3", "1")]))
    model = admitted(network, policy("jsq", "non-idling"))
    found = {choice.name: choice for choice in choices(model.components[0].branches[0].parts[0].alternatives)}
    assert len(found) == 7
    pair = found["class a / 1 = class a / 3"]
    assert {fact.normal: fact.signs for fact in pair.guard} == {"queue(1 - 2)": 1, "queue(1 - 3)": 2, "queue(2 - 3)": 4}
    assert [rate for _, _, rate in pair.jumps(model.jumps)] == [Fraction(3, 2)] * 2


def test_what_is_left_of_options_is_its_own_mixture() -> None:
    """In a leaf with a corrector the excluded options are taken away first; the closed guard stays."""
    network = route_network("1 2", job_class("a", "3", [("1", "1")], [("2", "1")]))
    part = admitted(network, policy("jsr", "longest-duplicate")).components[0].branches[0].parts[0]
    (left,) = choices(part.alternatives[:1])
    assert {fact.signs for fact in left.guard} == {3}


def test_more_than_eight_options_are_refused() -> None:
    network = route_network("1", job_class("a", "3", *[[("1", "1")]] * 9))
    part: Part = admitted(network, policy("jsr", "longest-duplicate")).components[0].branches[0].parts[0]
    with pytest.raises(Rejected, match="features"):
        choices(part.alternatives)


# ---- U -------------------------------------------------------------------------------------------------------------
def random_network(source: random.Random) -> tuple[Json, Json]:
    sequencing = source.choice(("non-idling", "priority", "longest-queue", "max-weight"))
    if source.random() < 1 / 2:  # comparing words do not go with shared buffers in cells
        network = random_buffers(
            source, False, ("A", "B", "AB")[: 3 if sequencing in ("non-idling", "priority") else 2]
        )
        routing = "fixed"
    else:
        routing = source.choice(("jsr", "weighted-route", "jsq"))
        several = route_network("4 3 2 1", graph_class(source, "a", False, 5))
        network = several if routing == "jsq" else routes_of_any_kind(source, True)
    return network, random_policy(source, network, routing, sequencing, "none")


def grown(source: random.Random, network: Json, how: Json) -> tuple[Growth, Model]:
    model = admitted(network, how)
    names = model.state.names
    pieces: list[dict[str, Fraction]] = []
    while len(pieces) < source.randint(1, 3):
        piece = {name: Fraction(value) for name in names if (value := source.randint(-1, 2))}
        if piece and piece not in pieces:
            pieces.append(piece)
    forms = function_pieces(Pieces(tuple(pieces)), model.state, "V", signed=True)
    changed = Model(**{**vars(model), "pieces": forms})
    proof = GrowthProof(tuple(pieces), random_corrector(source, model), Fraction(source.randint(-1, 4)), (), None)
    return Growth(changed, proof), changed


@pytest.mark.parametrize("seed", range(40))
def test_growth_is_right_in_every_state_of_a_walk(seed: int) -> None:
    """Random walks from 0 stay in reached cells; skipped states are at most v_0, chosen pieces are the largest."""
    source = random.Random(seed)
    network, how = random_network(source)
    growth, model = grown(source, network, how)
    growth.reach()
    plain, names = Plain(network, how), model.state.names
    for _ in range(20):
        x = dict.fromkeys(names, 0)
        for _ in range(30):
            point = [x[name] for name in names]
            cell = growth.cells.of(point)
            assert cell in growth.reached
            closure = growth.cells.closure(cell)
            assert closure is not None
            if growth._may_skip(cell, closure):
                assert growth.value(point) <= growth.v0
            for i, j in itertools.permutations(range(len(growth.pieces)), 2):
                if growth._beats(i, j, cell, closure):
                    one, other = (sum(v * point[k] for k, v in growth.pieces[n].entries.items()) for n in (i, j))
                    assert one >= other
            check_total(growth, model, plain, point)
            step = source.choice(possible(plain, x))
            x = {name: x[name] + step.get(name, 0) for name in names}


def possible(plain: Plain, x: dict[str, int]) -> list[dict[str, int]]:
    return [change for component in everything(plain, x) for jumps in component for change, _ in jumps]


def check_total(growth: Growth, model: Model, plain: Plain, point: list[int]) -> None:
    """The true growth of V in this state is at least what the cell says."""
    cell, names = growth.cells.of(point), model.state.names
    closure = growth.cells.closure(cell)
    numbers = range(len(growth.pieces))
    assert closure is not None
    largest = [i for i in numbers if all(growth._beats(i, j, cell, closure) for j in numbers if j != i)]
    assert growth._largest(cell, closure) == tuple(largest)
    if not largest:
        return
    slopes = [max(values) for values in zip(*(growth.slopes[i] for i in largest), strict=True)]
    total = growth.walk.total(cell, slopes, growth.reached[cell])
    assert total is not None
    true = Fraction(0)
    for component in everything(plain, dict(zip(names, point, strict=True))):
        drifts = []
        for jumps in component:
            changed = [([p + c.get(n, 0) for n, p in zip(names, point, strict=True)], rate) for c, rate in jumps]
            drifts.append(sum((rate * (growth.value(y) - growth.value(point)) for y, rate in changed), Fraction(0)))
        true += min(drifts)
    assert true >= as_fraction(total, growth.walk)


@pytest.mark.parametrize("seed", range(30))
def test_sure_steps_are_sure(seed: int) -> None:
    """Whatever a component chooses in a state in which a step is called sure, it may make this jump."""
    source = random.Random(seed)
    network, how = random_network(source)
    if seed % 2:
        network = random_buffers(source, True, ("A", "B"))
        sequencing = source.choice(("priority", "longest-queue", "max-weight", "back-pressure"))
        how = random_policy(source, network, "fixed", sequencing, "spillback")
    model, plain = admitted(network, how), Plain(network, how)
    steps, names = Steps(model), model.state.names
    sure = 0
    for point in itertools.islice(box(source, len(names)), 150):
        x = dict(zip(names, point, strict=True))
        for change in possible(plain, x):
            if not steps.is_sure(point, steps.change({k: Fraction(v) for k, v in change.items()}, "")):
                continue
            sure += 1
            every = everything(plain, x)
            assert any(all(change in [c for c, _ in jumps] for jumps in component) for component in every), (x, change)
    assert sure > 0
