"""The plainest test functions first: the number of jobs, and the mean work that is left in them (V fixed, only ε is sought).

For a given V the largest ε is found by cutting: the case trees are asked for more than is possible, and where they fail the
face says how much is possible there.  Each failure lowers what is asked for; no linear program over all faces is solved.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction

from verify.budget import Budget, Unresolved
from verify.conditions.condition import Condition
from verify.conditions.evidence.sketch import Failure
from verify.conditions.evidence.tree import TreeSearch, numeric_walk
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.methods.programs.faces import LinearResult, with_trees
from verify.network.expansion import Expansion
from verify.network.traffic import following, only_services, solve_along
from verify.policies.compose import Walk

#: Most cuts for one V.
_CUTS = 40
#: Parts of the last ε that are asked for when it cannot be had itself.
_LESS = (Fraction(999, 1000), Fraction(1, 2), Fraction(0))


def plain_functions(expansion: Expansion) -> Iterator[tuple[str, LinearForm]]:
    """The number of jobs; where jobs do not choose, the mean work left, Σ over what is to come of the mean service times."""
    yield "number of jobs", LinearForm.sum_of(range(len(expansion.buffers)))
    work = work_left(expansion)
    if work is not None and len(set(work.values())) > 1:
        yield "mean work left", work


def work_left(expansion: Expansion) -> LinearForm | None:
    """w_k = 1/μ_k + Σ p w_next, scaled so that the largest is 1; None with choices, or several servers at a buffer."""
    services = only_services(expansion)
    found = solve_along(following(services), [1 / s.rate for s in services]) if services else None
    if found is None:
        return None
    top = max(found)
    return LinearForm((k, value / top) for k, value in enumerate(found))


def with_fixed_function(walk: Walk, weights: LinearForm, budget: Budget) -> LinearResult | None:
    """V = w·x with its best ε, None if condition F fails for it.  Raises ``BudgetSpent``."""
    function = PiecewiseLinear((weights,))
    numeric = numeric_walk(walk, function)

    def grown(target: Fraction) -> LinearResult | Failure:
        return with_trees(TreeSearch(walk, function, Condition.FLUID, target, budget, numeric))

    target = sum((s.rate for s in walk.expansion.services), Fraction(0)) * max(weights.values())
    for _ in range(_CUTS):
        try:
            found = grown(target)
        except Unresolved:
            break
        if isinstance(found, LinearResult):
            return found
        possible = -found.obstacle.drift
        if possible <= 0:
            return None
        if possible >= target:
            break
        target = possible
    for share in _LESS:  # floats do not settle a node so near to the best, or the cuts were too many
        with contextlib.suppress(Unresolved):
            found = grown(target * share)
            if isinstance(found, LinearResult):
                return found
    return None
