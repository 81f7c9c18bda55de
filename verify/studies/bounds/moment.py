"""The upper bound on means that a linear V gives by itself (theory 10.9).

The idea is that of [Bertsimas, Gamarnik & Tsitsiklis 2001].  Let V(x) = w·x with w > 0, let arrivals raise V at a rate of at most
A, and every service lower it at a rate of at least A + ε.  By (R) some server works in every state but 0 (theory 5.1), so the
drift of V is at most −ε there.  That of V²/2 is V · (drift of V) + ½ Σ r_e (w·e)², at most −ε V + K with K the largest
½ Σ r_e (w·e)² over all choices.  Hence E V <= K/ε, and E of·X <= (K/ε) max of_k/w_k.

That one server alone must lower V restricts it to light traffic, or to stations that serve everybody.  A V of several pieces
needs a smooth function in its place and constants that depend on its case trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Alternative, Component, branches_with_alternatives
from verify.conditions.proof import Proof
from verify.linear_form import LinearForm
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk, walk


@dataclass(frozen=True)
class Moment:
    """The upper bound, by w with drift at most −``epsilon``."""

    value: Fraction
    weights: LinearForm
    epsilon: Fraction


def moment(stability: Proof | None, of: LinearForm) -> Moment | str:
    """The bound by the linear V of largest ε / max w, or why there is none.

    Parameters: ``stability`` a proof of it, which includes (R).
    """
    if stability is None:
        return "it needs a proof of stability"
    chain = walk(stability.instance)
    found = _steepest(chain)
    if found is None:
        return "no linear V falls under each single service"
    weights, epsilon = found
    largest = sum((_largest(component, weights) for component in chain.components), Fraction(0)) / 2
    ratio = max(Fraction(0), *(weight / weights.entry(k) for k, weight in of.items()))
    return Moment(largest / epsilon * ratio, weights, epsilon)


def _steepest(chain: Walk) -> tuple[LinearForm, Fraction] | None:
    """w <= 1 with the largest ε > 0, None if there is none."""
    program = LinearProgram()
    weights = [program.variable(0, 1) for _ in chain.expansion.buffers]
    epsilon = program.variable(0, 1, -1)
    brought: dict[int, Fraction] = {epsilon: Fraction(-1)}
    for component in chain.components:
        if any(alternative.serves is None and alternative.jumps for alternative in _of(component)):
            rise = program.variable(None, None)  # of V by this stream, whatever it chooses
            brought[rise] = Fraction(-1)
            for alternative in _of(component):
                program.row({rise: Fraction(1), **_drift(alternative, weights, -1)}, 0)
    for _, alternative in branches_with_alternatives(chain.components):
        if alternative.serves is not None:
            program.row({**brought, **_drift(alternative, weights, -1)}, 0)
    answer = solve_exact(program)
    if answer.status is not Status.OPTIMAL or answer.point[epsilon] <= 0:
        return None
    found = LinearForm({k: answer.point[weight] for k, weight in enumerate(weights)})
    return (found, answer.point[epsilon]) if len(found) == len(weights) else None


def _of(component: Component) -> Iterator[Alternative]:
    for branch in component.branches:
        for part in branch.parts:
            yield from part.alternatives


def _drift(alternative: Alternative, weights: Iterable[int], sign: int) -> dict[int, Fraction]:
    """± w·d as a row over w."""
    columns = list(weights)
    return {columns[k]: sign * value for k, value in alternative.mean_drift.items()}


def _largest(component: Component, weights: LinearForm) -> Fraction:
    """The largest Σ r_e (w·e)² of its choices."""
    return max(
        sum(
            (max(_squares(alternative, weights) for alternative in part.alternatives) for part in branch.parts),
            Fraction(0),
        )
        for branch in component.branches
    )


def _squares(alternative: Alternative, weights: LinearForm) -> Fraction:
    return sum((jump.rate * weights.at(jump.change) ** 2 for jump in alternative.jumps), Fraction(0))
