"""The sentence of a claim (``verify/checker/FORMAT.md``, section 25; the checker builds it again)."""

from __future__ import annotations

from fractions import Fraction

from verify.policies.instance import Instance
from verify.policies.orders import order_words
from verify.policies.rules import Orders

MODEL = "Poisson arrivals, exponential service, preemptive resume."
NETWORK = "the network of this certificate"
#: How ties are split.
UNIFORMLY, ANY_WAY = "split uniformly", "in any way"


def stable_words(policy: str, bounded: str, letter: str, epsilon: Fraction) -> str:
    """The claim of the conditions that prove stability; ``letter`` of the condition, ``bounded``: how far a set is bounded."""
    return (
        f"STABLE: {NETWORK} is positive recurrent from every start under every Markov policy with {policy}; "
        f"under every adapted one the mean time to reach {bounded} (condition {letter}, epsilon {epsilon}). {MODEL}"
    )


def freedom_words(instance: Instance) -> str:
    """Of which policies condition N speaks."""
    return instance.policy.scope(instance.network, ANY_WAY)


def policy_words(instance: Instance, *, uniform: bool) -> str:
    """The policy with its details.  ``uniform``: ties of routing have to be split uniformly."""
    return instance.policy.claim(instance.network, UNIFORMLY if uniform else ANY_WAY)


def by_buffer(instance: Instance, orders: Orders) -> str:
    """Orders of servers, buffer by buffer."""
    return order_words(instance.weighable, orders)
