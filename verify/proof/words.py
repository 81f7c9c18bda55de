"""The sentence of a claim (``verify/checker/FORMAT.md``, section 20; the checker builds it again)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.conditions.condition import Condition
from verify.conditions.growth import Growth
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

_MODEL = "Poisson arrivals, exponential service, preemptive resume."
_NETWORK = "the network of this certificate"
_SPILLBACK = "spillback (no service of a buffer while the next one holds at least as many jobs)"


def capacity_words(instance: Instance, load: Fraction) -> str:
    """The claim of condition N."""
    loaded = "overloaded" if load > 1 else "critically loaded"
    return (
        f"UNSTABLE: {_NETWORK} is positive recurrent under no Markov policy with {_scope(instance)}; "
        f"load {load}, {loaded} (condition N). Poisson arrivals, exponential service."
    )


def drift_words(instance: Instance, condition: Condition, epsilon: Fraction, *, corrected: bool) -> str:
    """The claim of conditions F and S; ``corrected``: some leaf of F has a corrector, so ties have to be split uniformly."""
    bounded = "a bounded set is at most C(1+|x|)"
    return _stable(policy_words(instance, uniform=corrected), bounded, condition.letter, epsilon)


def corrected_words(instance: Instance, epsilon: Fraction) -> str:
    """The claim of condition H."""
    bounded = "the exempt set is at most (V(x) + const)/epsilon"
    return _stable(policy_words(instance, uniform=True), bounded, "H", epsilon)


def _stable(policy: str, bounded: str, letter: str, epsilon: Fraction) -> str:
    return (
        f"STABLE: {_NETWORK} is positive recurrent from every start under every Markov policy with {policy}; "
        f"under every adapted one the mean time to reach {bounded} (condition {letter}, epsilon {epsilon}). {_MODEL}"
    )


def growth_words(instance: Instance, proof: Growth) -> str:
    """The claim of condition U, for every policy of the class or for one witness."""
    never = f"{_NETWORK}, started empty, with positive probability never becomes empty again under"
    rate = f"(condition U, growth rate of V at least {proof.epsilon})"
    policy = policy_words(instance, uniform=True)
    witness = witness_words(instance, proof)
    if not witness:
        return f"UNSTABLE: {never} every adapted policy with {policy} {rate}. {_MODEL}"
    return (
        f"UNSTABLE: for one witness policy, so that its class is not globally stable: {never} {witness} {rate}; "
        f"the class: policies with {policy}. {_MODEL}"
    )


def witness_words(instance: Instance, proof: Growth) -> str:
    """What a witness orders, "" if there is none."""
    found = []
    if proof.witness is not None:
        found.append(f"sequencing priority {_orders(instance.network.servers, proof.witness)}")
    if proof.server_order is not None:
        found.append(f"server order {_by_buffer(instance, proof.server_order)}")
    return ", ".join(found)


def _scope(instance: Instance) -> str:
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
        ties = _orders(instance.network.servers, policy.tie_order) or "free"
        words = f"{words}, dominance function {function_words(policy.dominance_function, instance)}, tie order {ties}"
    return words + _servers(instance)


def _sequencing(instance: Instance) -> str:
    policy = instance.policy
    if policy.sequencing is Sequencing.FIFO:
        return "non-idling (fifo is one of the adapted ones)"
    return (
        f"priority {_orders(instance.network.servers, policy.priority)}" if policy.priority else f"{policy.sequencing}"
    )


def _servers(instance: Instance) -> str:
    shared = expand(instance.network, instance.policy).shared
    if not shared:
        return ""
    given = instance.policy.server_order
    listed = [_by_buffer(instance, given)] if given else []
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


def _by_buffer(instance: Instance, orders: Mapping[str, Sequence[str]]) -> str:
    return _orders(function_names(instance.network, instance.policy), orders)


def _orders(keys: Sequence[str], orders: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{key}: {' > '.join(orders[key])}" for key in keys if key in orders)
