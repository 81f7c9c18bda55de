"""The method "corrected": a linear V with corrected leaves, and for very small networks condition H (theory 5.3, 5.5, 9.5)."""

from __future__ import annotations

from collections.abc import Iterator

from verify.budget import Budget, BudgetSpent
from verify.conditions.condition import Condition
from verify.conditions.corrected import CorrectedProof, global_corrector, global_levels
from verify.conditions.criterion import Criterion
from verify.conditions.evidence.correctors import LEVELS
from verify.conditions.grounds import emptying
from verify.conditions.proof import Proof
from verify.methods.method import Attempt, Method, Problem, Refusal, Settings, Why
from verify.methods.pieces import proved_with_pieces
from verify.methods.programs.face_program import reducible
from verify.methods.programs.faces import LinearResult, linear_by_trees

#: Programs of the face program for each fineness; buffers a network may have for condition H.
_LINEAR_STEPS, _MOST_FOR_H = 3000, 3
_TOO_LARGE = "condition H is searched for at most three buffers, with (R)"


class Corrected(Method):
    """Correctors average over a fast subsystem: on leaves where comparisons vanish, or everywhere."""

    name, missing = "corrected", "no corrector"

    def refusal(self, problem: Problem) -> Refusal | None:
        """U has no cells; corrected leaves average over comparisons, and where there are none condition H needs a very small
        network."""
        if problem.dominant:
            return Refusal("policy")
        if reducible(problem.chain) and self._too_many(problem):
            return Refusal("too large", _TOO_LARGE if self._asks_for_h(problem) else "", Why.FAILED)
        return None

    @staticmethod
    def _too_many(problem: Problem) -> bool:
        return len(problem.chain.expansion.buffers) > _MOST_FOR_H

    @staticmethod
    def _asks_for_h(problem: Problem) -> bool:
        """Is it worth its price here?"""
        return problem.criterion is Criterion.CORRECTED or (problem.alone and problem.criterion is Criterion.AUTO)

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """Corrected leaves, finer and finer, then H."""
        if refused := problem.chain.cells_refused:
            yield Attempt(self.name, f"correctors do not cover {refused}", why=Why.UNFIT)
            return
        if Condition.FLUID in problem.allowed and not reducible(problem.chain):
            yield from self._leaves(problem, settings)
        if self._asks_for_h(problem):
            yield from self._everywhere(problem, settings)

    def _leaves(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """A linear V whose case tree may have corrected leaves; the finest ones only if no other method is asked."""
        nothing = Attempt(self.name, "no linear V with corrected leaves was found")
        for level in range(len(LEVELS) if problem.alone else len(LEVELS) - 1):
            settings.report(f"linear test function with corrected leaves, level {level + 1}")
            try:
                found = linear_by_trees(problem.chain, Budget(_LINEAR_STEPS), level)
            except BudgetSpent:
                spent = "the budget for a linear V with corrected leaves was spent"
                nothing = Attempt(self.name, spent, why=Why.BUDGET)
                continue
            if isinstance(found, LinearResult):
                yield proved_with_pieces(self.name, problem.chain, found)
        yield nothing

    def _everywhere(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """Condition H, for at most three buffers."""
        chain = problem.chain
        empties = emptying(chain)
        if self._too_many(problem) or isinstance(empties, str):
            yield Attempt(self.name, _TOO_LARGE)
            return
        settings.report("condition H")
        found = global_corrector(chain, global_levels(chain))
        if found is not None:
            yield CorrectedProof(chain, found, empties)
        else:
            yield Attempt(self.name, "no corrector for condition H was found")


CORRECTED = Corrected()
