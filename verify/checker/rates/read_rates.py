"""Reads the proof of condition F for all rates (FORMAT.md section 24)."""

from __future__ import annotations

from collections.abc import Mapping

from verify.checker.core.data import AllRatesProof, BranchPrices, Leaf, Row
from verify.checker.core.errors import Malformed
from verify.checker.core.read import DRIFT, drift_proof, excluded
from verify.checker.core.values import fields, items, mapping, numbers

ALL_RATES = (*DRIFT, "rates")


def all_rates_proof(found: Mapping[str, object]) -> AllRatesProof:
    """The proof; all keys of ALL_RATES are there."""
    rates = fields(found["rates"], "rates", ("at_least_zero", "zero"))
    return AllRatesProof(
        drift_proof(found, ("tree",), _leaf),
        items(rates["at_least_zero"], "rates.at_least_zero", _row),
        items(rates["zero"], "rates.zero", _row),
    )


def _row(value: object, place: str) -> Row:
    """A row; not empty."""
    found = numbers(value, place)
    if not found:
        raise Malformed(place, "one symbol at least", "none")
    return found


def _leaf(value: object, place: str) -> Leaf:
    found = fields(value, place, ("leaf", "branches"), ("exclude",))
    branches = mapping(found["branches"], f"{place}.branches", _branch)
    return Leaf(numbers(found["leaf"], f"{place}.leaf"), excluded(found, place), branches=branches)


def _branch(value: object, place: str) -> BranchPrices:
    found = fields(value, place, ("prices", "potentials", "multipliers"))
    return BranchPrices(*(numbers(found[key], f"{place}.{key}") for key in ("prices", "potentials", "multipliers")))
