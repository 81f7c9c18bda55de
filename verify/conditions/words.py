"""The sentence of a claim (``verify/checker/FORMAT.md``, section 20; the checker builds it again)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.network.expansion import expand
from verify.network.model import (
    BufferNetwork,
    ExplicitTemplate,
    FunctionSpec,
    Holding,
    Instance,
    Routing,
    Sequencing,
)
from verify.network.names import function_names

MODEL = "Poisson arrivals, exponential service, preemptive resume."
NETWORK = "the network of this certificate"
_SPILLBACK = "spillback (no service of a buffer while the next one holds at least as many jobs)"


def stable_words(policy: str, bounded: str, letter: str, epsilon: Fraction) -> str:
    """The claim of the conditions that prove stability; ``letter`` of the condition, ``bounded``: how far a set is bounded."""
    return (
        f"STABLE: {NETWORK} is positive recurrent from every start under every Markov policy with {policy}; "
        f"under every adapted one the mean time to reach {bounded} (condition {letter}, epsilon {epsilon}). {MODEL}"
    )


def freedom_words(instance: Instance) -> str:
    """Of which policies condition N speaks."""
    policy = instance.policy
    if policy.preset is not None:
        return f"the moves of preset {policy.preset} in any order"
    if isinstance(instance.network, BufferNetwork):
        return "its activities in any order"
    return f"routing {_routing(instance, uniform=False)} and any sequencing and holding"


def _routing(instance: Instance, *, uniform: bool) -> str:
    policy = instance.policy
    if policy.routing in (Routing.JSR, Routing.JSQ):
        return f"{policy.routing} (ties {'split uniformly' if uniform else 'in any way'})"
    if policy.routing is not Routing.BERNOULLI:
        return f"{policy.routing}"
    splits = (f"{name}: {_split(split)}" for name, split in sorted(policy.probabilities.items()))
    return f"{policy.routing} ({'; '.join(splits)})"


def _split(split: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{route} {probability}" for route, probability in sorted(split.items()))


def policy_words(instance: Instance, *, uniform: bool) -> str:
    """Routing, sequencing, holding; priorities in full; under ``dominant`` the dominance function and the tie order; who takes
    a job that several servers could take.  ``uniform``: ties of routing have to be split uniformly."""
    policy = instance.policy
    if policy.preset is not None:
        return f"preset {policy.preset} (ties in any way)"
    holding = _SPILLBACK if policy.holding is Holding.SPILLBACK else policy.holding
    words = f"routing {_routing(instance, uniform=uniform)}, sequencing {_sequencing(instance)}, holding {holding}"
    if policy.dominance_function is not None:
        ties = by_key(instance.network.servers, policy.tie_order) or "free"
        words = f"{words}, dominance function {function_words(policy.dominance_function, instance)}, tie order {ties}"
    return words + _servers(instance)


def _sequencing(instance: Instance) -> str:
    policy = instance.policy
    if policy.sequencing is Sequencing.FIFO:
        return "non-idling (fifo is one of the adapted ones)"
    return (
        f"priority {by_key(instance.network.servers, policy.priority)}" if policy.priority else f"{policy.sequencing}"
    )


def _servers(instance: Instance) -> str:
    shared = expand(instance.network, instance.policy).shared
    if not shared:
        return ""
    given = instance.policy.server_order
    listed = [by_buffer(instance, given)] if given else []
    if len(given) < len(shared):
        listed.append("else free" if given else "free")
    return f", server order {'; '.join(listed)}"


def function_words(function: FunctionSpec, instance: Instance) -> str:
    """A function by its parameters, or by all its pieces."""
    if isinstance(function, ExplicitTemplate):
        scales = ((name, getattr(function, name)) for name in ("alpha", "beta", "gamma"))
        return "explicit " + " ".join(f"{name}=({', '.join(map(str, values))})" for name, values in scales)
    names = function_names(instance.network, instance.policy)
    pieces = (" + ".join(f"{piece[name]} {name}" for name in names if piece.get(name)) for piece in function.pieces)
    return f"max({', '.join(pieces)})"


def by_buffer(instance: Instance, orders: Mapping[str, Sequence[str]]) -> str:
    """Orders of servers, buffer by buffer."""
    return by_key(function_names(instance.network, instance.policy), orders)


def by_key(keys: Sequence[str], orders: Mapping[str, Sequence[str]]) -> str:
    """Orders, key by key in the order of ``keys``."""
    return "; ".join(f"{key}: {' > '.join(orders[key])}" for key in keys if key in orders)
