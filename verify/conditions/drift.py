"""Conditions F and S (theory 5.2, 5.4): V falls at every face of the chain, by case trees or by reduced faces.

For one V: does the condition hold, with which evidence, and if not, where does it fail?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.budget import Budget, BudgetSpent
from verify.chain.numeric import NumericWalk
from verify.conditions.condition import Condition
from verify.conditions.evidence import encode
from verify.conditions.evidence.correction import FaceEvidence
from verify.conditions.evidence.nodes import Leaf, Node, Obstacle, leaves
from verify.conditions.evidence.sketch import Failure
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.grounds import Grounds, grounds
from verify.conditions.proof import Proof
from verify.conditions.words import policy_words, stable_words
from verify.functions.piecewise import PiecewiseLinear
from verify.functions.words import function_words
from verify.network.model import ExplicitTemplate, FunctionSpec
from verify.network.write import function_to_json
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.rational import counted, decimals, text


@dataclass(frozen=True)
class Evaluation:
    """What is known of condition F or S (``condition``) for V.

    ``holds``: True with ``trees`` (or ``faces``) and ``epsilon``; False with ``reason`` and, where drift is the reason,
    ``obstacle``; None if it is not known, because the budget was ``spent`` or nothing was there to decide.  Includes (0) and (R).
    """

    condition: Condition
    holds: bool | None
    epsilon: Fraction | None = None
    trees: tuple[Node, ...] = ()
    obstacle: Obstacle | None = None
    reason: str = ""
    faces: tuple[tuple[FaceEvidence, ...], ...] = ()
    spent: bool = False

    @property
    def bounded_leaves(self) -> int:
        """Number of bounded leaves of all trees."""
        return sum(1 for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf))


def evaluate(
    walk: Walk, function: PiecewiseLinear, condition: Condition, budget: Budget, numeric: NumericWalk | None = None
) -> Evaluation:
    """Condition F (``Condition.FLUID``) or S (``Condition.STRICT``) for this V, by case trees."""
    found = grounds(walk, function)
    if isinstance(found, str):
        return Evaluation(condition, False, reason=found)
    try:
        trees = TreeSearch(walk, function, condition, budget=budget, numeric=numeric).trees()
    except BudgetSpent:
        return Evaluation(condition, None, reason="the budget of case-tree nodes was spent", spent=True)
    if isinstance(trees, Failure):
        return Evaluation(condition, False, obstacle=trees.obstacle)
    bounds = [leaf.bound for tree in trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    if not bounds:
        return Evaluation(condition, None, reason="no leaf of any case tree has a point")
    return Evaluation(condition, True, min(-bound for bound in bounds), trees)


@dataclass(frozen=True)
class DriftProof(Proof):
    """Condition F or S with everything a certificate needs: ``walk`` with the policy as proved (the dominance function filled
    in), V as ``spec`` and as pieces, (0), (R), and either case trees or reduced faces."""

    walk: Walk
    spec: FunctionSpec
    function: PiecewiseLinear
    condition: Condition
    grounds: Grounds
    epsilon: Fraction
    trees: tuple[Node, ...] = ()
    faces: tuple[tuple[FaceEvidence, ...], ...] = ()

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """With the dominance function filled in."""
        return self.walk.instance

    @property
    def bounded(self) -> list[Leaf]:
        """All bounded leaves."""
        return [leaf for tree in self.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]

    @property
    def corrected(self) -> bool:
        """Does some leaf have a corrector?  Then ties of routing have to be split uniformly."""
        return any(leaf.corrector is not None for leaf in self.bounded)

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.walk.expansion.names

    def claim(self) -> str:
        """Of every policy of the class."""
        policy = policy_words(self.instance, uniform=self.corrected)
        return stable_words(policy, "a bounded set is at most C(1+|x|)", self.condition.letter, self.epsilon)

    def evidence(self) -> dict[str, Any]:
        """V, (0), (R), and trees or faces."""
        names, lower = self.walk.expansion.names, self.grounds.lower
        listed: dict[str, Any] = {"kind": "tree", "trees": [encode.node(tree) for tree in self.trees]}
        if self.faces:
            listed = {"kind": "faces", "faces": [[_face(face, names) for face in row] for row in self.faces]}
        return {
            "test_function": function_to_json(self.spec),
            "lower_bound": {"theta": {str(i): text(t) for i, t in lower.theta.items()}, "c": text(lower.c)},
            **self.grounds.emptying.to_json(names),
            "evidence": listed,
        }

    def summary(self) -> Iterator[str]:
        """V, the kind of evidence, and the margin."""
        bounded, faces = self.bounded, sum(map(len, self.faces))
        kind = f"{counted(len(bounded), 'bounded leaf', 'bounded leaves')} of case trees"
        kind = counted(faces, "face") if faces else kind
        if corrected := sum(1 for leaf in bounded if leaf.corrector is not None):
            kind += f" ({corrected} with a corrector)"
        shown = self.function.words(self.names)
        if isinstance(self.spec, ExplicitTemplate):
            shown = f"V {function_words(self.spec, self.instance.weighable)} ({counted(len(self.function), 'piece')})"
        letter = self.condition.letter
        yield f"proof: condition {letter} by {shown}; {kind}; smallest margin epsilon = {decimals(self.epsilon)}"


def _face(evidence: FaceEvidence, names: tuple[str, ...]) -> dict[str, Any]:
    busy = {server: names[k] for server, k in evidence.busy.items()}
    if evidence.decided is None:
        return {"busy": busy, "empty": encode.exclusion(evidence.inactive)} if evidence.inactive else {"busy": busy}
    return {"busy": busy, "eta": {names[n]: text(y) for n, y in sorted(evidence.decided.eta.items()) if y}}
