"""The sentence of a claim, built from network, policy and the checked numbers (FORMAT.md section 8)."""

from __future__ import annotations

from fractions import Fraction

from verify.checker.data import BufferNetwork, Claim, Explicit, Function, Network, Orders, Policy
from verify.checker.errors import require


def check_words(network: Network, policy: Policy, claim: Claim) -> None:
    """**words**: the claim's sentence is the one built here.

    Sound because the sentence says exactly what the other rules have verified, for which policies.
    """
    words = claim_words(network, policy, claim)
    require(claim.words == words, "words", "claim.words", claim.words, words)


def claim_words(network: Network, policy: Policy, claim: Claim) -> str:
    """The sentence: what is proved, for which policies, under which condition."""
    if claim.condition == "capacity":
        return (
            f"UNSTABLE: not positive recurrent under every Markov policy with {_scope(network, policy)}; "
            f"load {claim.value} >= 1 (condition N). Poisson arrivals, exponential service."
        )
    letter = "F" if claim.condition == "fluid" else "S"
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {_policy(network, policy)}; "
        f"mean return time to a bounded set at most C(1+|x|) for every adapted one "
        f"(condition {letter}, epsilon {claim.value}). "
        "Poisson arrivals, exponential service, preemptive resume."
    )


def _scope(network: Network, policy: Policy) -> str:
    if policy.preset:
        return f"preset {policy.preset}"
    if isinstance(network, BufferNetwork):
        return "random routing"
    if policy.routing == "bernoulli":
        return "routing bernoulli with these probabilities"
    return f"routing {policy.routing}"


def _policy(network: Network, policy: Policy) -> str:
    if policy.preset:
        return f"preset {policy.preset}"
    routing = f"{policy.routing} with these probabilities" if policy.routing == "bernoulli" else policy.routing
    sequencing = f"priority {_orders(network, policy.priority)}" if policy.priority else policy.sequencing
    words = f"routing {routing}, sequencing {sequencing}, holding {policy.holding}"
    if policy.dominance_function is None:
        return words
    return f"{words}, {dominance_words(network, policy.dominance_function, policy.tie_order)}"


def dominance_words(network: Network, function: Function, tie_order: Orders | None) -> str:
    """The dominance function and the tie order in words."""
    return f"dominance function {_function(function)}, tie order {_orders(network, tie_order or {}) or 'free'}"


def _function(function: Function) -> str:
    if not isinstance(function, Explicit):
        return f"of {len(function.pieces)} pieces"
    lists = (("alpha", function.alpha), ("beta", function.beta), ("gamma", function.gamma))
    return "explicit " + " ".join(f"{name}=({_numbers(values)})" for name, values in lists)


def _numbers(values: tuple[Fraction, ...]) -> str:
    return ", ".join(str(value) for value in values)


def _orders(network: Network, orders: Orders) -> str:
    listed = [f"{server}: {' > '.join(orders[server])}" for server in network.servers if server in orders]
    return "; ".join(listed)
