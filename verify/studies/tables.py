"""How studies print what they found: tables for terminals, CSV, JSON, Markdown, words for LaTeX.  Knows no queues.

rich is imported when a table is drawn, here and nowhere else.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from verify.rational import text

if TYPE_CHECKING:
    from rich.console import RenderableType

Found = TypeVar("Found")


class Format(StrEnum):
    """The formats of the studies; each study offers some of them."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"
    MARKDOWN = "markdown"


def rendered(found: Found, format: Format | str, ways: Mapping[Format, Callable[[Found], str]]) -> str:
    """What was found as text, in one of some ways.  Raises ``ValueError``: a format that is not among them."""
    chosen = Format(format)
    if chosen not in ways:
        raise ValueError(f"{chosen.value!r} is not one of the formats {', '.join(ways)}")
    return ways[chosen](found)


# Terminals ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a table for terminals.

    Numbers stand to the right.  ``folds``: long cells are broken into lines; ``share``: part of the width left over; ``width``:
    fixed; ``least``: minimal.  The other columns are as wide as their cells.
    """

    head: str
    number: bool = False
    folds: bool = False
    share: int | None = None
    width: int | None = None
    least: int | None = None


@dataclass(frozen=True)
class Grid:
    """Rows of words under their columns; ``wide``: as wide as the page; ``total``: the last row stands apart."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    wide: bool = False
    total: bool = False


def page(parts: Iterable[str | Grid], width: int) -> str:
    """Lines and tables below one another, for a page of this width, without spaces at the ends of lines.

    >>> print(page(["bold words", Grid([Column("name"), Column("n", number=True)], [("a", "1"), ("b", "22")])], 40))
    bold words
     name    n
    ───────────
     a       1
     b      22
    <BLANKLINE>
    """
    from rich.console import Console, Group
    from rich.text import Text

    sheet = io.StringIO()
    drawn = Group(*(Text(part) if isinstance(part, str) else _table(part) for part in parts))
    Console(file=sheet, width=width, color_system=None, legacy_windows=False).print(drawn)
    return "\n".join(line.rstrip() for line in sheet.getvalue().splitlines()) + "\n"


def _table(grid: Grid) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    found = Table(box=box.SIMPLE_HEAD, expand=grid.wide, show_edge=False)
    for column in grid.columns:
        found.add_column(
            column.head, justify="right" if column.number else "left", no_wrap=not column.folds, ratio=column.share,
            overflow="fold" if column.folds else "ellipsis", width=column.width, min_width=column.least,
        )  # fmt: skip
    for place, row in enumerate(grid.rows, 1):
        found.add_row(*map(Text, row), end_section=grid.total and place == len(grid.rows) - 1)
    return found


# Files ----------------------------------------------------------------------------------------------


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Comma-separated values, a line for the head and one for each row."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return sheet.getvalue()


def json_text(document: Mapping[str, Any]) -> str:
    """One JSON object."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def markdown_row(cells: Iterable[str]) -> str:
    """One row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


# Words ----------------------------------------------------------------------------------------------


def decimal(number: Fraction) -> str:
    """Exact if short, else six decimals with a sign that it is rounded.

    >>> decimal(Fraction(-81, 1024)), decimal(Fraction(-1180736811, 1424043008))
    ('-81/1024', '≈ -0.829144')
    """
    exact = text(number)
    return exact if len(exact) <= 11 else f"≈ {float(number):.6f}"


_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "^": r"\textasciicircum{}",
    "_": r"\_\allowbreak{}", "~": r"\textasciitilde{}", "<": r"\(<\)", ">": r"\(>\)", "|": r"\(|\)", '"': "''",
    ".": r".\allowbreak{}", ":": r":\allowbreak{}", "@": r"@\allowbreak{}",
    "→": r"\(\to\)\allowbreak{}", "−": r"\(-\)", "—": "---", "≈": r"\(\approx\)",
    "·": r"\(\cdot\)", "≥": r"\(\ge\)", "≤": r"\(\le\)",
    "α": r"\(\alpha\)", "β": r"\(\beta\)", "γ": r"\(\gamma\)", "λ": r"\(\lambda\)", "μ": r"\(\mu\)", "ρ": r"\(\rho\)", "–": "--",
}  # fmt: skip
_LONG_WORD = re.compile(r"([A-Za-z0-9]{12})(?=[A-Za-z0-9])")


def escaped(words: str, breaks: bool = True) -> str:
    """Words for LaTeX's text mode; characters that plain LaTeX does not know become "?".  ``breaks``: long names may be
    broken after their dots and colons, and numbers with them.

    >>> escaped("50 % of c_1: 1→3")
    '50 \\\\% of c\\\\_\\\\allowbreak{}1:\\\\allowbreak{} 1\\\\(\\\\to\\\\)\\\\allowbreak{}3'
    """
    loose = _LONG_WORD.sub("\\1\0", words) if breaks else words
    found = "".join(_character(c) for c in loose)
    return found if breaks else found.replace(r"\allowbreak{}", "")


def _character(c: str) -> str:
    if c in _SPECIAL or c == "\0":
        return _SPECIAL.get(c, r"\allowbreak{}")
    return c if (c.isascii() and c.isprintable()) or ("À" <= c <= "ÿ" and c.isalpha()) else "?"
