"""The claims about state-dependent routing reach their verdicts, and the coupling behind one of them can fail."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.claims.claim import Claim, run_claim
from proofs.claims.state_dependent import coupling
from proofs.claims.state_dependent.claims import claims


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_state_dependent_claim_reaches_its_verdict(claim: Claim) -> None:
    result = run_claim(claim)
    assert result.holds, result.obstacle


def test_coupling_needs_the_faster_system_to_be_the_real_one() -> None:
    fast, slow = (Fraction(2), 2), (Fraction(1), 1)
    assert coupling.order_survives(6, fast, slow)
    assert not coupling.order_survives(6, slow, fast)
