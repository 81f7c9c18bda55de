"""Kinds of values in a certificate: strict JSON text, strings, names, numbers, objects, lists (FORMAT.md section 1).

Every value passes one of `fields`, `items`, `text`, so no bare JSON number, true, false or null gets through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from verify.checker.core.data import Numbers, Orders
from verify.checker.core.errors import Malformed, show

DEEPEST = 400
LONGEST_NUMBER = 4000
NUMBER = re.compile(r"-?[1-9][0-9]*(?:/[1-9][0-9]*)?|0")
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
T = TypeVar("T")


# ---- text ----------------------------------------------------------------------------------------------------------
def load_json(data: bytes, place: str, bare: Callable[[str], object]) -> object:
    """Strict JSON: UTF-8 without byte-order mark, no duplicate key, no deeper than 400; `bare` meets the numbers."""
    try:
        content = data.decode("utf-8")
        if content.startswith("\ufeff"):
            raise Malformed(place, "no byte-order mark", "a byte-order mark")
        value: object = json.loads(
            content, object_pairs_hook=_unique, parse_int=bare, parse_float=no_number, parse_constant=no_number
        )
    except UnicodeDecodeError as error:
        raise Malformed(place, "UTF-8", f"byte {error.start} is not") from None
    except json.JSONDecodeError as error:
        raise Malformed(place, "JSON", f"{error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise Malformed(place, f"nesting of at most {DEEPEST}", "deeper nesting") from None
    _check_depth(value, place)
    return value


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise Malformed("file", "every key once in its object", f"two keys {show(key)}")
        found[key] = value
    return found


def no_number(written: str) -> NoReturn:
    raise Malformed("file", 'every number as a string ("1/2")', f"the bare number {show(written[:40])}")


def _check_depth(value: object, place: str) -> None:
    layer: list[Any] = [value]
    depth = 0
    while layer:
        layer = [inner for inner in layer if isinstance(inner, (dict, list))]
        depth += bool(layer)
        if depth > DEEPEST:
            raise Malformed(place, f"nesting of at most {DEEPEST}", "deeper nesting")
        layer = [inner for outer in layer for inner in (outer.values() if isinstance(outer, dict) else outer)]


# ---- kinds of values -----------------------------------------------------------------------------------------------
def text(value: object, place: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise Malformed(place, "a string", kind(value))
    return value


def word(value: object, place: str, allowed: Sequence[str]) -> str:
    """One of the allowed strings."""
    found = text(value, place)
    if found not in allowed:
        raise Malformed(place, " or ".join(allowed), show(found))
    return found


def name(value: object, place: str) -> str:
    """A name: 1 to 100 characters `[A-Za-z0-9_-]`."""
    found = text(value, place)
    if NAME.fullmatch(found) is None:
        raise Malformed(place, "a name (1 to 100 characters [A-Za-z0-9_-])", show(found))
    return found


def number(value: object, place: str) -> Fraction:
    """A number in its one canonical spelling: an integer, or p/q in lowest terms with q >= 2."""
    written = text(value, place)
    if len(written) > LONGEST_NUMBER or NUMBER.fullmatch(written) is None:
        raise Malformed(place, 'a number "p" or "p/q"', show(written))
    numerator, slash, denominator = written.partition("/")
    try:
        result = Fraction(int(numerator), int(denominator) if slash else 1)
    except ValueError:  # Python's limit on digits, if somebody has set it below 4000
        raise Malformed(place, "a number with fewer digits", f"{len(written)} characters") from None
    if slash and (result.denominator == 1 or result.denominator != int(denominator)):
        raise Malformed(place, "a number in lowest terms", show(written))
    return result


def nonzero(value: object, place: str) -> Fraction:
    """A number where zeros are left out."""
    found = number(value, place)
    if found == 0:
        raise Malformed(place, "no entry (zeros are left out)", "0")
    return found


def fields(value: object, place: str, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, object]:
    """An object with all the required keys, perhaps the optional ones, and no other."""
    found = table(value, place)
    for key in required:
        if key not in found:
            raise Malformed(place, f"the key {key}", "no such key")
    for key in found:
        if key not in required and key not in optional:
            raise Malformed(place, "keys " + ", ".join((*required, *optional)), f"the key {show(key)}")
    return found


def table(value: object, place: str) -> Mapping[str, object]:
    """An object."""
    if not isinstance(value, dict):
        raise Malformed(place, "an object", kind(value))
    return value


def items(value: object, place: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
    """A list whose members `read` accepts."""
    if not isinstance(value, list):
        raise Malformed(place, "a list", kind(value))
    return tuple(read(item, f"{place}[{index}]") for index, item in enumerate(value))


def mapping(value: object, place: str, read: Callable[[object, str], T]) -> dict[str, T]:
    """An object, with free keys, whose values `read` accepts."""
    return {key: read(item, f"{place}.{show(key)}") for key, item in table(value, place).items()}


def kind(value: object) -> str:
    """The kind of a value that is not wanted."""
    kinds = {dict: "an object", list: "a list", str: "a string", type(None): "null", bool: "true or false"}
    return kinds.get(type(value), f"a bare {type(value).__name__}")


def numbers(value: object, place: str) -> Numbers:
    """`{name: number}`, zeros left out."""
    return mapping(value, place, nonzero)


def orders(value: object, place: str) -> Orders:
    """`{name: [name, ...]}`."""
    return mapping(value, place, lambda inner, at: items(inner, at, text))
