"""What conditions F and S share: (0) V grows, (R) every job can leave (theory 5.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Alternative, Component, branches_with_alternatives
from verify.chain.guards import Signs
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk


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


def _least(weights: LinearForm, dimension: int) -> Fraction:
    return min((weights.entry(k) for k in range(dimension)), default=Fraction(0))


def potential(components: tuple[Component, ...], dimension: int) -> dict[int, Fraction] | None:
    """(R), first half: φ > 0 on buffers such that every activity (every alternative that serves k) has a possible next buffer
    with smaller φ, or can lead to the exit (φ = 0); None if there is none.

    The least one by iteration: φ_k = 1 + max over activities of min over possible next buffers.  Reason: from any state a
    bounded number of services, each of positive probability, empties the network.
    """
    level: dict[int, int] = {}
    activities: dict[int, list[tuple[int | None, ...]]] = {}
    for _, alternative in branches_with_alternatives(components):
        if alternative.serves is not None:
            activities.setdefault(alternative.serves, []).append(_targets(alternative))
    for step in range(1, dimension + 1):
        ready = [
            k
            for k, listed in activities.items()
            if k not in level and all(any(t is None or t in level for t in targets) for targets in listed)
        ]
        level |= dict.fromkeys(ready, step)
    if len(level) < dimension:
        return None
    return {k: Fraction(level[k]) for k in range(dimension)}


def _targets(alternative: Alternative) -> tuple[int | None, ...]:
    """Where the served job may be next; None: outside.  A jump that changes nothing is feedback to the same buffer."""
    return tuple(
        next((k for k, change in jump.change.items() if change > 0), None if jump.change else alternative.serves)
        for jump in alternative.jumps
    )


def work_is_done(walk: Walk, levels: Mapping[int, Fraction]) -> bool:
    """(R), second half: in every non-empty state, under every choice, some non-empty buffer is being worked on.

    For each buffer k some server of k is such that in {x_k >= 1, x_l = 0 where φ_l < φ_k} each of its alternatives serves a
    buffer, or has in its guard a form that must not be positive there and is.  Reason: take k not empty with the least φ.
    """
    for k in range(len(walk.expansion.buffers)):
        higher = {j for j, level in levels.items() if level >= levels[k]}
        servers = {service.server for service in walk.expansion.services if service.buffer == k}
        if not any(all(_works(a, k, higher) for a in _alternatives_at(walk, server)) for server in servers):
            return False
    return True


def _alternatives_at(walk: Walk, server: str) -> Iterator[Alternative]:
    for component in walk.components:
        for branch in component.branches:
            for part in branch.parts:
                if part.name.endswith(f"server {server}"):
                    yield from part.alternatives


def _works(alternative: Alternative, k: int, higher: Collection[int]) -> bool:
    return alternative.serves is not None or any(
        _must_be_positive(normal.form, signs, k, higher) for normal, signs in alternative.guard.items()
    )


def _must_be_positive(form: LinearForm, signs: Signs, k: int, higher: Collection[int]) -> bool:
    """The fact g <= 0 (or its mirror image) fails where x_k >= 1 and only buffers of ``higher`` are not empty."""
    sign = 1 if not signs & Signs.POSITIVE else -1 if not signs & Signs.NEGATIVE else 0
    return sign * form.entry(k) > 0 and all(sign * value >= 0 for j, value in form.items() if j in higher)


@dataclass(frozen=True)
class Grounds:
    """(0) and (R) for one V: what conditions F and S need besides drift."""

    lower: LowerBound
    potential: dict[int, Fraction]


def grounds(walk: Walk, function: PiecewiseLinear) -> Grounds | str:
    """(0) and (R), or what is missing."""
    dimension = len(walk.expansion.buffers)
    lower = lower_bound(function, dimension)
    if lower is None:
        return "(0) fails: no average of the pieces is positive in every coordinate"
    levels = potential(walk.components, dimension)
    if levels is None:
        return "(R) fails: for some buffer an activity may keep its jobs in the network for ever"
    if not work_is_done(walk, levels):
        return "(R) is not proved: in some non-empty state no server may be working"
    return Grounds(lower, levels)
