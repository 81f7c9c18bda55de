"""The method "explicit": the template with the tool's parameters, as U where it is open, and as V (theory 3.2, 8)."""

from __future__ import annotations

from collections.abc import Iterator

from verify.budget import Budget
from verify.conditions.condition import Condition
from verify.conditions.drift import Evaluation, evaluate
from verify.conditions.proof import Proof
from verify.functions.explicit import build, piece_count
from verify.methods.method import Attempt, Method, Problem, Refusal, Settings, Why
from verify.methods.pieces import proved
from verify.methods.programs.templates import MOST_PIECES, templates, with_dominance
from verify.policies.compose import walk

#: Nodes of case trees for one V.
TREE_NODES = 4000


class Explicit(Method):
    """A maximum over classes, routes and depths, with parameters closer and closer to 1."""

    name, missing, tries_dominance = "explicit", "F fails", True

    def refusal(self, problem: Problem) -> Refusal | None:
        """It needs routes, and not too many."""
        network, routing = problem.instance.routes, problem.instance.policy.choices.get("routing")
        if network is None:
            where = f"under routing {routing}" if problem.instance.network.has_routes else "in a buffer network"
            return Refusal("no routes", f"the explicit template needs routes, there are none {where}")
        if (pieces := piece_count(network)) > MOST_PIECES:
            many = f"the explicit template would have {pieces} pieces, more than {MOST_PIECES}"
            return Refusal("too large", many, Why.FAILED)
        return None

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """Template after template, each under the conditions asked for."""
        network = problem.instance.routes
        if network is None:
            return
        last: Attempt | None = None
        for template in templates(network):
            settings.report(f"explicit template, alpha = {template.alpha[-1]}")
            chain = walk(with_dominance(problem.instance, template))
            function = build(network, chain.expansion, template)
            for condition in problem.allowed:
                evaluation = evaluate(chain, function, condition, Budget(TREE_NODES))
                if evaluation.holds:
                    yield proved(self.name, chain, template, function, evaluation)
                if condition is Condition.FLUID or last is None:
                    last = failed(self.name, "the explicit template with the tool's parameters", evaluation)
        if last is not None:
            yield last


def failed(name: str, what: str, evaluation: Evaluation) -> Attempt:
    """The attempt of a V for which a condition fails, or is not decided."""
    letter, why = evaluation.condition.letter, Why.BUDGET if evaluation.spent else Why.FAILED
    if evaluation.holds is None:
        return Attempt(name, f"{what}: condition {letter} not decided, {evaluation.reason}", why=why)
    reason = f": {evaluation.reason}" if evaluation.reason else ""
    return Attempt(name, f"{what}: condition {letter} fails{reason}", evaluation.obstacle)


EXPLICIT = Explicit()
