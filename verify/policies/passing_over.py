"""What a server passes over although it is ready, because all its jobs are with other servers (theory 1.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from verify.chain.components import Alternative
from verify.chain.guards import Normal
from verify.policies.rules import Setting, coordinate


def passing_over(alternative: Alternative, server: str, buffers: Iterable[int], setting: Setting) -> Alternative:
    """The alternative of a server at whose guard these buffers are not ready, with what that means on integer points.

    x_k = 0 is x_k <= spare; a surplus <= 0 (a buffer that is held) is surplus <= spare, as the surplus is at most x_k."""
    spare: dict[Normal, int] = {}
    slack: dict[Normal, Fraction] = {}
    for k in buffers:
        if most := most_elsewhere(server, k, setting):
            surplus = setting.readiness.surplus(k)
            if surplus is not None:
                slack[surplus] = Fraction(most)
            spare[coordinate(k, setting.expansion, setting.normals)] = most
    return replace(alternative, spare=spare, slack=slack)


def most_elsewhere(server: str, k: int, setting: Setting) -> int:
    """Up to how many jobs of a buffer may all be with other servers, so that this one passes over it; 0 if it has one server."""
    servers = setting.expansion.shared.get(k, ())
    order = setting.server_order.get(setting.expansion.names[k], ())
    return order.index(server) if order else max(len(servers) - 1, 0)
