"""Condition F for all rates (theory 14): one V and one set of case trees without rates prove condition F at every vector of rates
in a set (FORMAT.md, section 24).

*Statement.* At every leaf, in every branch, prices of the servers, potentials of the buffers and multipliers of the rows of the
set bound the drift per unit of every rate, with something to spare in total.
*Reason.* Weigh the drifts with any rates of the set: along a flow of load ρ* the potentials pay for the arrivals and the prices
for the potentials, so the drift of V at the leaf is negative at these rates, and there are finitely many leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.budget import Budget, BudgetSpent
from verify.conditions.condition import Condition
from verify.conditions.evidence import encode
from verify.conditions.evidence.nodes import Leaf, Node, leaves
from verify.conditions.evidence.rate_flows import normalised, rate_flows
from verify.conditions.evidence.rates_tree import RatesFailure, RatesSearch
from verify.conditions.evidence.sketch import Failure
from verify.conditions.grounds import Grounds, grounds
from verify.conditions.proof import Proof
from verify.conditions.words import MODEL, NETWORK, policy_words
from verify.errors import NotWalked
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.functions.words import function_words
from verify.network.model import ExplicitTemplate, FunctionSpec
from verify.network.rates import RateSet
from verify.network.write import function_to_json
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance
from verify.rational import counted, text


@dataclass(frozen=True)
class RatesEvaluation:
    """What is known of the condition for one V: True with ``trees``; False with ``reason``, or ``failure`` where the search found
    a face; None if it is not known."""

    holds: bool | None
    trees: tuple[Node, ...] = ()
    failure: RatesFailure | None = None
    reason: str = ""


def evaluate(chain: Walk, function: FunctionSpec, rates: RateSet, budget: Budget) -> RatesEvaluation:
    """The condition for V = ``function`` on a chain whose guards contain no rates.  Raises ``NotWalked``."""
    policy = chain.instance.policy
    if not policy.rate_free:
        raise NotWalked(f"all rates under {', '.join(policy.choices.values())}, whose choices depend on rates")
    instance = chain.instance
    found = grounds(chain, build(instance.network, chain.expansion, function))
    if isinstance(found, str):
        return RatesEvaluation(False, reason=found)
    unit = walk(normalised(instance))
    built = build(unit.instance.network, unit.expansion, function)
    try:
        trees = RatesSearch(unit, built, rate_flows(instance, rates), budget).trees()
    except BudgetSpent:
        return RatesEvaluation(None, reason="the budget of case-tree nodes was spent")
    if isinstance(trees, Failure):
        return RatesEvaluation(False, failure=trees if isinstance(trees, RatesFailure) else None)
    return RatesEvaluation(True, trees)


@dataclass(frozen=True)
class AllRatesProof(Proof):
    """``walk`` with the policy as proved, V as ``spec`` and as pieces, the ``rates``, (0), (R), and case trees."""

    walk: Walk
    spec: FunctionSpec
    function: PiecewiseLinear
    rates: RateSet
    grounds: Grounds
    trees: tuple[Node, ...]
    condition: Condition = Condition.ALL_RATES
    epsilon: Fraction | None = None

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """With the dominance function filled in."""
        return self.walk.instance

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.walk.expansion.names

    @property
    def bounded(self) -> list[Leaf]:
        """All bounded leaves."""
        return [leaf for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]

    def claim(self) -> str:
        """Of all rates of the set, and every policy of the class, ties in any way."""
        load, rows = self.rates.load_words(), self.rates.words(self.instance.network)
        policy = policy_words(self.instance, uniform=False)
        return (
            f"STABLE: at all arrival rates and all speeds of servers with load {load}{rows}, {NETWORK} is positive recurrent "
            f"from every start under every Markov policy with {policy}; under every adapted one the mean time to reach a "
            f"bounded set is at most C(1+|x|), C depending on the rates (condition F for all rates). {MODEL}"
        )

    def measures(self) -> Mapping[str, Any]:
        """The bound on the load."""
        return {"load_at_most": text(self.rates.load_at_most)}

    def evidence(self) -> dict[str, Any]:
        """V, (0), (R), the rows, and the trees."""
        lower = self.grounds.lower
        return {
            "test_function": function_to_json(self.spec),
            "lower_bound": {"theta": {str(i): text(t) for i, t in lower.theta.items()}, "c": text(lower.c)},
            **self.grounds.emptying.to_json(self.names),
            "rates": self.rates.to_json(),
            "evidence": {"kind": "tree", "trees": [encode.node(tree) for tree in self.trees]},
        }

    def summary(self) -> Iterator[str]:
        """V and the number of leaves."""
        shown = self.function.words(self.names)
        if isinstance(self.spec, ExplicitTemplate):
            shown = f"V {function_words(self.spec, self.instance.weighable)} ({counted(len(self.function), 'piece')})"
        kind = counted(len(self.bounded), "bounded leaf", "bounded leaves")
        yield f"proof: condition {self.condition.letter} by {shown}; {kind} of case trees, each for all rates"


def proved(chain: Walk, spec: FunctionSpec, rates: RateSet, trees: tuple[Node, ...]) -> AllRatesProof | str:
    """The proof by trees that were found, or what is missing."""
    function = build(chain.instance.network, chain.expansion, spec)
    base = grounds(chain, function)
    return base if isinstance(base, str) else AllRatesProof(chain, spec, function, rates, base, trees)
