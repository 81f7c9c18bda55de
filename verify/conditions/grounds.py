"""What conditions F and S share: (0) V grows, (R) every job can leave (theory 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Alternative, Component, branches_with_alternatives
from verify.chain.guards import Signs
from verify.conditions.evidence import encode
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.network.expansion import Expansion
from verify.network.traffic import following, only_services, solve_along
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


@dataclass(frozen=True)
class Emptying:
    """(R): ``potential`` φ, and the buffer at which work is done in every non-empty state: one with the least φ, or where there
    are ``heights`` u one with the largest x_k/u_k."""

    potential: Mapping[int, Fraction]
    heights: Mapping[int, Fraction] | None = None

    def to_json(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """As certificates write it (``FORMAT.md``, section 13.1)."""
        found = {"potential": encode.by_buffer(self.potential, names)}
        return found if self.heights is None else {**found, "heights": encode.by_buffer(self.heights, names)}


def emptying(walk: Walk) -> Emptying | str:
    """(R), or what is missing."""
    dimension = len(walk.expansion.buffers)
    levels = potential(walk.components, dimension)
    if levels is None:
        return "(R) fails: for some buffer an activity may keep its jobs in the network for ever"
    if work_is_done(walk, lambda k, form, sign: _positive_at_least(k, form, sign, levels)):
        return Emptying(levels)
    visits = remaining_visits(walk.expansion)
    if visits is not None and work_is_done(walk, lambda k, form, sign: _positive_at_highest(k, form, sign, visits)):
        return Emptying(levels, visits)
    return "(R) is not proved: in some non-empty state no server may be working"


def work_is_done(walk: Walk, positive: Callable[[int, LinearForm, int], bool]) -> bool:
    """(R), second half: in every non-empty state, under every choice, some non-empty buffer is being worked on.

    For each buffer k some server of k is such that, in the states in which k is singled out, each of its alternatives serves a
    buffer, or has in its guard a form that must not be positive there and is.  Reason: in every non-empty state there is one.

    Parameters: ``positive(k, form, sign)``: is sign · form positive wherever k is singled out?"""
    for k in range(len(walk.expansion.buffers)):
        servers = {service.server for service in walk.expansion.services if service.buffer == k}
        if not any(all(_works(a, k, positive) for a in _alternatives_at(walk, server)) for server in servers):
            return False
    return True


def _alternatives_at(walk: Walk, server: str) -> Iterator[Alternative]:
    for component in walk.components:
        for branch in component.branches:
            for part in branch.parts:
                if part.server == server:
                    yield from part.alternatives


def _works(alternative: Alternative, k: int, positive: Callable[[int, LinearForm, int], bool]) -> bool:
    """It serves a buffer, or a fact g <= 0 (or its mirror image) fails where k is singled out."""
    if alternative.serves is not None:
        return True
    for normal, signs in alternative.guard.items():
        sign = 1 if not signs & Signs.POSITIVE else -1 if not signs & Signs.NEGATIVE else 0
        if sign and positive(k, normal.form, sign):
            return True
    return False


def _positive_at_least(k: int, form: LinearForm, sign: int, levels: Mapping[int, Fraction]) -> bool:
    """Wherever x_k >= 1 and x_l = 0 for all l with φ_l < φ_k."""
    return sign * form.entry(k) > 0 and all(sign * value >= 0 for j, value in form.items() if levels[j] >= levels[k])


def _positive_at_highest(k: int, form: LinearForm, sign: int, heights: Mapping[int, Fraction]) -> bool:
    """Wherever x_k >= 1 and x_l/u_l <= x_k/u_k for all l: there g·x >= (g_k u_k + Σ min(0, g_l) u_l) x_k/u_k."""
    return sum((sign * value * heights[j] for j, value in form.items() if j == k or sign * value < 0), Fraction(0)) > 0


def remaining_visits(expansion: Expansion) -> dict[int, Fraction] | None:
    """u_k = 1 + Σ p u_next, how many services a job in k still needs on average; None where jobs or servers have a choice.

    Reason: under back-pressure a buffer with the largest x_k/u_k has the pressure μ_k (x_k − Σ p x_next) >= μ_k x_k/u_k > 0."""
    services = only_services(expansion)
    found = None if services is None else solve_along(following(services), [Fraction(1)] * len(services))
    return None if found is None else dict(enumerate(found))


@dataclass(frozen=True)
class Grounds:
    """(0) and (R) for one V: what conditions F and S need besides drift."""

    lower: LowerBound
    emptying: Emptying


def grounds(walk: Walk, function: PiecewiseLinear) -> Grounds | str:
    """(0) and (R), or what is missing."""
    lower = lower_bound(function, len(walk.expansion.buffers))
    if lower is None:
        return "(0) fails: no average of the pieces is positive in every coordinate"
    empties = emptying(walk)
    return empties if isinstance(empties, str) else Grounds(lower, empties)
