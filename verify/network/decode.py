"""From bytes to tables: UTF-8, TOML and JSON, strictly and without floating point numbers."""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from verify.errors import InputError
from verify.files import printable_path, read_bytes
from verify.network.expression import MAX_DIGITS
from verify.network.fields import Field
from verify.network.messages import DuplicateKey, FloatLiteral, LongInteger, shown

FileFormat: TypeAlias = Literal["toml", "json"]
MAX_DEPTH = 100
#: Suffixes of files that people try, and what they hold.
_OTHER_KINDS = {
    ".yaml": "a YAML file", ".yml": "a YAML file", ".csv": "a CSV file", ".xml": "an XML file",
    ".jsimg": "a JMT model", ".jsimw": "a JMT model", ".py": "a Python program", ".ipynb": "a notebook",
}  # fmt: skip

_BYTE_ORDER_MARK = "\ufeff"
_TOML_PLACE = re.compile(r"(.*) \(at (line \d+, column \d+|end of document)\)", re.DOTALL)


def text_of(path: str | Path) -> tuple[str, FileFormat]:
    """The text of a file, and its format: JSON if its name ends in ``.json``, TOML otherwise.  Raises ``InputError``."""
    shown, suffix = printable_path(path), Path(path).suffix.lower()
    data = read_bytes(path)
    if suffix in _OTHER_KINDS:
        raise InputError(shown, "a file in TOML or JSON", _OTHER_KINDS[suffix], "docs/network-file.md shows how")
    return decode_text(data, shown), "json" if suffix == ".json" else "toml"


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Mistakes found in a file are said to be in that file (settings of the command line are not)."""
    try:
        yield
    except InputError as error:
        if error.place.startswith("--"):
            raise
        raise InputError(f"{printable_path(path)}: {error.place}", error.expected, error.found, error.cure) from error


def decode_text(data: bytes, place: str) -> str:
    """The text of a file.  Parameters: ``place`` its name, for messages.  Raises ``InputError`` if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            place, "UTF-8 text", f"byte 0x{data[error.start]:02x} at offset {error.start}", "save the file as UTF-8"
        ) from error


def decode_document(text: str, file_format: FileFormat) -> object:
    """The tables of a TOML or JSON text; numbers with a point or exponent stay ``FloatLiteral``.

    Raises ``InputError``: empty, byte-order mark, syntax error (with its line), duplicate key, nesting too deep.
    """
    if text.startswith(_BYTE_ORDER_MARK):
        raise InputError(
            "line 1, column 1",
            "text without a byte-order mark",
            "one",
            "save the file as UTF-8 without byte-order mark",
        )
    if not text.strip():
        raise InputError("file", "a network", "an empty file")
    try:
        document: object = _toml(text) if file_format == "toml" else _json(text)
    except RecursionError:
        _too_deep()
    _check_document(document)
    return document


def _too_deep() -> NoReturn:
    raise InputError("file", f"tables nested at most {MAX_DEPTH} deep", "deeper ones")


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text, parse_float=FloatLiteral)
    except ValueError as error:  # TOMLDecodeError, or an integer with more digits than Python converts
        match = _TOML_PLACE.fullmatch(str(error))
        place, message = (match[2], match[1]) if match else ("file", str(error))
        if place == "end of document":
            place = f"line {len(text.rstrip().splitlines())} (end of document)"
        raise InputError(place, "valid TOML", f"a syntax error: {message}") from error


def _json(text: str) -> object:
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_float=FloatLiteral, parse_constant=FloatLiteral, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(place, "valid JSON", f"a syntax error: {error.msg}") from error


def _integer(literal: str) -> object:
    return LongInteger(len(literal)) if len(literal) > MAX_DIGITS else int(literal)


def _object(pairs: list[tuple[str, object]]) -> object:
    entries: dict[str, object] = {}
    for key, value in pairs:
        if key in entries:
            return DuplicateKey(key)
        entries[key] = value
    return entries


def _check_document(document: object) -> None:
    """Refuse duplicate keys and deep nesting, by place; no recursion, so that depth cannot hurt here."""
    waiting = [(Field("", document, {}), 0)]
    while waiting:
        field, depth = waiting.pop()
        if depth > MAX_DEPTH:
            _too_deep()
        if isinstance(field.value, DuplicateKey):
            raise field.refused("each key once", "remove one of them", f"{shown(field.value.key)} twice")
        if isinstance(field.value, dict):
            waiting.extend((child, depth + 1) for child in field.entries().values())
        elif isinstance(field.value, list) and field.value:
            waiting.extend((item, depth + 1) for item in field.items("a list"))
