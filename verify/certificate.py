"""Certificates as bytes (``verify/checker/FORMAT.md``), never handed out before the independent checker has accepted them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verify.checker import Malformed, check_bytes
from verify.conditions.proof import Proof
from verify.decide import Decision
from verify.errors import InternalError


def certificate(proof: Proof) -> bytes:
    """The certificate of a proof.  Raises ``InternalError`` if the checker does not accept it: then the prover is wrong."""
    return _accepted(proof.document())


def certificate_of(decision: Decision) -> bytes | None:
    """The certificate of what was proved, None for UNDECIDED."""
    return None if decision.proof is None else certificate(decision.proof)


def _accepted(found: Mapping[str, Any]) -> bytes:
    """The bytes, after the checker has accepted them."""
    data = (json.dumps(found, indent=1, ensure_ascii=True) + "\n").encode()
    try:
        answer = check_bytes(data)
    except Malformed as error:
        raise InternalError(f"the checker cannot read the certificate: {error}") from error
    if not answer.accepted:
        raise InternalError(
            f"the checker refuses the certificate: {answer.rule}: {answer.where}: {answer.left} versus {answer.right}"
        )
    return data
