"""The sentence of a claim, built again from the certificate's other fields (FORMAT.md, section 25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .claimed import Json
from .outcomes import spoken

_TAIL = "Poisson arrivals, exponential service"
_NET = "the network of this certificate"


def sentence(certificate: Json) -> str:
    """What ``claim.words`` must be."""
    claim = certificate["claim"]
    return {
        "capacity": _capacity,
        "fluid": _drift,
        "strict": _drift,
        "corrected": _corrected,
        "growth": _growth,
        "quadratic": _quadratic,
        "mean": _mean,
        "product-form": _product,
    }[claim["condition"]](certificate)


def _capacity(certificate: Json) -> str:
    network, policy = certificate["network"], certificate["policy"]
    if "preset" in policy:
        scope = f"the moves of preset {policy['preset']} in any order"
    elif network["kind"] == "buffer":
        scope = "its activities in any order"
    else:
        scope = f"routing {_routing(policy, 'in any way')} and any sequencing and holding"
    load = certificate["claim"]["load"]
    loaded = "critically loaded" if Fraction(load) == 1 else "overloaded"
    return f"UNSTABLE: {_NET} is positive recurrent under no Markov policy with {scope}; load {load}, {loaded} (condition N). {_TAIL}."


def _drift(certificate: Json) -> str:
    claim, ties = certificate["claim"], _ties(certificate["evidence"])
    letter = {"fluid": "F", "strict": "S"}[claim["condition"]]
    return _stable(certificate, ties, "a bounded set is at most C(1+|x|)", letter)


def _corrected(certificate: Json) -> str:
    return _stable(certificate, "split uniformly", "the exempt set is at most (V(x) + const)/epsilon", "H")


def _stable(certificate: Json, ties: str, time: str, letter: str) -> str:
    return (
        f"STABLE: {_NET} is positive recurrent from every start under every Markov policy with "
        f"{policy_words(certificate, ties)}; under every adapted one the mean time to reach {time} (condition {letter}, "
        f"epsilon {certificate['claim']['epsilon']}). {_TAIL}, preemptive resume."
    )


def _ties(evidence: Json) -> str:
    """Of a proof by trees: some leaf has a corrector, or none."""
    return "split uniformly" if '"corrector"' in repr(evidence).replace("'", '"') else "in any way"


def _quadratic(certificate: Json) -> str:
    claim = certificate["claim"]
    jobs = Fraction(claim["bound"]) / Fraction(claim["epsilon"])
    return (
        f"STABLE: {_NET} is positive recurrent from every start under every Markov policy with "
        f"{policy_words(certificate, 'in any way')}, its stationary law has geometric tails; under every adapted one the mean "
        f"time to reach a bounded set is at most C(1+|x|), and the time average of the mean number of jobs is at most {jobs} "
        f"in the limit (condition Q, epsilon {claim['epsilon']}). {_TAIL}, preemptive resume."
    )


def _mean(certificate: Json) -> str:
    claim, proof = certificate["claim"], certificate["stability"]
    ties = "split uniformly" if proof["condition"] == "corrected" else _ties(proof)
    letter = {"fluid": "F", "strict": "S", "corrected": "H", "quadratic": "Q"}[proof["condition"]]
    bounds = [f"at {word} {claim[side]}" for side, word in (("lower", "least"), ("upper", "most")) if side in claim]
    adapted = "" if letter == "F" else "; under every adapted one the time average of that mean is so in the limit"
    return (
        f"BOUND: {_NET} has a stationary law under every Markov policy with {policy_words(certificate, ties)}, and the mean of "
        f"{_form(certificate)} in it is {' and '.join(bounds)}{adapted} (stable by condition {letter}). "
        f"{_TAIL}, preemptive resume."
    )


def _product(certificate: Json) -> str:
    return (
        f"BOUND: {_NET} has a stationary law under every policy with {policy_words(certificate, 'in any way')}, under which its "
        f"buffers are independent, and the mean of {_form(certificate)} in it is {certificate['claim']['mean']} (product "
        f"form). {_TAIL}, preemptive resume."
    )


def _form(certificate: Json) -> str:
    """The form whose mean is claimed."""
    of, names = certificate["claim"]["of"], spoken(certificate).names
    if set(of) == set(names) and set(of.values()) == {"1"}:
        return "the number of jobs"
    signed = " ".join(f"- {of[k][1:]} {k}" if of[k].startswith("-") else f"+ {of[k]} {k}" for k in names if k in of)
    return signed[2:] if signed.startswith("+") else f"-{signed[2:]}"


def _growth(certificate: Json) -> str:
    rate = f"(condition U, growth rate of V at least {certificate['claim']['epsilon']})"
    never = f"{_NET}, started empty, with positive probability never becomes empty again under"
    who, policy = [], policy_words(certificate, "split uniformly")
    if "witness" in certificate:
        who.append(f"sequencing priority {_orders(certificate['network']['servers'], certificate['witness'])}")
    if "witness_server_order" in certificate:
        who.append(f"server order {_orders(_buffers(certificate['network']), certificate['witness_server_order'])}")
    if who:
        return (
            f"UNSTABLE: for one witness policy, so that its class is not globally stable: {never} {', '.join(who)} {rate}; "
            f"the class: policies with {policy}. {_TAIL}, preemptive resume."
        )
    return f"UNSTABLE: {never} every adapted policy with {policy} {rate}. {_TAIL}, preemptive resume."


def _routing(policy: Json, ties: str) -> str:
    routing = str(policy["routing"])
    if routing == "bernoulli":
        given = policy["probabilities"]
        splits = [f"{c}: {', '.join(f'{r} {given[c][r]}' for r in sorted(given[c]))}" for c in sorted(given)]
        return f"bernoulli ({'; '.join(splits)})"
    if routing == "weighted-route":
        given = policy["route_weights"]
        weights = ", ".join(f"{name} {given[name]}" for name in sorted(given))
        return f"weighted-route (weights {weights}; ties {ties})"
    return f"{routing} (ties {ties})" if routing in ("jsr", "jsq") else routing


def policy_words(certificate: Json, ties: str) -> str:
    """Routing, sequencing with its order, holding, the dominance function, and who takes a job of a shared buffer."""
    policy, network = certificate["policy"], certificate["network"]
    if "preset" in policy:
        return f"preset {policy['preset']} (ties in any way)"
    rule = policy["sequencing"]
    words = f"priority {_orders(network['servers'], policy['priority'])}" if rule == "priority" else rule
    if "buffer_weights" in policy:
        given = policy["buffer_weights"]
        words += f" (weights {', '.join(f'{name} {given[name]}' for name in sorted(given))})"
    words = "non-idling (fifo is one of the adapted ones)" if rule == "fifo" else words
    held = " (no service of a buffer while the next one holds at least as many jobs)"
    holding = policy["holding"] + (held if policy["holding"] == "spillback" else "")
    text = f"routing {_routing(policy, ties)}, sequencing {words}, holding {holding}"
    if rule == "dominant":
        function, order = policy["dominance_function"], _orders(network["servers"], policy.get("tie_order", {}))
        text += f", dominance function {_function(function, network)}, tie order {order or 'free'}"
    return text + _takers(network, policy.get("server_order", {}))


def _takers(network: Json, given: Mapping[str, Sequence[str]]) -> str:
    listed = [activity["buffer"] for activity in network.get("activities", [])]
    shared = {name for name in listed if listed.count(name) > 1}
    if not shared:
        return ""
    if not given:
        return ", server order free"
    return f", server order {_orders(_buffers(network), given)}" + ("; else free" if shared - set(given) else "")


def _buffers(network: Json) -> list[str]:
    if network["kind"] == "buffer":
        return [buffer["name"] for buffer in network["buffers"]]
    return [
        f"{c['name']}.{route['name']}.{i}"
        for c in network["classes"]
        for route in c["routes"]
        for i, _ in enumerate(route["visits"], start=1)
    ]


def _function(function: Json, network: Json) -> str:
    if "pieces" not in function:
        return "explicit " + " ".join(f"{name}=({', '.join(function[name])})" for name in ("alpha", "beta", "gamma"))
    names = _buffers(network)
    return f"max({', '.join(' + '.join(f'{p[n]} {n}' for n in names if n in p) for p in function['pieces'])})"


def _orders(keys: Sequence[str], orders: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{n}: {' > '.join(orders[n])}" for n in keys if n in orders)
