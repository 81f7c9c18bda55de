"""Sequencings that compare buffers: longest queue, max-weight, back-pressure (theory 1.3)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from verify.chain.guards import Guard, Normal, Normals, Signs
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion, Service
from verify.network.model import Sequencing
from verify.policies.holding import Readiness, difference

#: Alternatives by subsets of held buffers are listed for at most this many buffers of a server.
MOST_BUFFERS = 6


class Comparison:
    """The order in which one server ranks its buffers.

    Parameters: ``services`` of the server in coordinate order; each buffer K has a rank: x_K (longest queue), μ_K x_K
    (max-weight), or the pressure p_K = μ_K (x_K − Σ p x_next) (back-pressure).
    """

    def __init__(self, sequencing: Sequencing, services: Sequence[Service], expansion: Expansion, normals: Normals):
        self.sequencing, self.expansion, self.normals = sequencing, expansion, normals
        self.services = {service.buffer: service for service in services}
        if sequencing is Sequencing.BACK_PRESSURE and any(len(service.destinations) > 1 for service in services):
            raise NotWalked("back-pressure where a buffer has several possible next servers")

    def at_least(self, k: int, other: int) -> Guard:
        """K ranks at least as high as the other buffer."""
        first, second = min(k, other), max(k, other)
        return {self._difference(first, second): Signs.NOT_NEGATIVE if k == first else Signs.NOT_POSITIVE}

    def worth_serving(self, k: int) -> Guard:
        """Back-pressure serves only p_K >= 0."""
        return {self._pressure(k): Signs.NOT_NEGATIVE} if self.sequencing is Sequencing.BACK_PRESSURE else {}

    def idle(self, readiness: Readiness) -> Guard:
        """Nothing to do: no buffer ready, or under back-pressure no positive pressure."""
        if self.sequencing is Sequencing.BACK_PRESSURE:
            return {self._pressure(k): Signs.NOT_POSITIVE for k in self.services}
        return readiness.unready(self.services)

    def guards(self, k: int, readiness: Readiness) -> Iterator[tuple[str, Guard]]:
        """(addition to the name, guard) for serving K: one, or under spillback one for each set of held buffers."""
        others = [other for other in self.services if other != k]
        holdable = [other for other in others if readiness.may_be_held(other)]
        if holdable and len(self.services) > MOST_BUFFERS:
            raise NotWalked(f"spillback with {self.sequencing} and more than {MOST_BUFFERS} buffers at a server")
        for size in range(len(holdable) + 1):
            for held in itertools.combinations(holdable, size):
                guard: dict[Normal, Signs] = dict(readiness.unready(held))
                for other in others:
                    if other not in held:
                        guard |= self.at_least(k, other)
                names = ", ".join(self.expansion.names[other] for other in held)
                yield (f" (held {names})" if held else "", {**guard, **self.worth_serving(k), **readiness.ready(k)})

    def _difference(self, first: int, second: int) -> Normal:
        names, server = self.expansion.names, self.services[first].server
        pair = f"{names[first]} - {names[second]}"
        if self.sequencing is Sequencing.MAX_WEIGHT:
            rates = self.services[first].rate, self.services[second].rate
            return self.normals.get(
                f"weight({server}: {pair})", lambda: LinearForm({first: rates[0], second: -rates[1]})
            )
        if self.sequencing is Sequencing.BACK_PRESSURE:
            return self.normals.get(f"pressure({server}: {pair})", partial(self._pressures, first, second))
        return self.normals.get(f"length({pair})", partial(difference, first, second))

    def _pressure(self, k: int) -> Normal:
        server, name = self.services[k].server, self.expansion.names[k]
        return self.normals.get(f"pressure({server}: {name})", partial(pressure, self.services[k]))

    def _pressures(self, first: int, second: int) -> LinearForm:
        return pressure(self.services[first]) - pressure(self.services[second])


def pressure(service: Service) -> LinearForm:
    """p_K = μ_K (x_K − Σ_next probability · x_next)."""
    onward = LinearForm(service.destinations[0].distribution)
    return (LinearForm.unit(service.buffer) - onward) * service.rate
