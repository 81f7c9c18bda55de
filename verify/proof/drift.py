"""A proof by condition F or S (theory 5): V falls, by case trees or by reduced faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.correction import FaceEvidence
from verify.conditions.evaluate import Grounds
from verify.conditions.evidence import Leaf, Node, leaves
from verify.functions.piecewise import PiecewiseLinear
from verify.network.model import ExplicitTemplate, FunctionSpec, Instance
from verify.network.write import function_to_json
from verify.policies.compose import Walk
from verify.proof import encode
from verify.proof.base import Proof, Weights, pieces_words
from verify.proof.words import drift_words, function_words
from verify.rational import counted, decimals, text


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
    def weights(self) -> Weights:
        """The pieces of V."""
        return Weights(tuple(self.function.pieces), self.walk.expansion.names, self.corrected)

    def claim(self) -> str:
        """Of every policy of the class."""
        return drift_words(self.instance, self.condition, self.epsilon, corrected=self.corrected)

    def evidence(self) -> dict[str, Any]:
        """V, (0), (R), and trees or faces."""
        names, lower = self.walk.expansion.names, self.grounds.lower
        listed: dict[str, Any] = {"kind": "tree", "trees": [encode.node(tree) for tree in self.trees]}
        if self.faces:
            listed = {"kind": "faces", "faces": [[_face(face, names) for face in row] for row in self.faces]}
        return {
            "test_function": function_to_json(self.spec),
            "lower_bound": {"theta": {str(i): text(t) for i, t in lower.theta.items()}, "c": text(lower.c)},
            "potential": encode.by_buffer(self.grounds.potential, names),
            "evidence": listed,
        }

    def summary(self) -> Iterator[str]:
        """V, the kind of evidence, and the margin."""
        bounded, faces = self.bounded, sum(map(len, self.faces))
        kind = f"{counted(len(bounded), 'bounded leaf', 'bounded leaves')} of case trees"
        kind = counted(faces, "face") if faces else kind
        if corrected := sum(1 for leaf in bounded if leaf.corrector is not None):
            kind += f" ({corrected} with a corrector)"
        shown = pieces_words(self.weights)
        if isinstance(self.spec, ExplicitTemplate):
            shown = f"V {function_words(self.spec, self.instance)} ({counted(len(self.function), 'piece')})"
        letter = self.condition.letter
        yield f"proof: condition {letter} by {shown}; {kind}; smallest margin epsilon = {decimals(self.epsilon)}"


def _face(evidence: FaceEvidence, names: tuple[str, ...]) -> dict[str, Any]:
    busy = {server: names[k] for server, k in evidence.busy.items()}
    if evidence.decided is None:
        return {"busy": busy, "empty": encode.exclusion(evidence.inactive)} if evidence.inactive else {"busy": busy}
    return {"busy": busy, "eta": {names[n]: text(y) for n, y in sorted(evidence.decided.eta.items()) if y}}
