"""The sentence of a claim, built from network, policy and the checked numbers (FORMAT.md section 20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import (
    BufferNetwork,
    Claim,
    DriftProof,
    Explicit,
    Function,
    GrowthProof,
    Network,
    Orders,
    Policy,
    Proof,
)
from verify.checker.core.errors import require
from verify.checker.core.evidence import has_corrector
from verify.checker.core.state import State
from verify.checker.policies.sharing import sharing

MODEL = "Poisson arrivals, exponential service, preemptive resume."
NETWORK = "the network of this certificate"
HELD = "spillback (no service of a buffer while the next one holds at least as many jobs)"


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
        f"{_policy(subject, uniform)}; under every adapted one the mean time to reach {bounded} "
        f"(condition {letter}, epsilon {claim.value}). {MODEL}"
    )


# ---- what is proved ------------------------------------------------------------------------------------------------
def _overload(subject: Subject, load: Fraction) -> str:
    """What condition N proves: of every order of service, and at load 1 too."""
    word = "overloaded" if load > 1 else "critically loaded"
    return (
        f"{NETWORK} is positive recurrent under no Markov policy with {_scope(subject)}; "
        f"load {load}, {word} (condition N)"
    )


def _growth(subject: Subject, claim: Claim, proof: GrowthProof) -> str:
    """What condition U proves: of every policy of the class, or of one witness in it."""
    never = f"{NETWORK}, started empty, with positive probability never becomes empty again"
    rate = f"(condition U, growth rate of V at least {claim.value})"
    policy = _policy(subject, uniform=True)
    witness = []
    if proof.witness is not None:
        witness.append(f"sequencing priority {_by_server(subject, proof.witness)}")
    if proof.witness_server_order is not None:
        witness.append(f"server order {_by_buffer(subject, proof.witness_server_order)}")
    if not witness:
        return f"{never} under every adapted policy with {policy} {rate}"
    return (
        f"for one witness policy, so that its class is not globally stable: {never} under {', '.join(witness)} {rate}; "
        f"the class: policies with {policy}"
    )


# ---- for which policies --------------------------------------------------------------------------------------------
def _scope(subject: Subject) -> str:
    """What condition N speaks of: the routing alone, whatever the servers do."""
    if subject.policy.preset:
        return f"the moves of preset {subject.policy.preset} in any order"
    if isinstance(subject.network, BufferNetwork):
        return "its activities in any order"
    return f"routing {_routing(subject, uniform=False)} and any sequencing and holding"


def _policy(subject: Subject, uniform: bool) -> str:
    """The policy; `uniform`: the proof needs ties of routing to be split uniformly."""
    policy = subject.policy
    if policy.preset:
        return f"preset {policy.preset} (ties in any way)"
    holding = HELD if policy.holding == "spillback" else policy.holding
    words = f"routing {_routing(subject, uniform)}, sequencing {_sequencing(subject)}, holding {holding}"
    if policy.dominance_function is not None:
        words = f"{words}, {dominance_words(subject, policy.dominance_function)}"
    return words + _servers(subject)


def _routing(subject: Subject, uniform: bool) -> str:
    policy = subject.policy
    if policy.routing in ("jsr", "jsq"):
        return f"{policy.routing} (ties {'split uniformly' if uniform else 'in any way'})"
    if policy.probabilities is None:
        return policy.routing
    splits = (f"{name}: {_split(split)}" for name, split in sorted(policy.probabilities.items()))
    return f"{policy.routing} ({'; '.join(splits)})"


def _split(split: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{route} {probability}" for route, probability in sorted(split.items()))


def _sequencing(subject: Subject) -> str:
    policy = subject.policy
    if policy.sequencing == "fifo":
        return "non-idling (fifo is one of the adapted ones)"
    return f"priority {_by_server(subject, policy.priority)}" if policy.priority else policy.sequencing


def _servers(subject: Subject) -> str:
    """Who takes a job where there are several servers."""
    if not sharing(subject.state, subject.policy).servers:
        return ""
    given = subject.policy.server_order or {}
    listed = [_by_buffer(subject, given)] if given else []
    if len(given) < len(sharing(subject.state, subject.policy).servers):
        listed.append("else free" if given else "free")
    return f", server order {'; '.join(listed)}"


def dominance_words(subject: Subject, function: Function) -> str:
    """The dominance function and the tie order in words."""
    ties = _by_server(subject, subject.policy.tie_order or {}) or "free"
    return f"dominance function {_function(subject, function)}, tie order {ties}"


def _function(subject: Subject, function: Function) -> str:
    """The template's parameters, or all pieces with their weights in the order of coordinates."""
    if isinstance(function, Explicit):
        lists = (("alpha", function.alpha), ("beta", function.beta), ("gamma", function.gamma))
        return "explicit " + " ".join(f"{name}=({', '.join(map(str, values))})" for name, values in lists)
    names = subject.state.names
    pieces = (" + ".join(f"{piece[name]} {name}" for name in names if name in piece) for piece in function.pieces)
    return f"max({', '.join(pieces)})"


def _by_server(subject: Subject, orders: Orders) -> str:
    return _orders(subject.network.servers, orders)


def _by_buffer(subject: Subject, orders: Orders) -> str:
    return _orders(subject.state.names, orders)


def _orders(keys: Sequence[str], orders: Orders) -> str:
    return "; ".join(f"{key}: {' > '.join(orders[key])}" for key in keys if key in orders)
