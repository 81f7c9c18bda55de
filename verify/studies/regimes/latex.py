"""The regimes of a test function as a LaTeX document: a booktabs longtable that plain pdflatex sets on landscape A4.

Formulas stand in paragraph columns and may break at + and −; names may break after punctuation, and inside when they are long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from verify.rational import text
from verify.studies.regimes.formulas import LATEX, formula, symbol_text
from verify.studies.regimes.published import PRINTED_LATEX, Comparison, comparisons
from verify.studies.regimes.regimes import Regime, RegimeReport
from verify.studies.regimes.words import decimal, dominant_words, face_words, group_words, header

_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{amsmath,array,booktabs,longtable}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\newcolumntype{R}[1]{>{\raggedleft\arraybackslash}p{#1}}
\setlength{\tabcolsep}{3pt}\setlength{\parindent}{0pt}\sloppy\raggedright
\begin{document}\footnotesize"""
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "^": r"\textasciicircum{}",
    "_": r"\_\allowbreak{}", "~": r"\textasciitilde{}", "<": r"\(<\)", ">": r"\(>\)", "|": r"\(|\)", '"': "''",
    ".": r".\allowbreak{}", ":": r":\allowbreak{}", "@": r"@\allowbreak{}",
    "→": r"\(\to\)\allowbreak{}", "−": r"\(-\)", "—": "---", "≈": r"\(\approx\)",
    "·": r"\(\cdot\)", "≥": r"\(\ge\)", "≤": r"\(\le\)",
    "α": r"\(\alpha\)", "β": r"\(\beta\)", "γ": r"\(\gamma\)", "λ": r"\(\lambda\)", "μ": r"\(\mu\)", "ρ": r"\(\rho\)", "–": "--",
}  # fmt: skip
_LONG_WORD = re.compile(r"([A-Za-z0-9]{12})(?=[A-Za-z0-9])")
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
    for number, group in enumerate(report.groups):
        rule = r"\midrule" if number else ""
        lines.append(
            f"{rule}\\multicolumn{{{len(columns)}}}{{@{{}}l}}{{\\emph{{{escaped(group_words(group))}}}}} \\\\*"
        )
        lines += [_row(regime, len(columns)) for regime in group.regimes]
    lines += [r"\end{longtable}", "% table ends"]
    lines += [line for one in comparisons(report) for line in _comparison(one)]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def escaped(words: str, breaks: bool = True) -> str:
    """Words for LaTeX's text mode; characters that plain LaTeX does not know become "?".  ``breaks``: long names may be
    broken after their dots and colons, and numbers with them.

    >>> escaped("50 % of c_1: 1→3")
    '50 \\\\% of c\\\\_\\\\allowbreak{}1:\\\\allowbreak{} 1\\\\(\\\\to\\\\)\\\\allowbreak{}3'
    """
    loose = _LONG_WORD.sub("\\1\0", words) if breaks else words
    text = "".join(_character(c) for c in loose)
    return text if breaks else text.replace(r"\allowbreak{}", "")


def _character(c: str) -> str:
    if c in _SPECIAL or c == "\0":
        return _SPECIAL.get(c, r"\allowbreak{}")
    return c if (c.isascii() and c.isprintable()) or ("À" <= c <= "ÿ" and c.isalpha()) else "?"


def math(number: Fraction) -> str:
    r"""A number in math mode.

    >>> math(Fraction(-81, 1024)), math(Fraction(-1180736811, 1424043008))
    ('\\(-81/1024\\)', '\\(\\approx -0.829144\\)')
    """
    return f"\\({decimal(number).replace('≈', chr(92) + 'approx')}\\)"


def _header(report: RegimeReport) -> Iterator[str]:
    for line in header(report):
        if line.startswith("values: "):
            pairs = (f"\\({symbol_text(name, LATEX)} = {text(value)}\\)" for name, value in report.symbols.items())
            yield "values: " + ", ".join(pairs)
        else:
            yield escaped(line)


def _row(regime: Regime, columns: int) -> str:
    active = regime.active
    cells = [
        str(regime.number),
        escaped(dominant_words(regime)),
        escaped(" ".join(regime.dominant.servers)),
        escaped(regime.extent.value) if active is None else f"\\({formula(regime.formula, LATEX)}\\)",
        "" if active is None else math(active.drift),
        "" if regime.worst is None else math(regime.worst.bound),
        escaped(face_words(regime)),
    ]
    return " & ".join(cells[:columns]) + r" \\"


def _comparison(one: Comparison) -> Iterator[str]:
    largest = "none" if one.largest is None else math(one.largest)
    printed = f"\\({PRINTED_LATEX[one.case - 1]} = {one.bound}\\)"
    yield f"\\par\\medskip Case {one.case}, {escaped(one.group)}: printed {printed}, largest drift here"
    yield f"{largest}; the printed bound {'fails:' if one.exceeding else 'holds.'}"
    yield from (f"\\par regime {e.number}, {escaped(e.words)}: \\({e.drift} > {one.bound}\\)" for e in one.exceeding)
