"""A float picture of the components and normals, in arrays: for proposals only (which split, which η), never for a verdict.

Facts are arrays of sign sets, one entry for each normal (:class:`~verify.chain.guards.Signs` as small integers; 7: nothing
known).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from verify.chain.components import Alternative, Branch, Component
from verify.chain.guards import Guard, Normal, Signs
from verify.linear_form import LinearForm

Array: TypeAlias = np.ndarray[Any, Any]

#: A form below this at a point scaled to Σx = 1 counts as zero there.
ZERO_BELOW = 1e-8


@dataclass
class Alive:
    """Which alternatives (shape (A,)) and branches (shape (B,)) are still counted."""

    alternatives: Array
    branches: Array

    def copy(self) -> Alive:
        """An independent copy."""
        return Alive(self.alternatives.copy(), self.branches.copy())


@dataclass(frozen=True, eq=False)
class _Rows:
    """A guard as arrays: numbers of normals, and their sign sets."""

    normals: Array
    signs: Array


class NumericWalk:
    """Components flattened: A alternatives in P parts in B branches in C components, in listed order; N normals."""

    def __init__(self, components: tuple[Component, ...], dimension: int, normals: Sequence[Normal]):
        self.dimension = dimension
        self.normals = tuple(normals)
        self.number = {normal: n for n, normal in enumerate(self.normals)}
        self.rows = np.array([self._dense(normal.form) for normal in self.normals])
        self._flatten(components)
        self._mean_drifts = np.array([self._dense(a.mean_drift) for a in self.alternatives])
        self.branch_guards = [self._guard(b.guard) for b in self.branches]
        self.guards = [self._guard(a.guard) for a in self.alternatives]
        self._branch_conflicts = self._conflicts(self.branch_guards)
        self._conflicts_of = self._conflicts(self.guards)
        self.proofs: dict[bytes, list[float]] = {}
        """facts that seem to have no point -> multipliers of their informative normals"""
        self.refuted: set[bytes] = set()
        """facts that seemed to have no point, which rationals did not confirm"""
        self._point_signs = np.zeros((0, len(self.normals)), np.int8)

    def _dense(self, vector: LinearForm) -> Array:
        """A sparse exact vector as floats, shape (K,)."""
        dense = np.zeros(self.dimension)
        for k, value in vector.items():
            dense[k] = float(value)
        return dense

    def _flatten(self, components: tuple[Component, ...]) -> None:
        self.alternatives: list[Alternative] = []
        self.branches: list[Branch] = []
        self.branch_of: list[int] = []
        part_start: list[int] = []
        branch_start: list[int] = []
        component_start: list[int] = []
        for component in components:
            component_start.append(len(self.branches))
            for branch in component.branches:
                branch_start.append(len(part_start))
                for part in branch.parts:
                    part_start.append(len(self.alternatives))
                    self.alternatives += part.alternatives
                    self.branch_of += [len(self.branches)] * len(part.alternatives)
                self.branches.append(branch)
        self.alternative_number = {a: number for number, a in enumerate(self.alternatives)}
        self.branch_number = {b: number for number, b in enumerate(self.branches)}
        self.part_start, self.branch_start, self.component_start = map(
            np.array, (part_start, branch_start, component_start)
        )
        self.part_end = np.append(self.part_start[1:], len(self.alternatives))
        self.branch_end = np.append(self.branch_start[1:], len(part_start))
        self.component_end = np.append(self.component_start[1:], len(self.branches))

    def _guard(self, guard: Guard) -> _Rows:
        return _Rows(np.array([self.number[g] for g in guard], int), np.array(list(guard.values()), np.int8))

    def _conflicts(self, guards: Sequence[_Rows]) -> Mapping[int, tuple[Array, Array]]:
        """Normal -> (which guards mention it, with which signs)."""
        mentions: dict[int, list[tuple[int, int]]] = {}
        for index, guard in enumerate(guards):
            for n, signs in zip(guard.normals, guard.signs, strict=True):
                mentions.setdefault(int(n), []).append((index, int(signs)))
        return {n: (np.array([i for i, _ in found]), np.array([s for _, s in found])) for n, found in mentions.items()}

    # Facts -----------------------------------------------------------------------------------------

    def facts(self, known: Mapping[Normal, Signs]) -> Array:
        """Facts as an array, shape (N,)."""
        result = np.full(len(self.normals), int(Signs.ANY), np.int8)
        for normal, signs in known.items():
            result[self.number[normal]] &= int(signs)
        return result

    def with_guard(self, facts: Array, *guards: _Rows) -> Array | None:
        """Facts and guards together; None where some form is left without a sign."""
        result = facts.copy()
        for guard in guards:
            result[guard.normals] &= guard.signs
            if not result[guard.normals].all():
                return None
        return result

    def all_alive(self, facts: Array) -> Alive:
        """Everything whose guard does not contradict the facts."""
        alive = Alive(np.ones(len(self.alternatives), bool), np.ones(len(self.branches), bool))
        for n in np.flatnonzero(facts != int(Signs.ANY)):
            self.strike(alive, int(n), int(facts[n]))
        return alive

    def strike(self, alive: Alive, n: int, signs: int) -> None:
        """Remove what contradicts one fact."""
        for conflicts, flags in ((self._branch_conflicts, alive.branches), (self._conflicts_of, alive.alternatives)):
            if n in conflicts:
                indices, allowed = conflicts[n]
                flags[indices[(allowed & signs) == 0]] = False

    # Points ----------------------------------------------------------------------------------------

    def signs_at(self, point: Array) -> Array:
        """The sign of every normal at a float point, as one-element sets, shape (N,)."""
        values = self.rows @ (point / max(point.sum(), 1e-300))
        return np.where(
            np.abs(values) < ZERO_BELOW, int(Signs.ZERO), np.where(values > 0, int(Signs.POSITIVE), int(Signs.NEGATIVE))
        ).astype(np.int8)

    def remember(self, point: Array) -> None:
        """Keep a point, to answer later questions without a program."""
        self._point_signs = np.vstack([self._point_signs, self.signs_at(point)])

    def refute(self, facts: Array) -> None:
        """Do not call this set empty again."""
        self.proofs.pop(facts.tobytes(), None)
        self.refuted.add(facts.tobytes())

    def known_point(self, facts: Array) -> bool:
        """Is some remembered point in the set?"""
        relevant = np.flatnonzero(facts != int(Signs.ANY))
        return bool(((self._point_signs[:, relevant] & facts[relevant]) != 0).all(axis=1).any())

    # Drifts ----------------------------------------------------------------------------------------

    def drifts(self, weights: LinearForm) -> Array:
        """w·d_a for every alternative, shape (A,)."""
        return self._mean_drifts @ self._dense(weights)

    def bound(self, values: Array, alive: Alive) -> float:
        """Σ_components max_branches Σ_parts max_alternatives; a branch with an empty part counts −∞."""
        return float(np.maximum.reduceat(self.branch_totals(values, alive), self.component_start).sum())

    def branch_totals(self, values: Array, alive: Alive) -> Array:
        """Σ_parts max_alternatives of each branch, −∞ where it is not counted."""
        counted = np.where(alive.alternatives, values, -np.inf)
        tops = np.maximum.reduceat(counted, self.part_start)
        return np.where(alive.branches, np.add.reduceat(tops, self.branch_start), -np.inf)

    def hollow_branches(self, alive: Alive) -> list[int]:
        """Living branches one of whose parts has no living alternative: they have no point, which wants evidence."""
        filled = np.logical_or.reduceat(alive.alternatives, self.part_start)
        whole = np.logical_and.reduceat(filled, self.branch_start)
        return [int(b) for b in np.flatnonzero(alive.branches & ~whole)]

    def structure(self, alive: Alive) -> Iterator[list[tuple[int, list[list[int]]]]]:
        """Per component the living branches with the living alternatives of each part."""
        living = alive.alternatives.tolist()
        for first, last in zip(self.component_start.tolist(), self.component_end.tolist(), strict=True):
            found = []
            for b in range(first, last):
                if alive.branches[b]:
                    parts = range(self.branch_start[b], self.branch_end[b])
                    found.append(
                        (b, [[a for a in range(self.part_start[p], self.part_end[p]) if living[a]] for p in parts])
                    )
            yield found

    def living(self, alive: Alive) -> Iterator[list[list[list[int]]]]:
        """The same without the numbers of the branches."""
        for found in self.structure(alive):
            yield [parts for _, parts in found]

    def attaining(self, values: Array, alive: Alive) -> list[int]:
        """Living alternatives that attain the bound, up to rounding."""
        totals = self.branch_totals(values, alive)
        result = []
        for found in self.structure(alive):
            top = max(totals[b] for b, _ in found)
            for b, parts in found:
                if totals[b] >= top - slack(top):
                    for part in parts:
                        best = max(values[a] for a in part)
                        result += [a for a in part if values[a] >= best - slack(best)]
        return result


def slack(value: float) -> float:
    """Floats this close count as tied."""
    return 1e-9 * (1 + abs(value))
