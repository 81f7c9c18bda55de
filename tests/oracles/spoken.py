"""The sentence of a claim, built again from the certificate's other fields (FORMAT.md, section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .claimed import Json

_TAIL = "Poisson arrivals, exponential service"


def sentence(certificate: Json) -> str:
    """What ``claim.words`` must be."""
    claim = certificate["claim"]
    return {"capacity": _capacity, "fluid": _drift, "strict": _drift, "corrected": _corrected, "growth": _growth}[
        claim["condition"]
    ](certificate)


def _capacity(certificate: Json) -> str:
    network, policy = certificate["network"], certificate["policy"]
    if "preset" in policy:
        scope = f"preset {policy['preset']}"
    else:
        scope = "random routing" if network["kind"] == "buffer" else f"routing {_routing(policy)}"
    load = certificate["claim"]["load"]
    return f"UNSTABLE: not positive recurrent under every Markov policy with {scope}; load {load} >= 1 (condition N). {_TAIL}."


def _drift(certificate: Json) -> str:
    claim = certificate["claim"]
    letter = {"fluid": "F", "strict": "S"}[claim["condition"]]
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {policy_words(certificate)}; mean return "
        f"time to a bounded set at most C(1+|x|) for every adapted one (condition {letter}, epsilon {claim['epsilon']}). "
        f"{_TAIL}, preemptive resume."
    )


def _corrected(certificate: Json) -> str:
    return (
        f"STABLE: positive recurrent from every start under every Markov policy with {policy_words(certificate)}; mean time to "
        "reach the exempt set at most (V(x) + const)/epsilon for every adapted one "
        f"(condition H, epsilon {certificate['claim']['epsilon']}). {_TAIL}, preemptive resume."
    )


def _growth(certificate: Json) -> str:
    rate = f"(condition U, growth rate of V at least {certificate['claim']['epsilon']})"
    never = "the network with positive probability never becomes empty again"
    if "witness" not in certificate:
        return (
            f"UNSTABLE: started empty, {never} under every policy with {policy_words(certificate)} {rate}. "
            f"{_TAIL}, preemptive resume."
        )
    order = _orders(certificate["network"]["servers"], certificate["witness"])
    return (
        f"UNSTABLE: not globally stable: started empty, under sequencing priority {order} {never} {rate}; that is one of "
        f"the policies with {policy_words(certificate)}. {_TAIL}, preemptive resume."
    )


def _routing(policy: Json) -> str:
    return "bernoulli with these probabilities" if policy["routing"] == "bernoulli" else str(policy["routing"])


def policy_words(certificate: Json) -> str:
    """Routing, sequencing with its order, holding, and the dominance function."""
    policy, servers = certificate["policy"], certificate["network"]["servers"]
    if "preset" in policy:
        return f"preset {policy['preset']}"
    rule = policy["sequencing"]
    words = f"priority {_orders(servers, policy['priority'])}" if rule == "priority" else rule
    text = f"routing {_routing(policy)}, sequencing {words}, holding {policy['holding']}"
    if rule != "dominant":
        return text
    function = policy["dominance_function"]
    spoken = f"of {len(function['pieces'])} pieces" if "pieces" in function else _template(function)
    return f"{text}, dominance function {spoken}, tie order {_orders(servers, policy.get('tie_order', {})) or 'free'}"


def _template(function: Json) -> str:
    return "explicit " + " ".join(f"{name}=({', '.join(function[name])})" for name in ("alpha", "beta", "gamma"))


def _orders(servers: Sequence[str], orders: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{n}: {' > '.join(orders[n])}" for n in servers if n in orders)
