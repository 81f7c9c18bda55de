"""Sequencings ``fbfs`` and ``lbfs``: first, or last, buffer first served, by the position on the route (theory 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.errors import InputError
from verify.network.expansion import Expansion
from verify.network.model import RouteNetwork
from verify.network.names import Coordinates, pair_name
from verify.policies.rules import ON_ROUTES, also
from verify.policies.static import StaticSequencing


class ByPosition(StaticSequencing):
    """Buffers of a server in the order of their positions; those with the same one are a group.  ``last``: the largest first."""

    defined_on: ClassVar[frozenset[Coordinates]] = ON_ROUTES
    last: ClassVar[bool]

    @classmethod
    def check(cls, network: RouteNetwork, coordinates: Coordinates, place: str) -> None:
        """A pair ``class@server`` has one position, the same on all routes through it."""
        if coordinates is not Coordinates.PAIRS:
            return
        for job_class in network.classes:
            positions: dict[str, dict[int, str]] = {}
            for route in job_class.routes:
                for position, visit in enumerate(route.visits, 1):
                    positions.setdefault(visit.server, {}).setdefault(position, route.name)
            for server, found in positions.items():
                if len(found) > 1:
                    where = ", ".join(f"{position} on {route}" for position, route in found.items())
                    raise InputError(
                        place,
                        f"{pair_name(job_class.name, server)} at one position on all routes ({cls.word} under jsq)",
                        f"position {where}",
                        'write sequencing = "priority" and the order you want',
                    )

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """One group for each position."""
        buffers = expansion.queue(server)
        positions = {k: expansion.buffers[k].position for k in buffers}
        ordered = sorted(set(positions.values()), reverse=self.last)
        return tuple(tuple(k for k in buffers if positions[k] == position) for position in ordered)


@dataclass(frozen=True)
class FirstBufferFirstServed(ByPosition):
    """The smallest position first."""

    word = "fbfs"
    synonyms = also("first-buffer-first-served")
    last: ClassVar[bool] = False


@dataclass(frozen=True)
class LastBufferFirstServed(ByPosition):
    """The largest position first."""

    word = "lbfs"
    synonyms = also("last-buffer-first-served")
    last: ClassVar[bool] = True
