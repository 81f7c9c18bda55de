"""Walks of the catalogue's cases."""

from __future__ import annotations

import dataclasses
import functools

from catalogue.networks import case

from verify.methods.programs.templates import templates
from verify.network.model import RouteNetwork, Sequencing
from verify.policies.compose import Walk, walk


@functools.cache
def walked_case(name: str) -> Walk:
    """The walk of a case; a dominance function that the file leaves open is the tool's first template."""
    instance = case(name)
    policy = instance.policy
    if policy.sequencing is Sequencing.DOMINANT and policy.dominance_function is None:
        assert isinstance(instance.network, RouteNetwork)
        policy = dataclasses.replace(policy, dominance_function=next(templates(instance.network)))
    return walk(dataclasses.replace(instance, policy=policy))
