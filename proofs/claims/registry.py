"""All claims of the project, by id."""

from __future__ import annotations

from proofs.claims.claim import Claim
from proofs.claims.downs_thomson import claims as downs_thomson
from proofs.claims.retrial import claims as retrial
from proofs.claims.state_dependent import claims as state_dependent
from verify.errors import InputError
from verify.network.messages import did_you_mean


def all_claims() -> tuple[Claim, ...]:
    """Every claim of the project, in the order of the sources."""
    return (*downs_thomson.claims(), *state_dependent.claims(), *retrial.claims())


def find(claim_id: str) -> Claim:
    """The claim with this id; ``InputError`` if there is none."""
    claims = {claim.id: claim for claim in all_claims()}
    if claim_id not in claims:
        raise InputError("CLAIM", "the id of a claim (`queueproof prove` lists them)", repr(claim_id),
                         did_you_mean(claim_id, claims))  # fmt: skip
    return claims[claim_id]
