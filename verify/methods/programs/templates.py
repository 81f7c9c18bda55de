"""Explicit parameters of the template, chosen by halving their distance to 1 (theory 3.2 and 8), for V and for U."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

from verify.functions.explicit import geometric_template, piece_count, sizes
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, RouteNetwork
from verify.policies import composed
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance
from verify.policies.policy import Policy

#: How often the distance to 1 is divided by four.
STEPS = 6
#: Most pieces a template may have that the tool tries.
MOST_PIECES = 120


def templates(network: RouteNetwork) -> Iterator[ExplicitTemplate]:
    """Parameters closer and closer to 1: alpha_d = (1−h)^(d−1), gamma_m = (1−h)^m with h = 1/4, 1/16, …

    One or two routes per class: beta_n = (1−h)^n.  Three or more: geometric beta fails, since jsr may feed a dominant route while
    another is not dominant.  With δ_n = beta_n/beta_{n+1} − 1 and L the longest route, δ_1 < alpha^(L−1) and
    δ_n (1 + 1/δ_{n−1}) < alpha^(L−1) suffice (theory 3.2); so δ_1 = min(1/4, 2·2^−j), δ_n = min(1/8, 4h)·δ_{n−1} at step j.
    """
    longest, most, classes = sizes(network)
    for step in range(1, STEPS + 1):
        h = Fraction(1, 4**step)
        alpha = tuple((1 - h) ** d for d in range(longest))
        beta = tuple((1 - h) ** n for n in range(1, most + 1)) if most <= 2 else tuple(_slow_betas(step, h, most))
        yield ExplicitTemplate(alpha, beta, tuple((1 - h) ** m for m in range(1, classes + 1)))


def template_for_load(network: RouteNetwork, load: Fraction) -> ExplicitTemplate:
    """Parameters for every load up to this one (< 1), at all rates: distances to 1 of a tenth of what the servers have to spare.

    >>> from verify.network.model import JobClass, Route, Visit
    >>> network = RouteNetwork(("1",), (JobClass("a", Fraction(1), (Route("r", (Visit("1", Fraction(2)),)),)),))
    >>> template_for_load(network, Fraction(9, 10)).gamma, template_for_load(network, Fraction(1, 3)).gamma
    ((Fraction(99, 100),), (Fraction(9, 10),))
    """
    longest, most, classes = sizes(network)
    h = Fraction(1, 10) if load <= Fraction(1, 2) else (1 - load) / 10
    if most <= 2:
        return geometric_template(network, 1 - h, 1 - h, 1 - h)
    step = next(step for step in range(1, 200) if Fraction(1, 4**step) <= h)
    alpha = tuple((1 - h) ** d for d in range(longest))
    return ExplicitTemplate(
        alpha, tuple(_slow_betas(step, h, most)), tuple((1 - h) ** m for m in range(1, classes + 1))
    )


def _slow_betas(step: int, h: Fraction, most: int) -> Iterator[Fraction]:
    beta, delta = Fraction(1), min(Fraction(1, 4), Fraction(2, 2**step))
    for _ in range(most):
        yield beta
        beta /= 1 + delta
        delta *= min(Fraction(1, 8), 4 * h)


def tie_order(template: ExplicitTemplate, expansion: Expansion) -> dict[str, tuple[str, ...]]:
    """The tool's tie order: largest weight first, then listed order.

    A bottleneck at position d has the weight gamma·beta·alpha_d in its dominant piece, so at a server the order is by alpha_d.
    """
    result = {}
    for server in expansion.busy_servers:
        buffers = expansion.queue(server)
        if len(buffers) > 1:
            ordered = sorted(buffers, key=lambda k: (-template.alpha[expansion.buffers[k].position - 1], k))
            result[server] = tuple(expansion.names[k] for k in ordered)
    return result


def has_template(instance: Instance) -> bool:
    """Is the state a route expansion, and is the number of pieces Π(|r|+1) − 1 moderate?"""
    return instance.routes is not None and piece_count(instance.routes) <= MOST_PIECES


def leaves_dominance_open(policy: Policy) -> bool:
    """Does it follow pieces of a U that it does not state?  Then U is the tool's choice."""
    return policy.lacks_function


def with_dominance(instance: Instance, template: ExplicitTemplate) -> Instance:
    """Where U is open: U from the template, and the tool's tie order where the file has none."""
    policy = instance.policy
    if not leaves_dominance_open(policy):
        return instance
    chosen = policy.tie_order or tie_order(template, instance.expansion())
    return dataclasses.replace(instance, policy=composed.with_dominance(policy, template, chosen))


def chain_to_search(instance: Instance) -> Walk:
    """The chain; where U is open that of the first template."""
    network = instance.routes
    if leaves_dominance_open(instance.policy) and network is not None:
        return walk(with_dominance(instance, next(templates(network))))
    return walk(instance)
