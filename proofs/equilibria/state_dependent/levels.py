"""Sparse linear algebra for processes whose level changes by at most one: block elimination along the levels.

The matrix is A = (total rates on the diagonal) - (rates between states).  Moves that leave the system (to ``None``) count
in the total only, so A x = 1 gives mean times until leaving, and x A = 0 a stationary law if no move leaves.
Elimination runs from the top level down; in rationals nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from proofs.equilibria.state_dependent.arithmetic import Arithmetic, column

State = Any
Moves = Callable[[State], Iterable[tuple[Any, State | None]]]


@dataclass(frozen=True)
class LevelSystem:
    """Blocks of A: ``local`` (with the diagonal), and the negated blocks ``up`` (to level l+1) and ``down`` (to l-1).

    ``up[l]`` is None when no move leads up from level l.
    """

    arithmetic: Arithmetic
    levels: Sequence[Sequence[State]]
    local: list[Any]
    up: list[Any | None]
    down: list[Any | None]

    def solve(self, right: dict[State, Any]) -> dict[State, Any]:
        """x with A x = right."""
        return self._solve(right, self.local, self.up, self.down)

    def solve_left(self, right: dict[State, Any]) -> dict[State, Any]:
        """x with x A = right: the transposed system, whose upward blocks are the old downward ones."""
        turn = self.arithmetic.transposed
        local = [turn(block) for block in self.local]
        up = [None if block is None else turn(block) for block in [*self.down[1:], None]]
        down = [None if block is None else turn(block) for block in [None, *self.up[:-1]]]
        return self._solve(right, local, up, down)

    def _solve(self, right: dict[State, Any], local: list[Any], up: list[Any], down: list[Any]) -> dict[State, Any]:
        """Top down: x_l = offset_l + slope_l x_{l-1}; then bottom up."""
        a, zero = self.arithmetic, self.arithmetic.number(0)
        offsets: list[Any] = [None] * len(local)
        slopes: list[Any] = [None] * len(local)
        for level in reversed(range(len(local))):
            pivot, known = local[level], column(a, [right.get(s, zero) for s in self.levels[level]])
            if up[level] is not None and level + 1 < len(local):
                known = known + a.times(up[level], offsets[level + 1])
                pivot = pivot - a.times(up[level], slopes[level + 1])
            offsets[level] = a.solve(pivot, known)
            if level and down[level] is not None:
                slopes[level] = a.solve(pivot, down[level])
            elif level:
                slopes[level] = a.matrix(len(self.levels[level]), len(self.levels[level - 1]), {})
        return self._collect(offsets, slopes)

    def _collect(self, offsets: list[Any], slopes: list[Any]) -> dict[State, Any]:
        found: dict[State, Any] = {}
        below: Any = None
        for level, states in enumerate(self.levels):
            below = offsets[level] if level == 0 else offsets[level] + self.arithmetic.times(slopes[level], below)
            found.update(zip(states, self.arithmetic.entries(below), strict=True))
        return found

    def stationary(self) -> dict[State, Any]:
        """The law x >= 0, x A = 0, sum 1; every state must lead to level 0, and level 0 to one class only."""
        a, top = self.arithmetic, len(self.local) - 1
        ratios: list[Any] = [None] * (top + 1)  # x_l = x_{l-1} ratios[l]
        pivot = self.local[top]
        for level in range(top, 0, -1):
            rise, pivots = self.up[level - 1], pivot
            pivot = self.local[level - 1]
            if rise is not None:
                ratios[level] = a.transposed(a.solve(a.transposed(pivots), a.transposed(rise)))
                pivot = pivot - a.times(ratios[level], self.down[level])
        rows = [self._bottom(pivot)]
        for level in range(1, top + 1):
            rows.append(None if ratios[level] is None or rows[-1] is None else a.times(rows[-1], ratios[level]))
        return self._normalised(rows)

    def _bottom(self, pivot: Any) -> Any:
        """A row x with x pivot = 0 and sum 1: one equation, redundant because rows of ``pivot`` sum to 0, is replaced."""
        a, size = self.arithmetic, len(self.levels[0])
        flat = a.entries(pivot)
        turned = {(c, r): flat[r * size + c] for r in range(size) for c in range(size - 1)}
        turned |= {(size - 1, r): a.number(1) for r in range(size)}
        unit = column(a, [a.number(int(r == size - 1)) for r in range(size)])
        return a.transposed(a.solve(a.matrix(size, size, turned), unit))

    def _normalised(self, rows: list[Any]) -> dict[State, Any]:
        a = self.arithmetic
        found: dict[State, Any] = {}
        for states, row in zip(self.levels, rows, strict=True):
            values = [a.number(0)] * len(states) if row is None else a.entries(row)
            found.update(zip(states, values, strict=True))
        total = sum(found.values(), a.number(0))
        return {state: value / total for state, value in found.items()}


def assemble(
    arithmetic: Arithmetic, levels: Sequence[Sequence[State]], moves: Moves, fixed: frozenset[State] = frozenset()
) -> LevelSystem:
    """The system of a process.  A state in ``fixed`` gets the row x = right (used to pin a reference value)."""
    place = {state: (level, r) for level, states in enumerate(levels) for r, state in enumerate(states)}
    blocks: dict[tuple[int, int], dict[tuple[int, int], Any]] = {}
    one = arithmetic.number(1)
    for state, (level, r) in place.items():
        local = blocks.setdefault((level, 0), {})
        if state in fixed:
            local[r, r] = one
            continue
        for rate, target in moves(state):
            if target == state:
                continue
            local[r, r] = local.get((r, r), 0) + rate
            if target is not None:
                to, c = place[target]
                block = blocks.setdefault((level, to - level), {})
                block[r, c] = block.get((r, c), 0) + (-rate if to == level else rate)
    return _in_order(arithmetic, levels, blocks)


def _in_order(
    arithmetic: Arithmetic, levels: Sequence[Sequence[State]], blocks: dict[Any, dict[Any, Any]]
) -> LevelSystem:
    sizes = [len(states) for states in levels]

    def block(level: int, step: int) -> Any | None:
        entries = blocks.get((level, step))
        return None if entries is None else arithmetic.matrix(sizes[level], sizes[level + step], entries)

    count = range(len(levels))
    return LevelSystem(
        arithmetic, levels, [block(n, 0) for n in count], [block(n, 1) for n in count], [block(n, -1) for n in count]
    )
