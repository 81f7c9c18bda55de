"""The regimes of a test function as a LaTeX document: a booktabs longtable that plain pdflatex sets on landscape A4.

Formulas stand in paragraph columns and may break at + and −; names may break after punctuation, and inside when they are long.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.rational import text
from verify.studies.regimes.formulas import LATEX, Writer, symbol_text
from verify.studies.regimes.published import Comparison, comparisons
from verify.studies.regimes.report import Regime, RegimeReport
from verify.studies.regimes.words import dominant_words, face_words, group_words, result_words, subject_words
from verify.studies.tables import decimal, escaped

_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{amsmath,array,booktabs,longtable}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\newcolumntype{R}[1]{>{\raggedleft\arraybackslash}p{#1}}
\setlength{\tabcolsep}{3pt}\setlength{\parindent}{0pt}\sloppy\raggedright
\begin{document}\footnotesize"""
#: Name, alignment and width of each column; the last two only when case trees are at hand.
_COLUMNS = (
    ("regime", "R{11mm}"), ("dominant route:depth", "L{52mm}"), ("bottlenecks", "L{23mm}"),
    ("mean drift (active piece)", "L{78mm}"), ("value", "R{25mm}"), ("worst leaf", "R{25mm}"), ("vanishing there", "L{34mm}"),
)  # fmt: skip


def latex(report: RegimeReport) -> str:
    """The whole document; the lines between the comments "table begins" and "table ends" can be used in another one."""
    columns = _COLUMNS if any(regime.worst for regime in report.regimes) else _COLUMNS[:5]
    lines = [_PREAMBLE, *(f"{line}\\par" for line in _header(report)), "% table begins"]
    lines += [f"\\begin{{longtable}}{{@{{}}{''.join(kind for _, kind in columns)}@{{}}}}", r"\toprule"]
    lines += [" & ".join(name for name, _ in columns) + r" \\", r"\midrule\endhead", r"\bottomrule\endfoot"]
    writer = Writer.of(LATEX, report.symbols)
    for number, group in enumerate(report.groups):
        rule = r"\midrule" if number else ""
        lines.append(
            f"{rule}\\multicolumn{{{len(columns)}}}{{@{{}}l}}{{\\emph{{{escaped(group_words(group))}}}}} \\\\*"
        )
        lines += [_row(regime, len(columns), writer) for regime in group.regimes]
    lines += [r"\end{longtable}", "% table ends"]
    lines += [line for one in comparisons(report) for line in _comparison(one)]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def math(number: Fraction) -> str:
    r"""A number in math mode.

    >>> math(Fraction(-81, 1024)), math(Fraction(-1180736811, 1424043008))
    ('\\(-81/1024\\)', '\\(\\approx -0.829144\\)')
    """
    return f"\\({decimal(number).replace('≈', chr(92) + 'approx')}\\)"


def _header(report: RegimeReport) -> Iterator[str]:
    yield from map(escaped, subject_words(report))
    yield "values: " + ", ".join(
        f"\\({symbol_text(name, LATEX)} = {text(value)}\\)" for name, value in report.symbols.items()
    )
    yield from map(escaped, result_words(report))


def _row(regime: Regime, columns: int, writer: Writer) -> str:
    active = regime.active
    cells = [
        str(regime.number),
        escaped(dominant_words(regime)),
        escaped(" ".join(regime.dominant.servers)),
        escaped(regime.extent.value) if active is None else f"\\({writer.formula(regime.formula)}\\)",
        "" if active is None else math(active.drift),
        "" if regime.worst is None else math(regime.worst.bound),
        escaped(face_words(regime)),
    ]
    return " & ".join(cells[:columns]) + r" \\"


def _comparison(one: Comparison) -> Iterator[str]:
    largest = "none" if one.largest is None else math(one.largest)
    printed = f"\\({one.case.latex} = {one.bound}\\)"
    yield f"\\par\\medskip Case {one.case.number}, {escaped(one.case.name)}: printed {printed}, largest drift here"
    yield f"{largest}; the printed bound {'fails:' if one.exceeding else 'holds.'}"
    yield from (f"\\par regime {e.number}, {escaped(e.words)}: \\({e.drift} > {one.bound}\\)" for e in one.exceeding)
