"""Writing instances: the forms of the certificate (verify/checker/FORMAT.md, sections 2 to 4) and of the user's JSON file."""

from __future__ import annotations

from verify.network.model import RouteNetwork
from verify.network.read_rates import rows_to_json
from verify.network.write import (
    buffers_and_activities,
    function_to_json,
    network_to_json,
    visits_to_json,
)
from verify.policies.instance import Instance
from verify.rational import text


def instance_to_json(instance: Instance) -> dict[str, object]:
    """``network``, ``policy`` and, if there is one, ``test_function`` in the forms of the certificate."""
    forms: dict[str, object] = {"network": network_to_json(instance.network), "policy": instance.policy.to_json()}
    if instance.test_function is not None:
        forms["test_function"] = function_to_json(instance.test_function)
    return forms


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
                "arrival_rate": text(job_class.arrival_rate),
                "routes": {route.name: visits_to_json(route.visits) for route in job_class.routes},
            }
            for job_class in network.classes
        ]
    else:
        form |= buffers_and_activities(network)
    form["policy"] = instance.policy.to_json()
    if instance.test_function is not None:
        form["test_function"] = function_to_json(instance.test_function)
    if instance.rates is not None:
        form["rates"] = rows_to_json(instance.rates)
    return form
