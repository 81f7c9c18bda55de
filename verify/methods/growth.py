"""The method "growth": condition U, under every policy of the class or under one witness (theory 6, 9.6)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from verify.budget import Budget, BudgetSpent
from verify.conditions.growth import GrowthProof
from verify.conditions.proof import Proof
from verify.methods.method import Attempt, Method, Problem, Settings, Why
from verify.methods.programs.destabilise import destabilise
from verify.policies.composed import non_idling
from verify.policies.instance import Instance

#: Programs.
_GROWTH_STEPS = 1500


class GrowthSearch(Method):
    """Does the network leave for ever?"""

    name, missing = "growth", "no growth"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """The class first, then witnesses; under fifo also what another non-idling policy does."""
        settings.report("growth: does the network leave for ever?")
        refused = "" if problem.dominant else problem.chain.cells_refused
        reason = (
            f"condition U does not cover {refused}"
            if refused
            else "no growing function on the cells tried (condition U)"
        )
        nothing = Attempt(self.name, reason)
        try:
            found = destabilise(problem.instance, Budget(_GROWTH_STEPS))
        except BudgetSpent:
            spent = "the budget of the search for growth was spent"
            found, nothing = None, Attempt(self.name, spent, why=Why.BUDGET)
        if found is not None:
            yield GrowthProof(problem.instance, found)
            return
        yield nothing
        if one_of_non_idling_only(problem.instance):
            yield from self._another_than_fifo(problem.instance)

    def _another_than_fifo(self, instance: Instance) -> Iterator[Attempt]:
        """Where another non-idling policy diverges no proof for all of them exists, and fifo stays open: that is worth saying."""
        policy = non_idling(instance.policy)
        try:
            other = destabilise(dataclasses.replace(instance, policy=policy), Budget(_GROWTH_STEPS))
        except BudgetSpent:
            return
        if other is not None and other.witness is not None:
            order = "; ".join(f"{server}: {' > '.join(names)}" for server, names in other.witness.items())
            also = f"another non-idling policy diverges, priority {order}, so no proof for all exists"
            yield Attempt(self.name, f"fifo itself is open; {also}", why=Why.WIDER)


def one_of_non_idling_only(instance: Instance) -> bool:
    """Is the policy treated as one of all non-idling ones, none of which stands for it (fifo)?"""
    return instance.policy.remembers


GROWTH = GrowthSearch()
