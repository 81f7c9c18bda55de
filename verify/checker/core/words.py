"""The sentence of a claim, built from network, policy and the checked numbers (FORMAT.md section 24)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import Claim, DriftProof, GrowthProof, Network, Proof
from verify.checker.core.errors import require
from verify.checker.core.evidence import has_corrector
from verify.checker.core.phrases import by_buffer, by_server
from verify.checker.core.policy import Policy
from verify.checker.core.state import State

MODEL = "Poisson arrivals, exponential service, preemptive resume."
NETWORK = "the network of this certificate"


@dataclass(frozen=True)
class Subject:
    """What a claim speaks of: network, policy, and the state they have under its condition."""

    network: Network
    policy: Policy
    state: State


def check_words(subject: Subject, claim: Claim, proof: Proof) -> None:
    """**words**: the claim's sentence is the one built here.

    Sound because the sentence says exactly what the other rules have verified, for which policies.
    """
    words = claim_words(subject, claim, proof)
    require(claim.words == words, "words", "claim.words", claim.words, words)


def claim_words(subject: Subject, claim: Claim, proof: Proof) -> str:
    """The sentence: what is proved, for which policies, under which condition."""
    if claim.condition == "capacity":
        return f"UNSTABLE: {_overload(subject, claim.value)}. Poisson arrivals, exponential service."
    if isinstance(proof, GrowthProof):
        return f"UNSTABLE: {_growth(subject, claim, proof)}. {MODEL}"
    bounded = "a bounded set is at most C(1+|x|)"
    if claim.condition == "corrected":
        bounded = "the exempt set is at most (V(x) + const)/epsilon"
    letter = {"fluid": "F", "strict": "S", "corrected": "H"}[claim.condition]
    uniform = not isinstance(proof, DriftProof) or has_corrector(proof)
    return (
        f"STABLE: {NETWORK} is positive recurrent from every start under every Markov policy with "
        f"{subject.policy.phrase(subject.state, uniform)}; under every adapted one the mean time to reach {bounded} "
        f"(condition {letter}, epsilon {claim.value}). {MODEL}"
    )


# ---- what is proved ------------------------------------------------------------------------------------------------
def _overload(subject: Subject, load: Fraction) -> str:
    """What condition N proves: of every order of service, and at load 1 too."""
    word = "overloaded" if load > 1 else "critically loaded"
    return (
        f"{NETWORK} is positive recurrent under no Markov policy with {subject.policy.scope(subject.network)}; "
        f"load {load}, {word} (condition N)"
    )


def _growth(subject: Subject, claim: Claim, proof: GrowthProof) -> str:
    """What condition U proves: of every policy of the class, or of one witness in it."""
    never = f"{NETWORK}, started empty, with positive probability never becomes empty again"
    rate = f"(condition U, growth rate of V at least {claim.value})"
    policy = subject.policy.phrase(subject.state, uniform=True)
    witness = []
    if proof.witness is not None:
        witness.append(f"sequencing priority {by_server(subject.state, proof.witness)}")
    if proof.witness_server_order is not None:
        witness.append(f"server order {by_buffer(subject.state, proof.witness_server_order)}")
    if not witness:
        return f"{never} under every adapted policy with {policy} {rate}"
    return (
        f"for one witness policy, so that its class is not globally stable: {never} under {', '.join(witness)} {rate}; "
        f"the class: policies with {policy}"
    )
