"""The order of attack: condition N first, then the V at hand, then the searches the method asks for."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verify.budget import Budget, BudgetSpent, TimeIsUp, time_limit
from verify.chain.components import branches_with_alternatives
from verify.conditions.capacity import Capacity, CapacityProof, capacity
from verify.conditions.condition import Condition
from verify.conditions.corrected import CorrectedProof, global_corrector, global_levels
from verify.conditions.drift import DriftProof, Evaluation, evaluate
from verify.conditions.evidence.correctors import LEVELS
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.grounds import Grounds, grounds, potential, work_is_done
from verify.conditions.growth import GrowthProof
from verify.conditions.paper import active_drift
from verify.conditions.proof import Proof
from verify.errors import NotWalked
from verify.functions.explicit import build, piece_count
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.outcome import Attempt, Criterion, Decision, Given, Method
from verify.methods.programs import stations as down_meyn
from verify.methods.programs.alternating import several_pieces
from verify.methods.programs.counterexamples import fitted_pieces
from verify.methods.programs.destabilise import destabilise
from verify.methods.programs.face_program import face_count
from verify.methods.programs.faces import (
    LinearResult,
    NoLinearFunction,
    linear_by_reduction,
    linear_by_trees,
    reducible,
)
from verify.methods.programs.fitted_domination import fitted
from verify.methods.programs.plain import plain_functions, with_fixed_function
from verify.methods.programs.station_weights import Domination
from verify.methods.programs.templates import templates, tie_order
from verify.network.expansion import expand
from verify.network.model import (
    ExplicitTemplate,
    FreePieces,
    FunctionSpec,
    Instance,
    RouteNetwork,
    Routing,
    Sequencing,
)
from verify.policies.compose import Walk, walk

#: Nodes of case trees for one V; programs for the linear search; most pieces the explicit search tries.
_TREE_NODES, _LINEAR_STEPS, _MOST_PIECES = 4000, 3000, 120
#: Programs for growth; buffers a network may have for condition H.
_GROWTH_STEPS, _MOST_FOR_H = 1500, 3
#: Programs of the alternation.
_ALTERNATIONS = 400
#: Nodes of case trees for the plainest functions; reduced faces so few that the face program comes first, and at most.
_PLAIN_NODES, _FEW_FACES, _MOST_FACES, _MOST_FACES_OF_PIECES = 4000, 300, 70_000, 8_000
#: Entries of the float picture of a chain (alternatives times buffers) that case trees may have.
_MOST_ENTRIES = 2_000_000
#: Work-conserving words with guards that compare: a proof for all non-idling policies is cheaper than one for them.
_ONE_OF_NON_IDLING = (Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE, Sequencing.MAX_WEIGHT)


@dataclass(frozen=True)
class Request:
    """What is asked for: ``method``, ``criterion``, seconds at most (None: the budgets alone decide); ``polish``: may a search
    that has found a proof go on for a larger margin?"""

    method: Method = Method.AUTO
    criterion: Criterion = Criterion.AUTO
    time_limit: float | None = None
    polish: bool = True


def decide(instance: Instance, request: Request, report: Callable[[str], None] = lambda _: None) -> Decision:
    """Decide one instance.  ``report`` receives progress, one line at a time.

    The time limit of the request interrupts whatever is under way; the answer is then UNDECIDED (or what condition N said)."""
    case = _Case(instance, request, report)
    try:
        with time_limit(request.time_limit):
            return case.decide()
    except TimeIsUp:
        return case.out_of_time()


def unchecked(decision: Decision, limit: float | None) -> Decision:
    """UNDECIDED in place of a proof that the checker has not accepted when the time was up."""
    method = decision.method or Method.AUTO
    reason = f"the time limit of {limit:g} s was reached before the checker had accepted a proof by {method}"
    attempts = (Attempt(method, reason), *decision.attempts)
    return Decision(decision.capacity, given=decision.given, attempts=attempts)


class _Found(Exception):
    """Carries a proof out of the searches."""

    def __init__(self, method: Method, proof: Proof):
        super().__init__(method)
        self.method, self.proof = method, proof


class _Case:
    def __init__(self, instance: Instance, request: Request, report: Callable[[str], None]):
        self.instance, self.request, self.report = instance, request, report
        self.attempts: list[Attempt] = []
        self.given: Given | None = None
        self.capacity: Capacity | None = None
        self.doing = "condition N"

    def decide(self) -> Decision:
        """N, the given V, then searches."""
        found = self.capacity = capacity(self.instance)
        if found.load >= 1:
            self._try_given()
            return self._overloaded(found)
        try:
            self._search()
        except NotWalked as error:
            self.attempts.append(Attempt(self.request.method, str(error)))
        except _Found as proved:
            return Decision(found, proved.method, proved.proof, self.given, tuple(self.attempts))
        return Decision(found, given=self.given, attempts=tuple(self.attempts))

    def _overloaded(self, found: Capacity) -> Decision:
        proof = CapacityProof(self.instance, found)
        return Decision(found, Method.CAPACITY, proof, self.given, tuple(self.attempts))

    def out_of_time(self) -> Decision:
        """What is known when the time is up."""
        if self.capacity is not None and self.capacity.load >= 1:
            return self._overloaded(self.capacity)
        reason = f"the time limit of {self.request.time_limit:g} s was reached, during: {self.doing}"
        attempts = (Attempt(self.request.method, reason), *self.attempts)
        return Decision(self.capacity, given=self.given, attempts=attempts)

    def _report(self, doing: str) -> None:
        self.doing = doing
        self.report(doing)

    # The V at hand ---------------------------------------------------------------------------------

    def _try_given(self) -> Given | None:
        """Evaluate the file's test function, or the file's U under ``dominant``, under every condition."""
        policy, spec = self.instance.policy, self.instance.test_function
        what = "the test function of the file" if spec is not None else "V = U, the dominance function of the file"
        if self.request.method in (Method.AUTO, Method.EXPLICIT):
            spec = spec or policy.dominance_function
        incomplete = policy.sequencing is Sequencing.DOMINANT and policy.dominance_function is None
        if spec is None or incomplete:
            return None
        self._report(f"trying {what}")
        try:
            chain = walk(self.instance)
            self.given = self._evaluate_given(what, chain, self._build(chain, spec))
        except NotWalked as error:
            self.attempts.append(Attempt(Method.EXPLICIT, f"{what}: {error}"))
        return self.given

    def _evaluate_given(self, what: str, chain: Walk, function: PiecewiseLinear) -> Given:
        search = TreeSearch(chain, function, Condition.FLUID)
        evaluations = tuple(
            evaluate(chain, function, condition, self._budget(_TREE_NODES), search.numeric)
            for condition in self._conditions()
        )
        drifts = [found for i in range(len(function)) if (found := active_drift(search, i)) is not None]
        worst = max((found.drift for found in drifts), default=None)
        return Given(what, chain, function, evaluations, None if worst is None else worst < 0, worst)

    def _conditions(self) -> tuple[Condition, ...]:
        return (
            (Condition.STRICT, Condition.FLUID)
            if self.request.criterion is Criterion.STRICT
            else (Condition.FLUID, Condition.STRICT)
        )

    def _wanted(self, condition: Condition) -> bool:
        """May a proof under this condition be used?"""
        allowed = {
            Criterion.AUTO: (Condition.FLUID, Condition.STRICT),
            Criterion.FLUID: (Condition.FLUID,),
            Criterion.STRICT: (Condition.STRICT,),
        }
        return condition in allowed.get(self.request.criterion, ())

    # Searches --------------------------------------------------------------------------------------

    def _search(self) -> None:
        """Raises ``_Found``."""
        self._use_given()
        if (
            self.given is not None
            and self.request.method is not Method.AUTO
            and self.instance.test_function is not None
        ):
            return
        searches: Mapping[Method, Callable[[], None]] = {
            Method.LINEAR: self._plain_then_linear,
            Method.DOWN_MEYN: self._down_meyn,
            Method.LP: self._several_pieces,
            Method.EXPLICIT: self._explicit,
            Method.CORRECTED: self._corrected,
            Method.GROWTH: self._growth,
        }
        if self.request.criterion is Criterion.PAPER:
            self.attempts.append(Attempt(Method.EXPLICIT, "the paper criterion P alone never decides"))
            return
        wanted: tuple[Method, ...]
        if self.request.method is not Method.AUTO:
            wanted = (self.request.method,)
        elif self.instance.policy.sequencing is Sequencing.DOMINANT:
            wanted = (Method.EXPLICIT, Method.LP)
        else:
            generic = self.instance.policy.sequencing in _ONE_OF_NON_IDLING
            first = (Method.DOWN_MEYN, Method.LINEAR) if generic else (Method.LINEAR, Method.DOWN_MEYN)
            wanted = (*first, Method.LP, Method.GROWTH, Method.CORRECTED, Method.EXPLICIT)
        if self.request.method is Method.AUTO:
            self._plain()
        for method in wanted:
            searches[method]()

    def _use_given(self) -> None:
        given = self._try_given()
        if given is None:
            return
        spec = self.instance.test_function or self.instance.policy.dominance_function
        for evaluation in given.evaluations:
            if evaluation.holds and self._wanted(evaluation.condition) and spec is not None:
                self._prove(Method.EXPLICIT, given.walk, spec, given.function, evaluation)
        for evaluation in given.evaluations:
            if self._wanted(evaluation.condition):
                self.attempts.append(_attempt(Method.EXPLICIT, given.what, evaluation))

    def _plain_then_linear(self) -> None:
        if self.request.method is Method.LINEAR:
            self._plain()
        self._linear()

    def _plain(self) -> None:
        """The number of jobs and the mean work left: where they work, in milliseconds.  Not under ``dominant``, whose U is at
        hand; where faces can be reduced the face program is as fast, and its V has the larger margin."""
        if self.request.criterion not in (Criterion.AUTO, Criterion.FLUID):
            return
        if self.instance.policy.sequencing is Sequencing.DOMINANT:
            return
        chain = walk(self.instance)
        if reducible(chain) and face_count(chain) <= _FEW_FACES:
            return
        if (size := tree_size(chain)) > _MOST_ENTRIES:
            self.attempts.append(
                Attempt(Method.LINEAR, f"case trees would have a matrix of {size} entries for every V")
            )
            return
        for name, weights in plain_functions(chain.expansion):
            self._report(f"V = {name}")
            try:
                found = with_fixed_function(chain, weights, self._budget(_PLAIN_NODES))
            except BudgetSpent:
                self.attempts.append(
                    Attempt(Method.LINEAR, f"V = {name}: the budget of {_PLAIN_NODES} nodes was spent")
                )
                continue
            if found is not None:
                self._prove_linear(chain, found)

    def _linear(self) -> None:
        if self.request.criterion not in (Criterion.AUTO, Criterion.FLUID):
            self.attempts.append(Attempt(Method.LINEAR, "the face program serves condition F only"))
            return
        for chain in self._walks():
            if reducible(chain) and (faces := face_count(chain)) > _MOST_FACES:
                reason = f"the face program would have {faces} faces, more than {_MOST_FACES}"
                self.attempts.append(Attempt(Method.LINEAR, reason))
                continue
            if not reducible(chain) and (size := tree_size(chain)) > _MOST_ENTRIES:
                self.attempts.append(Attempt(Method.LINEAR, f"case trees would have a matrix of {size} entries"))
                continue
            self._report("linear test function by the face program")
            try:
                result = (
                    linear_by_reduction(chain)
                    if reducible(chain)
                    else linear_by_trees(chain, self._budget(_LINEAR_STEPS))
                )
            except NoLinearFunction as failure:
                self.attempts.append(Attempt(Method.LINEAR, str(failure), failure.obstacle))
            except BudgetSpent:
                self.attempts.append(Attempt(Method.LINEAR, "the budget of the face program was spent"))
            else:
                self._prove_linear(chain, result)

    def _several_pieces(self) -> None:
        """Two and three fitted pieces: on reduced faces where there are such, else by counterexamples."""
        if self.request.criterion not in (Criterion.AUTO, Criterion.FLUID):
            self.attempts.append(Attempt(Method.LP, "the alternating program serves condition F only"))
            return
        for chain in self._walks():
            fit = several_pieces if reducible(chain) else fitted_pieces
            reason = "no maximum of two or three fitted pieces was found"
            if reducible(chain) and (faces := face_count(chain)) > _MOST_FACES_OF_PIECES:
                reason = f"the alternating program would have {faces} faces, more than {_MOST_FACES_OF_PIECES}"
                self.attempts.append(Attempt(Method.LP, reason))
                continue
            try:
                found = fit(chain, self._budget(_ALTERNATIONS), self._report, polish=self.request.polish)
            except BudgetSpent:
                found, reason = None, "the budget of the alternating program was spent"
            if found is not None:
                self._prove_linear(chain, found, Method.LP)
            self.attempts.append(Attempt(Method.LP, reason))

    def _growth(self) -> None:
        """Condition U: does the network grow, or for non-idling under one witness?"""
        self._report("growth: does the network leave for ever?")
        refused = "" if self.instance.policy.sequencing is Sequencing.DOMINANT else walk(self.instance).cells_refused
        reason = "no growing function on the cells tried (condition U)"
        if refused:
            reason = f"condition U does not cover {refused}"
        try:
            found = destabilise(self.instance, self._budget(_GROWTH_STEPS))
        except BudgetSpent:
            found, reason = None, "the budget of the search for growth was spent"
        if found is not None:
            raise _Found(Method.GROWTH, GrowthProof(self.instance, found))
        self.attempts.append(Attempt(Method.GROWTH, reason))
        if self.instance.policy.sequencing is Sequencing.FIFO:
            self._another_than_fifo()

    def _another_than_fifo(self) -> None:
        """Where another non-idling policy diverges no proof for all of them exists, and fifo stays open: that is worth saying."""
        policy = dataclasses.replace(self.instance.policy, sequencing=Sequencing.NON_IDLING)
        try:
            other = destabilise(dataclasses.replace(self.instance, policy=policy), self._budget(_GROWTH_STEPS))
        except BudgetSpent:
            return
        if other is not None and other.witness is not None:
            order = "; ".join(f"{server}: {' > '.join(names)}" for server, names in other.witness.items())
            reason = (
                f"fifo itself is open; another non-idling policy diverges, priority {order}, so no proof for all exists"
            )
            self.attempts.append(Attempt(Method.GROWTH, reason))

    def _corrected(self) -> None:
        """A linear V whose case tree may have corrected leaves; for very small networks condition H."""
        if self.instance.policy.sequencing is Sequencing.DOMINANT:
            return
        chain = walk(self.instance)
        if chain.cells_refused:
            self.attempts.append(
                Attempt(Method.CORRECTED, f"correctors do not cover {chain.cells_refused}", applies=False)
            )
            return
        if self.request.criterion in (Criterion.AUTO, Criterion.FLUID) and not reducible(chain):
            finest = len(LEVELS) if self.request.method is Method.CORRECTED else len(LEVELS) - 1
            reason = "no linear V with corrected leaves was found"
            for level in range(finest):
                self._report(f"linear test function with corrected leaves, level {level + 1}")
                try:
                    self._prove_linear(
                        chain, linear_by_trees(chain, self._budget(_LINEAR_STEPS), level), Method.CORRECTED
                    )
                except NoLinearFunction:
                    continue
                except BudgetSpent:
                    reason = "the budget for a linear V with corrected leaves was spent"
            self.attempts.append(Attempt(Method.CORRECTED, reason))
        if self.request.criterion is Criterion.CORRECTED or (
            self.request.method is Method.CORRECTED and self.request.criterion is Criterion.AUTO
        ):
            self._global_corrector(chain)

    def _global_corrector(self, chain: Walk) -> None:
        """Condition H, for at most three buffers."""
        levels = potential(chain.components, len(chain.expansion.buffers))
        if len(chain.expansion.buffers) > _MOST_FOR_H or levels is None or not work_is_done(chain, levels):
            self.attempts.append(
                Attempt(Method.CORRECTED, "condition H is searched for at most three buffers, with (R)")
            )
            return
        self._report("condition H")
        found = global_corrector(chain, global_levels(chain))
        if found is not None:
            raise _Found(Method.CORRECTED, CorrectedProof(chain, found, levels))
        self.attempts.append(Attempt(Method.CORRECTED, "no corrector for condition H was found"))

    def _down_meyn(self) -> None:
        """The published averaging form; ``auto`` goes on to one dominating station around every cycle, and to fitted θ."""
        if self.instance.policy.sequencing is Sequencing.DOMINANT or not down_meyn.applies(
            chain := walk(self.instance)
        ):
            reason = (
                "the Down-Meyn program needs a work-conserving policy, fixed or random routing, one server per buffer"
            )
            self.attempts.append(Attempt(Method.DOWN_MEYN, reason, applies=False))
            return
        self._report("Down-Meyn linear program")
        stations = len(chain.expansion.busy_servers)
        tried: Iterable[Domination] = [down_meyn.uniform(stations)]
        if self.request.method is Method.AUTO:
            tried = itertools.chain(tried, down_meyn.cycles(stations), fitted(chain))
        found = down_meyn.station_function(chain, tried)
        if isinstance(found, down_meyn.NoMargin):
            how = "has no positive margin, by exact multipliers," if found.proved else "gave no positive margin"
            self.attempts.append(Attempt(Method.DOWN_MEYN, f"the Down-Meyn program {how} for any domination tried"))
            return
        condition = Condition.FLUID if self.request.criterion is Criterion.FLUID else Condition.STRICT
        if not self._wanted(condition):
            return
        evaluation = Evaluation(condition, True, found.epsilon, found.trees)
        spec = free_spec(found.function, chain.expansion.names)
        self._prove(Method.DOWN_MEYN, chain, spec, found.function, evaluation)

    def _explicit(self) -> None:
        """The template with the tool's parameters, as U under ``dominant`` if the file leaves it open, and as V."""
        network = self.instance.network
        if not isinstance(network, RouteNetwork) or self.instance.policy.routing is Routing.JSQ:
            where = "under routing jsq" if isinstance(network, RouteNetwork) else "in a buffer network"
            self.attempts.append(
                Attempt(Method.EXPLICIT, f"the explicit template needs routes, there are none {where}", applies=False)
            )
            return
        if (pieces := piece_count(network)) > _MOST_PIECES:
            reason = f"the explicit template would have {pieces} pieces, more than {_MOST_PIECES}"
            self.attempts.append(Attempt(Method.EXPLICIT, reason))
            return
        last: Attempt | None = None
        for template in templates(network):
            self._report(f"explicit template, alpha = {template.alpha[-1]}")
            chain = walk(with_dominance(self.instance, template))
            function = build(network, chain.expansion, template)
            for condition in self._conditions():
                if self._wanted(condition):
                    evaluation = evaluate(chain, function, condition, self._budget(_TREE_NODES))
                    if evaluation.holds:
                        self._prove(Method.EXPLICIT, chain, template, function, evaluation)
                    if condition is Condition.FLUID or last is None:
                        last = _attempt(Method.EXPLICIT, "the explicit template with the tool's parameters", evaluation)
        if last is not None:
            self.attempts.append(last)

    def _walks(self) -> Iterator[Walk]:
        """The chain; under ``dominant`` without U, one for the first templates."""
        network, policy = self.instance.network, self.instance.policy
        if (
            policy.sequencing is Sequencing.DOMINANT
            and policy.dominance_function is None
            and isinstance(network, RouteNetwork)
        ):
            first = next(templates(network))
            yield walk(with_dominance(self.instance, first))
        else:
            yield walk(self.instance)

    # Helpers ---------------------------------------------------------------------------------------

    def _build(self, chain: Walk, spec: FunctionSpec) -> PiecewiseLinear:
        network = self.instance.network
        return build(network if isinstance(network, RouteNetwork) else None, chain.expansion, spec)

    def _budget(self, steps: int) -> Budget:
        return Budget(steps)

    def _prove(
        self, method: Method, chain: Walk, spec: FunctionSpec, function: PiecewiseLinear, found: Evaluation
    ) -> None:
        base = grounds(chain, function)
        if isinstance(base, Grounds) and found.epsilon is not None:
            raise _Found(method, DriftProof(chain, spec, function, found.condition, base, found.epsilon, found.trees))

    def _prove_linear(self, chain: Walk, result: LinearResult, method: Method = Method.LINEAR) -> None:
        base = grounds(chain, result.function)
        if isinstance(base, str):
            self.attempts.append(Attempt(method, base))
            return
        spec = free_spec(result.function, chain.expansion.names)
        raise _Found(
            method,
            DriftProof(chain, spec, result.function, Condition.FLUID, base, result.epsilon, result.trees, result.faces),
        )


def tree_size(chain: Walk) -> int:
    """Alternatives times buffers: what the float picture of a case tree holds for one V."""
    return sum(1 for _ in branches_with_alternatives(chain.components)) * len(chain.expansion.buffers)


def walkable_template(instance: Instance) -> bool:
    """Is the state a route expansion, and is the number of pieces Π(|r|+1) − 1 moderate?"""
    network = instance.network
    if not isinstance(network, RouteNetwork) or instance.policy.routing is Routing.JSQ:
        return False
    return piece_count(network) <= _MOST_PIECES


def free_spec(function: PiecewiseLinear, names: Sequence[str]) -> FreePieces:
    """The pieces of a function by buffer names."""
    return FreePieces(tuple({names[k]: weight for k, weight in piece.items()} for piece in function.pieces))


def with_dominance(instance: Instance, template: ExplicitTemplate) -> Instance:
    """Under ``dominant`` without U: U from the template, and the tool's tie order where the file has none."""
    policy, network = instance.policy, instance.network
    if policy.sequencing is not Sequencing.DOMINANT or policy.dominance_function is not None:
        return instance
    chosen = policy.tie_order or tie_order(template, expand(network, policy))
    return dataclasses.replace(
        instance, policy=dataclasses.replace(policy, dominance_function=template, tie_order=chosen)
    )


def _attempt(method: Method, what: str, evaluation: Evaluation) -> Attempt:
    letter = evaluation.condition.letter
    if evaluation.holds is None:
        return Attempt(method, f"{what}: condition {letter} not decided, {evaluation.reason}")
    return Attempt(
        method,
        f"{what}: condition {letter} fails{': ' if evaluation.reason else ''}{evaluation.reason}",
        evaluation.obstacle,
    )
