"""Holding ``spillback`` (theory 1.6; ``verify/checker/FORMAT.md``, section 5).

A K whose jobs go on to a buffer S is ready iff x_K > x_S (its rate is 0 while x_S >= x_K); the last visit is never held.
"""

from __future__ import annotations

from dataclasses import dataclass

from verify.chain.guards import Normal, Normals
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion
from verify.policies.rules import HoldingRule, Readiness


@dataclass(frozen=True)
class Spillback(HoldingRule):
    """A buffer is held while the next one on the route has at least as many jobs."""

    word = "spillback"

    def readiness(self, expansion: Expansion, normals: Normals) -> Readiness:
        """Raises ``NotWalked`` if a buffer has no single successor."""
        return _Ready(expansion, normals)

    def claim(self) -> str:
        """With its rule in words."""
        return f"{self.word} (no service of a buffer while the next one holds at least as many jobs)"


class _Ready(Readiness):
    def __init__(self, expansion: Expansion, normals: Normals):
        super().__init__(expansion, normals)
        self.held_before = self._successors()

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

    def surplus(self, k: int) -> Normal | None:
        """x_K − x_successor."""
        if k not in self.held_before:
            return None
        after = self.held_before[k]
        return self.normals.get(f"hold({self.expansion.names[k]})", lambda: LinearForm.unit(k) - LinearForm.unit(after))
