"""A proof by condition U (theory 6): the network grows, under every policy of the class or under one witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.evidence import Corrector
from verify.conditions.growth import Growth
from verify.network.model import Instance
from verify.proof import encode
from verify.proof.base import Proof, Scope, Weights, form_words
from verify.proof.words import growth_words, witness_words
from verify.rational import counted, decimals, text


@dataclass(frozen=True)
class GrowthProof(Proof):
    """``instance``: the class that was asked about; ``found``: the growth of its chain, or of a witness's."""

    instance: Instance
    found: Growth
    condition: Condition = Condition.GROWTH

    @property
    def epsilon(self) -> Fraction:  # type: ignore[override]
        """How fast V grows."""
        return self.found.epsilon

    @property
    def scope(self) -> Scope:
        """One witness, or all of the class."""
        return Scope.WITNESS if self.orders else Scope.CLASS

    @property
    def weights(self) -> Weights:
        """w, perhaps beside h."""
        return Weights((self.found.weights,), self.found.walk.expansion.names, corrected=bool(self.found.h))

    @property
    def orders(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """What the witness orders."""
        listed = {"priority": self.found.witness, "server_order": self.found.server_order}
        return {key: order for key, order in listed.items() if order is not None}

    def claim(self) -> str:
        """Of which policies, and how fast."""
        return growth_words(self.instance, self.found)

    def evidence(self) -> dict[str, Any]:
        """V, v_0, the path, the witness."""
        names = self.found.walk.expansion.names
        result: dict[str, Any] = {
            "pieces": [encode.by_buffer(self.found.weights, names)],
            "corrector": encode.corrector(Corrector(self.found.cells, self.found.h)),
            "v0": text(self.found.v0),
            "path": [encode.step(step, names) for step in self.found.path],
        }
        for key, order in (("witness", self.found.witness), ("witness_server_order", self.found.server_order)):
            if order is not None:
                result[key] = {name: list(listed) for name, listed in order.items()}
        return result

    def summary(self) -> Iterator[str]:
        """V, its growth rate, and the witness."""
        found = self.found
        h = f" + h(x), h on {counted(len(found.h), 'cell')}" if found.h else ""
        form = form_words(found.weights, found.walk.expansion.names)
        yield f"proof: condition U by V = {form}{h}; growth rate >= {decimals(found.epsilon)}"
        if witness := witness_words(self.instance, found):
            yield f"witness: one policy of the class diverges, {witness}; others may be stable"
