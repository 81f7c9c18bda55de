"""A proof by condition H (theory 5): V = w·x + h(x) falls outside a finite set of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.corrected import GlobalCorrector
from verify.network.model import Instance
from verify.policies.compose import Walk
from verify.proof import encode
from verify.proof.base import Proof, Weights, form_words
from verify.proof.words import corrected_words
from verify.rational import counted, decimals


@dataclass(frozen=True)
class CorrectedProof(Proof):
    """``found``: w, h and ε; ``potential`` is (R)."""

    walk: Walk
    found: GlobalCorrector
    potential: Mapping[int, Fraction]
    condition: Condition = Condition.CORRECTED

    @property
    def epsilon(self) -> Fraction:  # type: ignore[override]
        """How fast V falls."""
        return self.found.epsilon

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """As asked for."""
        return self.walk.instance

    @property
    def weights(self) -> Weights:
        """w, beside h."""
        return Weights((self.found.weights,), self.walk.expansion.names, corrected=bool(self.found.corrector.h))

    def claim(self) -> str:
        """Of every policy of the class, ties of routing split uniformly."""
        return corrected_words(self.instance, self.epsilon)

    def evidence(self) -> dict[str, Any]:
        """Weights, corrector and (R)."""
        names = self.walk.expansion.names
        return {
            "weights": encode.by_buffer(self.found.weights, names),
            "corrector": encode.corrector(self.found.corrector),
            "potential": encode.by_buffer(self.potential, names),
        }

    def summary(self) -> Iterator[str]:
        """V and ε."""
        cells = counted(len(self.found.corrector.h), "cell")
        form = form_words(self.found.weights, self.walk.expansion.names)
        yield f"proof: condition H by V = {form} + h(x), h on {cells}; epsilon = {decimals(self.epsilon)}"
