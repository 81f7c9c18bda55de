"""Reads the bytes of a certificate into the nouns of `data`, or raises `Malformed` (FORMAT.md section 1).

Only the form is judged here: kinds of values, keys, numbers, names. Whether names are known and numbers right is the
business of the rules. Every value passes one of `fields`, `items`, `text`, so no bare JSON number, true, false or
null gets through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from verify.checker.data import (
    Activity,
    Buffer,
    BufferNetwork,
    CapacityProof,
    Certificate,
    Claim,
    DriftProof,
    Empty,
    Exclusion,
    Explicit,
    Face,
    Function,
    JobClass,
    Leaf,
    Network,
    Node,
    Numbers,
    Orders,
    Pieces,
    Policy,
    Route,
    RouteNetwork,
    Split,
    Visit,
)
from verify.checker.errors import Malformed, show

FORMAT = "queueproof-certificate-1"
DEEPEST = 400
LONGEST_NUMBER = 4000
NUMBER = re.compile(r"-?[1-9][0-9]*(?:/[1-9][0-9]*)?|0")
NAME = re.compile(r"[A-Za-z0-9_-]+")
SIGNS = ("<", "=", ">", "<=", ">=")
T = TypeVar("T")


# ---- text ----------------------------------------------------------------------------------------------------------
def load_json(data: bytes, place: str, bare: Callable[[str], object]) -> object:
    """Strict JSON: UTF-8 without byte-order mark, no duplicate key, no deeper than 400; `bare` meets the numbers."""
    try:
        content = data.decode("utf-8")
        if content.startswith("\ufeff"):
            raise Malformed(place, "no byte-order mark", "a byte-order mark")
        value: object = json.loads(
            content, object_pairs_hook=_unique, parse_int=bare, parse_float=_no_number, parse_constant=_no_number
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


def _no_number(written: str) -> NoReturn:
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
    """A name: `[A-Za-z0-9_-]+`."""
    found = text(value, place)
    if NAME.fullmatch(found) is None:
        raise Malformed(place, "a name ([A-Za-z0-9_-]+)", show(found))
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


# ---- network and policy --------------------------------------------------------------------------------------------
def _network(value: object, place: str) -> Network:
    which = word(table(value, place).get("kind"), f"{place}.kind", ("route", "buffer"))
    if which == "route":
        found = fields(value, place, ("kind", "servers", "classes"))
        servers = items(found["servers"], f"{place}.servers", name)
        return RouteNetwork(servers, items(found["classes"], f"{place}.classes", _class))
    found = fields(value, place, ("kind", "servers", "buffers", "activities"))
    return BufferNetwork(
        items(found["servers"], f"{place}.servers", name),
        items(found["buffers"], f"{place}.buffers", _buffer),
        items(found["activities"], f"{place}.activities", _activity),
    )


def _class(value: object, place: str) -> JobClass:
    found = fields(value, place, ("name", "arrival_rate", "routes"))
    rate = number(found["arrival_rate"], f"{place}.arrival_rate")
    return JobClass(name(found["name"], f"{place}.name"), rate, items(found["routes"], f"{place}.routes", _route))


def _route(value: object, place: str) -> Route:
    found = fields(value, place, ("name", "visits"))
    return Route(name(found["name"], f"{place}.name"), items(found["visits"], f"{place}.visits", _visit))


def _visit(value: object, place: str) -> Visit:
    found = fields(value, place, ("server", "rate"))
    return Visit(text(found["server"], f"{place}.server"), number(found["rate"], f"{place}.rate"))


def _buffer(value: object, place: str) -> Buffer:
    found = fields(value, place, ("name", "arrival_rate"))
    return Buffer(name(found["name"], f"{place}.name"), number(found["arrival_rate"], f"{place}.arrival_rate"))


def _activity(value: object, place: str) -> Activity:
    found = fields(value, place, ("server", "buffer", "rate", "next"))
    return Activity(
        text(found["server"], f"{place}.server"),
        text(found["buffer"], f"{place}.buffer"),
        number(found["rate"], f"{place}.rate"),
        mapping(found["next"], f"{place}.next", number),
    )


def _policy(value: object, place: str) -> Policy:
    if "preset" in table(value, place):
        return Policy(preset=text(fields(value, place, ("preset",))["preset"], f"{place}.preset"))
    extras = ("probabilities", "priority", "tie_order", "dominance_function")
    found = fields(value, place, ("routing", "sequencing", "holding"), extras)

    def extra(key: str, read: Callable[[object, str], T]) -> T | None:
        return read(found[key], f"{place}.{key}") if key in found else None

    return Policy(
        routing=text(found["routing"], f"{place}.routing"),
        sequencing=text(found["sequencing"], f"{place}.sequencing"),
        holding=text(found["holding"], f"{place}.holding"),
        probabilities=extra("probabilities", lambda inner, at: mapping(inner, at, lambda p, q: mapping(p, q, number))),
        priority=extra("priority", orders),
        tie_order=extra("tie_order", orders),
        dominance_function=extra("dominance_function", _function),
    )


def _function(value: object, place: str) -> Function:
    if "template" not in table(value, place):
        found = fields(value, place, ("pieces",))
        return Pieces(items(found["pieces"], f"{place}.pieces", numbers))
    found = fields(value, place, ("template", "alpha", "beta", "gamma"))
    word(found["template"], f"{place}.template", ("explicit",))
    lists = (items(found[key], f"{place}.{key}", number) for key in ("alpha", "beta", "gamma"))
    return Explicit(*lists)


# ---- evidence ------------------------------------------------------------------------------------------------------
def _exclusion(value: object, place: str) -> Exclusion:
    found = fields(value, place, ("kappa", "multipliers"))
    return Exclusion(number(found["kappa"], f"{place}.kappa"), numbers(found["multipliers"], f"{place}.multipliers"))


def _node(value: object, place: str) -> Node:
    """A node of a case tree. One call for two levels of nesting, so at most some 200 calls deep."""
    keys = table(value, place)
    shape: Sequence[str] = ("split", "children") if "split" in keys else ("empty",) if "empty" in keys else ("leaf",)
    found = fields(value, place, shape, ("exclude",))
    exclude = mapping(found.get("exclude", {}), f"{place}.exclude", _exclusion)
    if "empty" in found:
        return Empty(_exclusion(found["empty"], f"{place}.empty"), exclude)
    if "leaf" in found:
        return Leaf(numbers(found["leaf"], f"{place}.leaf"), exclude)
    children: dict[str, Node] = {}
    for sign, child in table(found["children"], f"{place}.children").items():
        children[word(sign, f"{place}.children", SIGNS)] = _node(child, f"{place}.{sign}")
    return Split(text(found["split"], f"{place}.split"), children, exclude)


def _face(value: object, place: str) -> Face:
    last = "empty" if "empty" in table(value, place) else "eta"
    found = fields(value, place, ("busy", last))
    busy = mapping(found["busy"], f"{place}.busy", text)
    if last == "empty":
        return Face(busy, Empty(_exclusion(found["empty"], f"{place}.empty")))
    return Face(busy, Leaf(numbers(found["eta"], f"{place}.eta")))


# ---- the certificate -----------------------------------------------------------------------------------------------
def _claim(value: object, place: str) -> Claim:
    condition = word(table(value, place).get("condition"), f"{place}.condition", ("capacity", "fluid", "strict"))
    measure, verdict = ("load", "unstable") if condition == "capacity" else ("epsilon", "stable")
    found = fields(value, place, ("verdict", "condition", measure, "words"))
    word(found["verdict"], f"{place}.verdict", (verdict,))
    return Claim(condition, number(found[measure], f"{place}.{measure}"), text(found["words"], f"{place}.words"))


def _drift_proof(found: Mapping[str, object], condition: str) -> DriftProof:
    bound = fields(found["lower_bound"], "lower_bound", ("theta", "c"))
    which = table(found["evidence"], "evidence").get("kind")
    shape = word(which, "evidence.kind", ("tree", "faces") if condition == "fluid" else ("tree",))
    member = "trees" if shape == "tree" else "faces"
    evidence = fields(found["evidence"], "evidence", ("kind", member))[member]
    return DriftProof(
        test_function=_function(found["test_function"], "test_function"),
        theta=mapping(bound["theta"], "lower_bound.theta", number),
        c=number(bound["c"], "lower_bound.c"),
        potential=mapping(found["potential"], "potential", number),
        trees=items(evidence, "trees", _node) if shape == "tree" else None,
        faces=items(evidence, "faces", lambda inner, at: items(inner, at, _face)) if shape == "faces" else None,
    )


def read_certificate(data: bytes) -> Certificate:
    """The certificate in these bytes.

    Raises: Malformed, with the first place where the file is not of the form of FORMAT.md.
    """
    value = table(load_json(data, "file", _no_number), "file")
    if next(iter(value), None) != "format":
        raise Malformed("file", "the first key format", "another one")
    word(value["format"], "format", (FORMAT,))
    claim = _claim(value.get("claim"), "claim")
    proof = ("prices", "potentials") if claim.condition == "capacity" else PROOF
    found = fields(value, "file", ("format", "claim", "network", "policy", *proof))
    network, policy = _network(found["network"], "network"), _policy(found["policy"], "policy")
    if claim.condition != "capacity":
        return Certificate(claim, network, policy, _drift_proof(found, claim.condition))
    prices, potentials = numbers(found["prices"], "prices"), numbers(found["potentials"], "potentials")
    return Certificate(claim, network, policy, CapacityProof(prices, potentials))


PROOF = ("test_function", "lower_bound", "potential", "evidence")
