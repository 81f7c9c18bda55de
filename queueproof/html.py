"""Small pages for notebooks: every text is escaped, control characters are left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain

_STYLE = "border-collapse: collapse"
_CELL = "text-align: left; vertical-align: top; padding: 0.2em 0.8em"


def escaped(value: object) -> str:
    """A value as text of HTML.

    >>> escaped('<b>"a" & b\\x1b</b>'), escaped(None), escaped(True)
    ('&lt;b&gt;&quot;a&quot; &amp; b&lt;/b&gt;', '', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value)
    return escape("".join(c for c in text if c.isprintable() or c in "\n\t"))


def table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """Rows of values below the names of the columns; without names the first value of a row is its head."""
    lines = [f'<table style="{_STYLE}">']
    if head:
        lines.append(f"<thead><tr>{''.join(_cell('th', name) for name in head)}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        kinds = chain(["td" if head else "th"], ["td"] * (len(row) - 1))
        lines.append(f"<tr>{''.join(_cell(kind, value) for kind, value in zip(kinds, row, strict=True))}</tr>")
    return "".join([*lines, "</tbody></table>"])


def _cell(kind: str, value: object) -> str:
    return f'<{kind} style="{_CELL}">{escaped(value)}</{kind}>'


def line(words: object, strong: object = "") -> str:
    """A paragraph; ``strong`` words come first.

    >>> line(": V < W", "STABLE")
    '<p><strong>STABLE</strong>: V &lt; W</p>'
    """
    begin = f"<strong>{escaped(strong)}</strong>" if strong else ""
    return f"<p>{begin}{escaped(words)}</p>"


def page(*parts: str) -> str:
    """Paragraphs and tables as one block."""
    return f'<div class="queueproof">{"".join(parts)}</div>'
