"""Bounds on a stationary mean, with a certificate, and beside them what else is known of it (theory 13.5, 13.10).

Stability is proved first, as ``certify`` does; then the bounds, whose bytes the checker accepts before they are shown.  For
comparison stand the lower bound by work, the upper bound by a linear V, and a simulation: evidence, never a bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verify.budget import TimeIsUp, time_limit
from verify.certificate import certificate
from verify.conditions.condition import Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.mean import MeanProof
from verify.conditions.product_form import ProductForm
from verify.conditions.proof import Proof, Scope
from verify.decide import Decision, Request, decide
from verify.errors import InputError, NotWalked
from verify.methods.bounds import Effort, bound_means
from verify.policies.compose import walk
from verify.policies.instance import Instance
from verify.studies.bounds.moment import Moment, moment
from verify.studies.bounds.objective import Objective
from verify.studies.bounds.pathwise import Pathwise, pathwise
from verify.studies.bounds.tails import in_words, tails
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.simulate import Plan, Simulation, chain_to_run, replicate
from verify.verdict import obstacle_words

#: The runs of a simulation that stands beside bounds.
RUNS = Plan(jumps=50_000)


@dataclass(frozen=True)
class Bounds:
    """What is proved of a mean, and what stands beside it.

    ``instance``: with the dominance function that was proved; ``proof`` of the bounds with its ``certificate``, which the checker
    has accepted; None with the ``reason``.  ``pathwise`` and ``moment`` are bounds, or why there are none; ``simulation``:
    its runs, or why there are none.
    """

    instance: Instance
    objective: Objective
    decision: Decision
    proof: MeanProof | ProductForm | None
    reason: str
    certificate: bytes | None
    pathwise: Pathwise | str
    moment: Moment | str
    simulation: Simulation | str
    tails: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Of stability."""
        return self.decision.verdict

    @property
    def lower(self) -> Fraction | None:
        """The proved lower bound."""
        return self.proof.lower if self.proof else None

    @property
    def upper(self) -> Fraction | None:
        """The proved upper bound."""
        return self.proof.upper if self.proof else None

    @property
    def simulated(self) -> Estimate | None:
        """The mean in the simulation, with its interval."""
        if isinstance(self.simulation, str):
            return None
        weights = [(k, float(weight)) for k, weight in self.objective.of.items()]
        return self.simulation.estimate(lambda path: sum(weight * path.means[k] for k, weight in weights))


def bounds(
    instance: Instance,
    objective: Objective,
    plan: Plan | None = RUNS,
    seconds: float | None = None,
    effort: int | None = None,
    with_tails: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> Bounds:
    """Bounds on the mean of the objective.

    Parameters: ``plan`` of the simulation (None: none); ``seconds`` for the proofs (None: the budgets of the searches alone
    count, and the answer is the same everywhere); ``effort``: entries of the largest linear program that bounds may take
    (None: those of the search);
    ``with_tails``: is a proof by S or H looked for, if the one at hand says nothing of tails?  ``report`` receives progress.
    """
    start = time.monotonic()
    decision = decide(instance, Request(time_limit=seconds), report)
    stability = decision.proof if decision.verdict is Verdict.STABLE else None
    proof, data, reason = _proved(decision, objective, _left(seconds, start), Effort(effort or Effort.entries, report))
    known = stability.instance if stability else instance
    return Bounds(
        known, objective, decision, proof, reason, data, pathwise(instance, objective.of), moment(stability, objective.of),
        _simulated(known, decision.verdict, plan, report),
        tail_words(instance, stability, seconds if with_tails else None, with_tails, report),
        time.monotonic() - start,
    )  # fmt: skip


def tail_words(
    instance: Instance, stability: Proof | None, seconds: float | None, search: bool, report: Callable[[str], None]
) -> tuple[str, ...]:
    """What a proof by F, S or H says of tails and times, the one at hand or else the first that is found."""
    if stability is None:
        return ()
    found, proof = tails(stability), stability
    for criterion in (Criterion.STRICT, Criterion.CORRECTED) if search else ():
        if found is None:
            other = decide(instance, Request(criterion=criterion, time_limit=seconds, polish=False), report).proof
            if other is not None:
                found, proof = tails(other), other
    if found is None:
        return ("tails and times: none: no proof by condition S or H was found that says any",) if search else ()
    return tuple(in_words(found, proof.names))


def _left(seconds: float | None, start: float) -> float | None:
    """What is left of a time limit; certificates get a little in any case."""
    return None if seconds is None else max(seconds - (time.monotonic() - start), 0.5)


def _proved(
    decision: Decision, objective: Objective, seconds: float | None, effort: Effort
) -> tuple[MeanProof | ProductForm | None, bytes | None, str]:
    """The proof and its accepted bytes, or why there is none."""
    if decision.proof is None or decision.verdict is not Verdict.STABLE:
        return None, None, _without_stability(decision)
    effort.report(f"bounds on the mean of {objective.words}")
    try:
        with time_limit(seconds):
            chain = walk(decision.proof.instance)
            found = bound_means(decision.proof, chain, objective.of, effort)
            return (None, None, found) if isinstance(found, str) else (found, certificate(found), "")
    except TimeIsUp:
        return None, None, "the time limit was reached before the checker had accepted bounds"


def _without_stability(decision: Decision) -> str:
    """Why nothing is bounded where stability is not proved."""
    proof: Proof | None = decision.proof
    if proof is None:
        return f"stability is not proved: {obstacle_words(decision.attempts)}"
    if proof.scope is Scope.WITNESS:
        return "one policy of the class diverges, so no bound holds for all of them"
    return f"the network is unstable under {proof.scope}: there is no stationary mean"


def _simulated(
    instance: Instance, verdict: Verdict, plan: Plan | None, report: Callable[[str], None]
) -> Simulation | str:
    """The runs, or why there are none."""
    if plan is None:
        return "not asked for"
    if verdict is Verdict.UNSTABLE:
        return "not of an unstable network"
    try:
        chain = chain_to_run(instance)
    except (InputError, NotWalked) as error:
        return str(error)
    return replicate(chain, plan, report)
