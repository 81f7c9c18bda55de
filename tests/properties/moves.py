"""What the prover's components and the naive step functions do in one state, in one common form: rates of jumps by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from naive import components
from naive.dominant import pieces
from naive.types import Outcome

from verify.network.model import FreePieces, Instance, RouteNetwork
from verify.policy.compose import Walk
from verify.walk.components import Alternative, Branch, Part
from verify.walk.guards import Guard, holds

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


def average(several: Sequence[Moves]) -> Moves:
    """The mixture of all of them with equal weights."""
    return moves((dict(change), rate / len(several)) for one in several for change, rate in one)


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
    return dataclasses.replace(instance, policy=dataclasses.replace(instance.policy, dominance_function=ordered))


class Here:
    """The prover's walk at one state."""

    def __init__(self, walk: Walk, state: State):
        self.walk, self.names = walk, walk.expansion.names
        self.jobs = [state[name] for name in self.names]
        self.point = {k: Fraction(jobs) for k, jobs in enumerate(self.jobs) if jobs}

    def holds(self, guard: Guard) -> bool:
        """Does the closed guard hold?"""
        return holds(guard, self.point)

    def open(self, part: Part) -> list[Alternative]:
        """Alternatives whose guard, as written on integer points, holds: the buffer served is not empty."""
        return [a for a in part.alternatives if self.holds(a.guard) and (a.serves is None or self.jobs[a.serves] >= 1)]

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
