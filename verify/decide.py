"""The order of attack: condition N first, then the V of the file, then the methods in turn, or the one that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from verify.budget import TimeIsUp, time_limit
from verify.conditions.capacity import Capacity, CapacityProof, capacity
from verify.conditions.condition import Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.proof import Proof
from verify.errors import NotWalked
from verify.methods import registry
from verify.methods.given import GIVEN_METHOD, Given, evaluate_given, function_to_try, proofs_by
from verify.methods.method import Attempt, Method, Problem, Settings, Why
from verify.policies.instance import Instance


@dataclass(frozen=True)
class Request:
    """What is asked for: ``method`` (None: all in turn), ``criterion``, seconds at most (None: the budgets alone decide);
    ``polish``: may a search that has found a proof go on for a larger margin?"""

    method: Method | None = None
    criterion: Criterion = Criterion.AUTO
    time_limit: float | None = None
    polish: bool = True


@dataclass(frozen=True)
class Decision:
    """What was proved, or what was tried.

    ``capacity``: None if the time was up before condition N was evaluated; ``method``: whose proof it is."""

    capacity: Capacity | None
    method: str | None = None
    proof: Proof | None = None
    given: Given | None = None
    attempts: tuple[Attempt, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """UNDECIDED without a proof."""
        return self.proof.verdict if self.proof else Verdict.UNDECIDED


def decide(
    instance: Instance, request: Request | None = None, report: Callable[[str], None] = lambda _: None
) -> Decision:
    """Decide one instance.  ``report`` receives progress, one line at a time.

    The time limit of the request interrupts whatever is under way; the answer is then UNDECIDED (or what condition N said)."""
    case = _Case(instance, request or Request(), report)
    try:
        with time_limit(case.request.time_limit):
            return case.decide()
    except TimeIsUp:
        return case.out_of_time()


def unchecked(decision: Decision, limit: float | None) -> Decision:
    """UNDECIDED in place of a proof that the checker has not accepted when the time was up."""
    method = decision.method or registry.AUTO
    reason = f"the time limit of {limit:g} s was reached before the checker had accepted a proof by {method}"
    attempts = (Attempt(method, reason, why=Why.TIME), *decision.attempts)
    return Decision(decision.capacity, given=decision.given, attempts=attempts)


class _Case:
    """One instance under way: what is known so far, and what is being done."""

    def __init__(self, instance: Instance, request: Request, report: Callable[[str], None]):
        self.instance, self.request, self.report = instance, request, report
        self.name = registry.AUTO if request.method is None else request.method.name
        self.settings = Settings(request.polish, self._report)
        self.capacity: Capacity | None = None
        self.given: Given | None = None
        self.attempts: list[Attempt] = []
        self.doing = "condition N"

    def _report(self, doing: str) -> None:
        self.doing = doing
        self.report(doing)

    def decide(self) -> Decision:
        """N; for people the V of the file also where N holds; then what it proves, then the methods."""
        self.capacity = capacity(self.instance)
        try:
            self._evaluate_given()
            if self.capacity.load >= 1:
                return self._decision(CapacityProof.method, CapacityProof(self.instance, self.capacity))
            for name, found in self._search():
                if isinstance(found, Proof):
                    return self._decision(name, found)
                self.attempts.append(found)
        except NotWalked as error:
            self.attempts.append(Attempt(self.name, str(error)))
        return self._decision()

    def out_of_time(self) -> Decision:
        """What is known when the time is up."""
        if self.capacity is not None and self.capacity.load >= 1:
            return self._decision(CapacityProof.method, CapacityProof(self.instance, self.capacity))
        reason = f"the time limit of {self.request.time_limit:g} s was reached, during: {self.doing}"
        self.attempts.insert(0, Attempt(self.name, reason, why=Why.TIME))
        return self._decision()

    def _decision(self, method: str | None = None, proof: Proof | None = None) -> Decision:
        return Decision(self.capacity, method, proof, self.given, tuple(self.attempts))

    def _problem(self) -> Problem:
        return Problem(self.instance, self.request.criterion, alone=self.request.method is not None)

    def _evaluate_given(self) -> None:
        asked, problem = self.request.method, self._problem()
        function = function_to_try(problem, dominance=asked is None or asked.tries_dominance)
        if function is None:
            return
        try:
            self.given = evaluate_given(function, problem, self.settings)
        except NotWalked as error:
            self.attempts.append(Attempt(GIVEN_METHOD, f"{function.what}: {error}"))

    def _search(self) -> Iterator[tuple[str, Proof | Attempt]]:
        """Attempts and proofs, each with the name of its method."""
        asked = self.request.method
        if self.given is not None:
            for found in proofs_by(self.given, self._problem()):
                yield GIVEN_METHOD, found
            if asked is not None and self.instance.test_function is not None:
                return
        if self.request.criterion is Criterion.PAPER:
            yield GIVEN_METHOD, Attempt(GIVEN_METHOD, "the paper criterion P alone never decides")
            return
        in_turn = map(registry.method, registry.order_of_attack(self.instance.policy))
        for method in in_turn if asked is None else (asked,):
            problem = self._problem()
            refusal = method.refusal(problem)
            if refusal is None:
                for found in method.search(problem, self.settings):
                    yield method.name, found
            elif refusal.sentence:
                yield method.name, Attempt(method.name, refusal.sentence, why=refusal.why)
