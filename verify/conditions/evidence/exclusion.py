"""Is there a non-zero x >= 0 with these facts?  A proof that there is none, or a point (Motzkin's theorem).

One linear program answers both: maximise κ + Σ |y_g| over strict facts, subject to κ·1 + Σ y_g g <= 0 and this sum <= 1.
Its optimum is 1 (evidence) or 0, and then the multipliers of the coordinate rows are a point with all the facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verify.chain.guards import SINGLE, Normal, Signs, holds
from verify.chain.numeric import Array, NumericWalk
from verify.conditions.evidence.nodes import Exclusion
from verify.linear_form import LinearForm
from verify.lp.approx import ColumnProgram, propose
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.rational import roundings


@dataclass(frozen=True)
class _Limits:
    """Bounds of the multiplier of a fact (0 or none), and its part in the sum that must be positive."""

    low: int | None
    high: int | None
    strict: int


_LIMITS: Mapping[int, _Limits] = {
    Signs.POSITIVE: _Limits(0, None, 1),
    Signs.NOT_NEGATIVE: _Limits(0, None, 0),
    Signs.ZERO: _Limits(None, None, 0),
    Signs.NOT_POSITIVE: _Limits(None, 0, 0),
    Signs.NEGATIVE: _Limits(None, 0, -1),
}
_LOW = np.array([0.0 if s in _LIMITS and _LIMITS[s].low is not None else -np.inf for s in range(8)])
_HIGH = np.array([0.0 if s in _LIMITS and _LIMITS[s].high is not None else np.inf for s in range(8)])
_STRICT = np.array([float(_LIMITS[s].strict) if s in _LIMITS else 0.0 for s in range(8)])


def seems_empty(facts: Array, numeric: NumericWalk, *, remembered: bool = True) -> bool:
    """Float answer.  A point that is found is remembered, to answer later questions (unless what is ``remembered`` is in doubt:
    a form of 10^-9 at some point may have been taken for zero)."""
    if facts.tobytes() in numeric.proofs:
        return True
    if facts.tobytes() in numeric.refuted:
        return False
    if remembered and numeric.known_point(facts):
        return False
    listed = _informative(facts, numeric)
    proposal = propose(_float_program(listed, facts, numeric))
    if proposal.status is not Status.OPTIMAL:
        return False
    if proposal.value <= -0.5:
        numeric.proofs[facts.tobytes()] = proposal.point[1:]
        return True
    numeric.remember(np.maximum(-np.array(proposal.row_multipliers[: numeric.dimension]), 0.0))
    return False


def exclude(facts: Array, numeric: NumericWalk) -> Exclusion | None:
    """Evidence that no x >= 0, x ≠ 0, satisfies the facts; None if none was found.

    The multipliers have been checked in rationals.  Reason for soundness: for x with the facts, Σ y_g g·x >= 0 and > 0 if a
    strict fact has y_g ≠ 0, while κ Σ x_k + Σ y_g g·x <= 0.
    """
    if not seems_empty(facts, numeric):
        return None
    listed, multipliers = _informative(facts, numeric), numeric.proofs[facts.tobytes()]
    pairs = [(numeric.normals[n], Signs(int(facts[n]))) for n in listed]
    support = [(pair, y) for pair, y in zip(pairs, multipliers, strict=True) if abs(y) > 1e-10]
    carried = [pair for pair, _ in support]
    for guess in roundings(y for _, y in support):
        evidence = _accept(carried, guess, numeric.dimension)
        if evidence is not None:
            return evidence
    # The support of the float answer usually is that of an exact one: a far smaller program.
    for candidates in (carried, pairs):
        answer = solve_exact(_exact_program(candidates, numeric.dimension))
        if answer.status is Status.OPTIMAL and answer.value == -1:
            return _accept(candidates, answer.point[1:], numeric.dimension)
    return None


def _informative(facts: Array, numeric: NumericWalk) -> Array:
    """Numbers of the normals with a fact; x_k >= 0 alone is left out, the inequality sign of the rows stands for it."""
    known = facts != int(Signs.ANY)
    known[: numeric.dimension] &= facts[: numeric.dimension] != int(Signs.NOT_NEGATIVE)
    return np.flatnonzero(known)


def _float_program(listed: Array, facts: Array, numeric: NumericWalk) -> ColumnProgram:
    """Columns: κ, then y for every fact; rows: one per coordinate, then the normalisation."""
    signs = facts[listed]
    columns = np.ones((len(listed) + 1, numeric.dimension + 1))
    columns[1:, :-1] = numeric.rows[listed]
    columns[1:, -1] = _STRICT[signs]
    return ColumnProgram(
        costs=-columns[:, -1],
        lower=np.concatenate([[0.0], _LOW[signs]]),
        upper=np.concatenate([[np.inf], _HIGH[signs]]),
        row_lower=np.full(numeric.dimension + 1, -np.inf),
        row_upper=np.append(np.zeros(numeric.dimension), 1.0),
        columns=columns,
    )


def _exact_program(listed: Sequence[tuple[Normal, Signs]], dimension: int) -> LinearProgram:
    program = LinearProgram()
    program.variable(0, None, -1)
    rows: list[dict[int, Fraction | int]] = [{0: 1} for _ in range(dimension)]
    total: dict[int, Fraction | int] = {0: 1}
    for normal, signs in listed:
        limits = _LIMITS[signs]
        y = program.variable(limits.low, limits.high, -limits.strict)
        if limits.strict:
            total[y] = limits.strict
        for k, value in normal.form.items():
            rows[k][y] = value
    for row in rows:
        program.row(row, None, 0)
    program.row(total, None, 1)
    return program


def _accept(listed: Sequence[tuple[Normal, Signs]], values: Sequence[Fraction], dimension: int) -> Exclusion | None:
    """The largest κ these multipliers allow, if they prove anything."""
    multipliers: dict[Normal, Fraction] = {}
    terms: list[tuple[Fraction, LinearForm]] = []
    strict = Fraction(0)
    for (normal, signs), y in zip(listed, values, strict=True):
        if not y:
            continue
        limits = _LIMITS[signs]
        if (limits.low is not None and y < 0) or (limits.high is not None and y > 0):
            return None
        multipliers[normal] = y
        strict += limits.strict * y
        terms.append((y, normal.form))
    combination = LinearForm.combination(terms)
    kappa = -max((combination.entry(k) for k in range(dimension)), default=Fraction(0))
    if kappa < 0 or kappa + strict <= 0:
        return None
    return Exclusion(kappa, multipliers)


def _interior_program(facts: Array, numeric: NumericWalk) -> LinearProgram:
    """Maximise Σ s_g, 0 <= s_g <= 1, s_g <= |g·x| with the sign the fact allows; strict facts get |g·x| >= 1, which a cone
    always can."""
    program = LinearProgram()
    for _ in range(numeric.dimension):
        program.variable(0, None)
    for n in np.flatnonzero(facts != int(Signs.ANY)):
        signs, form = Signs(int(facts[n])), numeric.normals[n].form
        if signs is Signs.ZERO:
            program.row(form, 0, 0)
            continue
        entries = {k: value if signs & Signs.POSITIVE else -value for k, value in form.items()}
        strict = signs in SINGLE
        if not strict:
            entries[program.variable(0, 1, -1)] = Fraction(-1)
        program.row(entries, 1 if strict else 0, None)
    program.row(dict.fromkeys(range(numeric.dimension), 1), 1, None)
    return program


def inner_point(facts: Array, numeric: NumericWalk) -> Array | None:
    """A float point of the set at which as many forms as possible are not zero (its relative interior); None if empty."""
    proposal = propose(_interior_program(facts, numeric))
    return np.array(proposal.point[: numeric.dimension]) if proposal.status is Status.OPTIMAL else None


def exact_inner_point(facts: Array, numeric: NumericWalk) -> dict[int, Fraction] | None:
    """As :func:`inner_point`, exactly inside the set."""
    program = _interior_program(facts, numeric)
    proposal = propose(program)
    if proposal.status is not Status.OPTIMAL:
        return None
    known = {numeric.normals[n]: Signs(int(facts[n])) for n in np.flatnonzero(facts != int(Signs.ANY))}
    wanted = sum(1 for s in proposal.point[numeric.dimension :] if s > 0.5)
    for guess in roundings(proposal.point[: numeric.dimension]):
        state = {k: value for k, value in enumerate(guess) if value}
        if (
            state
            and holds(known, state)
            and sum(1 for g, s in known.items() if s not in SINGLE and g.at(state)) >= wanted
        ):
            return state
    answer = solve_exact(program)
    if answer.status is not Status.OPTIMAL:
        return None
    return {k: value for k, value in enumerate(answer.point[: numeric.dimension]) if value}
