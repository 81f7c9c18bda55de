"""Writing the structure of a network file as TOML (Python reads TOML, but does not write it)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml(document: Mapping[str, Any]) -> str:
    """Tables of strings, integers, lists and tables as TOML; the order of keys stays.

    Tables at the top and inside ``classes``, ``buffers`` and ``policy`` get headers, what is deeper stands in one line.

    >>> print(toml({"title": 'a "b"', "servers": {"A": {}}, "classes": [{"name": "a", "routes": {"r": ["A"]}}]}), end="")
    title = "a \\"b\\""
    <BLANKLINE>
    [servers]
    A = {}
    <BLANKLINE>
    [[classes]]
    name = "a"
    routes = { r = ["A"] }
    """
    lines = [f"{_key(name)} = {_value(value)}" for name, value in document.items() if not _has_header(value)]
    for name, value in document.items():
        if _has_header(value):
            lines += _tables(name, value)
    return "\n".join(lines).lstrip("\n") + "\n"


def _has_header(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _tables(name: str, value: Any) -> Iterator[str]:
    """``[name]``, or ``[[name]]`` for each entry of a list."""
    header = f"[{_key(name)}]" if isinstance(value, Mapping) else f"[[{_key(name)}]]"
    for table in [value] if isinstance(value, Mapping) else value:
        yield ""
        yield header
        yield from (f"{_key(key)} = {_value(entry)}" for key, entry in table.items())


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    """A basic string: the escapes of JSON, and of DEL, which JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """On one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}" if value else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, int) else _text(value)
