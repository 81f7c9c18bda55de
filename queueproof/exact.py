"""From values of Python to the values of files: exact numbers only.

Whatever is a rational number (``int``, ``Fraction``, also of other packages that register theirs) becomes text "p/q"; floats are
left as they are, so that the reader refuses them at their place with a cure.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any

from queueproof.bridge import InputError, number

#: Tables of a file are not nested deeper.
_DEEPEST = 20


def plain(value: object, depth: int = 0) -> Any:
    """Tables and lists with exact numbers as the reader of files takes them.

    >>> plain({"rate": Fraction(1, 2), "visits": ("A", 3)})
    {'rate': '1/2', 'visits': ['A', 3]}
    """
    if depth > _DEEPEST:
        raise InputError("tables", f"tables nested at most {_DEEPEST} deep", "deeper ones")
    if value is None or isinstance(value, (bool, str)):
        return value
    if type(value) is int:
        return value
    if isinstance(value, Rational):
        return str(Fraction(operator.index(value.numerator), operator.index(value.denominator)))
    if isinstance(value, float):
        return float(value)  # without the name of a subclass
    if isinstance(value, Mapping):
        return {key: plain(entry, depth + 1) for key, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [plain(entry, depth + 1) for entry in value]
    return value


def settings_text(settings: Mapping[str, Any]) -> dict[str, str]:
    """Settings as texts: expressions stay as they are.  Raises ``InputError``, for floats with a cure."""
    if not isinstance(settings, Mapping):
        raise InputError("settings", "a mapping of names to exact numbers", type(settings).__name__)
    return {name: _setting(name, value) for name, value in settings.items()}


def _setting(name: object, value: object) -> str:
    if not isinstance(name, str):
        raise InputError("settings", "names of parameters (strings)", repr(name))
    found = plain(value)
    return found if isinstance(found, str) else str(number(f"settings.{name}", found))


def file_name(place: str, value: object) -> str:
    """The name of a file, a string or ``PathLike``.  Raises ``InputError``."""
    found = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(found, str):
        raise InputError(place, "the name of a file", type(value).__name__)
    if "\n" in found:
        raise InputError(place, "the name of a file", "a text of several lines", "queueproof.read_text reads texts")
    return found


def whole(place: str, value: object) -> int:
    """A whole number, also of another package.  Raises ``InputError``."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise InputError(place, "a whole number", repr(value))


def real(place: str, value: object, what: str = "a number") -> float:
    """A number that decides nothing exact: a time, a part.  Raises ``InputError``."""
    if isinstance(value, (int, float, Rational)) and not isinstance(value, bool):
        found = float(value)
        if math.isfinite(found):
            return found
    raise InputError(place, what, repr(value))


def seconds(place: str, value: object) -> float | None:
    """A time limit: seconds > 0, or None.  Raises ``InputError``."""
    if value is None:
        return None
    found = real(place, value, "a number of seconds > 0, or None")
    if found <= 0:
        raise InputError(place, "a number of seconds > 0, or None", repr(value))
    return found


def fraction(text: str | None) -> Any:
    """The number in the text of a JSON, a ``Fraction``; None for none."""
    return None if text is None else Fraction(text)
