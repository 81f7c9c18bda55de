"""The paper criterion P ([Xie & Jin 2020], Proposition 1 as printed): the drift of the active piece inside each regime.

P holds if in the interior of every regime A_i, in every cell of the policy, the active piece has w_i·b <= −ε.  It is NOT
sufficient for stability (two parallel queues under jsq and V = max(x_1, x_2) satisfy it for every λ); it is reported beside F and
S and never decides (theory 5.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.chain.components import Alternative
from verify.chain.guards import Signs
from verify.chain.numeric import Array, NumericWalk
from verify.conditions.evidence.correction import BoundProgram
from verify.conditions.evidence.exclusion import seems_empty
from verify.conditions.evidence.tree import TreeSearch

#: Closed sign sets -> what they mean in an open set.
_OPEN = {int(Signs.NOT_NEGATIVE): int(Signs.POSITIVE), int(Signs.NOT_POSITIVE): int(Signs.NEGATIVE)}


@dataclass(frozen=True)
class ActiveDrift:
    """The largest drift of the active piece in the interior of its regime, and the cell that has it."""

    piece: int
    drift: Fraction
    cell: tuple[Alternative, ...]


@dataclass(frozen=True, eq=False)
class _Option:
    """What one component may do in an open cell: alternatives (one per part), their guards, their drift."""

    alternatives: tuple[int, ...]
    branch: int
    drift: float


def active_drift(search: TreeSearch, piece: int) -> ActiveDrift | None:
    """The drift of the active piece, or None if its regime has no interior.

    Cells are found by float programs (this criterion decides nothing); the drift of the cell found is exact.
    """
    numeric, function = search.numeric, search.function
    facts = _opened(search.root(piece))
    if seems_empty(facts, numeric):
        return None
    program = BoundProgram(numeric, function.pieces[piece], piece)
    components = [
        sorted(_options(numeric, facts, program, c), key=lambda o: -o.drift)
        for c in range(len(numeric.component_start))
    ]
    best = _descend(numeric, facts, components, -np.inf)
    if best is None:
        return None
    cell = tuple(numeric.alternatives[a] for a in best.alternatives)
    return ActiveDrift(piece, sum((function.pieces[piece].at(a.mean_drift) for a in cell), Fraction(0)), cell)


def _opened(facts: Array) -> Array:
    return np.array([_OPEN.get(int(s), int(s)) for s in facts], np.int8)


def _options(numeric: NumericWalk, facts: Array, program: BoundProgram, component: int) -> Iterator[_Option]:
    """Everything a component may do inside the open set; forms that a guard wants to vanish have no interior."""
    for b in range(numeric.component_start[component], numeric.component_end[component]):
        inside = _inside(numeric, facts, b, ())
        if inside is None:
            continue
        chosen: list[int] | None = []
        for p in range(numeric.branch_start[b], numeric.branch_end[b]):
            open_ones = [
                a
                for a in range(numeric.part_start[p], numeric.part_end[p])
                if _inside(numeric, facts, b, (a,)) is not None
            ]
            if len(open_ones) > 1 and numeric.branch_end[b] - numeric.branch_start[b] == 1:
                yield from (_Option((a,), b, float(program.base[a])) for a in open_ones)
                chosen = None
                break
            if not open_ones:
                chosen = None
                break
            # Free choices inside a common branch have one open cell each: the worst counts.
            chosen = [*(chosen or []), max(open_ones, key=lambda a: program.base[a])]
        if chosen:
            yield _Option(tuple(chosen), b, float(sum(program.base[a] for a in chosen)))


def _inside(numeric: NumericWalk, facts: Array, branch: int, alternatives: Sequence[int]) -> Array | None:
    """The open set where branch and alternatives hold, None if there is none."""
    guards = [numeric.branch_guards[branch], *(numeric.guards[a] for a in alternatives)]
    narrowed = numeric.with_guard(facts, *guards)
    if narrowed is None:
        return None
    narrowed = _opened(narrowed)
    if any((narrowed[guard.normals] == int(Signs.ZERO)).any() for guard in guards) or seems_empty(narrowed, numeric):
        return None
    return narrowed


@dataclass(frozen=True)
class _Cell:
    """A joint open cell of the components still to choose: alternatives and their drift."""

    alternatives: tuple[int, ...]
    drift: float


def _descend(
    numeric: NumericWalk, facts: Array, components: Sequence[Sequence[_Option]], to_beat: float
) -> _Cell | None:
    """Branch and bound over joint open cells: the one with the largest drift, if that is above ``to_beat``."""
    if not components:
        return _Cell((), 0.0)
    best: _Cell | None = None
    rest_bound = sum(options[0].drift if options else -np.inf for options in components[1:])
    for option in components[0]:
        if option.drift + rest_bound <= to_beat:
            break
        inside = _inside(numeric, facts, option.branch, option.alternatives)
        rest = None if inside is None else _descend(numeric, inside, components[1:], to_beat - option.drift)
        if rest is not None:
            best = _Cell((*option.alternatives, *rest.alternatives), option.drift + rest.drift)
            to_beat = best.drift
    return best
