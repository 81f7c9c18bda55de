"""The method "lp": two and three fitted pieces (theory 9.3, 9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from verify.budget import Budget, BudgetSpent
from verify.conditions.condition import Condition
from verify.conditions.proof import Proof
from verify.methods.method import Attempt, Method, Problem, Settings, Why
from verify.methods.pieces import proved_with_pieces
from verify.methods.programs.alternating import several_pieces
from verify.methods.programs.counterexamples import fitted_pieces
from verify.methods.programs.face_program import face_count, reducible
from verify.methods.programs.templates import chain_to_search

#: Programs of the alternation; reduced faces it may have.
_ALTERNATIONS, _MOST_FACES = 400, 8_000


class SeveralPieces(Method):
    """V with two or three pieces for condition F: on reduced faces where there are such, else by counterexamples."""

    name, missing = "lp", "no pieces"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """One program after the other, from a list of starts."""
        if Condition.FLUID not in problem.allowed:
            yield Attempt(self.name, "the alternating program serves condition F only")
            return
        chain = chain_to_search(problem.instance)
        fit = several_pieces if reducible(chain) else fitted_pieces
        if reducible(chain) and (faces := face_count(chain)) > _MOST_FACES:
            yield Attempt(self.name, f"the alternating program would have {faces} faces, more than {_MOST_FACES}")
            return
        nothing = Attempt(self.name, "no maximum of two or three fitted pieces was found")
        try:
            found = fit(chain, Budget(_ALTERNATIONS), settings.report, polish=settings.polish)
        except BudgetSpent:
            spent = "the budget of the alternating program was spent"
            found, nothing = None, Attempt(self.name, spent, why=Why.BUDGET)
        if found is not None:
            yield proved_with_pieces(self.name, chain, found)
        yield nothing


SEVERAL_PIECES = SeveralPieces()
