"""The regimes of a test function, worked out: what is dominant, how large each is, its drift, its worst leaf (``report``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.guards import Signs
from verify.chain.numeric import Array
from verify.chain.pieces import maximal_piece
from verify.conditions.condition import Condition
from verify.conditions.evidence.exclusion import exact_inner_point, exclude
from verify.conditions.evidence.nodes import Leaf, Node, Split
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.paper import active_drift
from verify.errors import InputError, InternalError
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.network.model import FunctionSpec
from verify.papers.xie_jin import case_of
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.studies.at_hand import Question, certified_question, question_at_hand, with_fluid
from verify.studies.regimes.report import Dominant, Extent, Regime, RegimeReport, WorstLeaf, group_name
from verify.studies.regimes.weights import symbolic_weights

_SIGN = {1: "<", 2: "=", 3: "<=", 4: ">", 6: ">="}


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


@dataclass(frozen=True)
class Reports:
    """The regimes of the V at hand, and those of another V where that one is needed and found."""

    report: RegimeReport
    certified: RegimeReport | None


def reports(instance: Instance, seconds: float | None = None, certified: bool = True) -> Reports:
    """The regimes of the V at hand; where condition F fails for it, also of a V by which the searches prove stability.

    Where there is no V at hand, that other one stands in its place.  Parameters: ``seconds`` at most for finding it;
    ``certified``: is another V beside the first one wanted?  Raises ``InputError`` if there is neither.
    """
    try:
        report = regime_report(instance)
    except InputError:
        other = certified_question(instance, seconds) if instance.test_function is None else None
        if other is None:
            raise
        return Reports(regime_report(other), None)
    holds = report.question.evaluation is not None and report.question.evaluation.holds
    other = certified_question(instance, seconds) if certified and not holds else None
    return Reports(report, None if other is None else regime_report(other))


def regimes(
    walk: Walk, function: PiecewiseLinear, spec: FunctionSpec, trees: Sequence[Node] = ()
) -> tuple[Regime, ...]:
    """One regime for every piece.

    Parameters: ``function`` V with its description ``spec``; ``trees`` the case trees of its pieces, or none.

    >>> from verify.network_file.read import read_text
    >>> from verify.studies.at_hand import question_at_hand
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> q = question_at_hand(read_text(line, format="toml"))
    >>> [(r.formula, r.active.drift) for r in regimes(q.walk, q.function, q.spec)]
    [(beta*gamma*(lambda_{a} - mu_{A}), Fraction(-3, 8))]
    """
    from verify.studies.regimes.drift import confirm, symbol_values, symbolic_drift

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
        case = case_of(walk.instance.network, len(known.routes), len(known.classes)) if known.depths else None
        group = case.name if case is not None else group_name(known)
        result.append(Regime(piece, known, extent(search, piece), active, formula, worst, group, case))
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
