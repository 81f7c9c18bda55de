"""Holding (FORMAT.md sections 3.4, 5 and 8.5): `none`, and `spillback`: no service while the next buffer is as full."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.components import Guard
from verify.checker.core.errors import require
from verify.checker.core.forms import AT_LEAST, AT_MOST, EQUAL, Fact, count
from verify.checker.core.guards import Guards
from verify.checker.core.state import State

MOST_HELD = 6  # buffers of a server whose subsets are listed


@dataclass(frozen=True)
class Holding:
    """A holding word; this one holds nothing."""

    name: str
    holds: ClassVar[bool] = False

    def check(self, state: State, comparing: bool) -> None:
        """**policy**: what the word asks of the state, for all conditions but N; `comparing`: the sequencing compares."""

    def may_hold(self, state: State, buffer: int) -> bool:
        """Whether a non-empty buffer may be held."""
        return False

    def unready(self, guards: Guards, buffer: int, spare: int) -> Fact:
        """The buffer may not be served, or up to `spare` jobs of it are all with other servers.

        Sound because what is not served is empty; or its few jobs are with other servers, and then x_k = 0 in the closed
        cone.
        """
        return Fact(f"x({guards.state.names[buffer]})", EQUAL, spare)

    def ready(self, guards: Guards, buffer: int) -> Guard:
        """The buffer may be served (that it is not empty closes to no information)."""
        return ()

    def phrase(self) -> str:
        """The word in a claim."""
        return self.name


@dataclass(frozen=True)
class Spillback(Holding):
    """A buffer is held while its successor holds at least as many jobs."""

    name: str = "spillback"
    holds: ClassVar[bool] = True

    def check(self, state: State, comparing: bool) -> None:
        """Each buffer has one successor; sets of held buffers are listed one by one, so they are few."""
        for k, name in enumerate(state.names):
            found = {"exit" if j is None else state.names[j] for j in state.successors(k)}
            require(len(found) == 1, "policy", f"spillback, successors of {name}", found, "one")
        for server in state.busy_servers() if comparing else ():
            number = len(state.buffers_of(server))
            require(number <= MOST_HELD, "policy", f"spillback, buffers of server {server}", number, f"<= {MOST_HELD}")

    def may_hold(self, state: State, buffer: int) -> bool:
        """If it has a successor other than the exit."""
        return state.successor(buffer) is not None

    def unready(self, guards: Guards, buffer: int, spare: int) -> Fact:
        """x_k <= x_successor. Sound for an empty buffer too, and in the closed cone for one whose few jobs are all with other
        servers; on integer points x_k <= x_successor + spare.
        """
        held = self.may_hold(guards.state, buffer)
        return self._fact(guards, buffer, AT_MOST, spare) if held else super().unready(guards, buffer, spare)

    def ready(self, guards: Guards, buffer: int) -> Guard:
        """x_k >= x_successor."""
        return (self._fact(guards, buffer, AT_LEAST, 0),) if self.may_hold(guards.state, buffer) else ()

    def _fact(self, guards: Guards, buffer: int, signs: int, slack: int) -> Fact:
        state = guards.state
        name, after = f"hold({state.names[buffer]})", state.successor(buffer)
        guards.normals.add(name, count([buffer]), count([] if after is None else [after]))
        return Fact(name, signs, slack=Fraction(slack))

    def phrase(self) -> str:
        """What is held."""
        return "spillback (no service of a buffer while the next one holds at least as many jobs)"


NONE = Holding("none")
SPILLBACK = Spillback()
