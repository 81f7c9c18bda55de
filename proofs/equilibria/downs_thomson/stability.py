"""Stability of equilibria of three queues or more (docs/equilibria.md; two queues: ``two_queues``).

Stable: every unused queue is strictly slower, and the diagonal of s_i = dW_i/df_i is positive definite on the
directions of the used queues that sum to zero.  With all s_i nonzero that is: all are positive, or exactly one is
negative and the sum of 1/s_i is negative (the last leading minor of the bordered matrix).
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs.equilibria.algebraic import Number
from proofs.equilibria.downs_thomson.model import Model

Delays = tuple[Number | None, ...]


@dataclass(frozen=True)
class StabilityVerdict:
    """``stable`` (None: degenerate) and the exact signs behind it."""

    stable: bool | None
    reason: str


def corner_verdict(
    model: Model, shares: tuple[Number, ...], delays: Delays, support: tuple[int, ...]
) -> StabilityVerdict:
    """All customers in one queue: stable if every other queue is strictly slower."""
    tied = _tied(delays, support)
    if tied:
        return StabilityVerdict(None, f"the unused queues {tied} are just as fast: degenerate")
    return StabilityVerdict(True, "every unused queue is strictly slower")


def mixed_verdict(
    model: Model, shares: tuple[Number, ...], delays: Delays, support: tuple[int, ...]
) -> StabilityVerdict:
    """Several queues used: definiteness of the diagonal of dW_i/df_i on the sum-zero directions."""
    slopes = {i + 1: model.queues[i].delay.slope_at(model.flow(i, shares[i])) for i in support}
    definite, words = _definite(slopes)
    if definite is not True:
        return StabilityVerdict(definite, words)
    tied = _tied(delays, support)
    if tied:
        return StabilityVerdict(None, f"{words}, but the unused queues {tied} are just as fast: degenerate")
    return StabilityVerdict(True, f"{words}; every unused queue is strictly slower")


def _tied(delays: Delays, support: tuple[int, ...]) -> list[int]:
    common = delays[support[0]]
    return [i + 1 for i, d in enumerate(delays) if i not in support and d is not None and d == common]


def _definite(slopes: dict[int, Number]) -> tuple[bool | None, str]:
    """Whether sum s_i f_i^2 > 0 for all nonzero f with sum 0; None if it is only semi-definite."""
    negative = [i for i, s in slopes.items() if s.sign() < 0]
    flat = [i for i, s in slopes.items() if s.sign() == 0]
    if not negative:
        if len(flat) > 1:
            return None, f"dW/df vanishes in the queues {flat}: degenerate"
        return True, "dW/df > 0 in every used queue" + (f" but {flat[0]}, where it is 0" if flat else "")
    if len(negative) > 1:
        return False, f"dW/df < 0 in the queues {negative}"
    if flat:
        return False, f"dW/df < 0 in queue {negative[0]} and 0 in queue {flat[0]}"
    total = Number.of(0)
    for slope in slopes.values():
        total += Number.of(1) / slope
    words = f"dW/df < 0 in queue {negative[0]} only, and the sum of 1/(dW/df) is "
    if total.sign() == 0:
        return None, words + "0: degenerate"
    return total.sign() < 0, words + ("negative" if total.sign() < 0 else "positive")
