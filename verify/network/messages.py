"""How a refusal shows what it found, what it knows, and what the user may have meant."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

_SHOWN_CHARACTERS = 60
_SHOWN_NAMES = 40
_PLAIN_FLOAT = re.compile(r"(-?[0-9]{1,40}(?:\.[0-9]{1,40})?)(?:[eE]([-+]?[0-9]{1,2}))?")


@dataclass(frozen=True)
class FloatLiteral:
    """A floating point literal of a file, kept as it was written: files hold exact numbers only."""

    text: str


@dataclass(frozen=True)
class LongInteger:
    """An integer literal with more digits than the reader converts."""

    digits: int


@dataclass(frozen=True)
class DuplicateKey:
    """Stands where a JSON object named ``key`` twice."""

    key: str


def shown(value: object) -> str:
    """A found value in the words of the file, cut to one line.

    >>> shown("X"), shown(True), shown([1, 2]), shown({})
    ("'X'", 'true', 'a list', 'a table')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, FloatLiteral):
        return _cut(value.text)
    if isinstance(value, LongInteger):
        return f"an integer of {value.digits} digits"
    if isinstance(value, int) and value.bit_length() > 13_000:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (datetime.date, datetime.time)):
        return f"the date or time {value}"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "a table" if isinstance(value, dict) else _cut(repr(value))


def shown_number(value: Fraction) -> str:
    """A number for a message; long ones are cut."""
    return _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."


def listed(names: Iterable[str]) -> str:
    """Names joined by commas; the end of a long list is left out and counted.

    >>> listed(["1", "2", "3"])
    '1, 2, 3'
    """
    known = [_cut(name) for name in names]
    if not known:
        return "(none)"
    if len(known) <= _SHOWN_NAMES:
        return ", ".join(known)
    return ", ".join(known[:_SHOWN_NAMES]) + f", ... ({len(known)} in all)"


def did_you_mean(word: object, options: Iterable[str]) -> str:
    """``did you mean 'x'?`` for the option nearest to a misspelt word, or nothing.

    >>> did_you_mean("arival_rate", ["name", "arrival_rate"])
    "did you mean 'arrival_rate'?"
    >>> did_you_mean("JSQ", ["jsr", "jsq"])
    "did you mean 'jsq'?"
    """
    if not isinstance(word, str) or len(word) > _SHOWN_CHARACTERS:
        return ""
    known = list(options)
    near = [name for name in known if name.lower() == word.lower()] or get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def float_cure(literal: str) -> str:
    """How to write a floating point literal exactly.

    >>> float_cure("0.5")
    'write "1/2" or "0.5"'
    >>> float_cure("2e-3")
    'write "1/500"'
    """
    parts = _PLAIN_FLOAT.fullmatch(literal.replace("_", "").lstrip("+"))
    if parts is None:
        return 'write an integer, or a string like "1/2" or "0.5"'
    number, exponent = parts.groups()
    exact = Fraction(number) * Fraction(10) ** int(exponent or 0)
    return f'write "{exact}"' if exponent else f'write "{exact}" or "{number}"'
