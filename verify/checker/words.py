"""The sentence of a claim, built from network, policy and the checked numbers (FORMAT.md section 8)."""

from __future__ import annotations

from fractions import Fraction

from verify.checker.data import BufferNetwork, Claim, Explicit, Function, Network, Orders, Policy
from verify.checker.errors import require

MODEL = "Poisson arrivals, exponential service, preemptive resume."


def check_words(network: Network, policy: Policy, claim: Claim, witness: Orders | None = None) -> None:
    """**words**: the claim's sentence is the one built here.

    Sound because the sentence says exactly what the other rules have verified, for which policies.
    """
    words = claim_words(network, policy, claim, witness)
    require(claim.words == words, "words", "claim.words", claim.words, words)


def claim_words(network: Network, policy: Policy, claim: Claim, witness: Orders | None) -> str:
    """The sentence: what is proved, for which policies, under which condition; `witness`: for one of them (U)."""
    if claim.condition == "capacity":
        return (
            f"UNSTABLE: not positive recurrent under every Markov policy with {_scope(network, policy)}; "
            f"load {claim.value} >= 1 (condition N). Poisson arrivals, exponential service."
        )
    if claim.condition == "growth":
        return f"UNSTABLE: {_growth(network, policy, claim, witness)}. {MODEL}"
    letter = {"fluid": "F", "strict": "S", "corrected": "H"}[claim.condition]
    time = "return time to a bounded set at most C(1+|x|)"
    if claim.condition == "corrected":
        time = "time to reach the exempt set at most (V(x) + const)/epsilon"
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {_policy(network, policy)}; "
        f"mean {time} for every adapted one (condition {letter}, epsilon {claim.value}). {MODEL}"
    )


def _growth(network: Network, policy: Policy, claim: Claim, witness: Orders | None) -> str:
    """What condition U proves: of every policy, or of the witness."""
    never = "the network with positive probability never becomes empty again"
    rate = f"(condition U, growth rate of V at least {claim.value})"
    if witness is None:
        return f"started empty, {never} under every policy with {_policy(network, policy)} {rate}"
    return (
        f"not globally stable: started empty, under sequencing priority {_orders(network, witness)} {never} {rate}; "
        f"that is one of the policies with {_policy(network, policy)}"
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
