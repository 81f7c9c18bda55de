"""Means that are known in closed form: one buffer for each server, jobs without a choice ([Jackson 1957]; theory 13.7)."""

from __future__ import annotations

from fractions import Fraction

from verify.linear_form import LinearForm
from verify.network.traffic import only_services
from verify.policies.instance import Instance
from verify.studies.bounds.objective import throughputs

#: Sequencings that may idle although a job is there, or whose guards are about other buffers.
_OTHERS = ("dominant", "back-pressure")


def closed_form(instance: Instance, of: LinearForm) -> Fraction | None:
    """Σ of_k a_k/(μ_k − a_k), a the throughputs; None where the network has no product form, or a load is 1 or more.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 2}}\\nclasses = [{name = "a", arrival_rate = 1, routes = {r = ["A"]}}]'
    >>> closed_form(read_text(line, format="toml"), LinearForm.unit(0))
    Fraction(1, 1)
    """
    services, flow = only_services(instance.expansion()), throughputs(instance)
    if services is None or flow is None or len({service.server for service in services}) < len(services):
        return None
    policy = instance.policy
    if policy.holds or policy.by_state or policy.choices.get("sequencing") in _OTHERS:
        return None
    if any(a >= service.rate for a, service in zip(flow, services, strict=True)):
        return None
    return sum((weight * flow[k] / (services[k].rate - flow[k]) for k, weight in of.items()), Fraction(0))
