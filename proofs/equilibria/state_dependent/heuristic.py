"""Heuristic policies D_H (slides 64-65): customers compare estimates that need no knowledge of phases or of others' choices.

y^H = 1/μ1 + 1{i>=c} (i+1-c)/(cμ1), z^H = w1 (N-j-1)/λ2 + w2 (N-j-1)/(λ+λ2) + 1/μ2, w1 + w2 = 1.  Slide 65 prints N-i-1 in z^H.
The transit time W of D_H uses the true delays under D_H, that is the recursions with the policy held at D_H.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from proofs.equilibria.state_dependent.model import Parallel, Policy
from verify.errors import InputError


class Counted(Enum):
    """Whose number is subtracted in z^H: j (right), or i (as printed on slide 65)."""

    BATCH = "j"
    PRINTED = "i"


def estimate_first(model: Parallel, i: int) -> Fraction:
    """y^H, with μ1 = 1/(mean service time)."""
    mean, waiting = model.service.mean, max(i + 1 - model.servers, 0)
    return mean + waiting * mean / model.servers


def estimate_batch(model: Parallel, seated: int, weight: Fraction) -> Fraction:
    """z^H with w1 = ``weight``: w1 on waiting for dedicated customers only, 1 - w1 on everybody joining the batch."""
    missing = model.batch_size - seated - 1
    slow, fast = missing / model.dedicated_second, missing / (model.general + model.dedicated_second)
    return weight * slow + (1 - weight) * fast + model.least_delay


def heuristic_policy(
    model: Parallel, weight: Fraction, limit: int | None = None, counted: Counted = Counted.BATCH
) -> Policy:
    """D_H, equation (8): queue 1 iff y^H < z^H strictly, in rationals.  ``limit`` None: no approximation."""
    if not 0 <= weight <= 1:
        raise InputError("weight", "between 0 and 1", str(weight))
    top = _reach(model, weight, counted) if limit is None else limit
    joins = set()
    for i in range(top):
        for j in range(model.batch_size):
            seated = j if counted is Counted.BATCH else i
            if estimate_first(model, i) < estimate_batch(model, seated, weight):
                joins |= {(i, k, j) for k in model.phases(i)}
    return Policy(frozenset(joins), top)


def thresholds(model: Parallel, policy: Policy) -> tuple[int, ...]:
    """For j = 0..N-1 the number of i from 0 on at which queue 1 is chosen (in every phase)."""
    found = []
    for j in range(model.batch_size):
        i = 0
        while all((i, k, j) in policy.joins for k in model.phases(i)):
            i += 1
        found.append(i)
    return tuple(found)


def _reach(model: Parallel, weight: Fraction, counted: Counted) -> int:
    """A level from which nobody joins: y^H grows, and z^H is largest at 0."""
    i = 0
    while estimate_first(model, i) < estimate_batch(model, 0, weight):
        i += 1
    return i + 1 if counted is Counted.BATCH else max(i + 1, model.batch_size)
