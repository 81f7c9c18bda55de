"""All claims about probabilistic routing, in the order in which they build on each other."""

from __future__ import annotations

from proofs.claims import Claim
from proofs.downs_thomson.claims_batch import batch_claims
from proofs.downs_thomson.claims_family import family_claims
from proofs.downs_thomson.claims_intervals import interval_claims
from proofs.downs_thomson.claims_slides import slide_claims
from proofs.downs_thomson.claims_social import social_claims


def claims() -> tuple[Claim, ...]:
    """The claims of ``proofs.downs_thomson``."""
    return (*family_claims(), *batch_claims(), *interval_claims(), *social_claims(), *slide_claims())
