"""`back-pressure`: a ready buffer with the largest pressure, if this is >= 0 (FORMAT.md sections 3.3, 5, 8.1, 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.components import Alternative, Guard
from verify.checker.core.errors import require
from verify.checker.core.forms import AT_LEAST, AT_MOST, Fact, Family, Form, count, form
from verify.checker.core.state import Service, State
from verify.checker.policies.sequencing import Comparing, buffer_family
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class BackPressure(Comparing):
    """p_K >= 0, and p_K >= p_L for every other L of the server."""

    name: str = "back-pressure"
    works_alone: ClassVar[bool] = False

    def check_walked(self, state: State) -> None:
        """A buffer is compared with the one after it: no choice of jsq in between."""
        for service in state.services:
            where = f"back-pressure, next servers of {state.names[service.buffer]}"
            require(len(service.destinations) == 1, "policy", where, len(service.destinations), 1)

    def family(self, walk: Walk, server: str) -> Family:
        """The pressures."""
        pressures = [_pressure(service) for service in walk.state.services_of(server)]
        return buffer_family(walk, f"pressure({server}: ", server, pressures)

    def job(self, walk: Walk, service: Service) -> Fraction:
        """mu_K; what is served has pressure >= 0, which the slack presupposes."""
        return service.rate

    def own_guard(self, walk: Walk, service: Service) -> Guard:
        """A pressure served is >= 0."""
        return (_sign(walk, service, AT_LEAST, 0),)

    def idle(self, walk: Walk, server: str) -> Alternative:
        """A server idles only if no pressure is positive.

        Sound: a buffer that is not served is empty, so p_k <= 0, or held, or p_k itself forbids it; or its few jobs are
        all with other servers, and then p_k is at most what they add.
        """
        services, spare = walk.state.services_of(server), walk.sharing.spare
        guard = tuple(_sign(walk, one, AT_MOST, spare(server, one.buffer)) for one in services)
        return walk.idle(f"server {server} / ", guard)


def _pressure(service: Service) -> Form:
    """p_k = rate * (x_k - mean of x_next); there is one destination (rule **policy**), perhaps with random outcomes."""
    total = {service.buffer: service.rate}
    for outcome in service.destinations[0].outcomes:
        if outcome.target is not None:
            flow = service.rate * outcome.probability
            total[outcome.target] = total.get(outcome.target, Fraction(0)) - flow
    return form(total)


def _sign(walk: Walk, service: Service, signs: int, spare: int) -> Fact:
    """The sign of p_k; so many jobs may be passed over."""
    name = f"pressure({service.server}: {walk.state.names[service.buffer]})"
    walk.guards.normals.add(name, _pressure(service), count([]))
    return Fact(name, signs, slack=service.rate * spare)


BACK_PRESSURE = BackPressure()
