"""Reads networks, functions, and the proofs of conditions N, F and S (FORMAT.md sections 1, 2, 4, 9 to 13).

Only the form is judged here: kinds of values (`values`), keys, numbers, names. Whether names are known and numbers
right is the business of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from verify.checker.core.data import (
    Activity,
    Buffer,
    BufferNetwork,
    CapacityProof,
    Corrector,
    DriftProof,
    Empty,
    Emptying,
    Exclusion,
    Explicit,
    Face,
    Function,
    JobClass,
    Leaf,
    Network,
    Node,
    Pieces,
    Route,
    RouteNetwork,
    Split,
    Visit,
)
from verify.checker.core.values import fields, items, mapping, name, number, numbers, table, text, word

ReadCorrector = Callable[[object, str], Corrector]

SIGNS = ("<", "=", ">", "<=", ">=")
CAPACITY = ("prices", "potentials")
DRIFT = ("test_function", "lower_bound", "potential", "evidence")
#: What a proof of stability may have besides.
HEIGHTS = ("heights",)


# ---- networks and functions ----------------------------------------------------------------------------------------
def read_network(value: object, place: str) -> Network:
    """A network of either kind."""
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


def read_function(value: object, place: str) -> Function:
    """A function by pieces or by the template."""
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


def _node(value: object, place: str, corrector: ReadCorrector | None) -> Node:
    """A node of a case tree; with `corrector` its leaves may have correctors.

    One call for two levels of nesting, so at most some 200 calls deep.
    """
    keys = table(value, place)
    shape: Sequence[str] = ("split", "children") if "split" in keys else ("empty",) if "empty" in keys else ("leaf",)
    found = fields(value, place, shape, ("exclude", "corrector") if corrector and "leaf" in keys else ("exclude",))
    exclude = mapping(found.get("exclude", {}), f"{place}.exclude", _exclusion)
    if "empty" in found:
        return Empty(_exclusion(found["empty"], f"{place}.empty"), exclude)
    if "leaf" in found:
        read = corrector(found["corrector"], f"{place}.corrector") if corrector and "corrector" in found else None
        return Leaf(numbers(found["leaf"], f"{place}.leaf"), exclude, read)
    children: dict[str, Node] = {}
    for sign, child in table(found["children"], f"{place}.children").items():
        children[word(sign, f"{place}.children", SIGNS)] = _node(child, f"{place}.{sign}", corrector)
    return Split(text(found["split"], f"{place}.split"), children, exclude)


def _face(value: object, place: str) -> Face:
    last = "empty" if "empty" in table(value, place) else "eta"
    found = fields(value, place, ("busy", last))
    busy = mapping(found["busy"], f"{place}.busy", text)
    if last == "empty":
        return Face(busy, Empty(_exclusion(found["empty"], f"{place}.empty")))
    return Face(busy, Leaf(numbers(found["eta"], f"{place}.eta")))


def capacity_proof(found: Mapping[str, object]) -> CapacityProof:
    """The proof of condition N; all keys of CAPACITY are there."""
    return CapacityProof(numbers(found["prices"], "prices"), numbers(found["potentials"], "potentials"))


def emptying(found: Mapping[str, object]) -> Emptying:
    """phi, and u if it is there."""
    heights = mapping(found["heights"], "heights", number) if "heights" in found else None
    return Emptying(mapping(found["potential"], "potential", number), heights)


def drift_proof(found: Mapping[str, object], fluid: bool, corrector: ReadCorrector | None) -> DriftProof:
    """The proof of conditions F (`fluid`) and S; all keys of DRIFT are there, and leaves may have what `corrector` reads."""
    bound = fields(found["lower_bound"], "lower_bound", ("theta", "c"))
    which = table(found["evidence"], "evidence").get("kind")
    shape = word(which, "evidence.kind", ("tree", "faces") if fluid else ("tree",))
    member = "trees" if shape == "tree" else "faces"
    evidence = fields(found["evidence"], "evidence", ("kind", member))[member]
    return DriftProof(
        test_function=read_function(found["test_function"], "test_function"),
        theta=mapping(bound["theta"], "lower_bound.theta", number),
        c=number(bound["c"], "lower_bound.c"),
        emptying=emptying(found),
        trees=items(evidence, "trees", lambda inner, at: _node(inner, at, corrector)) if shape == "tree" else None,
        faces=items(evidence, "faces", lambda inner, at: items(inner, at, _face)) if shape == "faces" else None,
    )
