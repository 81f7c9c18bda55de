"""From a bounded set to the empty network, by (R) alone: the constants of lemma 5.1 (theory 10.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import branches_with_alternatives
from verify.policies.compose import Walk
from verify.studies.bounds.jumps import choices_of, most, rate


@dataclass(frozen=True)
class Trials:
    """From a state with |x| <= ``jobs`` the next at most ``length`` jumps lead to 0 with probability >= (r/Λ)^length, and take a
    mean time <= length/r.

    ``fall_rate`` r: the least rate of jumps that bring the job served nearer to its exit; ``total_rate`` Λ of all jumps."""

    jobs: Fraction
    length: int
    fall_rate: Fraction
    total_rate: Fraction

    @property
    def base(self) -> Fraction:
        """Λ/r: the mean number of trials is at most base^length."""
        return self.total_rate / self.fall_rate

    @property
    def time(self) -> Fraction:
        """Of one trial, in the mean."""
        return self.length / self.fall_rate


def trials(walk: Walk, potential: Mapping[int, Fraction], jobs: Fraction) -> Trials:
    """The trials from the states with |x| <= ``jobs``, by the potential of (R)."""
    rates, falls = [], []
    for _, alternative in branches_with_alternatives(walk.components):
        k = alternative.serves
        if k is None:
            continue
        down = [(jump.rate, -fall) for jump in alternative.jumps if (fall := _change(potential, jump.change)) < 0]
        rates.append(sum((r for r, _ in down), Fraction(0)))
        falls += [fall for _, fall in down]
    length = math.ceil(math.floor(jobs) * max(potential.values()) / min(falls))
    return Trials(jobs, length, min(rates), most(choices_of(walk.components), rate))


def _change(potential: Mapping[int, Fraction], change: Mapping[int, Fraction]) -> Fraction:
    """Of Φ(x) = Σ φ_k x_k by a jump."""
    return sum((potential[k] * step for k, step in change.items()), Fraction(0))
