"""Writing networks and functions in the forms of the certificate (verify/checker/FORMAT.md, sections 2 to 4)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verify.network.model import BufferNetwork, ExplicitTemplate, FunctionSpec, Network, RouteNetwork, Visit
from verify.rational import text


def network_to_json(network: Network) -> dict[str, object]:
    """The network in the form of the certificate (FORMAT.md, section 2)."""
    if isinstance(network, RouteNetwork):
        return {
            "kind": network.kind,
            "servers": list(network.servers),
            "classes": [
                {
                    "name": job_class.name,
                    "arrival_rate": text(job_class.arrival_rate),
                    "routes": [
                        {"name": route.name, "visits": visits_to_json(route.visits)} for route in job_class.routes
                    ],
                }
                for job_class in network.classes
            ],
        }
    return {"kind": network.kind, "servers": list(network.servers), **buffers_and_activities(network)}


def function_to_json(function: FunctionSpec) -> dict[str, object]:
    """A function in the form of the certificate (FORMAT.md, section 4.2): pieces, or a template by its parameters."""
    if isinstance(function, ExplicitTemplate):
        scales = {"alpha": function.alpha, "beta": function.beta, "gamma": function.gamma}
        return {"template": "explicit"} | {key: [text(v) for v in scale] for key, scale in scales.items()}
    return {"pieces": [numbers_to_json(piece) for piece in function.pieces]}


def numbers_to_json(values: Mapping[str, Fraction]) -> dict[str, str]:
    """Name -> number."""
    return {name: text(value) for name, value in values.items()}


def visits_to_json(visits: tuple[Visit, ...]) -> list[dict[str, str]]:
    """A route: every visit states its own rate."""
    return [{"server": visit.server, "rate": text(visit.rate)} for visit in visits]


def buffers_and_activities(network: BufferNetwork) -> dict[str, object]:
    """The same in files and certificates."""
    return {
        "buffers": [{"name": buffer.name, "arrival_rate": text(buffer.arrival_rate)} for buffer in network.buffers],
        "activities": [
            {
                "server": activity.server,
                "buffer": activity.buffer,
                "rate": text(activity.rate),
                "next": numbers_to_json(activity.next),
            }
            for activity in network.activities
        ],
    }
