"""What all proofs have in common: the condition they are by, and so their verdict; a claim; evidence; a summary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition, Verdict
from verify.linear_form import LinearForm
from verify.network.write import network_to_json
from verify.policies.instance import Instance
from verify.rational import text


class Scope(StrEnum):
    """Of which policies UNSTABLE speaks."""

    ROUTING = "every policy of this routing"
    CLASS = "every policy of the class"
    WITNESS = "one witness policy"


@dataclass(frozen=True)
class Weights:
    """The weights of a test function: one vector per piece, buffers by number; ``corrected``: does a bounded h stand
    beside them, everywhere or on some leaf?"""

    pieces: tuple[LinearForm, ...]
    names: Sequence[str]
    corrected: bool

    def named(self) -> list[dict[str, str]]:
        """The pieces by buffer, exact numbers as text."""
        return [{self.names[k]: str(weight) for k, weight in piece.items()} for piece in self.pieces]


class Proof(ABC):
    """A proof of one of the conditions.

    ``instance``: network and policy that it is about; ``condition`` it is by, which gives the verdict; ``epsilon``: the margin
    (F, S, H) or growth rate (U), None for N.
    """

    condition: Condition
    epsilon: Fraction | None
    instance: Instance

    @property
    def verdict(self) -> Verdict:
        """What it proves."""
        return self.condition.verdict

    @property
    def measure(self) -> tuple[str, Fraction]:
        """The number of the claim, and its name there."""
        return "epsilon", self.epsilon or Fraction(0)

    @property
    def scope(self) -> Scope | None:
        """Of which policies UNSTABLE speaks; None for STABLE, which speaks of all of the class."""
        return None

    @property
    def weights(self) -> Weights | None:
        """The test function; None for condition N."""
        return None

    @property
    def orders(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """What a witness orders: ``priority`` by server, ``server_order`` by buffer; empty without a witness."""
        return {}

    @abstractmethod
    def claim(self) -> str:
        """The sentence (``verify/checker/FORMAT.md``, section 20)."""

    @abstractmethod
    def evidence(self) -> dict[str, Any]:
        """What the certificate holds beside claim, network and policy."""

    def document(self) -> dict[str, Any]:
        """The certificate: claim, network and policy, evidence."""
        name, number = self.measure
        claim = {
            "verdict": self.verdict.value,
            "condition": self.condition.word,
            name: text(number),
            "words": self.claim(),
        }
        return {
            "format": "queueproof-certificate-1",
            "claim": claim,
            "network": network_to_json(self.instance.network),
            "policy": self.instance.policy.to_json(),
            **self.evidence(),
        }

    @abstractmethod
    def summary(self) -> Iterator[str]:
        """How it is proved, for people, line by line."""


#: So many weights of several pieces are shown to people; the certificate has all of them.
_SHOWN_WEIGHTS = 16


def form_words(weights: LinearForm, names: Sequence[str]) -> str:
    """A linear form.

    >>> form_words({0: Fraction(1), 1: Fraction(1, 2)}, ["a", "b"])
    '1 a + 1/2 b'
    """
    return " + ".join(f"{weight} {names[k]}" for k, weight in weights.items())


def pieces_words(weights: Weights) -> str:
    """V in words, as far as there is room for it."""
    names, pieces = weights.names, weights.pieces
    if len(pieces) > 1:
        few = len(pieces) * len(names) <= _SHOWN_WEIGHTS
        shown = f": {', '.join(form_words(piece, names) for piece in pieces)}" if few else ""
        return f"V, a maximum of {len(pieces)} pieces{shown}"
    if len(pieces[0]) == len(names) and set(pieces[0].values()) == {Fraction(1)}:
        return "V = number of jobs"
    return f"V = {form_words(pieces[0], names)}"
