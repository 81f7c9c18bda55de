"""The V at hand: the test function of the file, or U under ``dominant``, evaluated under the conditions F, S and P."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.budget import Budget
from verify.conditions.condition import Condition
from verify.conditions.criterion import Criterion
from verify.conditions.drift import Evaluation, evaluate
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.paper import active_drift
from verify.conditions.proof import Proof
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.explicit import TREE_NODES, failed
from verify.methods.method import Attempt, Problem, Settings
from verify.methods.pieces import proved
from verify.network.model import FunctionSpec
from verify.policies.compose import Walk

#: The method under whose name a proof by the V at hand goes.
GIVEN_METHOD = "explicit"


@dataclass(frozen=True)
class FileFunction:
    """A function of the file: ``what`` says which."""

    what: str
    spec: FunctionSpec


@dataclass(frozen=True)
class Given:
    """The test function of the file (or U) and what became of it under each condition; ``paper_worst``: the largest drift of an
    active piece inside its regime, None if none has an interior."""

    what: str
    walk: Walk
    spec: FunctionSpec
    function: PiecewiseLinear
    evaluations: tuple[Evaluation, ...]
    paper_worst: Fraction | None

    @property
    def paper_holds(self) -> bool | None:
        """Does P hold, which proves nothing?"""
        return None if self.paper_worst is None else self.paper_worst < 0


def function_to_try(problem: Problem, *, dominance: bool) -> FileFunction | None:
    """The function of the file that is to be tried, if there is one.  ``dominance``: may it be U?"""
    spec, policy = problem.instance.test_function, problem.instance.policy
    if problem.dominance_open:
        return None
    if spec is not None:
        return FileFunction("the test function of the file", spec)
    if dominance and policy.dominance_function is not None:
        return FileFunction("V = U, the dominance function of the file", policy.dominance_function)
    return None


def evaluate_given(function: FileFunction, problem: Problem, settings: Settings) -> Given:
    """What becomes of it, whatever condition is asked for.  Raises ``NotWalked``."""
    settings.report(f"trying {function.what}")
    chain = problem.chain
    built = build(problem.instance.network, chain.expansion, function.spec)
    search = TreeSearch(chain, built, Condition.FLUID)
    evaluations = tuple(
        evaluate(chain, built, condition, Budget(TREE_NODES), search.numeric) for condition in _both(problem.criterion)
    )
    drifts = [found.drift for i in range(len(built)) if (found := active_drift(search, i)) is not None]
    return Given(function.what, chain, function.spec, built, evaluations, max(drifts, default=None))


def _both(criterion: Criterion) -> tuple[Condition, ...]:
    """F and S, the one that is asked for first."""
    both = (Condition.FLUID, Condition.STRICT)
    return both[::-1] if criterion is Criterion.STRICT else both


def proofs_by(given: Given, problem: Problem) -> Iterator[Proof | Attempt]:
    """The proof by it, else where it fails."""
    wanted = [evaluation for evaluation in given.evaluations if evaluation.condition in problem.allowed]
    for evaluation in wanted:
        if evaluation.holds:
            yield proved(GIVEN_METHOD, given.walk, given.spec, given.function, evaluation)
    for evaluation in wanted:
        yield failed(GIVEN_METHOD, given.what, evaluation)
