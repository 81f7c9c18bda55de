"""Strict reading: the form of FORMAT.md, section 1, and places in messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from verify.checker import Malformed, check_bytes
from verify.checker.core.data import DriftProof, RouteNetwork, Split
from verify.checker.core.values import number
from verify.checker.read import read_certificate

from .examples import ACCEPTED, Json, jsq_max, mm1_faces, mm1_tree, nested, put

NEW = ["back-pressure-fork", "spillback-longest-queue", "jsq-as-exit"]


@pytest.mark.parametrize(
    ("written", "value"),
    [("0", Fraction(0)), ("-7", Fraction(-7)), ("1/2", Fraction(1, 2)), ("-10/3", Fraction(-10, 3))],
)
def test_number_canonical_is_read(written: str, value: Fraction) -> None:
    assert number(written, "x") == value


@pytest.mark.parametrize(
    "written",
    [
        "",
        "-",
        "-0",
        "00",
        "01",
        "+1",
        "1/1",
        "2/4",
        "0/2",
        "-0/3",
        "1/0",
        "1/02",
        "1/-2",
        "1.0",
        "1e3",
        "1_0",
        "1/",
        "/2",
    ],
)
def test_number_other_spelling_is_malformed(written: str) -> None:
    with pytest.raises(Malformed):
        number(written, "x")


@pytest.mark.parametrize("written", ["1//2", "0x1", "inf", "nan", "\u0663", "\uff11", " 1", "1 ", "1\n", "9" * 4001])
def test_number_of_other_characters_is_malformed(written: str) -> None:
    with pytest.raises(Malformed):
        number(written, "x")


@pytest.mark.parametrize("value", [1, 1.0, True, None, [], {}])
def test_number_bare_is_malformed(value: object) -> None:
    with pytest.raises(Malformed):
        number(value, "x")


def test_read_mm1_is_what_is_written() -> None:
    found = read_certificate(json.dumps(mm1_faces()).encode())
    assert found.claim.condition == "fluid"
    assert found.claim.value == Fraction(1, 2)
    assert isinstance(found.network, RouteNetwork)
    assert found.network.classes[0].routes[0].visits[0].server == "1"
    assert isinstance(found.proof, DriftProof)
    assert found.proof.trees is None


def test_read_tree_has_its_children() -> None:
    proof = read_certificate(json.dumps(jsq_max()).encode()).proof
    assert isinstance(proof, DriftProof)
    assert proof.trees is not None
    first = proof.trees[0]
    assert isinstance(first, Split)
    assert set(first.children) == {"=", ">"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put(mm1_faces, "network|classes|0|routes|0|visits|0|rate", 1), "network.classes[0].routes[0].visits[0].rate"),
        (put(mm1_faces, "evidence|faces|0|0|busy", []), "faces[0][0].busy"),
        (put(mm1_faces, "policy|routing", ["fixed"]), "policy.routing"),
        (
            put(mm1_tree, "evidence|trees|0|exclude|server 1 / (idle)|kappa", "a"),
            "trees[0].exclude.server 1 / (idle).kappa",
        ),
    ],
)
def test_malformed_names_the_place(change: Callable[[], Json], place: str) -> None:
    value = json.dumps(change()).encode()
    with pytest.raises(Malformed) as caught:
        read_certificate(value.replace(b'"rate": 1}', b'"rate": ["1"]}'))
    assert caught.value.place == place


def test_nesting_up_to_400_is_read_and_deeper_is_not() -> None:
    """The trees stand at depth 3; each level of a tree is two deep."""
    assert check_bytes(nested(190).encode()).rule == "normal"
    with pytest.raises(Malformed, match="nesting"):
        read_certificate(nested(200).encode())


def walk(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [found for key, inner in pairs for found in walk(inner, (*path, str(key)))]


@pytest.mark.parametrize(
    "name", ["mm1-tree", "tandem-two-pieces", "dominant", "feedback", "n-bernoulli", "n-jsq-as", *NEW]
)
@pytest.mark.parametrize("new", [None, 1, 1.5, True, "", "\ud800", [], {}, [[]], {"": {}}], ids=repr)
def test_any_member_replaced_never_ends_in_another_exception(name: str, new: object) -> None:
    """Every member is replaced by something else, or removed: Malformed or an answer, and rarely ACCEPTED."""
    make = ACCEPTED[name]
    for path in walk(make()):
        if new is None and isinstance(_parent(make(), path), list):
            continue
        try:
            answer = check_bytes(json.dumps(put(make, "|".join(path), new)()).encode())
        except Malformed:
            continue
        assert not answer.accepted or new is None or _harmless(path), path


def _parent(value: Any, path: tuple[str, ...]) -> Any:
    for key in path[:-1]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _harmless(path: tuple[str, ...]) -> bool:
    """Maps that may be empty."""
    return path[-1] in ("exclude", "eta", "leaf", "next")


@pytest.mark.parametrize("keep", range(0, 100, 3))
def test_truncated_file_is_malformed(keep: int) -> None:
    with pytest.raises(Malformed):
        check_bytes(json.dumps(mm1_faces()).encode()[: 8 * keep])
