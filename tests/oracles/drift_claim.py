"""Conditions F and S again, point by point: the claim (is there any correction at all?) and the evidence (is it this one?)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from .cells import corrector, leaf_objection
from .chain import Chain
from .choices import components
from .claimed import Form, Json, added, dot, number, numbers, pieces
from .forms import by_name, normals
from .points import Point, sample, states

#: Of the largest weight times the total rate: what a float program may be off.
_TOLERANCE = 1e-9

Drifts = list[list[list[list[Form]]]]


@dataclass
class Spot:
    """A point with all that does not depend on the evidence."""

    x: Point
    active: list[int]
    drifts: Drifts
    vanishing: list[Form]
    optimum: float | None = None


@dataclass
class Scene:
    """Chain, V and points; shared by all certificates that claim something about the same network, policy and V."""

    chain: Chain
    pieces: list[Form]
    spots: list[Spot]
    names: dict[str, Form] = field(default_factory=dict)

    def form(self, name: str) -> Form:
        if name not in self.names:
            self.names[name] = by_name(self.chain, self.pieces, name)
        return self.names[name]


def scene(chain: Chain, certificate: Json, rng: random.Random, count: int) -> Scene:
    """Sample the points."""
    function = pieces(certificate["test_function"], certificate["network"], chain.place)
    forms = normals(chain, function)
    spots = []
    for x in sample(len(chain.names), forms, rng, count):
        values = [dot(piece, x) for piece in function]
        drifts = [
            [[[choice.drift() for choice in part] for part in branch] for branch in component]
            for component in components(chain, x, closed=True)
        ]
        active = [i for i, value in enumerate(values) if value == max(values)]
        spots.append(Spot(x, active, drifts, [form for form in forms if dot(form, x) == 0]))
    return Scene(chain, function, spots)


def bound(weights: Form, drifts: Drifts) -> Fraction:
    """Σ over components of the largest w·d."""
    return sum(
        (
            max(sum((max(dot(weights, d) for d in part) for part in branch), Fraction(0)) for branch in component)
            for component in drifts
        ),
        Fraction(0),
    )


# ---- (0) and (R) ----------------------------------------------------------------------------------------------------
def ground_objections(chain: Chain, certificate: Json, function: Sequence[Form], rng: random.Random) -> Iterator[str]:
    """V grows at least like c·|x|; from every state work brings the chain to 0."""
    lower = certificate["lower_bound"]
    theta, c = {int(i): t for i, t in numbers(lower["theta"]).items()}, number(lower["c"])
    mixed = added(*((t, function[i]) for i, t in theta.items()))
    if any(t < 0 for t in theta.values()) or sum(theta.values()) != 1:
        yield f"theta {theta}"
    if c <= 0 or c != min(mixed.get(k, Fraction(0)) for k in range(len(chain.names))):
        yield f"c = {c}, theta gives {mixed}"
    yield from work_objections(chain, certificate, rng)


def work_objections(chain: Chain, certificate: Json, rng: random.Random, count: int = 300) -> Iterator[str]:
    """(R): in every state tried, whatever is chosen, some job is served and may move down in φ."""
    level = {chain.place[name]: value for name, value in numbers(certificate["potential"]).items()}
    if set(level) != set(range(len(chain.names))) or min(level.values()) <= 0:
        yield "the potential is not positive everywhere"
        return

    def falls(jump: tuple[tuple[int, int], ...]) -> bool:
        return sum((step * level[k] for k, step in jump), Fraction(0)) < 0

    for x in states(len(chain.names), rng, count):
        if not any(_works(component, falls) for component in components(chain, x, closed=False)):
            yield f"in state {x} nothing need be served, or φ need not fall"
            return


def _works(component, falls) -> bool:  # type: ignore[no-untyped-def]
    """Whatever is chosen in this component, a job is served with a possible move down."""
    return all(
        any(part and all(c.working and any(falls(e) for _, e in c.jumps) for c in part) for part in branch)
        for branch in component
    )


# ---- the claim ------------------------------------------------------------------------------------------------------
def claim_objections(found: Scene, certificate: Json, rng: random.Random) -> Iterator[str]:
    """Is there, at every point, a correction (F) that makes every drift at most −ε?  By a float program.

    Where it says no, though the correction of the evidence does at this very point (exactly), the floats are wrong.
    """
    epsilon, strict = number(certificate["claim"]["epsilon"]), certificate["claim"]["condition"] == "strict"
    largest = max((a for piece in found.pieces for a in piece.values()), default=Fraction(1))
    slack = _TOLERANCE * float(found.chain.total_rate() * largest)
    for spot in found.spots:
        if strict:
            worst = max(bound(found.pieces[i], spot.drifts) for i in spot.active)
            if worst > -epsilon:
                yield f"S at {spot.x}: drift {worst}, claimed {-epsilon}"
                return
            continue
        if spot.optimum is None:
            spot.optimum = least_bound(found.pieces[spot.active[0]], spot, len(found.chain.names))
        if spot.optimum > -float(epsilon) + slack and _at_spot(found, certificate, spot, epsilon, rng):
            yield f"F at {spot.x}: no correction gives less than {spot.optimum}, claimed {-epsilon}"
            return


def least_bound(weights: Form, spot: Spot, size: int) -> float:
    """min over η of the bound of w + Σ η g, as its dual: the largest w·v over v in Σ conv of the drifts with g·v = 0."""
    columns: list[Form] = []
    rows: list[dict[int, float]] = []
    right: list[float] = []
    for component in spot.drifts:
        first = len(columns)
        columns += [{} for _ in component]
        rows.append({first + b: 1.0 for b in range(len(component))})
        right.append(1.0)
        for b, branch in enumerate(component):
            for part in branch:
                rows.append({first + b: -1.0, **{len(columns) + i: 1.0 for i in range(len(part))}})
                right.append(0.0)
                columns += part
    matrix = np.zeros((len(rows) + len(spot.vanishing), len(columns)))
    for i, row in enumerate(rows):
        for j, a in row.items():
            matrix[i, j] = a
    drifts = np.array([[float(d.get(k, 0)) for k in range(size)] for d in columns]).T
    scale = float(np.abs(drifts).max()) or 1.0
    if spot.vanishing:
        forms = np.array([[float(g.get(k, 0)) for k in range(size)] for g in spot.vanishing])
        flows = forms @ drifts
        largest = np.abs(flows).max(axis=1, keepdims=True)  # slow streams beside fast ones: each row by itself
        matrix[len(rows) :] = flows / np.where(largest > 0, largest, 1)
        right += [0.0] * len(spot.vanishing)
    unit = max(weights.values(), default=Fraction(1)) or Fraction(1)
    objective = np.array([float(weights.get(k, 0) / unit) for k in range(size)]) @ (drifts / scale)
    result = linprog(-objective, A_eq=matrix, b_eq=right, method="highs")
    if result.status not in (0, 2):  # the program gave up: the exact evidence must decide alone
        return float("-inf")
    return float("-inf") if result.status == 2 else float(-result.fun) * scale * float(unit)


# ---- the evidence ---------------------------------------------------------------------------------------------------
def evidence_objections(found: Scene, certificate: Json, rng: random.Random) -> Iterator[str]:
    """Follow every point to its leaf or face: the correction written there must do, exactly."""
    epsilon = number(certificate["claim"]["epsilon"])
    if epsilon <= 0:
        yield f"epsilon {epsilon}"
    for spot in found.spots:
        problem = _at_spot(found, certificate, spot, epsilon, rng)
        if problem:
            yield f"at {spot.x}: {problem}"
            return


def _at_spot(found: Scene, certificate: Json, spot: Spot, epsilon: Fraction, rng: random.Random) -> str:
    """What is wrong with the evidence at one point ("" if nothing)."""
    evidence, strict = certificate["evidence"], certificate["claim"]["condition"] == "strict"
    if evidence["kind"] == "faces":
        return _at_face(found, evidence["faces"], spot, epsilon)
    walks = (_walk(found, evidence["trees"][i], i, spot, epsilon, strict, rng) for i in spot.active)
    return next((problem for problem in walks if problem), "")


def _walk(found: Scene, node: Json, i: int, spot: Spot, epsilon: Fraction, strict: bool, rng: random.Random) -> str:
    if "empty" in node:
        return f"piece {i}: a node called empty holds this point"
    if "split" not in node:
        return _at_leaf(found, node, i, spot, epsilon, rng)
    value = dot(found.form(node["split"]), spot.x)
    signs = ["<=", ">="] if strict and value == 0 else ["<=" if value < 0 else ">="] if strict else []
    signs = signs or ["<" if value < 0 else "=" if value == 0 else ">"]
    if not any(sign in node["children"] for sign in signs):
        return f"piece {i}: no child of {node['split']} for this point"
    below = (_walk(found, node["children"][s], i, spot, epsilon, strict, rng) for s in signs if s in node["children"])
    return next((problem for problem in below if problem), "")


def _at_leaf(found: Scene, node: Json, i: int, spot: Spot, epsilon: Fraction, rng: random.Random) -> str:
    eta = numbers(node["leaf"])
    forms = [(y, found.form(name)) for name, y in eta.items()]
    if any(dot(form, spot.x) for _, form in forms):
        return f"piece {i}: η on a normal that does not vanish here"
    weights = added((1, found.pieces[i]), *forms)
    if "corrector" in node:
        h = corrector(found.chain, found.pieces, node["corrector"])
        return leaf_objection(found.chain, weights, h, spot.x, epsilon, rng)
    drift = bound(weights, spot.drifts)
    return f"piece {i}: drift {drift} with the η of the leaf, claimed {-epsilon}" if drift > -epsilon else ""


def _at_face(found: Scene, lists: Sequence[Sequence[Json]], spot: Spot, epsilon: Fraction) -> str:
    """Some active piece's face gives −ε; a piece active exactly there is not called empty."""
    busy, full = _face(found.chain, spot.x)
    problems = []
    for i in spot.active:
        faces = [face for face in lists[i] if face["busy"] == busy]
        if len(faces) != 1:
            return f"piece {i}: {len(faces)} faces for busy {busy}"
        if "empty" in faces[0]:
            if {k for k, a in enumerate(spot.x) if a} == full:
                return f"piece {i}: a face called empty holds this point"
            problems.append("called empty")
            continue
        eta = {found.chain.place[name]: y for name, y in numbers(faces[0]["eta"]).items()}
        drift = bound(added((1, found.pieces[i]), (1, eta)), spot.drifts)
        vanish = all(spot.x[k] == 0 for k in eta)
        problems.append("" if vanish and drift <= -epsilon else f"piece {i}: drift {drift}, claimed {-epsilon}")
    return "" if "" in problems else "; ".join(problems)


def _face(chain: Chain, x: Point) -> tuple[dict[str, str], set[int]]:
    """The reduced face of a point: its name, and the buffers that are busy on it."""
    busy, full = {}, set()
    for n, tasks in chain.tasks.items():
        groups = _groups(chain, n, [task.buffer for task in tasks])
        top = next((j for j, group in enumerate(groups) if any(x[k] for k in group)), None)
        if top is not None:
            busy[n] = chain.names[min(groups[top])]
            full |= {k for group in groups[top:] for k in group}
    return busy, full


def _groups(chain: Chain, server: str, buffers: Sequence[int]) -> list[list[int]]:
    """Highest first."""
    if chain.rule == "priority":
        return [[chain.place[name]] for name in chain.policy["priority"][server]]
    if chain.rule in ("fbfs", "lbfs"):
        order = sorted({chain.positions[k] for k in buffers}, reverse=chain.rule == "lbfs")
        return [[k for k in buffers if chain.positions[k] == position] for position in order]
    return [list(buffers)]
