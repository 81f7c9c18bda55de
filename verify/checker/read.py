"""Reads the bytes of a certificate, or raises `Malformed` (FORMAT.md section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.checker.cells.read_cells import CORRECTED, GROWTH, corrected_proof, corrector, growth_proof
from verify.checker.core.data import Claim, Network, Proof
from verify.checker.core.errors import Malformed
from verify.checker.core.policy import Policy
from verify.checker.core.read import CAPACITY, DRIFT, capacity_proof, drift_proof, read_network
from verify.checker.core.values import fields, load_json, no_number, number, table, text, word
from verify.checker.policies.read import read_policy

FORMAT = "queueproof-certificate-1"
KEYS = {"capacity": CAPACITY, "fluid": DRIFT, "strict": DRIFT, "corrected": CORRECTED, "growth": GROWTH}


@dataclass(frozen=True)
class Certificate:
    """Claim, network, policy and evidence."""

    claim: Claim
    network: Network
    policy: Policy
    proof: Proof


def read_certificate(data: bytes) -> Certificate:
    """The certificate in these bytes.

    Raises: Malformed, with the first place where the file is not of the form of FORMAT.md.
    """
    value = table(load_json(data, "file", no_number), "file")
    if next(iter(value), None) != "format":
        raise Malformed("file", "the first key format", "another one")
    word(value["format"], "format", (FORMAT,))
    claim = _claim(value.get("claim"), "claim")
    optional = ("witness", "witness_server_order") if claim.condition == "growth" else ()
    found = fields(value, "file", ("format", "claim", "network", "policy", *KEYS[claim.condition]), optional)
    network, policy = read_network(found["network"], "network"), read_policy(found["policy"], "policy")
    return Certificate(claim, network, policy, _proof(found, claim.condition))


def _claim(value: object, place: str) -> Claim:
    condition = word(table(value, place).get("condition"), f"{place}.condition", tuple(KEYS))
    measure = "load" if condition == "capacity" else "epsilon"
    found = fields(value, place, ("verdict", "condition", measure, "words"))
    word(found["verdict"], f"{place}.verdict", ("unstable" if condition in ("capacity", "growth") else "stable",))
    return Claim(condition, number(found[measure], f"{place}.{measure}"), text(found["words"], f"{place}.words"))


def _proof(found: Mapping[str, object], condition: str) -> Proof:
    if condition == "capacity":
        return capacity_proof(found)
    if condition == "corrected":
        return corrected_proof(found)
    if condition == "growth":
        return growth_proof(found)
    fluid = condition == "fluid"
    return drift_proof(found, fluid, corrector if fluid else None)
