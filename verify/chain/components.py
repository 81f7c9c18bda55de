"""The chain as a sum of independent components (theory 2.1).

A *component* is one decision: a class's routing, a server's sequencing, or (``dominant``) all servers following one piece.
It has *branches* (one, or one per dominant piece), a branch has *parts* (one, or one per server), a part has
*alternatives*.  For the generator L and a linear form w the walk gives

    w·(drift) <= Σ_components max_branches Σ_parts max_alternatives w·d_a ,

with every branch and alternative counted whose closed guard contains the point; joint cells are never enumerated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verify.chain.guards import Guard, Normal
from verify.linear_form import LinearForm
from verify.network.symbols import Symbol


@dataclass(frozen=True)
class Jump:
    """x becomes x + change at rate ``rate`` = (value of ``symbol``) · ``share``."""

    rate: Fraction
    symbol: Symbol
    share: Fraction
    change: LinearForm


@dataclass(frozen=True, eq=False)
class Alternative:
    """One way a part may behave where its closed ``guard`` holds.

    ``serves``: the buffer it works on, which then is not empty (x_k >= 1); None for arrivals and idling.
    ``least``, ``spare`` (buffers with several servers, on integer points): it works on ``serves`` only where x_k >= least; the
    fact x_k = 0 of the guard is read as x_k <= spare, as so few jobs may all be with other servers.  Both close to x_k >= 0
    and x_k = 0.  ``slack``: the same for the other facts of the guard, g >= 0 or g <= 0, each read as g >= -slack or g <= slack
    (rows of condition Q; pattern cells and paths are not asked for such policies).
    ``decision``: alternatives of one part with the same decision are the options of one routing choice whose ties are split
    uniformly; empty for all others."""

    name: str
    guard: Guard
    jumps: tuple[Jump, ...]
    serves: int | None = None
    decision: str = ""
    least: int = 1
    spare: Mapping[Normal, int] = field(default_factory=dict)
    slack: Mapping[Normal, Fraction] = field(default_factory=dict)

    @cached_property
    def mean_drift(self) -> LinearForm:
        """d = Σ rate · change."""
        return LinearForm.combination((jump.rate, jump.change) for jump in self.jumps)

    @cached_property
    def symbolic_drift(self) -> Mapping[Symbol, LinearForm]:
        """Rate symbol -> Σ share · change: the mean drift is linear in the rates."""
        shares: dict[Symbol, list[tuple[Fraction, LinearForm]]] = {}
        for jump in self.jumps:
            shares.setdefault(jump.symbol, []).append((jump.share, jump.change))
        return {symbol: LinearForm.combination(terms) for symbol, terms in shares.items()}


@dataclass(frozen=True, eq=False)
class Part:
    """Independent decision inside a branch: its alternatives' guards cover the branch.  ``server``: whose decision it is, empty
    for arrivals."""

    name: str
    alternatives: tuple[Alternative, ...]
    server: str = ""


@dataclass(frozen=True, eq=False)
class Branch:
    """Where ``guard`` holds, all parts act together.  ``piece``: the dominant piece, None elsewhere."""

    name: str
    guard: Guard
    parts: tuple[Part, ...]
    piece: int | None = None


@dataclass(frozen=True, eq=False)
class Component:
    """Branches whose guards cover the state space."""

    name: str
    branches: tuple[Branch, ...]


def single(name: str, alternatives: tuple[Alternative, ...], server: str = "") -> Component:
    """A component with one branch and one part."""
    return Component(name, (Branch(name, {}, (Part(name, alternatives, server),)),))


def branches_with_alternatives(components: tuple[Component, ...]) -> Iterator[tuple[Branch, Alternative]]:
    """Every alternative with its branch."""
    for component in components:
        for branch in component.branches:
            for part in branch.parts:
                for alternative in part.alternatives:
                    yield branch, alternative


def time_unit(alternatives: Iterable[Alternative]) -> Fraction:
    """A power of two near the largest rate, 1 if that is between 1/64 and 64.

    Float programs take rates as multiples of it, so that their tolerances do not depend on the unit of time."""
    largest = max((jump.rate for a in alternatives for jump in a.jumps), default=Fraction(1))
    if Fraction(1, 64) <= largest <= 64:
        return Fraction(1)
    return Fraction(2) ** math.floor(math.log2(largest.numerator) - math.log2(largest.denominator))
