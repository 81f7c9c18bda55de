"""Methods side by side as a table for terminals, CSV, JSON, LaTeX and Markdown (``queueproof compare``).

Exact numbers are canonical text "p/q" in CSV and JSON; tables for people round the scale-free margin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.rational import text
from verify.studies.comparison.compare import Comparison, Row
from verify.studies.tables import Column, Format, Grid, csv_text, escaped, json_text, markdown_row, page, rendered

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


def render(comparisons: Sequence[Comparison], format: Format | str = Format.TABLE) -> str:
    """The comparisons as text that ends in a newline.

    >>> from fractions import Fraction
    >>> row = Row("linear", True, "", 1, Fraction(1, 2), Fraction(1, 10), Fraction(999, 1000), "", 0.25)
    >>> print(render([Comparison("line", "", Fraction(9, 10), (row,))], "csv").splitlines()[1])
    line,9/10,linear,yes,,1,1/2,1/10,999/1000,111/100,,0.25,stable,,
    """
    ways = {
        Format.TABLE: _table, Format.CSV: _csv, Format.JSON: _json, Format.LATEX: _latex, Format.MARKDOWN: _markdown,
    }  # fmt: skip
    return rendered(comparisons, format, ways)


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


def _table(comparisons: Sequence[Comparison]) -> str:
    """For each network a heading and one row for each method."""
    columns = [Column(name, number) for name, number in COLUMNS]
    parts: list[str | Grid] = []
    for comparison in comparisons:
        found = [] if comparison.load is None else [Grid(columns, [cells(row) for row in comparison.rows])]
        parts += [heading(comparison), *found, ""]
    return page([*parts, NOTE], WIDTH)


def _markdown(comparisons: Sequence[Comparison]) -> str:
    lines = [markdown_row(("network", *(name for name, _ in COLUMNS)))]
    lines.append("|---|" + "|".join("--:" if number else "---" for _, number in COLUMNS) + "|")
    for comparison in comparisons:
        if comparison.load is None:
            lines.append(markdown_row([heading(comparison)]) + " |" * len(COLUMNS))
            continue
        unstable = f", UNSTABLE for {comparison.unstable}" if comparison.unstable else ""
        for number, row in enumerate(comparison.rows):
            name = f"{comparison.name}, ρ* = {text(comparison.load)}{unstable}" if number == 0 else ""
            lines.append(markdown_row((name, *cells(row))))
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
    return csv_text(_CSV, (line for comparison in comparisons for line in _flat(comparison)))


def _flat(comparison: Comparison) -> Iterator[list[Any]]:
    after = (comparison.verdict if comparison.load is not None else "", comparison.unstable, comparison.error)
    entries = [tuple(entry.values()) for entry in _entries(comparison)] or [("",) * (len(_CSV) - 5)]
    for entry in entries:
        values = (comparison.name, _load(comparison), *entry, *after)
        yield ["" if v is None else ("yes" if v else "no") if isinstance(v, bool) else v for v in values]


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
    return json_text({"networks": networks, "note": NOTE})
