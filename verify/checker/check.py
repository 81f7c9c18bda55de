"""Checks a certificate, alone or beside a network file, and answers: the order of the rules is here.

Only this module says ACCEPTED.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from verify.checker.cells.corrected import check_corrected
from verify.checker.cells.growth import check_growth, witness_policy
from verify.checker.cells.leaf import bound_in_cells
from verify.checker.core.conditions import check_capacity, check_drift
from verify.checker.core.data import (
    BufferNetwork,
    CapacityProof,
    Claim,
    CorrectedProof,
    DriftProof,
    Explicit,
    GrowthProof,
    Pieces,
    RouteNetwork,
)
from verify.checker.core.errors import Malformed, Rejected, show
from verify.checker.core.forms import function_pieces
from verify.checker.core.model import build_model
from verify.checker.core.network import check_network
from verify.checker.core.policy import Policy
from verify.checker.core.quadratics import MeanProof, ProductProof, StabilityProof
from verify.checker.core.state import State
from verify.checker.core.words import Subject, check_words
from verify.checker.core.work import Work
from verify.checker.network_file.read import NetworkFile, read_network_file
from verify.checker.policies.compare import addition, completed, written
from verify.checker.quadratic.condition import check_quadratic
from verify.checker.quadratic.mean import check_means
from verify.checker.quadratic.product_form import check_product_form
from verify.checker.read import Certificate, read_certificate

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Answer:
    """ACCEPTED with the words of the claim, or REJECTED with rule, where and both sides; `notes` for the reader.

    steps: what was counted for rule **work**.
    """

    accepted: bool
    words: str = ""
    rule: str = ""
    where: str = ""
    left: str = ""
    right: str = ""
    notes: tuple[str, ...] = ()
    steps: int = field(default=0, compare=False)


def check_bytes(
    certificate: bytes,
    network_file: bytes | None = None,
    *,
    network_format: str = "toml",
    settings: Mapping[str, str] = NOTHING,
) -> Answer:
    """Check the bytes of a certificate; with a network file also that it speaks of exactly that network and policy.

    Parameters: `network_format` "toml" or "json"; `settings` override parameters of the network file.
    Raises: Malformed, if one of the two files is not of its form, and nothing else.
    """
    work = Work(len(certificate))
    try:
        read = read_certificate(certificate)
        file = None if network_file is None else _read_beside(network_file, network_format, settings)
        decide(read, work)
        notes = () if file is None else compare(read, file)
    except Rejected as found:
        return Answer(False, rule=found.rule, where=found.where, left=found.left, right=found.right, steps=work.steps)
    except RecursionError:
        raise Malformed("file", "a file that can be read within Python's recursion limit", "a deeper one") from None
    return Answer(True, words=read.claim.words, notes=notes, steps=work.steps)


def _read_beside(data: bytes, network_format: str, settings: Mapping[str, str]) -> NetworkFile:
    """The network file; its faults are not taken for faults of the certificate. Raises: Malformed."""
    try:
        return read_network_file(data, network_format, settings)
    except Rejected as error:
        raise Malformed(f"network file, {error.where}", error.right, error.left) from None
    except Malformed as error:
        raise Malformed(error.place, error.expected, error.found, beside=True) from None


def decide(certificate: Certificate, work: Work) -> None:
    """All rules on the certificate itself; the steps are counted. Raises: Rejected."""
    claim, network, policy, proof = certificate.claim, certificate.network, certificate.policy, certificate.proof
    check_network(network)
    policy.check_network(network)
    condition = proof.condition if isinstance(proof, MeanProof) else claim.condition
    state = policy.state(network, condition)
    policy.check_state(state, condition)
    if isinstance(proof, CapacityProof):
        check_capacity(state, policy, claim, proof, work)
    elif isinstance(proof, ProductProof):
        policy.pieces(state)
        check_product_form(state, policy, claim, proof, work)
    elif isinstance(proof, MeanProof):
        _decide_mean(state, policy, claim, proof, work)
    elif isinstance(proof, GrowthProof):
        pieces, grown = (
            function_pieces(Pieces(proof.pieces), state, "V", signed=True),
            witness_policy(state, policy, proof),
        )
        grown.check_cells(state, "condition U")
        check_growth(build_model(state, grown, pieces, (), work), claim, proof)
    else:
        _decide_stability(state, policy, claim, proof, work)
    check_words(Subject(network, policy, state), claim, proof)


def _decide_stability(state: State, policy: Policy, claim: Claim, proof: StabilityProof, work: Work) -> None:
    """The rules of conditions F, S, H and Q, from **function** on."""
    dominance = policy.pieces(state)
    if isinstance(proof, DriftProof):
        pieces = function_pieces(proof.test_function, state, "test function")
        check_drift(build_model(state, policy, pieces, dominance, work), policy, claim, proof, bound_in_cells)
    elif isinstance(proof, CorrectedProof):
        policy.check_cells(state, "condition H")
        check_corrected(build_model(state, policy, (), (), work), claim, proof)
    else:
        check_quadratic(build_model(state, policy, (), dominance, work), claim, proof)


def _decide_mean(state: State, policy: Policy, claim: Claim, proof: MeanProof, work: Work) -> None:
    """Stability, then the bounds on means."""
    try:
        _decide_stability(state, policy, dataclasses.replace(claim, condition=proof.condition), proof.stability, work)
    except Rejected as found:
        raise Rejected(found.rule, f"stability, {found.where}", found.left, found.right) from None
    check_means(build_model(state, policy, (), policy.pieces(state), work), proof)


# ---- section 26 ----------------------------------------------------------------------------------------------------
def compare(certificate: Certificate, file: NetworkFile) -> tuple[str, ...]:
    """**same-network**, **same-policy**: the certificate speaks of the file's network and policy.

    Sound because both sides are complete and exact; only a dominance function that the file leaves open is taken from the
    certificate, and is then shown: it is part of the claim. Returns such notes.
    """
    _require_same("same-network", certificate.network, file.network)
    asked = completed(file.policy, certificate.policy)
    _require_same("same-policy", written(certificate.policy), written(asked))
    if asked == file.policy:
        return ()
    taken = addition(certificate.network, certificate.policy)
    return (f"not in the network file, taken from the certificate: {taken}",)


def _require_same(rule: str, left: object, right: object) -> None:
    found = first_difference(left, right, "")
    if found is not None:
        in_certificate, in_file = show(found.left), show(found.right)
        raise Rejected(rule, found.place or "kind", f"{in_certificate} in the certificate", f"{in_file} in the file")


@dataclass(frozen=True)
class Difference:
    """The first place where two values differ, and both values there."""

    place: str
    left: object
    right: object


def first_difference(left: object, right: object, place: str) -> Difference | None:
    """Compare two values of `data` field by field, lists in order, maps by key."""
    if type(left) is not type(right):
        return Difference(place, _named(left), _named(right))
    pairs: list[tuple[str, tuple[object, object]]] = []
    if dataclasses.is_dataclass(left) and not isinstance(left, type):
        keys = [member.name for member in dataclasses.fields(left)]
        pairs = [(f"{place}.{key}".lstrip("."), (getattr(left, key), getattr(right, key))) for key in keys]
    elif isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        pairs = [(f"{place}[{i}]", pair) for i, pair in enumerate(zip(left, right, strict=True))]
    elif isinstance(left, Mapping) and isinstance(right, Mapping) and set(left) == set(right):
        pairs = [(f"{place}.{show(key)}".lstrip("."), (left[key], right[key])) for key in left]
    elif left != right:
        return Difference(place, left, right)
    differences = (first_difference(one, other, at) for at, (one, other) in pairs)
    return next((found for found in differences if found is not None), None)


KINDS: Mapping[type, str] = MappingProxyType(
    {
        RouteNetwork: "a route network",
        BufferNetwork: "a buffer network",
        Pieces: "pieces",
        Explicit: "the explicit template",
    }
)


def _named(value: object) -> object:
    """A value whose kind is the difference."""
    return "none" if value is None else KINDS.get(type(value), value)
