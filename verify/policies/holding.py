"""Holding: when a buffer may be worked on (theory 1.6; ``verify/checker/FORMAT.md``, section 5).

``none``: K is ready iff x_K >= 1.  ``spillback``: a K whose jobs go on to a buffer S is ready iff x_K > x_S (its rate is 0 while
x_S >= x_K); the last visit is never held.  Sequencing chooses among ready buffers: letting a held job block the server
deadlocks (Rybko-Stolyar entry priority at load 2/5).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial

from verify.chain.guards import Guard, Normal, Normals, Signs
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion
from verify.network.model import Holding


class Readiness:
    """Guards "K is ready" and "K is not ready" for every buffer.

    Raises ``NotWalked`` under spillback if a buffer has no single successor.
    """

    def __init__(self, expansion: Expansion, normals: Normals, holding: Holding | None):
        self.expansion, self.normals = expansion, normals
        self.holds = holding is Holding.SPILLBACK
        if self.holds:
            self.held_before = self._successors

    @cached_property
    def _successors(self) -> dict[int, int]:
        """Buffers that may be held, with their successor."""
        found: dict[int, set[int | None]] = {}
        for service in self.expansion.services:
            for destination in service.destinations:
                targets = {target for target, p in destination.distribution.items() if p}
                single = len(targets) == 1 and sum(destination.distribution.values()) == 1
                if len(service.destinations) > 1 or (targets and not single):
                    raise NotWalked(f"spillback with several next buffers after {self.expansion.names[service.buffer]}")
                found.setdefault(service.buffer, set()).add(next(iter(targets), None))
        if any(len(targets) > 1 for targets in found.values()):
            raise NotWalked("spillback with different next buffers for the activities of one buffer")
        return {k: target for k, (target,) in ((k, tuple(t)) for k, t in found.items()) if target is not None}

    def may_be_held(self, k: int) -> bool:
        """Under spillback: does K have a successor other than the exit?"""
        return self.holds and k in self.held_before

    def unready(self, buffers: Iterable[int]) -> dict[Normal, Signs]:
        """None of the buffers is ready."""
        return {
            self._hold(k) if self.may_be_held(k) else coordinate(k, self.expansion, self.normals): (
                Signs.NOT_POSITIVE if self.may_be_held(k) else Signs.ZERO
            )
            for k in buffers
        }

    def ready(self, k: int) -> Guard:
        """K is ready, as a closed guard (x_K >= 1 is remembered by the alternative itself)."""
        return {self._hold(k): Signs.NOT_NEGATIVE} if self.may_be_held(k) else {}

    def _hold(self, k: int) -> Normal:
        """x_K − x_successor."""
        return self.normals.get(f"hold({self.expansion.names[k]})", partial(difference, k, self.held_before[k]))


def coordinate(k: int, expansion: Expansion, normals: Normals) -> Normal:
    """The normal x_k."""
    return normals.get(f"x({expansion.names[k]})", lambda: LinearForm.unit(k))


def difference(first: int, second: int) -> LinearForm:
    """x_first − x_second."""
    return LinearForm.unit(first) - LinearForm.unit(second)
