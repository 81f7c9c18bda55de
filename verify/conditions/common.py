"""What conditions F and S share: (0) V grows, (R) every job can leave (THEORY 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.network.expansion import Expansion
from verify.testfunctions.piecewise import PiecewiseLinear


@dataclass(frozen=True)
class LowerBound:
    """(0): V(x) >= c Σ x_k, from Σ θ_i w_i >= c in every coordinate, θ >= 0, Σ θ = 1."""

    theta: Mapping[int, Fraction]
    c: Fraction


def lower_bound(function: PiecewiseLinear, dimension: int) -> LowerBound | None:
    """The largest c, or None if it is not positive.

    Reason: a maximum is at least any average of its pieces.
    """
    best = max(range(len(function)), key=lambda i: _least(function.pieces[i], dimension))
    if _least(function.pieces[best], dimension) > 0:
        return LowerBound({best: Fraction(1)}, _least(function.pieces[best], dimension))
    program = LinearProgram()
    c = program.variable(None, None, -1)
    theta = [program.variable(0, None) for _ in function.pieces]
    program.row(dict.fromkeys(theta, 1), 1, 1)
    for k in range(dimension):
        entries = {t: w[k] for t, w in zip(theta, function.pieces, strict=True) if k in w}
        program.row({**entries, c: Fraction(-1)}, 0)
    answer = solve_exact(program)
    if answer.status is not Status.OPTIMAL or answer.point[c] <= 0:
        return None
    return LowerBound({i: answer.point[t] for i, t in enumerate(theta) if answer.point[t]}, answer.point[c])


def _least(weights: Mapping[int, Fraction], dimension: int) -> Fraction:
    return min((weights.get(k, Fraction(0)) for k in range(dimension)), default=Fraction(0))


def potential(expansion: Expansion) -> dict[int, Fraction] | None:
    """(R), first half: φ > 0 on buffers such that every activity has a possible next buffer with smaller φ, or can lead to the
    exit (φ = 0); None if there is none.

    The least one by iteration: φ_k = 1 + max over activities of min over possible next buffers.  Reason: from any state a
    bounded number of services, each of positive probability, empties the network.
    """
    level: dict[int, int] = {}
    by_buffer: dict[int, list[list[int | None]]] = {}
    for service in expansion.services:
        for destination in service.destinations:
            targets: list[int | None] = [k for k, p in destination.distribution.items() if p]
            if sum(destination.distribution.values(), Fraction(0)) < 1:
                targets.append(None)
            by_buffer.setdefault(service.buffer, []).append(targets)
    for step in range(1, len(expansion.buffers) + 1):
        ready = [
            k
            for k, activities in by_buffer.items()
            if k not in level and all(any(t is None or t in level for t in targets) for targets in activities)
        ]
        level |= dict.fromkeys(ready, step)
    if len(level) < len(expansion.buffers):
        return None
    return {k: Fraction(level[k]) for k in range(len(expansion.buffers))}
