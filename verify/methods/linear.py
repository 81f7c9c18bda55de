"""The method "linear": one piece, the plainest functions first, then the face program (theory 9.1)."""

from __future__ import annotations

from collections.abc import Iterator

from verify.budget import Budget, BudgetSpent
from verify.chain.components import branches_with_alternatives
from verify.conditions.condition import Condition
from verify.conditions.proof import Proof
from verify.methods.method import Attempt, Method, Problem, Settings, Why
from verify.methods.pieces import proved_with_pieces
from verify.methods.programs.face_program import face_count, reducible
from verify.methods.programs.faces import LinearResult, linear_by_reduction, linear_by_trees
from verify.methods.programs.plain import plain_functions, with_fixed_function
from verify.methods.programs.templates import chain_to_search
from verify.policies.compose import Walk

#: Nodes of case trees for the plainest functions; programs of the face program.
_PLAIN_NODES, _LINEAR_STEPS = 4000, 3000
#: Reduced faces so few that the face program comes first, and at most.
_FEW_FACES, _MOST_FACES = 300, 70_000
#: Entries of the float picture of a chain (alternatives times buffers) that case trees may have.
_MOST_ENTRIES = 2_000_000


class Plain(Method):
    """The number of jobs and the mean work left: where they work, in milliseconds.  Not under ``dominant``, whose U is at hand;
    where faces can be reduced the face program is as fast, and its V has the larger margin."""

    name, missing = "linear", "no linear V"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """V fixed, one after the other."""
        if Condition.FLUID not in problem.allowed or problem.dominant:
            return
        chain = problem.chain
        if reducible(chain) and face_count(chain) <= _FEW_FACES:
            return
        if (size := tree_size(chain)) > _MOST_ENTRIES:
            yield Attempt(self.name, f"case trees would have a matrix of {size} entries for every V")
            return
        for name, weights in plain_functions(chain.expansion):
            settings.report(f"V = {name}")
            try:
                found = with_fixed_function(chain, weights, Budget(_PLAIN_NODES))
            except BudgetSpent:
                spent = f"V = {name}: the budget of {_PLAIN_NODES} nodes was spent"
                yield Attempt(self.name, spent, why=Why.BUDGET)
                continue
            if found is not None:
                yield proved_with_pieces(self.name, chain, found)


class Linear(Method):
    """V = w·x for condition F: on reduced faces where there are such, else by case trees and the faces where they fail."""

    name, missing = "linear", "no linear V"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """Plain functions first, if no other method has tried them."""
        if problem.alone:
            yield from PLAIN.search(problem, settings)
        if Condition.FLUID not in problem.allowed:
            yield Attempt(self.name, "the face program serves condition F only")
            return
        chain = chain_to_search(problem.instance)
        if too_large := _too_large(chain):
            yield Attempt(self.name, too_large)
            return
        settings.report("linear test function by the face program")
        try:
            found = linear_by_reduction(chain) if reducible(chain) else linear_by_trees(chain, Budget(_LINEAR_STEPS))
        except BudgetSpent:
            yield Attempt(self.name, "the budget of the face program was spent", why=Why.BUDGET)
            return
        if isinstance(found, LinearResult):
            yield proved_with_pieces(self.name, chain, found)
        else:
            yield Attempt(self.name, "no linear test function satisfies condition F", found.obstacle)


def _too_large(chain: Walk) -> str:
    """Why the program is not even set up, "" if it is."""
    if reducible(chain):
        faces = face_count(chain)
        return f"the face program would have {faces} faces, more than {_MOST_FACES}" if faces > _MOST_FACES else ""
    size = tree_size(chain)
    return f"case trees would have a matrix of {size} entries" if size > _MOST_ENTRIES else ""


def tree_size(chain: Walk) -> int:
    """Alternatives times buffers: what the float picture of a case tree holds for one V."""
    return sum(1 for _ in branches_with_alternatives(chain.components)) * len(chain.expansion.buffers)


PLAIN, LINEAR = Plain(), Linear()
