"""What a file that cannot be read seems to be: for messages only, no rule asks."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

CERTIFICATE = "a certificate"
NETWORK = "a network file"
EQUILIBRIA = "an equilibria file"
YAML = "YAML"
CSV = "CSV"
XML = "XML"
EMPTY = "an empty file"
BINARY = "no text"

_FORMAT = '"format": "queueproof-certificate-'
_NETWORK_LINE = re.compile(
    r"^\s*(\[+\s*(servers|classes|buffers|activities|policy)\b|(servers|classes|buffers)\s*=)", re.MULTILINE
)
_YAML_LINE = re.compile(r"(---|%YAML.*|- .*|[\w.-]+:( .*)?|\"[^\"]*\":( .*)?)")


def kind(data: bytes) -> str:
    """One of the words above, or "" for a file that looks like nothing known.

    >>> kind(b"servers:\\n  A: {rate: 1}\\n"), kind(b"server,rate\\nA,1\\n"), kind(b"servers = {}")
    ('YAML', 'CSV', 'a network file')
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return BINARY
    if not text.strip():
        return EMPTY
    if "\0" in text:
        return BINARY
    table = _table(text)
    if table is not None:
        return _table_kind(table)
    if is_json(data):
        return CERTIFICATE if _FORMAT in text[:1000] else NETWORK if '"servers"' in text else ""
    if text.lstrip().startswith("<"):
        return XML
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if _NETWORK_LINE.search(text):
        return NETWORK
    if lines and _YAML_LINE.fullmatch(lines[0]) and all(_YAML_LINE.fullmatch(line.strip()) for line in lines[:20]):
        return YAML
    return CSV if _same_columns(lines) else ""


def is_json(data: bytes) -> bool:
    """Does it begin as a JSON object does, and no TOML?"""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _table(text: str) -> Mapping[str, object] | None:
    """The object of a JSON or TOML text."""
    for read in (json.loads, tomllib.loads):
        try:
            value = read(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _table_kind(table: Mapping[str, object]) -> str:
    if str(table.get("format", "")).startswith("queueproof-certificate-"):
        return CERTIFICATE
    if "queues" in table:
        return EQUILIBRIA
    return NETWORK if table.keys() & {"servers", "classes", "buffers", "activities"} else ""


def _same_columns(lines: list[str]) -> bool:
    """At least two lines, all with the same number of the same separator."""
    for separator in (",", ";", "\t"):
        counts = {line.count(separator) for line in lines[:50]}
        if len(lines) > 1 and len(counts) == 1 and counts != {0}:
            return True
    return False
