"""Symbolic claims: what is claimed, under which hypotheses, and the program that re-proves it (all of them: ``registry.py``).

A claim is *proved* when exact algebra leaves nothing open, *refuted* when a witness in exact numbers contradicts it,
and *checked* when it was tried on a stated finite range only.  A claim says itself which of the three it expects
(``expected``): a printed statement known to be false is expected to be refuted, and it fails if its witness breaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from time import perf_counter

from verify.errors import QueueproofError


class Verdict(Enum):
    """What came out of a proof."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    CHECKED = "CHECKED"


class ProofFailed(QueueproofError):
    """A step of a proof did not go through: what was to be shown, and what came out instead."""


@dataclass(frozen=True)
class Outcome:
    """``verdict`` and, in words, the proof's last line, the witness, or the range that was checked."""

    verdict: Verdict
    detail: str

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.detail}"


@dataclass(frozen=True)
class Claim:
    """One statement.

    Parameters: ``id`` as in ``downs-thomson.unique``; ``statement`` and ``hypotheses`` in words; ``source`` the slide
    or paper; ``prove`` the program that proves it again (it raises ``ProofFailed`` if a step fails); ``expected`` the
    verdict it must reach.
    """

    id: str
    statement: str
    hypotheses: str
    source: str
    prove: Callable[[], Outcome]
    expected: Verdict = Verdict.PROVED


@dataclass(frozen=True)
class Result:
    """A claim that was run: ``outcome`` (None if a step failed), ``obstacle`` why it failed, ``seconds``."""

    claim: Claim
    outcome: Outcome | None
    obstacle: str
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the proof reached the verdict that the claim expects."""
        return self.outcome is not None and self.outcome.verdict is self.claim.expected


def proved(detail: str) -> Outcome:
    """Exact algebra leaves nothing open."""
    return Outcome(Verdict.PROVED, detail)


def refuted(witness: str) -> Outcome:
    """An exact witness contradicts the statement."""
    return Outcome(Verdict.REFUTED, witness)


def checked(range_: str) -> Outcome:
    """Tried on a finite range only."""
    return Outcome(Verdict.CHECKED, range_)


def require(holds: bool, step: str) -> None:
    """One step of a proof; ``ProofFailed`` names it if it does not hold.

    >>> require(1 + 1 == 3, "1 + 1 = 3")
    Traceback (most recent call last):
    proofs.claims.claim.ProofFailed: step failed: 1 + 1 = 3
    """
    if not holds:
        raise ProofFailed(f"step failed: {step}")


def run_claim(claim: Claim) -> Result:
    """Proves one claim again.  A step that fails gives a result with an obstacle; other exceptions are bugs."""
    start = perf_counter()
    try:
        outcome = claim.prove()
    except ProofFailed as failure:
        return Result(claim, None, str(failure), perf_counter() - start)
    obstacle = "" if outcome.verdict is claim.expected else f"expected {claim.expected.value}, came out {outcome}"
    return Result(claim, outcome, obstacle, perf_counter() - start)
