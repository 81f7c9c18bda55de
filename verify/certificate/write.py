"""Certificates as bytes (``verify/checker/FORMAT.md``), never handed out before the independent checker has accepted them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verify.capacity import Capacity
from verify.certificate.words import capacity_words, corrected_words, drift_words, growth_words
from verify.checker import Malformed, check_bytes
from verify.conditions.evidence import Corrector, Empty, Exclusion, Leaf, Mode, Node, Split
from verify.conditions.growth import Growth, Step
from verify.errors import InternalError
from verify.network.model import Instance
from verify.network.write import function_to_json, network_to_json, policy_to_json
from verify.rational import text
from verify.search.faces import FaceEvidence
from verify.search.outcome import CorrectedProof, Decision, DriftProof, Verdict
from verify.walk.guards import Normal, Signs

_SIGNS = {
    Signs.NEGATIVE: "<",
    Signs.ZERO: "=",
    Signs.POSITIVE: ">",
    Signs.NOT_POSITIVE: "<=",
    Signs.NOT_NEGATIVE: ">=",
}
_CONDITION = {Mode.FLUID: "fluid", Mode.STRICT: "strict"}


def capacity_certificate(instance: Instance, capacity: Capacity) -> bytes:
    """The certificate of condition N."""
    claim = {
        "verdict": "unstable",
        "condition": "capacity",
        "load": text(capacity.load),
        "words": capacity_words(instance, capacity.load),
    }
    evidence = {"prices": _numbers(capacity.prices), "potentials": _numbers(capacity.potentials)}
    return _accepted({**_head(claim, instance), **evidence})


def drift_certificate(proof: DriftProof) -> bytes:
    """The certificate of condition F or S."""
    instance, names = proof.walk.instance, proof.walk.expansion.names
    claim = {
        "verdict": "stable",
        "condition": _CONDITION[proof.mode],
        "epsilon": text(proof.epsilon),
        "words": drift_words(instance, proof.mode, proof.epsilon, corrected=proof.corrected),
    }
    lower = {"theta": {str(i): text(t) for i, t in proof.grounds.lower.theta.items()}, "c": text(proof.grounds.lower.c)}
    evidence: dict[str, Any] = {"kind": "tree", "trees": [_node(tree) for tree in proof.trees]}
    if proof.faces:
        evidence = {"kind": "faces", "faces": [[_face(face, names) for face in listed] for listed in proof.faces]}
    return _accepted(
        {
            **_head(claim, instance),
            "test_function": function_to_json(proof.spec),
            "lower_bound": lower,
            "potential": {names[k]: text(level) for k, level in proof.grounds.potential.items()},
            "evidence": evidence,
        }
    )


def corrected_certificate(proof: CorrectedProof) -> bytes:
    """The certificate of condition H."""
    instance, names = proof.walk.instance, proof.walk.expansion.names
    claim = {
        "verdict": "stable",
        "condition": "corrected",
        "epsilon": text(proof.found.epsilon),
        "words": corrected_words(instance, proof.found.epsilon),
    }
    return _accepted(
        {
            **_head(claim, instance),
            "weights": {names[k]: text(w) for k, w in proof.found.weights.items()},
            "corrector": _corrector(proof.found.corrector),
            "potential": {names[k]: text(level) for k, level in proof.potential.items()},
        }
    )


def growth_certificate(instance: Instance, proof: Growth) -> bytes:
    """The certificate of condition U; ``instance`` is the question, ``proof.walk`` the chain that grows."""
    names = proof.walk.expansion.names
    claim = {
        "verdict": "unstable",
        "condition": "growth",
        "epsilon": text(proof.epsilon),
        "words": growth_words(instance, proof),
    }
    evidence: dict[str, Any] = {
        "pieces": [{names[k]: text(w) for k, w in proof.weights.items()}],
        "corrector": _corrector(Corrector(proof.cells, proof.h)),
        "v0": text(proof.v0),
        "path": [_step(step, names) for step in proof.path],
    }
    if proof.witness is not None:
        evidence["witness"] = {server: list(order) for server, order in proof.witness.items()}
    if proof.server_order is not None:
        evidence["witness_server_order"] = {buffer: list(order) for buffer, order in proof.server_order.items()}
    return _accepted({**_head(claim, instance), **evidence})


def certificate(instance: Instance, decision: Decision) -> bytes | None:
    """The accepted certificate of a decision, None for UNDECIDED."""
    proof = decision.proof
    if isinstance(proof, DriftProof):
        return drift_certificate(proof)
    if isinstance(proof, CorrectedProof):
        return corrected_certificate(proof)
    if isinstance(proof, Growth):
        return growth_certificate(instance, proof)
    if decision.verdict is not Verdict.UNSTABLE or decision.capacity is None:
        return None
    return capacity_certificate(instance, decision.capacity)


def _step(step: Step, names: tuple[str, ...]) -> dict[str, Any]:
    change = {names[k]: text(c) for k, c in step.change.items()}
    return change if step.times == 1 else {"change": change, "times": text(step.times)}


def _corrector(corrector: Corrector) -> dict[str, Any]:
    features = [{"normal": f.normal.name, "low": text(f.low), "high": text(f.high)} for f in corrector.cells.features]
    h = {",".join(map(str, cell)): text(value) for cell, value in corrector.h.items() if value}
    return {"features": features, "h": h}


def _head(claim: Mapping[str, str], instance: Instance) -> dict[str, Any]:
    network, policy = network_to_json(instance.network), policy_to_json(instance.policy)
    return {"format": "queueproof-certificate-1", "claim": claim, "network": network, "policy": policy}


def _accepted(certificate: Mapping[str, Any]) -> bytes:
    """The bytes, after the checker has accepted them.  Raises ``InternalError`` if it does not: then the prover is wrong."""
    data = (json.dumps(certificate, indent=1, ensure_ascii=True) + "\n").encode()
    try:
        answer = check_bytes(data)
    except Malformed as error:
        raise InternalError(f"the checker cannot read the certificate: {error}") from error
    if not answer.accepted:
        raise InternalError(
            f"the checker refuses the certificate: {answer.rule}: {answer.where}: {answer.left} versus {answer.right}"
        )
    return data


def _numbers(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: text(value) for name, value in values.items() if value}


def _forms(values: Mapping[Normal, Fraction]) -> dict[str, str]:
    return {normal.name: text(value) for normal, value in values.items() if value}


def _exclusion(evidence: Exclusion) -> dict[str, Any]:
    return {"kappa": text(evidence.kappa), "multipliers": _forms(evidence.multipliers)}


def _node(node: Node) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if node.exclude:
        result["exclude"] = {name: _exclusion(evidence) for name, evidence in node.exclude.items()}
    if isinstance(node, Empty):
        return {**result, "empty": _exclusion(node.evidence)}
    if isinstance(node, Leaf):
        result["leaf"] = _forms(node.eta)
        if node.corrector is not None:
            result["corrector"] = _corrector(node.corrector)
        return result
    return {**result, **_split(node)}


def _split(node: Split) -> dict[str, Any]:
    return {
        "split": node.normal.name,
        "children": {_SIGNS[signs]: _node(child) for signs, child in node.children.items()},
    }


def _face(evidence: FaceEvidence, names: tuple[str, ...]) -> dict[str, Any]:
    busy = {server: names[k] for server, k in evidence.face.busy.items()}
    if evidence.decided is None:
        return {"busy": busy, "empty": _exclusion(evidence.inactive)} if evidence.inactive else {"busy": busy}
    return {"busy": busy, "eta": {names[n]: text(y) for n, y in sorted(evidence.decided.eta.items()) if y}}
