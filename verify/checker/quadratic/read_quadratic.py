"""Reads functions, evidence, and the proofs of sections 20 to 23 of FORMAT.md."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verify.checker.core.errors import Malformed, show
from verify.checker.core.quadratics import (
    Affine,
    CellTerm,
    ComponentEvidence,
    Components,
    MeanBound,
    MeanProof,
    PlaceEvidence,
    ProductProof,
    QuadraticProof,
    QuadraticText,
    Square,
    StabilityProof,
)
from verify.checker.core.read import emptying
from verify.checker.core.values import fields, items, mapping, nonzero, number, numbers, table, word

QUADRATIC = ("function", "squares", "potential", "evidence")
STABLE = ("fluid", "strict", "corrected", "quadratic")
SIDES = ("upper", "lower")


# ---- section 20 ----------------------------------------------------------------------------------------------------
def _function(value: object, place: str, with_cuts: bool) -> QuadraticText:
    """A function; with cuts it has both keys, `cuts` and `cells`."""
    cut = with_cuts and "cuts" in table(value, place)
    found = fields(value, place, ("square", "linear", "cuts", "cells") if cut else ("square", "linear"))
    square, linear = mapping(found["square"], f"{place}.square", numbers), numbers(found["linear"], f"{place}.linear")
    if not cut:
        return QuadraticText(square, linear, {}, ())
    cuts, cells = numbers(found["cuts"], f"{place}.cuts"), items(found["cells"], f"{place}.cells", _cell)
    return QuadraticText(square, linear, _not_empty(cuts, f"{place}.cuts"), cells)


def _cell(value: object, place: str) -> CellTerm:
    found = fields(value, place, ("at", "linear"), ("constant",))
    at = mapping(found["at"], f"{place}.at", number)
    return CellTerm(at, numbers(found["linear"], f"{place}.linear"), _constant(found, place))


def _constant(found: Mapping[str, object], place: str) -> Fraction:
    """0 is left out."""
    return nonzero(found["constant"], f"{place}.constant") if "constant" in found else Fraction(0)


def _not_empty(found: Mapping[str, Fraction], place: str, what: str = "buffer") -> Mapping[str, Fraction]:
    if not found:
        raise Malformed(place, f"one {what} at least", "none")
    return found


def _components(value: object, place: str) -> Components:
    """Evidence for one place."""
    return mapping(value, place, _component)


def _component(value: object, place: str) -> ComponentEvidence:
    found = fields(value, place, ("form", "alternatives"), ("constant", "parts"))
    alternatives = mapping(found["alternatives"], f"{place}.alternatives", numbers)
    for name, multipliers in alternatives.items():
        _not_empty(multipliers, f"{place}.alternatives.{show(name)}", "row")
    parts = mapping(found["parts"], f"{place}.parts", _part) if "parts" in found else None
    bound = Affine(numbers(found["form"], f"{place}.form"), _constant(found, place))
    return ComponentEvidence(bound, alternatives, parts)


def _part(value: object, place: str) -> Affine:
    found = fields(value, place, ("form",), ("constant",))
    return Affine(numbers(found["form"], f"{place}.form"), _constant(found, place))


# ---- section 21 ----------------------------------------------------------------------------------------------------
def quadratic_proof(bound: Fraction, found: Mapping[str, object]) -> QuadraticProof:
    """The proof of condition Q; all keys of QUADRATIC are there."""
    return QuadraticProof(
        bound,
        _function(found["function"], "function", with_cuts=False),
        items(found["squares"], "squares", _square),
        emptying(found),
        _components(found["evidence"], "evidence"),
    )


def _square(value: object, place: str) -> Square:
    found = fields(value, place, ("weight", "form"))
    return Square(number(found["weight"], f"{place}.weight"), numbers(found["form"], f"{place}.form"))


# ---- section 22 ----------------------------------------------------------------------------------------------------
def mean_of(value: object, place: str) -> Mapping[str, Fraction]:
    """The form of which the mean is claimed; not empty."""
    return _not_empty(numbers(value, place), place)


def mean_sides(claim: Mapping[str, object], place: str) -> tuple[str, ...]:
    """Which bounds are claimed: one at least."""
    sides = tuple(side for side in SIDES if side in claim)
    if not sides:
        raise Malformed(place, "the key upper or the key lower", "neither")
    return sides


def stability_condition(value: object, place: str) -> str:
    """The condition of a proof of stability."""
    return word(table(value, place).get("condition"), f"{place}.condition", STABLE)


def mean_proof(
    claim: Mapping[str, object], condition: str, stability: StabilityProof, found: Mapping[str, object]
) -> MeanProof:
    """The bounds that `claim` has, from the keys of these names; the proof of stability is read already."""
    sides = {side: _mean_bound(claim, side, found[side]) for side in SIDES if side in claim}
    return MeanProof(mean_of(claim["of"], "claim.of"), condition, stability, sides.get("upper"), sides.get("lower"))


def _mean_bound(claim: Mapping[str, object], side: str, value: object) -> MeanBound:
    found = fields(value, side, ("function", "evidence"))
    return MeanBound(
        number(claim[side], f"claim.{side}"),
        _function(found["function"], f"{side}.function", with_cuts=True),
        items(found["evidence"], f"{side}.evidence", _place),
    )


def _place(value: object, place: str) -> PlaceEvidence:
    found = fields(value, place, ("at", "components"))
    components = _components(found["components"], f"{place}.components")
    return PlaceEvidence(mapping(found["at"], f"{place}.at", number), components)


# ---- section 23 ----------------------------------------------------------------------------------------------------
def product_proof(claim: Mapping[str, object], found: Mapping[str, object]) -> ProductProof:
    """The proof of product form."""
    throughputs = mapping(found["throughputs"], "throughputs", number)
    return ProductProof(mean_of(claim["of"], "claim.of"), throughputs)
