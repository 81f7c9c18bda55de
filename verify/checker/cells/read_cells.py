"""Reads what speaks of pattern cells: correctors, and the proofs of conditions H and U (FORMAT.md sections 15 to 18)."""

from __future__ import annotations

from collections.abc import Mapping

from verify.checker.core.data import CorrectedProof, Corrector, FeatureText, GrowthProof, Orders, Step
from verify.checker.core.read import emptying
from verify.checker.core.values import fields, items, mapping, number, numbers, orders, text

CORRECTED = ("weights", "corrector", "potential")
GROWTH = ("pieces", "corrector", "v0", "path")


def corrector(value: object, place: str) -> Corrector:
    """Features, and h by cell."""
    found = fields(value, place, ("features", "h"))
    return Corrector(items(found["features"], f"{place}.features", _feature), numbers(found["h"], f"{place}.h"))


def _feature(value: object, place: str) -> FeatureText:
    found = fields(value, place, ("normal", "low", "high"))
    low, high = (number(found[end], f"{place}.{end}") for end in ("low", "high"))
    return FeatureText(text(found["normal"], f"{place}.normal"), low, high)


def corrected_proof(found: Mapping[str, object]) -> CorrectedProof:
    """The proof of condition H; all keys of CORRECTED are there."""
    return CorrectedProof(
        mapping(found["weights"], "weights", number),
        corrector(found["corrector"], "corrector"),
        emptying(found),
    )


def growth_proof(found: Mapping[str, object]) -> GrowthProof:
    """The proof of condition U; all keys of GROWTH are there, and perhaps a witness."""

    def order(key: str) -> Orders | None:
        return orders(found[key], key) if key in found else None

    return GrowthProof(
        items(found["pieces"], "pieces", numbers),
        corrector(found["corrector"], "corrector"),
        number(found["v0"], "v0"),
        items(found["path"], "path", _step),
        order("witness"),
        order("witness_server_order"),
    )


def _step(value: object, place: str) -> Step:
    """A change by buffer; or `change` (an object, so not a buffer of that name) with `times`."""
    if isinstance(value, dict) and isinstance(value.get("change"), dict):
        found = fields(value, place, ("change", "times"))
        return Step(numbers(found["change"], f"{place}.change"), number(found["times"], f"{place}.times"))
    return Step(numbers(value, place))
