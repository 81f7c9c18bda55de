"""The regimes of a piecewise-linear test function ([Xie & Jin 2020], section 3; theory 3 to 5).

The regime of piece i is A_i = {x >= 0 : w_i·x >= w_j·x for all j}.  In it some classes, routes and initial segments of
routes are *dominant*; the last dominant subserver of a route is its *bottleneck*.  For every regime: is it more than {0},
has it an interior, how large is the drift of its piece in the worst cell of its interior (criterion P, which proves nothing
by itself), the same in symbols, and, if condition F has been evaluated, its worst leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.chain.guards import Signs
from verify.chain.numeric import Array
from verify.conditions.condition import Condition
from verify.conditions.evidence.exclusion import exact_inner_point, exclude
from verify.conditions.evidence.nodes import Leaf, Node, Split
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.paper import ActiveDrift, active_drift
from verify.errors import InternalError
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.network.model import FunctionSpec, Instance, RouteNetwork
from verify.policies.compose import Walk
from verify.policies.sequencing import maximal_piece
from verify.studies.at_hand import Question, question_at_hand, with_fluid

_SIGN = {1: "<", 2: "=", 3: "<=", 4: ">", 6: ">="}
#: The paper's three cases, for two classes with two routes each (its example 1).
PAPER_CASES = (
    "only one route is dominant",
    "two routes of different classes (OD pairs) are dominant",
    "two routes of one class, or more than two routes, are dominant",
)


class Extent(StrEnum):
    """How large a regime is.  The first two are *realisable*: A_i ≠ {0}."""

    FULL = "full-dimensional"
    LOWER = "lower-dimensional"
    ORIGIN = "only 0"


@dataclass(frozen=True)
class WorstLeaf:
    """The leaf with the largest bound of a piece's case tree; ``path`` the signs that lead to it ("x(a.1) = 0"), ``face``
    the forms that vanish there."""

    bound: Fraction
    path: tuple[str, ...]
    face: tuple[str, ...]


@dataclass(frozen=True)
class Dominant:
    """What a piece weighs: the depth d_r of every route ("class.route" -> 0 … |r|), dominant classes, routes and buffers,
    bottleneck buffers (paper: subservers) and their servers."""

    depths: Mapping[str, int]
    classes: tuple[str, ...]
    routes: tuple[str, ...]
    buffers: tuple[str, ...]
    bottlenecks: tuple[str, ...]
    servers: tuple[str, ...]


@dataclass(frozen=True)
class Regime:
    """One piece, numbered from 0 as in certificates.

    ``active``: the largest drift of the active piece inside the regime, with its cell; None without interior.
    ``formula``: this drift in symbols, a sympy expression
    (:func:`verify.studies.regimes.drift.symbolic_drift`) whose exact value has been compared.
    """

    number: int
    dominant: Dominant
    extent: Extent
    active: ActiveDrift | None
    formula: Any
    worst: WorstLeaf | None
    group: str


@dataclass(frozen=True)
class Group:
    """Regimes of one kind, and the one with the largest drift (None if none of them has an interior)."""

    name: str
    regimes: tuple[Regime, ...]
    largest: Regime | None


@dataclass(frozen=True)
class RegimeReport:
    """All regimes of one V.  ``symbols``: every symbol of the formulas with its value."""

    question: Question
    regimes: tuple[Regime, ...]
    symbols: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def largest(self) -> Regime | None:
        """The regime with the largest drift of the active piece."""
        return _largest(self.regimes)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Regimes by number of dominant routes and classes; the paper's three cases for networks like its example 1."""
        names = sorted({r.group: _group_order(r) for r in self.regimes}.items(), key=lambda item: item[1])
        found = [(name, tuple(r for r in self.regimes if r.group == name)) for name, _ in names]
        return tuple(Group(name, members, _largest(members)) for name, members in found)


def regime_report(subject: Instance | Question) -> RegimeReport:
    """The regimes of the V at hand, with condition F evaluated.

    Parameters: an instance, or a question that names chain and V (and may bring case trees).  Raises ``InputError``
    (:func:`verify.studies.at_hand.question_at_hand`).
    """
    from verify.studies.regimes.drift import symbol_values

    question = with_fluid(subject if isinstance(subject, Question) else question_at_hand(subject))
    trees = question.evaluation.trees if question.evaluation else ()
    found = regimes(question.walk, question.function, question.spec, trees)
    return RegimeReport(question, found, symbol_values(question.walk.expansion, question.spec))


def regimes(
    walk: Walk, function: PiecewiseLinear, spec: FunctionSpec, trees: Sequence[Node] = ()
) -> tuple[Regime, ...]:
    """One regime for every piece.

    Parameters: ``function`` V with its description ``spec``; ``trees`` the case trees of its pieces, or none.

    >>> from verify.network.read import read_text
    >>> from verify.studies.at_hand import question_at_hand
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> q = question_at_hand(read_text(line, format="toml"))
    >>> [(r.formula, r.active.drift) for r in regimes(q.walk, q.function, q.spec)]
    [(beta*gamma*(lambda_{a} - mu_{A}), Fraction(-3, 8))]
    """
    from verify.studies.regimes.drift import confirm, symbol_values, symbolic_drift, symbolic_weights

    search = TreeSearch(walk, function, Condition.FLUID)
    values = symbol_values(walk.expansion, spec)
    result = []
    for piece in range(len(function)):
        known = dominant(walk.expansion, function, piece)
        active = active_drift(search, piece)
        formula = None
        if active is not None:
            weights = symbolic_weights(walk.expansion, function, spec, piece)
            formula = confirm(symbolic_drift(weights, active.cell), values, active.drift)
        worst = worst_leaf(trees[piece]) if trees else None
        group = _group_name(known, walk)
        result.append(Regime(piece, known, extent(search, piece), active, formula, worst, group))
    return tuple(result)


def dominant(expansion: Expansion, function: PiecewiseLinear, piece: int) -> Dominant:
    """Dominant classes, routes and bottlenecks of a piece.  A buffer k is a bottleneck if some service of it lowers w·x:
    on a route, w_k > w_{k_s}.  The depth of a route is the position of its last buffer with a weight."""
    weights, buffers = function.pieces[piece], expansion.buffers
    depths = dict.fromkeys((f"{b.class_name}.{b.route}" for b in buffers if b.route), 0)
    for k in sorted(weights):
        if buffers[k].route:
            depths[f"{buffers[k].class_name}.{buffers[k].route}"] = buffers[k].position
    lowering: dict[int, set[str]] = {}
    for service in expansion.services:
        for destination in service.destinations:
            after = sum((p * weights.get(k, Fraction(0)) for k, p in destination.distribution.items()), Fraction(0))
            if weights.get(service.buffer, Fraction(0)) > after:
                lowering.setdefault(service.buffer, set()).add(service.server)
    return Dominant(
        depths,
        tuple(dict.fromkeys(buffers[k].class_name for k in sorted(weights) if buffers[k].class_name)),
        tuple(route for route, depth in depths.items() if depth),
        tuple(expansion.names[k] for k in sorted(weights)),
        tuple(expansion.names[k] for k in sorted(lowering)),
        tuple(server for server in expansion.servers if any(server in found for found in lowering.values())),
    )


def extent(search: TreeSearch, piece: int) -> Extent:
    """Exact: a point inside, a point other than 0, or a proof that there is none."""
    if not _has_point(search, search.root(piece)):
        return Extent.ORIGIN
    inside = dict.fromkeys(search.walk.coordinates, Signs.POSITIVE)
    for normal, signs in maximal_piece(piece, search.function, search.walk.normals, search.word).items():
        inside[normal] = Signs.POSITIVE if signs is Signs.NOT_NEGATIVE else Signs.NEGATIVE
    return Extent.FULL if _has_point(search, search.numeric.facts(inside)) else Extent.LOWER


def _has_point(search: TreeSearch, facts: Array) -> bool:
    if exact_inner_point(facts, search.numeric) is not None:
        return True
    if exclude(facts, search.numeric) is None:
        raise InternalError("neither a point of a regime nor a proof that it has none")
    return False


def worst_leaf(tree: Node) -> WorstLeaf | None:
    """The bounded leaf with the largest bound, None if the tree has none (ties: the first, in the order of the tree)."""
    return max(_leaves(tree, ()), key=lambda leaf: leaf.bound, default=None)


def _leaves(node: Node, path: tuple[tuple[str, Signs], ...]) -> Iterator[WorstLeaf]:
    if isinstance(node, Split):
        for signs, child in node.children.items():
            yield from _leaves(child, (*path, (node.normal.name, signs)))
    elif isinstance(node, Leaf):
        words = tuple(f"{name} {_SIGN[signs]} 0" for name, signs in path)
        yield WorstLeaf(node.bound, words, tuple(name for name, signs in path if signs is Signs.ZERO))


def _largest(listed: Sequence[Regime]) -> Regime | None:
    inner = [(regime.active.drift, regime) for regime in listed if regime.active is not None]
    return max(inner, key=lambda pair: pair[0])[1] if inner else None


def _group_name(known: Dominant, walk: Walk) -> str:
    network, routes, classes = walk.instance.network, len(known.routes), len(known.classes)
    if not known.depths:
        return _count(len(known.buffers), "dominant buffer")
    if isinstance(network, RouteNetwork) and [len(c.routes) for c in network.classes] == [2, 2]:
        return PAPER_CASES[0] if routes == 1 else PAPER_CASES[1] if routes == classes else PAPER_CASES[2]
    return f"{_count(routes, 'dominant route')} in {_count(classes, 'class')}"


def _group_order(regime: Regime) -> tuple[int, ...]:
    known = regime.dominant
    if regime.group in PAPER_CASES:
        return (PAPER_CASES.index(regime.group),)
    return (len(known.routes), len(known.classes), len(known.buffers))


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 'es' if word.endswith('s') else 's'}"
