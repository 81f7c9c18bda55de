"""All claims about probabilistic routing, in the order in which they build on each other."""

from __future__ import annotations

from proofs.claims.claim import Claim
from proofs.claims.downs_thomson.batch import batch_claims
from proofs.claims.downs_thomson.family import family_claims
from proofs.claims.downs_thomson.intervals import interval_claims
from proofs.claims.downs_thomson.slides import slide_claims
from proofs.claims.downs_thomson.social import social_claims


def claims() -> tuple[Claim, ...]:
    """The claims of ``proofs.equilibria.downs_thomson``."""
    return (*family_claims(), *batch_claims(), *interval_claims(), *social_claims(), *slide_claims())
