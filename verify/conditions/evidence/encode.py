"""Evidence as a certificate writes it (``verify/checker/FORMAT.md``): exact numbers as text, zeros left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.chain.guards import Normal, Signs
from verify.conditions.evidence.nodes import BranchRates, Corrector, Empty, Exclusion, Leaf, Node
from verify.rational import text

_SIGNS = {
    Signs.NEGATIVE: "<",
    Signs.ZERO: "=",
    Signs.POSITIVE: ">",
    Signs.NOT_POSITIVE: "<=",
    Signs.NOT_NEGATIVE: ">=",
}


def numbers(values: Mapping[str, Fraction]) -> dict[str, str]:
    """Name -> number."""
    return {name: text(value) for name, value in values.items() if value}


def by_buffer(values: Mapping[int, Fraction], names: Sequence[str]) -> dict[str, str]:
    """Buffer -> number; zeros stay."""
    return {names[k]: text(value) for k, value in values.items()}


def forms(values: Mapping[Normal, Fraction]) -> dict[str, str]:
    """Normal -> number."""
    return {normal.name: text(value) for normal, value in values.items() if value}


def exclusion(evidence: Exclusion) -> dict[str, Any]:
    """κ and the multipliers."""
    return {"kappa": text(evidence.kappa), "multipliers": forms(evidence.multipliers)}


def corrector(found: Corrector) -> dict[str, Any]:
    """Features, and h by cell."""
    features = [{"normal": f.normal.name, "low": text(f.low), "high": text(f.high)} for f in found.cells.features]
    return {"features": features, "h": {",".join(map(str, c)): text(v) for c, v in found.h.items() if v}}


def branch_rates(found: BranchRates) -> dict[str, dict[str, str]]:
    """Prices, potentials and multipliers."""
    return {
        "prices": numbers(found.prices),
        "potentials": numbers(found.potentials),
        "multipliers": numbers(found.multipliers),
    }


def node(found: Node) -> dict[str, Any]:
    """A node of a case tree with all below it."""
    result: dict[str, Any] = {}
    if found.exclude:
        result["exclude"] = {name: exclusion(evidence) for name, evidence in found.exclude.items()}
    if isinstance(found, Empty):
        return {**result, "empty": exclusion(found.evidence)}
    if isinstance(found, Leaf):
        result["leaf"] = forms(found.eta)
        if found.corrector is not None:
            result["corrector"] = corrector(found.corrector)
        if found.rates is not None:
            result["branches"] = {name: branch_rates(rates) for name, rates in found.rates.items()}
        return result
    children = {_SIGNS[signs]: node(child) for signs, child in found.children.items()}
    return {**result, "split": found.normal.name, "children": children}
