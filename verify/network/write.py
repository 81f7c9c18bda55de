"""Writing instances: the forms of the certificate (verify/checker/FORMAT.md, sections 2 to 4) and of the user's JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verify.network.model import (
    BufferNetwork,
    ExplicitTemplate,
    FunctionSpec,
    Instance,
    Network,
    Policy,
    RouteNetwork,
    Visit,
)


def canonical_number(value: Fraction) -> str:
    """A number as the certificate writes it: "p/q" in lowest terms, integers as "p".

    >>> canonical_number(Fraction(6, 8)), canonical_number(Fraction(-2))
    ('3/4', '-2')
    """
    return str(value)


def instance_to_json(instance: Instance) -> dict[str, object]:
    """``network``, ``policy`` and, if there is one, ``test_function`` in the forms of the certificate."""
    forms: dict[str, object] = {"network": network_to_json(instance.network), "policy": policy_to_json(instance.policy)}
    if instance.test_function is not None:
        forms["test_function"] = function_to_json(instance.test_function)
    return forms


def network_to_json(network: Network) -> dict[str, object]:
    """The network in the form of the certificate (FORMAT.md, section 2)."""
    if isinstance(network, RouteNetwork):
        return {
            "kind": "route",
            "servers": list(network.servers),
            "classes": [
                {
                    "name": job_class.name,
                    "arrival_rate": canonical_number(job_class.arrival_rate),
                    "routes": [{"name": route.name, "visits": _visits(route.visits)} for route in job_class.routes],
                }
                for job_class in network.classes
            ],
        }
    return {"kind": "buffer", "servers": list(network.servers), **_buffers_and_activities(network)}


def policy_to_json(policy: Policy) -> dict[str, object]:
    """The policy in the form of the certificate (FORMAT.md, section 3); details only where the policy has them."""
    if policy.preset is not None:
        return {"preset": policy.preset.value}
    choices = {"routing": policy.routing, "sequencing": policy.sequencing, "holding": policy.holding}
    form: dict[str, object] = {key: word.value for key, word in choices.items() if word is not None}
    if policy.probabilities:
        form["probabilities"] = {name: _numbers(split) for name, split in policy.probabilities.items()}
    if policy.priority:
        form["priority"] = {server: list(order) for server, order in policy.priority.items()}
    if policy.tie_order:
        form["tie_order"] = {server: list(order) for server, order in policy.tie_order.items()}
    if policy.server_order:
        form["server_order"] = {buffer: list(order) for buffer, order in policy.server_order.items()}
    if policy.dominance_function is not None:
        form["dominance_function"] = function_to_json(policy.dominance_function)
    return form


def function_to_json(function: FunctionSpec) -> dict[str, object]:
    """A function in the form of the certificate (FORMAT.md, section 4.2): pieces, or a template by its parameters."""
    if isinstance(function, ExplicitTemplate):
        scales = {"alpha": function.alpha, "beta": function.beta, "gamma": function.gamma}
        return {"template": "explicit"} | {key: [canonical_number(v) for v in scale] for key, scale in scales.items()}
    return {"pieces": [_numbers(piece) for piece in function.pieces]}


def instance_to_file_json(instance: Instance) -> dict[str, object]:
    """The structure of a network file: ``read_document`` of it, and ``read_text`` of its JSON, give the instance back.

    Every visit states its own rate; parameters are gone, their values stand in their places.  The order of servers and
    routes is significant: write the JSON without sorting keys.
    """
    network = instance.network
    form: dict[str, object] = {}
    if instance.title:
        form["title"] = instance.title
    if instance.source:
        form["source"] = instance.source
    form["servers"] = {server: {} for server in network.servers}
    if isinstance(network, RouteNetwork):
        form["classes"] = [
            {
                "name": job_class.name,
                "arrival_rate": canonical_number(job_class.arrival_rate),
                "routes": {route.name: _visits(route.visits) for route in job_class.routes},
            }
            for job_class in network.classes
        ]
    else:
        form |= _buffers_and_activities(network)
    form["policy"] = policy_to_json(instance.policy)
    if instance.test_function is not None:
        form["test_function"] = function_to_json(instance.test_function)
    return form


def _numbers(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: canonical_number(value) for name, value in values.items()}


def _visits(visits: tuple[Visit, ...]) -> list[dict[str, str]]:
    return [{"server": visit.server, "rate": canonical_number(visit.rate)} for visit in visits]


def _buffers_and_activities(network: BufferNetwork) -> dict[str, object]:
    return {
        "buffers": [
            {"name": buffer.name, "arrival_rate": canonical_number(buffer.arrival_rate)} for buffer in network.buffers
        ],
        "activities": [
            {
                "server": activity.server,
                "buffer": activity.buffer,
                "rate": canonical_number(activity.rate),
                "next": _numbers(activity.next),
            }
            for activity in network.activities
        ],
    }
