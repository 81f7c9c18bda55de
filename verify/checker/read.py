"""Reads the bytes of a certificate, or raises `Malformed` (FORMAT.md section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.cells.read_cells import CORRECTED, GROWTH, corrected_proof, corrector, growth_proof
from verify.checker.core.data import Claim, Network
from verify.checker.core.errors import Malformed
from verify.checker.core.policy import Policy
from verify.checker.core.quadratics import MeanProof, Proof, StabilityProof
from verify.checker.core.read import CAPACITY, DRIFT, HEIGHTS, capacity_proof, drift_proof, read_network
from verify.checker.core.values import fields, load_json, no_number, number, table, text, word
from verify.checker.policies.read import read_policy
from verify.checker.quadratic.read_quadratic import (
    QUADRATIC,
    SIDES,
    mean_proof,
    mean_sides,
    product_proof,
    quadratic_proof,
    stability_condition,
)

FORMAT = "queueproof-certificate-1"
STABILITY = {"fluid": DRIFT, "strict": DRIFT, "corrected": CORRECTED, "quadratic": QUADRATIC}
KEYS = {
    "capacity": CAPACITY,
    **STABILITY,
    "growth": GROWTH,
    "mean": ("stability",),
    "product-form": ("throughputs",),
}
#: What a claim has besides `verdict`, `condition` and `words`, if that is not `epsilon` alone.
MEASURES = {"capacity": ("load",), "quadratic": ("epsilon", "bound"), "mean": ("of",), "product-form": ("of", "mean")}


@dataclass(frozen=True)
class Certificate:
    """Claim, evidence, network and policy."""

    claim: Claim
    proof: Proof
    network: Network
    policy: Policy


def read_certificate(data: bytes) -> Certificate:
    """The certificate in these bytes.

    Raises: Malformed, with the first place where the file is not of the form of FORMAT.md.
    """
    value = table(load_json(data, "file", no_number), "file")
    if next(iter(value), None) != "format":
        raise Malformed("file", "the first key format", "another one")
    word(value["format"], "format", (FORMAT,))
    claimed = _claimed(value.get("claim"), "claim")
    condition = str(claimed["condition"])
    optional = (
        ("witness", "witness_server_order") if condition == "growth" else HEIGHTS if condition in STABILITY else ()
    )
    sides = mean_sides(claimed, "claim") if condition == "mean" else ()
    found = fields(value, "file", ("format", "claim", "network", "policy", *KEYS[condition], *sides), optional)
    network, policy = read_network(found["network"], "network"), read_policy(found["policy"], "policy")
    if condition == "mean":
        return Certificate(*_mean(claimed, found), network, policy)
    return Certificate(_claim(claimed), _proof(claimed, found), network, policy)


def _claimed(value: object, place: str) -> Mapping[str, object]:
    """The claim, its keys as its condition asks for them."""
    condition = word(table(value, place).get("condition"), f"{place}.condition", tuple(KEYS))
    measures = MEASURES.get(condition, ("epsilon",))
    found = fields(value, place, ("verdict", "condition", *measures, "words"), SIDES if condition == "mean" else ())
    word(found["verdict"], f"{place}.verdict", ("unstable" if condition in ("capacity", "growth") else "stable",))
    return found


def _claim(claimed: Mapping[str, object]) -> Claim:
    """A claim that has a number."""
    condition = str(claimed["condition"])
    measure = {"capacity": "load", "product-form": "mean"}.get(condition, "epsilon")
    return Claim(condition, number(claimed[measure], f"claim.{measure}"), text(claimed["words"], "claim.words"))


def _proof(claimed: Mapping[str, object], found: Mapping[str, object]) -> Proof:
    condition = str(claimed["condition"])
    if condition == "capacity":
        return capacity_proof(found)
    if condition == "growth":
        return growth_proof(found)
    if condition == "product-form":
        return product_proof(claimed, found)
    bound = number(claimed["bound"], "claim.bound") if condition == "quadratic" else Fraction(0)
    return _stability(condition, bound, found)


def _stability(condition: str, bound: Fraction, found: Mapping[str, object]) -> StabilityProof:
    """`bound` is d of condition Q, else nothing."""
    if condition == "corrected":
        return corrected_proof(found)
    if condition == "quadratic":
        return quadratic_proof(bound, found)
    fluid = condition == "fluid"
    return drift_proof(found, fluid, corrector if fluid else None)


def _mean(claimed: Mapping[str, object], found: Mapping[str, object]) -> tuple[Claim, MeanProof]:
    """Bounds on a mean, with the proof of stability that they rest on."""
    place, value = "stability", found["stability"]
    condition = stability_condition(value, place)
    measures = MEASURES.get(condition, ("epsilon",))
    inside = fields(value, place, ("condition", *measures, *STABILITY[condition]), HEIGHTS)
    epsilon = number(inside["epsilon"], f"{place}.epsilon")
    bound = number(inside["bound"], f"{place}.bound") if "bound" in inside else Fraction(0)
    try:
        stability = _stability(condition, bound, inside)
    except Malformed as error:
        raise Malformed(f"{place}, {error.place}", error.expected, error.found) from None
    claim = Claim("mean", epsilon, text(claimed["words"], "claim.words"))
    return claim, mean_proof(claimed, condition, stability, found)
