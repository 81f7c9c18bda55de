"""Explicit parameters of the template: given, or chosen by halving their distance to 1 (theory 3.2 and 8)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.functions.explicit import sizes
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, RouteNetwork

#: How often the distance to 1 is divided by four.
STEPS = 6


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
