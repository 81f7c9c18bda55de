"""Drift cell by cell: what every component may do in a cell, and where its jumps lead (conditions U, H and corrected leaves)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.cells import Cell, Cells
from verify.chain.components import Alternative, Branch, Component, Jump
from verify.chain.guards import Normal, Signs
from verify.linear_form import LinearForm


@dataclass(frozen=True)
class Leap:
    """A jump out of a cell: its rate and the cells it may lead to (never only the cell itself)."""

    rate: Fraction
    targets: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Move:
    """An alternative that may occur in a cell."""

    alternative: Alternative
    leaps: tuple[Leap, ...]


@dataclass(frozen=True)
class Here:
    """One cell: per component the branches that may occur, each a list of parts, each a list of moves."""

    cell: Cell
    components: tuple[tuple[tuple[tuple[Move, ...], ...], ...], ...]


def here(
    cells: Cells,
    components: Iterable[Component],
    cell: Cell,
    counted: Callable[[Branch, Alternative | None], bool] = lambda branch, alternative: True,
) -> Here | None:
    """What may happen in the cell; None if some component has nothing it may do (then the cell has no point)."""
    listed = []
    for component in components:
        branches = []
        for branch in component.branches:
            if counted(branch, None):
                parts = tuple(
                    tuple(
                        move
                        for a in outcomes(tuple(a for a in part.alternatives if counted(branch, a)))
                        if cells.meets(a, {**branch.guard, **a.guard}, cell)
                        and (move := _move(cells, cell, a)) is not None
                    )
                    for part in branch.parts
                )
                if all(parts):
                    branches.append(parts)
        if not branches:
            return None
        listed.append(tuple(branches))
    return Here(cell, tuple(listed))


@functools.lru_cache(maxsize=4096)
def outcomes(alternatives: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    """What a part may do at an integer state: alternatives without a routing decision as they are; of a decision, for each set
    of shortest options, their even mixture, where these are equal and strictly shorter than the others."""
    result = [a for a in alternatives if not a.decision]
    groups: dict[str, list[Alternative]] = {}
    for alternative in alternatives:
        if alternative.decision:
            groups.setdefault(alternative.decision, []).append(alternative)
    for options in groups.values():
        for size in range(1, len(options) + 1):
            for shortest in itertools.combinations(options, size):
                result.append(_mixture(shortest, options))
    return tuple(result)


def _mixture(shortest: Sequence[Alternative], options: Sequence[Alternative]) -> Alternative:
    """Jobs go to each of the shortest options with equal probability."""
    guard: dict[Normal, Signs] = dict(shortest[0].guard)
    for option in shortest:
        for other in options:
            if other is not option:
                normal = next(g for g in option.guard if g in other.guard and option.guard[g] != other.guard[g])
                tied = Signs.ZERO if other in shortest else None
                guard[normal] = tied or (Signs.NEGATIVE if option.guard[normal] & Signs.NEGATIVE else Signs.POSITIVE)
    share = Fraction(1, len(shortest))
    jumps = tuple(Jump(j.rate * share, j.symbol, j.share * share, j.change) for a in shortest for j in a.jumps)
    first = shortest[0]
    return Alternative(" = ".join(a.name for a in shortest), guard, jumps, first.serves, "", first.least, first.spare)


def _move(cells: Cells, cell: Cell, alternative: Alternative) -> Move | None:
    """None if some jump has no target cell: then the alternative has no point in the cell."""
    leaps = []
    for jump in alternative.jumps:
        targets = tuple(cells.targets(cell, jump.change))
        if not targets:
            return None
        if targets != (cell,):
            leaps.append(Leap(jump.rate, targets))
    return Move(alternative, tuple(leaps))


def reachable(cells: Cells, components: Sequence[Component], most: int) -> list[Here] | None:
    """The cells that can be reached from the empty network, None if there are more than ``most``."""
    start = cells.cell_of({})
    found: dict[Cell, Here | None] = {start: None}
    queue = [start]
    while queue:
        cell = queue.pop()
        found[cell] = place = here(cells, components, cell)
        if place is None:
            continue
        for move in moves(place):
            for leap in move.leaps:
                for target in leap.targets:
                    if target not in found:
                        found[target] = None
                        queue.append(target)
        if len(found) > most:
            return None
    return [place for place in found.values() if place is not None]


def moves(place: Here) -> Iterable[Move]:
    """All moves of a cell."""
    return (m for component in place.components for branch in component for part in branch for m in part)


def drift_of(
    move: Move, weights: LinearForm, h: Mapping[Cell, Fraction], cell: Cell, pick: Callable[..., Fraction]
) -> Fraction:
    """w·d + Σ rate · (pick of h over possible targets − h here): ``pick`` is max for falling V, min for growing V."""
    base, zero = h.get(cell, Fraction(0)), Fraction(0)
    total = weights.at(move.alternative.mean_drift)
    for leap in move.leaps:
        total += leap.rate * (pick(h.get(target, zero) for target in leap.targets) - base)
    return total


def highest(place: Here, weights: LinearForm, h: Mapping[Cell, Fraction]) -> Fraction:
    """The largest drift of w·x + h in the cell over all choices."""
    return sum(
        (
            max(
                sum((max(drift_of(m, weights, h, place.cell, max) for m in part) for part in branch), Fraction(0))
                for branch in component
            )
            for component in place.components
        ),
        Fraction(0),
    )


def lowest(place: Here, weights: LinearForm, h: Mapping[Cell, Fraction]) -> Fraction:
    """The smallest drift of w·x + h in the cell over all choices."""
    return sum(
        (
            min(
                sum((min(drift_of(m, weights, h, place.cell, min) for m in part) for part in branch), Fraction(0))
                for branch in component
            )
            for component in place.components
        ),
        Fraction(0),
    )
