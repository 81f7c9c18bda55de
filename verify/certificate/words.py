"""The sentence of a claim (``verify/checker/FORMAT.md``, section 8; the checker builds it again)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from verify.conditions.evidence import Mode
from verify.network.model import (
    BufferNetwork,
    ExplicitTemplate,
    FunctionSpec,
    Instance,
    Routing,
)

LETTER = {Mode.FLUID: "F", Mode.STRICT: "S"}


def capacity_words(instance: Instance, load: Fraction) -> str:
    """The claim of condition N."""
    return (
        f"UNSTABLE: not positive recurrent under every Markov policy with {_scope(instance)}; "
        f"load {load} >= 1 (condition N). Poisson arrivals, exponential service."
    )


def drift_words(instance: Instance, mode: Mode, epsilon: Fraction) -> str:
    """The claim of conditions F and S."""
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {policy_words(instance)}; "
        "mean return time to a bounded set at most C(1+|x|) for every adapted one "
        f"(condition {LETTER[mode]}, epsilon {epsilon}). "
        "Poisson arrivals, exponential service, preemptive resume."
    )


def corrected_words(instance: Instance, epsilon: Fraction) -> str:
    """The claim of condition H."""
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {policy_words(instance)}; "
        "mean time to reach the exempt set at most (V(x) + const)/epsilon for every adapted one "
        f"(condition H, epsilon {epsilon}). "
        "Poisson arrivals, exponential service, preemptive resume."
    )


def growth_words(instance: Instance, witness: Mapping[str, Sequence[str]] | None, epsilon: Fraction) -> str:
    """The claim of condition U, for every policy of the class or for one witness."""
    never, rate = (
        "the network with positive probability never becomes empty again",
        f"growth rate of V at least {epsilon}",
    )
    if witness is None:
        claim = f"started empty, {never} under every policy with {policy_words(instance)} (condition U, {rate})"
    else:
        order = _orders(instance.network.servers, witness)
        claim = (
            f"not globally stable: started empty, under sequencing priority {order} {never} (condition U, {rate}); "
            f"that is one of the policies with {policy_words(instance)}"
        )
    return f"UNSTABLE: {claim}. Poisson arrivals, exponential service, preemptive resume."


def _scope(instance: Instance) -> str:
    policy = instance.policy
    if policy.preset is not None:
        return f"preset {policy.preset}"
    if isinstance(instance.network, BufferNetwork):
        return "random routing"
    return f"routing {_routing(instance)}"


def _routing(instance: Instance) -> str:
    routing = instance.policy.routing
    return "bernoulli with these probabilities" if routing is Routing.BERNOULLI else f"{routing}"


def policy_words(instance: Instance) -> str:
    """Routing, sequencing, holding; priorities in full; under ``dominant`` the dominance function and the tie order."""
    policy, servers = instance.policy, instance.network.servers
    if policy.preset is not None:
        return f"preset {policy.preset}"
    sequencing = f"priority {_orders(servers, policy.priority)}" if policy.priority else f"{policy.sequencing}"
    words = f"routing {_routing(instance)}, sequencing {sequencing}, holding {policy.holding}"
    if policy.dominance_function is None:
        return words
    ties = _orders(servers, policy.tie_order) or "free"
    return f"{words}, dominance function {function_words(policy.dominance_function)}, tie order {ties}"


def _orders(servers: Sequence[str], orders: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{server}: {' > '.join(orders[server])}" for server in servers if server in orders)


def function_words(function: FunctionSpec) -> str:
    """A function by its parameters, or by the number of its pieces."""
    if isinstance(function, ExplicitTemplate):
        scales = ((name, getattr(function, name)) for name in ("alpha", "beta", "gamma"))
        return "explicit " + " ".join(f"{name}=({_listed(values)})" for name, values in scales)
    return f"of {len(function.pieces)} pieces"


def _listed(values: Iterable[Fraction]) -> str:
    return ", ".join(map(str, values))
