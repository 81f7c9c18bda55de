"""The regimes of a test function as a table for terminals, CSV and JSON (``queueproof regimes``); LaTeX is next door.

All numbers are exact; CSV and JSON give them as canonical text "p/q", the table adds decimals where exact ones would be too long.
rich is imported when a table is drawn.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from verify.network.model import RouteNetwork
from verify.rational import text
from verify.studies.regimes.formulas import LATEX, PLAIN, UNICODE, formula, symbol_text
from verify.studies.regimes.published import PRINTED, Comparison, comparisons, paths
from verify.studies.regimes.regimes import Regime, RegimeReport
from verify.studies.regimes.words import (
    decimal,
    dominant_words,
    face_words,
    fluid_words,
    group_words,
    header,
    published_words,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

#: Width of a table that does not go to a terminal.
WIDTH = 144
_CSV = (
    "regime", "group", "depths", "dominant_classes", "dominant_routes", "bottlenecks", "bottleneck_servers", "extent",
    "drift", "symbolic_drift", "cell", "worst_leaf", "worst_leaf_face", "printed_bound",
)  # fmt: skip


class Format(StrEnum):
    """The formats of ``queueproof regimes``."""

    TABLE = "table"
    CSV = "csv"
    LATEX = "latex"
    JSON = "json"


def render(report: RegimeReport, format: Format | str = Format.TABLE) -> str:
    """The report as text that ends in a newline.

    Parameters: ``format`` one of "table", "csv", "latex", "json".

    >>> from verify.network.read import read_text
    >>> from verify.studies.regimes.regimes import regime_report
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> print(render(regime_report(read_text(line, format="toml")), "csv").splitlines()[1][:89])
    0,1 dominant route in 1 class,a.r=1,a,a.r,a.r.1,A,full-dimensional,-3/8,gamma*beta*(lambd
    """
    if Format(format) is Format.LATEX:
        from verify.studies.regimes.latex import latex

        return latex(report)
    drawn = {Format.TABLE: _table_text, Format.CSV: _csv, Format.JSON: _json}
    return drawn[Format(format)](report)


# Table -------------------------------------------------------------------------------------------


def table(report: RegimeReport) -> RenderableType:
    """A rich renderable: header, one section for each group, printed bounds."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [Text(line) for line in header(report)]
    for group in report.groups:
        parts += [Text(""), Text(group_words(group), style="bold"), _section(report, group.regimes)]
    notes = [Text(line) for line in published_words(report)]
    return Group(*parts, *([Text(""), *notes] if notes else []))


def _section(report: RegimeReport, members: tuple[Regime, ...]) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    routes = bool(report.regimes[0].dominant.depths)
    found = Table(box=box.SIMPLE_HEAD, expand=True, show_edge=False)
    found.add_column("regime", justify="right", no_wrap=True)
    found.add_column("dominant route:depth" if routes else "dominant buffers", ratio=7, overflow="fold")
    found.add_column(
        "bottlenecks", width=_width(11, (" ".join(r.dominant.servers) for r in report.regimes)), overflow="fold"
    )
    found.add_column("mean drift (active piece)", ratio=8, overflow="fold")
    found.add_column("value", justify="right", no_wrap=True, min_width=11)
    if any(regime.worst for regime in report.regimes):
        found.add_column("worst leaf", justify="right", no_wrap=True, min_width=11)
        found.add_column("vanishing there", width=_width(15, map(face_words, report.regimes)), overflow="fold")
    for regime in members:
        found.add_row(*map(Text, _row(regime, len(found.columns))))
    return found


def _width(least: int, words: Iterable[str]) -> int:
    """Wide enough for all words, up to 24."""
    return min(24, max(least, *map(len, words)))


def _row(regime: Regime, columns: int) -> list[str]:
    active = regime.active
    cells = [
        str(regime.number),
        dominant_words(regime),
        " ".join(regime.dominant.servers),
        regime.extent.value if active is None else formula(regime.formula, UNICODE),
        "" if active is None else decimal(active.drift),
        "" if regime.worst is None else decimal(regime.worst.bound),
        face_words(regime),
    ]
    return cells[:columns]


def _table_text(report: RegimeReport) -> str:
    from rich.console import Console

    page = io.StringIO()
    Console(file=page, width=WIDTH, color_system=None, legacy_windows=False).print(table(report))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


# CSV and JSON ------------------------------------------------------------------------------------


def _csv(report: RegimeReport) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(_CSV)
    bounds = {one.group: text(one.bound) for one in comparisons(report)}
    writer.writerows(_flat(regime, bounds) for regime in report.regimes)
    return page.getvalue()


def _flat(regime: Regime, bounds: Mapping[str, str]) -> tuple[str, ...]:
    entry = _entry(regime)
    return (
        str(regime.number), regime.group, " ".join(f"{route}={depth}" for route, depth in regime.dominant.depths.items()),
        *(" ".join(entry[key]) for key in ("dominant_classes", "dominant_routes", "bottlenecks", "bottleneck_servers")),
        regime.extent.value, entry["drift"] or "", entry["symbolic_drift"] or "", "; ".join(entry["cell"]),
        "" if regime.worst is None else text(regime.worst.bound), "; ".join(() if regime.worst is None else regime.worst.face),
        bounds.get(regime.group, ""),
    )  # fmt: skip


def _entry(regime: Regime) -> dict[str, Any]:
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
        "symbolic_drift": None if active is None else formula(regime.formula, PLAIN),
        "symbolic_drift_latex": None if active is None else formula(regime.formula, LATEX),
        "cell": [] if active is None else [alternative.name for alternative in active.cell],
        "worst_leaf": None
        if regime.worst is None
        else {"bound": text(regime.worst.bound), "path": list(regime.worst.path), "vanishing": list(regime.worst.face)},
    }


def _json(report: RegimeReport) -> str:
    return json.dumps(as_json(report), indent=2, ensure_ascii=False) + "\n"


def as_json(report: RegimeReport) -> dict[str, Any]:
    """The report as an object; exact numbers are strings."""
    question, largest = report.question, report.largest
    instance, found = question.walk.instance, question.evaluation
    return {
        "title": instance.title,
        "network": "routes" if isinstance(instance.network, RouteNetwork) else "buffers",
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
        "regimes": [_entry(regime) for regime in report.regimes],
        "published": [_published(one) for one in comparisons(report)],
    }


def _published(one: Comparison) -> dict[str, Any]:
    return {
        "case": one.case,
        "group": one.group,
        "printed_formula": PRINTED[one.case - 1],
        "printed_bound": text(one.bound),
        "largest_drift": None if one.largest is None else text(one.largest),
        "fails_in": [{"regime": e.number, "words": e.words, "drift": text(e.drift)} for e in one.exceeding],
    }
