"""Certificates as bytes (``verify/checker/FORMAT.md``), never handed out before the independent checker has accepted them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.budget import TimeIsUp, time_limit
from verify.checker import Malformed, check_bytes
from verify.conditions.proof import Proof
from verify.decide import Decision, Request, decide, unchecked
from verify.errors import InternalError
from verify.policies.instance import Instance


@dataclass(frozen=True)
class Certified:
    """A decision, and the certificate that the checker has accepted (``data`` None: UNDECIDED)."""

    decision: Decision
    data: bytes | None


def certify(instance: Instance, request: Request, report: Callable[[str], None]) -> Certified:
    """Decide, and have the proof checked.

    The checker gets half as much time again as the request: a proof that it has not accepted when the time is up is none.
    """
    start, limit = time.monotonic(), request.time_limit
    decision = decide(instance, request, report)
    try:
        with time_limit(None if limit is None else max(1.5 * limit - (time.monotonic() - start), 0.5)):
            return Certified(decision, certificate_of(decision))
    except TimeIsUp:
        return Certified(unchecked(decision, limit or 0.0), None)


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
