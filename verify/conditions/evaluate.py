"""One V, one condition: does it hold, with which evidence, and if not, where does it fail?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.budget import Budget, BudgetSpent
from verify.chain.numeric import NumericWalk
from verify.conditions.common import LowerBound, lower_bound, potential, work_is_done
from verify.conditions.condition import Condition
from verify.conditions.evidence import Leaf, Node, Obstacle, leaves
from verify.conditions.sketch import Failure
from verify.conditions.tree import TreeSearch
from verify.functions.piecewise import PiecewiseLinear
from verify.policies.compose import Walk


@dataclass(frozen=True)
class Evaluation:
    """What is known of condition F or S (``condition``) for V.

    ``holds``: True with ``trees`` and ``epsilon``; False with ``reason`` and, where drift is the reason, ``obstacle``; None if
    the budget was spent.  Includes (0) and (R).
    """

    condition: Condition
    holds: bool | None
    epsilon: Fraction | None = None
    trees: tuple[Node, ...] = ()
    obstacle: Obstacle | None = None
    reason: str = ""

    @property
    def bounded_leaves(self) -> int:
        """Number of bounded leaves of all trees."""
        return sum(1 for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf))


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


def evaluate(
    walk: Walk, function: PiecewiseLinear, condition: Condition, budget: Budget, numeric: NumericWalk | None = None
) -> Evaluation:
    """Condition F (``Condition.FLUID``) or S (``Condition.STRICT``) for this V, by case trees."""
    found = grounds(walk, function)
    if isinstance(found, str):
        return Evaluation(condition, False, reason=found)
    try:
        trees = tuple(TreeSearch(walk, function, condition, budget=budget, numeric=numeric).trees())
    except Failure as failure:
        return Evaluation(condition, False, obstacle=failure.obstacle)
    except BudgetSpent:
        return Evaluation(condition, None, reason="the budget of case-tree nodes was spent")
    bounds = [leaf.bound for tree in trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    if not bounds:
        return Evaluation(condition, None, reason="no leaf of any case tree has a point")
    return Evaluation(condition, True, min(-bound for bound in bounds), trees)
