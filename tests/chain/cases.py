"""Walks of the catalogue's cases."""

from __future__ import annotations

import dataclasses
import functools

from catalogue.networks import case

from verify.methods.programs.templates import templates
from verify.network.model import RouteNetwork
from verify.policies.compose import Walk, walk
from verify.policies.composed import with_dominance


@functools.cache
def walked_case(name: str) -> Walk:
    """The walk of a case; a dominance function that the file leaves open is the tool's first template."""
    instance = case(name)
    policy = instance.policy
    if policy.lacks_function:
        assert isinstance(instance.network, RouteNetwork)
        policy = with_dominance(policy, next(templates(instance.network)), policy.tie_order)
    return walk(dataclasses.replace(instance, policy=policy))
