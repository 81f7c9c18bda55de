"""Certificates of section 20 to 23 of the format by hand, with the claim and without evidence: what the oracle looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .claimed import Json


def route_network(servers: Mapping[str, str], classes: Mapping[str, tuple[str, Sequence[Sequence[str]]]]) -> Json:
    """``servers``: rates; ``classes``: arrival rate and routes r1, r2, …."""
    return {
        "kind": "route",
        "servers": list(servers),
        "classes": [
            {
                "name": name,
                "arrival_rate": rate,
                "routes": [
                    {"name": f"r{i}", "visits": [{"server": n, "rate": servers[n]} for n in route]}
                    for i, route in enumerate(routes, start=1)
                ],
            }
            for name, (rate, routes) in classes.items()
        ],
    }


def buffer_network(arrivals: Mapping[str, str], *activities: tuple[Any, ...]) -> Json:
    """``activities``: (server, buffer, rate) or (server, buffer, rate, next)."""
    return {
        "kind": "buffer",
        "servers": list(dict.fromkeys(entry[0] for entry in activities)),
        "buffers": [{"name": name, "arrival_rate": rate} for name, rate in arrivals.items()],
        "activities": [
            {"server": server, "buffer": buffer, "rate": rate, "next": dict(*more)}
            for server, buffer, rate, *more in activities
        ],
    }


def policy(sequencing: str = "non-idling", routing: str = "fixed", **more: Any) -> Json:
    return {"routing": routing, "sequencing": sequencing, "holding": "none", **more}


def function(square: Json, linear: Json | None = None, **cuts: Any) -> Json:
    return {"square": square, "linear": linear or {}, **cuts}


def quadratic_claim(network: Json, rule: Json, found: Json, epsilon: str, bound: str, potential: Json) -> Json:
    """ "quadratic": drift of f <= −epsilon |x| + bound."""
    return {
        "claim": {"verdict": "stable", "condition": "quadratic", "epsilon": epsilon, "bound": bound},
        "network": network,
        "policy": rule,
        "function": found,
        "squares": [],
        "potential": potential,
    }


def mean_claim(
    stable: Json, of: Json, upper: tuple[str, Json] | None = None, lower: tuple[str, Json] | None = None
) -> Json:
    """ "mean", beside a quadratic proof of stability."""
    claim: Json = {"verdict": "stable", "condition": "mean", "of": of}
    proof = {"condition": "quadratic", **{key: stable["claim"][key] for key in ("epsilon", "bound")}}
    proof |= {key: stable[key] for key in ("function", "squares", "potential")}
    found: Json = {"network": stable["network"], "policy": stable["policy"], "stability": proof}
    for name, side in (("upper", upper), ("lower", lower)):
        if side is not None:
            claim[name], found[name] = side[0], {"function": side[1]}
    return {"claim": claim, **found}


def product_claim(network: Json, rule: Json, throughputs: Json, of: Json, mean: str) -> Json:
    """ "product-form"."""
    claim = {"verdict": "stable", "condition": "product-form", "of": of, "mean": mean}
    return {"claim": claim, "network": network, "policy": rule, "throughputs": throughputs}
