"""What the prover's components and the naive step functions do in one state, in one common form: rates of jumps by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from naive import components
from naive.dominant import pieces
from naive.expansion import subservers
from naive.sequencing import pressure
from naive.step import held, tasks_of
from naive.types import Outcome, Task
from stated import Sequencing, stated

from verify.chain.components import Alternative, Branch, Part
from verify.chain.guards import Guard, holds
from verify.network.model import FreePieces, RouteNetwork
from verify.policies.compose import Walk
from verify.policies.composed import with_dominance
from verify.policies.instance import Instance

from .strategies import State

Moves: TypeAlias = frozenset[tuple[tuple[tuple[str, int], ...], Fraction]]
"""Pairs (changes of buffers, rate); a service that changes nothing (feedback to the same buffer) is kept, as ()."""


def moves(pairs: Iterable[tuple[dict[str, int], Fraction]]) -> Moves:
    """Changes with their rates, equal changes added up."""
    total: dict[tuple[tuple[str, int], ...], Fraction] = {}
    for change, rate in pairs:
        key = tuple(sorted((name, amount) for name, amount in change.items() if amount))
        total[key] = total.get(key, Fraction(0)) + rate
    return frozenset(total.items())


def average(several: Iterable[Moves]) -> Moves:
    """The mixture of all different ones with equal weights."""
    different = set(several)
    return moves((dict(change), rate / len(different)) for one in different for change, rate in one)


def naive_moves(instance: Instance, state: State) -> dict[str, list[Moves]]:
    """The naive outcomes of every component."""

    def one(outcome: Outcome) -> Moves:
        return moves(({name: target[name] - state[name] for name in state}, rate) for rate, target in outcome)

    return {key: [one(outcome) for outcome in outcomes] for key, outcomes in components(instance, state).items()}


def with_dominant_piece(instance: Instance, first: int) -> Instance:
    """The same policy with piece ``first`` of the dominance function listed first: it then wins its ties."""
    function = instance.policy.dominance_function
    if function is None or not isinstance(instance.network, RouteNetwork):
        raise ValueError("no dominance function")
    listed = pieces(instance.network, function)
    ordered = FreePieces((listed[first], *listed[:first], *listed[first + 1 :]))
    return dataclasses.replace(instance, policy=with_dominance(instance.policy, ordered, instance.policy.tie_order))


class Here:
    """The prover's walk at one state.  ``ready``: what each server may work on, by the naive functions (not empty, not held)."""

    def __init__(self, walk: Walk, state: State):
        self.walk, self.names, self.state = walk, walk.expansion.names, state
        self.point = {k: Fraction(state[name]) for k, name in enumerate(self.names) if state[name]}
        self.ready = {server: self._ready(server) for server in walk.instance.network.servers}

    def _ready(self, server: str) -> list[Task]:
        network, policy = self.walk.instance.network, stated(self.walk.instance.policy)
        listed = tasks_of(network, policy, self.state, server)
        return [t for t in listed if self.state[t.buffer] >= 1 and not held(network, policy, self.state, t)]

    def holds(self, guard: Guard) -> bool:
        """Does the closed guard hold?"""
        return holds(guard, self.point)

    def open(self, part: Part) -> list[Alternative]:
        """Alternatives whose guard holds as written on integer points: the closed guard, and what closing made weaker."""
        return [a for a in part.alternatives if self.holds(a.guard) and self._strictly(part, a)]

    def occurs(self, alternative: Alternative) -> bool:
        """May it occur at this integer state: enough jobs in the buffer served, few enough in those passed over."""
        if alternative.serves is not None and self.state[self.names[alternative.serves]] < alternative.least:
            return False
        spare = alternative.spare
        return all(
            normal.at(self.point) <= spare[normal] if normal in spare else self.holds({normal: signs})
            for normal, signs in alternative.guard.items()
        )

    def _strictly(self, part: Part, alternative: Alternative) -> bool:
        """The strict inequalities of theory 1: the buffer served is not empty and not held, back-pressure idles only where
        every pressure is negative, a move of jsq-as goes to a subserver with fewer jobs."""
        policy, server = stated(self.walk.instance.policy), part.server
        if alternative.serves is None:
            if policy.sequencing is Sequencing.BACK_PRESSURE and part.server:
                return all(pressure(task, self.state) < 0 for task in self.ready[server])
            return True
        if policy.preset is not None:
            return self.state[self.names[alternative.serves]] >= 1 and self._falls(server, alternative)
        return self.names[alternative.serves] in {task.buffer for task in self.ready[server]}

    def _falls(self, server: str, alternative: Alternative) -> bool:
        """jsq-as: the move named "… > TARGET from SOURCE …" or "… > exit" goes from more jobs to fewer."""
        assert isinstance(self.walk.instance.network, RouteNetwork)
        words = alternative.name.rpartition(" > ")[2].split(" ")
        if words[0] == "exit":
            last = [s for s in subservers(self.walk.instance.network) if s.server == server and s.successor is None]
            return any(self.state[s.name] >= 1 for s in last)
        return self.state[words[2]] > self.state[words[0]]

    def moves(self, alternative: Alternative) -> Moves:
        """The jumps of an alternative by names of buffers."""
        return moves(
            ({self.names[k]: int(amount) for k, amount in jump.change.items()}, jump.rate) for jump in alternative.jumps
        )

    def branches(self) -> list[Branch]:
        """Under ``dominant``: the branches whose closed guard holds."""
        found = [c for c in self.walk.components if c.name == "dominant"]
        return [branch for component in found for branch in component.branches if self.holds(branch.guard)]

    def parts(self) -> dict[str, Part]:
        """Components with one branch and one part, by name."""
        single = [c for c in self.walk.components if c.name != "dominant"]
        if any(len(c.branches) != 1 or len(c.branches[0].parts) != 1 or c.branches[0].guard for c in single):
            raise AssertionError("a component other than dominant has several branches or parts")
        return {c.name: c.branches[0].parts[0] for c in single}

    def tie(self) -> bool:
        """Does some form of the walk vanish?"""
        guards = [b.guard for c in self.walk.components for b in c.branches]
        guards += [a.guard for c in self.walk.components for b in c.branches for p in b.parts for a in p.alternatives]
        return any(normal.at(self.point) == 0 for guard in guards for normal in guard)
