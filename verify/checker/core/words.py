"""The sentence of a claim, built from network, policy and the checked numbers (FORMAT.md section 25)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import Claim, CorrectedProof, DriftProof, GrowthProof, Network
from verify.checker.core.errors import require
from verify.checker.core.evidence import has_corrector
from verify.checker.core.phrases import by_buffer, by_server, form_phrase
from verify.checker.core.policy import Policy
from verify.checker.core.quadratics import MeanProof, ProductProof, Proof, QuadraticProof
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
    if isinstance(proof, (MeanProof, ProductProof)):
        bound = _mean(subject, proof) if isinstance(proof, MeanProof) else _product_form(subject, claim, proof)
        return f"BOUND: {NETWORK} has a stationary law under every {bound}. {MODEL}"
    return f"STABLE: {NETWORK} is positive recurrent from every start under every {_stable(subject, claim, proof)}. {MODEL}"


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


LETTERS = {"fluid": "F", "strict": "S", "corrected": "H", "quadratic": "Q"}


def _stable(subject: Subject, claim: Claim, proof: Proof) -> str:
    """What conditions F, S, H and Q prove."""
    policy = f"Markov policy with {subject.policy.phrase(subject.state, _uniform(proof))}"
    bounded = "a bounded set is at most C(1+|x|)"
    if isinstance(proof, CorrectedProof):
        bounded = "the exempt set is at most (V(x) + const)/epsilon"
    if isinstance(proof, QuadraticProof):
        policy = f"{policy}, its stationary law has geometric tails"
        jobs = proof.bound / claim.value
        bounded = f"{bounded}, and the time average of the mean number of jobs is at most {jobs} in the limit"
    return (
        f"{policy}; under every adapted one the mean time to reach {bounded} "
        f"(condition {LETTERS[claim.condition]}, epsilon {claim.value})"
    )


def _uniform(proof: Proof) -> bool:
    """Whether it is about ties of routing that are split uniformly."""
    if isinstance(proof, MeanProof):
        return _uniform(proof.stability)
    return isinstance(proof, CorrectedProof) or (isinstance(proof, DriftProof) and has_corrector(proof))


def _mean(subject: Subject, proof: MeanProof) -> str:
    """Bounds on a mean."""
    bounds = [] if proof.lower is None else [f"at least {proof.lower.value}"]
    bounds += [] if proof.upper is None else [f"at most {proof.upper.value}"]
    adapted = "; under every adapted one the time average of that mean is so in the limit"
    return (
        f"Markov policy with {subject.policy.phrase(subject.state, _uniform(proof))}, and the mean of "
        f"{form_phrase(subject.state, proof.of)} in it is {' and '.join(bounds)}"
        f"{'' if proof.condition == 'fluid' else adapted} (stable by condition {LETTERS[proof.condition]})"
    )


def _product_form(subject: Subject, claim: Claim, proof: ProductProof) -> str:
    """A mean that is exact."""
    return (
        f"policy with {subject.policy.phrase(subject.state, uniform=False)}, under which its buffers are independent, and "
        f"the mean of {form_phrase(subject.state, proof.of)} in it is {claim.value} (product form)"
    )
