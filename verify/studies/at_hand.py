"""The V at hand: which chain and which test function a report on a file is about.

The file's test function; else U under ``dominant`` (the tool's choice if the file leaves it open: the first template for which
condition F holds); else the first template with the tool's parameters.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from verify.budget import Budget
from verify.conditions.condition import Condition
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof, Evaluation, evaluate
from verify.decide import Request, decide
from verify.errors import InputError, NotWalked
from verify.functions.explicit import build, piece_count
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.explicit import EXPLICIT, TREE_NODES
from verify.methods.programs.templates import has_template, leaves_dominance_open, templates, with_dominance
from verify.network.model import FunctionSpec, RouteNetwork
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance


@dataclass(frozen=True)
class Question:
    """A chain and a V to look at.

    ``what`` says in words where V (and U, if the tool chose it) comes from; ``spec`` describes ``function``;
    ``evaluation`` is what is known of a condition for it, None if nothing has been tried.
    """

    walk: Walk
    spec: FunctionSpec
    function: PiecewiseLinear
    what: str
    evaluation: Evaluation | None = None


def question_at_hand(instance: Instance) -> Question:
    """The chain and the V of a file, without trying any condition (unless U has to be found).

    Raises ``InputError`` if the policy has no walk, or if there is no V and none can be offered.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> question_at_hand(read_text(line, format="toml")).what
    'the first explicit template of the tool, as the file has none (`certify` may prove stability by another)'
    """
    try:
        return _at_hand(instance)
    except NotWalked as error:
        raise InputError("policy", "a policy whose chain can be walked", str(error)) from error


def _at_hand(instance: Instance) -> Question:
    if leaves_dominance_open(instance.policy):
        return _with_found_dominance(instance)
    if instance.test_function is not None:
        return _question(walk(instance), instance.test_function, "the test function of the file")
    if instance.policy.dominance_function is not None:
        return _question(
            walk(instance), instance.policy.dominance_function, "V = U, the dominance function of the file"
        )
    network = _templated(instance, "test_function")
    what = "the first explicit template of the tool, as the file has none (`certify` may prove stability by another)"
    return _question(walk(instance), next(templates(network)), what)


def certified_question(instance: Instance, seconds: float | None = None) -> Question | None:
    """The chain and the V by which the searches prove stability, None if they prove nothing with a V of pieces.

    Parameters: ``seconds`` at most (None: the budgets alone decide)."""
    alone = dataclasses.replace(instance, test_function=None)
    proof = decide(alone, Request(criterion=Criterion.FLUID, time_limit=seconds, polish=False)).proof
    return (
        question_of_proof(proof, "the V by which certify proves stability") if isinstance(proof, DriftProof) else None
    )


def question_of_proof(proof: DriftProof, what: str = "the V that was proved") -> Question:
    """The chain and the V of a proof, with its case trees."""
    evaluation = Evaluation(proof.condition, True, proof.epsilon, proof.trees)
    return Question(proof.walk, proof.spec, proof.function, what, evaluation)


def with_fluid(question: Question, budget: Budget | None = None) -> Question:
    """The question together with what condition F says; unchanged if a condition has been evaluated already."""
    if question.evaluation is not None:
        return question
    found = evaluate(question.walk, question.function, Condition.FLUID, budget or Budget(TREE_NODES))
    return dataclasses.replace(question, evaluation=found)


def _with_found_dominance(instance: Instance) -> Question:
    """U from the search; if condition F holds for none of its templates, the first."""
    network = _templated(instance, "policy.dominance_function")
    proof = decide(instance, Request(EXPLICIT, Criterion.FLUID)).proof
    if isinstance(proof, DriftProof):
        origin = "U is the tool's choice, the first template for which condition F holds"
        if instance.test_function is None:
            return question_of_proof(proof, f"V = U; {origin}")
        return _question(proof.walk, instance.test_function, f"the test function of the file; {origin}")
    first = next(templates(network))
    origin = "U is the tool's first template (condition F was shown for none of them)"
    spec = instance.test_function or first
    what = "V = U" if instance.test_function is None else "the test function of the file"
    return _question(walk(with_dominance(instance, first)), spec, f"{what}; {origin}")


def _templated(instance: Instance, key: str) -> RouteNetwork:
    """The network, if the explicit template can be offered for it."""
    network = instance.routes
    if network is not None and has_template(instance):
        return network
    why = "the explicit template needs routes, and routing other than jsq"
    if network is not None:
        why = f"the explicit template would have {piece_count(network)} pieces"
    cure = f'add [{key}] with pieces = [{{ "buffer" = "1" }}, ...]'
    raise InputError(key, f"a function (the tool has none to offer: {why})", "none", cure)


def _question(chain: Walk, spec: FunctionSpec, what: str) -> Question:
    function = build(chain.instance.network, chain.expansion, spec)
    return Question(chain, spec, function, what)
