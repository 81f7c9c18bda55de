"""The claims about probabilistic routing: all hold, each can fail, and the registry says so."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.claims.claim import Claim, Outcome, ProofFailed, Verdict, checked, proved, refuted, require, run_claim
from proofs.claims.downs_thomson import family, intervals, slides, social
from proofs.claims.downs_thomson.claims import claims
from proofs.equilibria.downs_thomson.intervals import Interval, Road, scv_interval


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.id)
def test_claim_holds(claim: Claim) -> None:
    result = run_claim(claim)
    assert result.holds, result.obstacle


def test_claims_have_different_ids_and_all_words() -> None:
    ids = [claim.id for claim in claims()]
    assert len(set(ids)) == len(ids) == 33
    for claim in claims():
        assert claim.id.startswith("downs-thomson.")
        assert claim.statement and claim.hypotheses and claim.source


def test_claims_refuted_and_checked_are_named() -> None:
    expected = {claim.id.split(".")[1]: claim.expected for claim in claims() if claim.expected is not Verdict.PROVED}
    assert expected == {
        "unique-any-server": Verdict.REFUTED,
        "cells-are-right": Verdict.CHECKED,
        "slide-44-size": Verdict.REFUTED,
        "slide-45": Verdict.REFUTED,
    }


def claim(prove: object, expected: Verdict = Verdict.PROVED) -> Claim:
    return Claim("test.claim", "a statement", "none", "nowhere", prove, expected)  # type: ignore[arg-type]


def test_claim_with_a_failing_step_does_not_hold() -> None:
    def fails() -> Outcome:
        require(False, "0 = 1")
        return proved("")

    result = run_claim(claim(fails))
    assert (result.holds, result.outcome, result.obstacle) == (False, None, "step failed: 0 = 1")


@pytest.mark.parametrize("outcome", [refuted("w"), checked("r")])
def test_claim_with_another_verdict_does_not_hold(outcome: Outcome) -> None:
    result = run_claim(claim(lambda: outcome))
    assert not result.holds
    assert result.obstacle == f"expected PROVED, came out {outcome}"


def test_claim_bug_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        run_claim(claim(lambda: 1 // 0))


class TestClaimsCanFail:
    """Each kind of claim fails when what it speaks of is altered."""

    def test_altered_delay_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        right = family.family_delay
        monkeypatch.setattr(family, "family_delay", lambda x=family.X: right(x) + 1)
        for failing in ("one-family", "quadratic", "curve", "paradox-scv"):
            (own,) = [c for c in claims() if c.id == f"downs-thomson.{failing}"]
            assert not run_claim(own).holds, failing

    def test_altered_end_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        right = scv_interval

        def wrong(road: Road, mu1: Fraction) -> Interval:
            found = right(road, mu1)
            return Interval(None if found.lower is None else found.lower + Fraction(1, 1000), found.upper)

        monkeypatch.setattr(intervals, "scv_interval", wrong)
        with pytest.raises(ProofFailed, match="beyond the end"):
            intervals._scv()

    def test_altered_cost_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(social, "family_delay", lambda: 1 / (family.MU - family.X))
        with pytest.raises(ProofFailed, match="cost"):
            social._social_stationary()

    def test_altered_cell_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(family, "kinds", lambda cell: (("p=0", True),))
        with pytest.raises(ProofFailed, match="the cell"):
            family._decomposition()

    def test_altered_road_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        road = Road(Fraction(1), Fraction(0), Fraction(1, 5), Fraction(1), Fraction(1))
        monkeypatch.setattr(slides, "ROAD", road)
        for prove in (slides._one_server, slides._scv_paradox):
            with pytest.raises(ProofFailed):
                prove()
