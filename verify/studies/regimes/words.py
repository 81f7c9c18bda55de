"""What is said about regimes in words: the lines above, beside and below their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verify.network.model import ExplicitTemplate
from verify.policies.instance import Instance
from verify.rational import decimals, text
from verify.studies.regimes.formulas import UNICODE, symbol_text
from verify.studies.regimes.report import Extent, Group, Regime, RegimeReport
from verify.studies.tables import decimal


def header(report: RegimeReport) -> Iterator[str]:
    """What the table is about, line by line."""
    yield from subject_words(report)
    yield "values: " + ", ".join(f"{symbol_text(name, UNICODE)} = {value}" for name, value in report.symbols.items())
    yield from result_words(report)


def subject_words(report: RegimeReport) -> Iterator[str]:
    """Title, test function, routes, tie order."""
    question = report.question
    instance = question.walk.instance
    if instance.title:
        yield instance.title
    yield f"test function: {question.what}; {function_words(report)}"
    if routes := paths(instance):
        yield "routes: " + ", ".join(f"{name} = {path}" for name, path in routes.items())
    if instance.policy.tie_order:
        order = (f"{server}: {' > '.join(names)}" for server, names in instance.policy.tie_order.items())
        yield f"tie order: {'; '.join(order)}"


def result_words(report: RegimeReport) -> Iterator[str]:
    """Criterion P and condition F."""
    yield criterion_words(report)
    yield fluid_words(report)


def function_words(report: RegimeReport) -> str:
    """How V is given, and how many regimes it has."""
    spec, count = report.question.spec, len(report.regimes)
    number = f"{count} piece{'' if count == 1 else 's'}"
    if not isinstance(spec, ExplicitTemplate):
        return number
    lists = (("α", spec.alpha), ("β", spec.beta), ("γ", spec.gamma))
    words = ", ".join(f"{name} = ({', '.join(map(text, values))})" for name, values in lists)
    realisable = sum(regime.extent is not Extent.ORIGIN for regime in report.regimes)
    full = sum(regime.extent is Extent.FULL for regime in report.regimes)
    return f"explicit template {words}; {number}, {realisable} realisable, {full} with interior"


def criterion_words(report: RegimeReport) -> str:
    """Criterion P: the largest drift of an active piece."""
    largest = report.largest
    if largest is None or largest.active is None:
        return "criterion P: no regime has an interior"
    drift = largest.active.drift
    state = "holds" if drift < 0 else "fails"
    return f"criterion P {state}: largest drift of an active piece {drift} (regime {largest.number}); it proves nothing by itself"


def fluid_words(report: RegimeReport) -> str:
    """Condition F, if it was evaluated."""
    found = report.question.evaluation
    if found is None:
        return "condition F: not evaluated"
    letter = found.condition.letter
    if found.holds and found.epsilon is not None:
        leaves = f", {found.bounded_leaves} bounded leaves" if found.trees else ""
        return f"condition {letter} holds: epsilon = {decimals(found.epsilon)}{leaves}"
    if found.obstacle is not None:
        where = ", ".join(f"{name} = {value}" for name, value in found.obstacle.state.items())
        return f"condition {letter} fails: piece {found.obstacle.piece} has drift {found.obstacle.drift} at {where}"
    return f"condition {letter} {'fails' if found.holds is False else 'is not decided'}: {found.reason}"


def group_words(group: Group) -> str:
    """Name, number of regimes, largest drift."""
    count = f"{len(group.regimes)} regime{'' if len(group.regimes) == 1 else 's'}"
    if group.largest is None or group.largest.active is None:
        return f"{group.name}: {count}, none with interior"
    return f"{group.name}: {count}, largest drift {decimal(group.largest.active.drift)} (regime {group.largest.number})"


def dominant_words(regime: Regime) -> str:
    """Dominant routes with their depths, or dominant buffers where there are no routes."""
    known = regime.dominant
    return " ".join(f"{r}:{known.depths[r]}" for r in known.routes) if known.depths else " ".join(known.buffers)


def face_words(regime: Regime) -> str:
    """The forms that vanish on the worst leaf."""
    return "" if regime.worst is None else ", ".join(regime.worst.face) or "—"


def paths(instance: Instance) -> Mapping[str, str]:
    """Every route "class.route" by its servers, "1→3"; nothing for a buffer network."""
    network = instance.network
    return {f"{c.name}.{r.name}": "→".join(v.server for v in r.visits) for c in network.classes for r in c.routes}


def regime_words(regime: Regime, names: Mapping[str, str]) -> str:
    """A regime in words: which routes (by their servers, as :func:`paths` names them) are dominant, and the bottlenecks."""
    routes = [names.get(route, route) for route in regime.dominant.routes]
    servers = regime.dominant.servers
    listed = routes[0] if len(routes) == 1 else f"{', '.join(routes[:-1])} and {routes[-1]}"
    only = "only " if len(routes) == 1 else ""
    return f"{only}{listed} dominant, bottleneck{'' if len(servers) == 1 else 's'} {', '.join(servers)}"
