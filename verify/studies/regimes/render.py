"""The regimes of a test function as a table for terminals, CSV and JSON (``queueproof regimes``); LaTeX: ``latex``.

All numbers are exact; CSV and JSON give them as canonical text "p/q", the table adds decimals where exact ones would be too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verify.rational import text
from verify.studies.regimes.formulas import LATEX, PLAIN, UNICODE, Writer, symbol_text
from verify.studies.regimes.latex import latex
from verify.studies.regimes.published import Comparison, comparisons, published_words
from verify.studies.regimes.regimes import Reports
from verify.studies.regimes.report import Regime, RegimeReport
from verify.studies.regimes.words import (
    dominant_words,
    face_words,
    fluid_words,
    group_words,
    header,
    paths,
)
from verify.studies.tables import Column, Format, Grid, csv_text, decimal, json_text, page, rendered

#: Width of a table that does not go to a terminal.
WIDTH = 144
_OTHER = "certify proves this network stable by another V:"
_CSV = (
    "regime", "group", "depths", "dominant_classes", "dominant_routes", "bottlenecks", "bottleneck_servers", "extent",
    "drift", "symbolic_drift", "cell", "worst_leaf", "worst_leaf_face", "printed_bound",
)  # fmt: skip


def render(report: RegimeReport, format: Format | str = Format.TABLE) -> str:
    """The report as text that ends in a newline.

    Parameters: ``format`` one of "table", "csv", "latex", "json".

    >>> from verify.network_file.read import read_text
    >>> from verify.studies.regimes.regimes import regime_report
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> print(render(regime_report(read_text(line, format="toml")), "csv").splitlines()[1][:89])
    0,1 dominant route in 1 class,a.r=1,a,a.r,a.r.1,A,full-dimensional,-3/8,gamma*beta*(lambd
    """
    ways = {Format.TABLE: _table, Format.CSV: _csv, Format.LATEX: latex, Format.JSON: _json}
    return rendered(report, format, ways)


def reports_text(found: Reports) -> str:
    """The tables of one V or of two."""
    if found.certified is None:
        return render(found.report)
    return f"{render(found.report)}\n{_OTHER}\n\n{render(found.certified)}"


def reports_json(found: Reports) -> dict[str, Any]:
    """The object of ``regimes --json``."""
    return as_json(found.report) | {"certified": found.certified and as_json(found.certified)}


# Table -------------------------------------------------------------------------------------------


def _table(report: RegimeReport) -> str:
    """Header, one section for each group, printed bounds."""
    parts: list[str | Grid] = list(header(report))
    for group in report.groups:
        parts += ["", group_words(group), _section(report, group.regimes)]
    notes = list(published_words(report))
    return page([*parts, *([""] if notes else []), *notes], WIDTH)


def _section(report: RegimeReport, members: tuple[Regime, ...]) -> Grid:
    routes = bool(report.regimes[0].dominant.depths)
    bottlenecks = _width(11, (" ".join(r.dominant.servers) for r in report.regimes))
    columns = [
        Column("regime", number=True),
        Column("dominant route:depth" if routes else "dominant buffers", folds=True, share=7),
        Column("bottlenecks", folds=True, width=bottlenecks),
        Column("mean drift (active piece)", folds=True, share=8),
        Column("value", number=True, least=11),
    ]
    if any(regime.worst for regime in report.regimes):
        columns.append(Column("worst leaf", number=True, least=11))
        columns.append(Column("vanishing there", folds=True, width=_width(15, map(face_words, report.regimes))))
    writer = Writer.of(UNICODE, report.symbols)
    return Grid(columns, [_row(regime, len(columns), writer) for regime in members], wide=True)


def _width(least: int, words: Iterable[str]) -> int:
    """Wide enough for all words, up to 24."""
    return min(24, max(least, *map(len, words)))


def _row(regime: Regime, columns: int, writer: Writer) -> list[str]:
    active = regime.active
    cells = [
        str(regime.number),
        dominant_words(regime),
        " ".join(regime.dominant.servers),
        regime.extent.value if active is None else writer.formula(regime.formula),
        "" if active is None else decimal(active.drift),
        "" if regime.worst is None else decimal(regime.worst.bound),
        face_words(regime),
    ]
    return cells[:columns]


# CSV and JSON ------------------------------------------------------------------------------------


def _csv(report: RegimeReport) -> str:
    bounds = {one.case.name: text(one.bound) for one in comparisons(report)}
    return csv_text(_CSV, (_flat(regime, report, bounds) for regime in report.regimes))


def _flat(regime: Regime, report: RegimeReport, bounds: Mapping[str, str]) -> tuple[str, ...]:
    entry = _entry(regime, report)
    return (
        str(regime.number), regime.group, " ".join(f"{route}={depth}" for route, depth in regime.dominant.depths.items()),
        *(" ".join(entry[key]) for key in ("dominant_classes", "dominant_routes", "bottlenecks", "bottleneck_servers")),
        regime.extent.value, entry["drift"] or "", entry["symbolic_drift"] or "", "; ".join(entry["cell"]),
        "" if regime.worst is None else text(regime.worst.bound), "; ".join(() if regime.worst is None else regime.worst.face),
        bounds.get(regime.group, ""),
    )  # fmt: skip


def _entry(regime: Regime, report: RegimeReport) -> dict[str, Any]:
    known, active = regime.dominant, regime.active
    return {
        "regime": regime.number,
        "group": regime.group,
        "depths": dict(known.depths),
        "dominant_classes": list(known.classes),
        "dominant_routes": list(known.routes),
        "dominant_buffers": list(known.buffers),
        "bottlenecks": list(known.bottlenecks),
        "bottleneck_servers": list(known.servers),
        "extent": regime.extent.value,
        "drift": None if active is None else text(active.drift),
        "symbolic_drift": None if active is None else Writer.of(PLAIN, report.symbols).formula(regime.formula),
        "symbolic_drift_latex": None if active is None else Writer.of(LATEX, report.symbols).formula(regime.formula),
        "cell": [] if active is None else [alternative.name for alternative in active.cell],
        "worst_leaf": None
        if regime.worst is None
        else {"bound": text(regime.worst.bound), "path": list(regime.worst.path), "vanishing": list(regime.worst.face)},
    }


def _json(report: RegimeReport) -> str:
    return json_text(as_json(report))


def as_json(report: RegimeReport) -> dict[str, Any]:
    """The report as an object; exact numbers are strings."""
    question, largest = report.question, report.largest
    instance, found = question.walk.instance, question.evaluation
    return {
        "title": instance.title,
        "network": "routes" if instance.network.has_routes else "buffers",
        "test_function": question.what,
        "symbols": {symbol_text(name, PLAIN): text(value) for name, value in report.symbols.items()},
        "routes": dict(paths(instance)),
        "tie_order": {server: list(names) for server, names in instance.policy.tie_order.items()},
        "largest_drift": None
        if largest is None or largest.active is None
        else {"regime": largest.number, "drift": text(largest.active.drift)},
        "condition": None
        if found is None
        else {
            "criterion": found.condition.word,
            "holds": found.holds,
            "epsilon": None if found.epsilon is None else text(found.epsilon),
            "words": fluid_words(report),
        },
        "groups": [{"name": group.name, "regimes": [r.number for r in group.regimes]} for group in report.groups],
        "regimes": [_entry(regime, report) for regime in report.regimes],
        "published": [_published(one) for one in comparisons(report)],
    }


def _published(one: Comparison) -> dict[str, Any]:
    return {
        "case": one.case.number,
        "group": one.case.name,
        "printed_formula": one.case.formula,
        "printed_bound": text(one.bound),
        "largest_drift": None if one.largest is None else text(one.largest),
        "fails_in": [{"regime": e.number, "words": e.words, "drift": text(e.drift)} for e in one.exceeding],
    }
