"""Methods side by side as a table for terminals, CSV, JSON, LaTeX and Markdown (``queueproof compare``).

Exact numbers are canonical text "p/q" in CSV and JSON; tables for people round the scale-free margin.  rich is imported when a
table is drawn.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from verify.rational import text
from verify.studies.comparison.compare import Comparison, Row
from verify.studies.regimes.latex import escaped

if TYPE_CHECKING:
    from rich.console import RenderableType

#: Width of a table that does not go to a terminal.
WIDTH = 110
#: Heads of the columns for people, and whether they are numbers.
COLUMNS = (
    ("method", False), ("decides", False), ("pieces", True), ("scale-free ε", True), ("largest load", True),
    ("beyond", False), ("s", True),
)  # fmt: skip
_CSV = (
    "network", "load", "method", "decided", "reason", "pieces", "epsilon", "scale_free_epsilon", "largest_load", "factor",
    "beyond", "seconds", "verdict", "unstable_for", "error",
)  # fmt: skip
NOTE = (
    "largest load: in thousandths, by bisection; at that load there is a certificate, accepted by the checker; beyond: why not "
    "a thousandth more (nothing: capacity); scale-free ε: ε / (largest weight · sum of all rates), at the rates of the file"
)


class Format(StrEnum):
    """The formats of ``queueproof compare``."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"
    MARKDOWN = "markdown"


def render(comparisons: Sequence[Comparison], format: Format | str = Format.TABLE) -> str:
    """The comparisons as text that ends in a newline.

    >>> from fractions import Fraction
    >>> row = Row("linear", True, "", 1, Fraction(1, 2), Fraction(1, 10), Fraction(999, 1000), "", 0.25)
    >>> print(render([Comparison("line", "", Fraction(9, 10), (row,))], "csv").splitlines()[1])
    line,9/10,linear,yes,,1,1/2,1/10,999/1000,111/100,,0.25,stable,,
    """
    drawn = {
        Format.TABLE: _table_text, Format.CSV: _csv, Format.JSON: _json, Format.LATEX: _latex, Format.MARKDOWN: _markdown,
    }  # fmt: skip
    return drawn[Format(format)](comparisons)


# Cells -------------------------------------------------------------------------------------------


def cells(row: Row) -> tuple[str, ...]:
    """One row for people, in the order of ``COLUMNS``."""
    return (
        row.method,
        "yes" if row.decided else f"no: {row.reason}",
        "" if row.pieces is None else str(row.pieces),
        "" if row.scale_free is None else f"{float(row.scale_free):.3g}",
        "" if row.load is None else f"{float(row.load):.3f}",
        row.beyond,
        f"{row.seconds:.2f}",
    )


def heading(comparison: Comparison) -> str:
    """The network, its load, and whether it is unstable."""
    title = comparison.title if comparison.title != comparison.name else ""
    named = ": ".join(word for word in (comparison.name, title) if word) or "network"
    if comparison.load is None:
        return f"{named}: not compared: {comparison.error}"
    load = f"{named} (load {comparison.load}, about {float(comparison.load):.4g})"
    return f"{load}: UNSTABLE for {comparison.unstable}" if comparison.unstable else load


# Table, Markdown, LaTeX --------------------------------------------------------------------------


def table(comparisons: Sequence[Comparison]) -> RenderableType:
    """A rich renderable: for each network a heading and one row for each method."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = []
    for comparison in comparisons:
        if comparison.load is None:
            parts += [Text(heading(comparison), style="bold"), Text("")]
            continue
        found = Table(box=box.SIMPLE_HEAD, show_edge=False)
        for name, number in COLUMNS:
            found.add_column(name, justify="right" if number else "left", no_wrap=True)
        for row in comparison.rows:
            found.add_row(*map(Text, cells(row)))
        parts += [Text(heading(comparison), style="bold"), found, Text("")]
    return Group(*parts, Text(NOTE))


def _table_text(comparisons: Sequence[Comparison]) -> str:
    from rich.console import Console

    page = io.StringIO()
    Console(file=page, width=WIDTH, color_system=None, legacy_windows=False).print(table(comparisons))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _markdown(comparisons: Sequence[Comparison]) -> str:
    lines = ["| network | " + " | ".join(name for name, _ in COLUMNS) + " |"]
    lines.append("|---|" + "|".join("--:" if number else "---" for _, number in COLUMNS) + "|")
    for comparison in comparisons:
        if comparison.load is None:
            lines.append("| " + heading(comparison).replace("|", r"\|") + " |" * (len(COLUMNS) + 1))
            continue
        unstable = f", UNSTABLE for {comparison.unstable}" if comparison.unstable else ""
        for number, row in enumerate(comparison.rows):
            name = f"{comparison.name}, ρ* = {text(comparison.load)}{unstable}" if number == 0 else ""
            lines.append("| " + " | ".join(word.replace("|", r"\|") for word in (name, *cells(row))) + " |")
    return "\n".join(lines) + "\n"


def _latex(comparisons: Sequence[Comparison]) -> str:
    r"""A booktabs tabular for use in a document that loads booktabs."""
    kinds = "".join("r" if number else "l" for _, number in COLUMNS)
    lines = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{@{{}}{kinds}@{{}}}}", r"\toprule"]
    lines.append(" & ".join(name.replace("ε", r"\(\varepsilon\)") for name, _ in COLUMNS) + r" \\")
    for comparison in comparisons:
        lines += [
            r"\midrule",
            rf"\multicolumn{{{len(COLUMNS)}}}{{@{{}}l}}{{{escaped(heading(comparison), breaks=False)}}} \\",
        ]
        lines += [" & ".join(escaped(cell, breaks=False) for cell in cells(row)) + r" \\" for row in comparison.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


# CSV and JSON ------------------------------------------------------------------------------------


def _csv(comparisons: Sequence[Comparison]) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(_CSV)
    for comparison in comparisons:
        after = (comparison.verdict if comparison.load is not None else "", comparison.unstable, comparison.error)
        entries = [tuple(entry.values()) for entry in _entries(comparison)] or [("",) * (len(_CSV) - 5)]
        for entry in entries:
            values = (comparison.name, _load(comparison), *entry, *after)
            writer.writerow("" if v is None else ("yes" if v else "no") if isinstance(v, bool) else v for v in values)
    return page.getvalue()


def _load(comparison: Comparison) -> str | None:
    return None if comparison.load is None else text(comparison.load)


def _entries(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Every row with exact numbers as text; ``factor``: what all arrival rates of the file are multiplied by."""
    capacity = comparison.load
    for row in comparison.rows:
        yield {
            "method": row.method,
            "decided": row.decided,
            "reason": row.reason,
            "pieces": row.pieces,
            "epsilon": None if row.epsilon is None else text(row.epsilon),
            "scale_free_epsilon": None if row.scale_free is None else text(row.scale_free),
            "largest_load": None if row.load is None else text(row.load),
            "factor": None if row.load is None or not capacity else text(row.load / capacity),
            "beyond": row.beyond,
            "seconds": round(row.seconds, 3),
        }


def _json(comparisons: Sequence[Comparison]) -> str:
    networks = [
        {
            "network": c.name,
            "title": c.title,
            "load": _load(c),
            "methods": list(_entries(c)),
            "verdict": None if c.load is None else c.verdict.value,
            "unstable_for": c.unstable or None,
            "error": c.error or None,
        }
        for c in comparisons
    ]
    return json.dumps({"networks": networks, "note": NOTE}, indent=2, ensure_ascii=False) + "\n"
