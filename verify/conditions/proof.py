"""What all proofs have in common: the condition they are by, and so their verdict; a claim; evidence; a summary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition, Verdict
from verify.functions.function import TestFunction
from verify.network.write import network_to_json
from verify.policies.instance import Instance
from verify.rational import text


class Scope(StrEnum):
    """Of which policies UNSTABLE speaks."""

    ROUTING = "every policy of this routing"
    CLASS = "every policy of the class"
    WITNESS = "one witness policy"


class Proof(ABC):
    """A proof of one of the conditions.

    ``instance``: network and policy that it is about; ``condition`` it is by, which gives the verdict; ``epsilon``: the margin
    (F, S, H) or growth rate (U), None for N; ``function``: V, None for N.
    """

    condition: Condition
    epsilon: Fraction | None
    instance: Instance
    function: TestFunction | None

    @property
    def verdict(self) -> Verdict:
        """What it proves."""
        return self.condition.verdict

    def measures(self) -> Mapping[str, Any]:
        """The numbers of the claim by their names there."""
        return {"epsilon": text(self.epsilon or Fraction(0))}

    @property
    def scope(self) -> Scope | None:
        """Of which policies UNSTABLE speaks; None for STABLE, which speaks of all of the class."""
        return None

    @property
    def names(self) -> Sequence[str]:
        """The coordinates that V weighs."""
        return ()

    @property
    def corrected(self) -> bool:
        """Does a bounded h stand beside V, everywhere or on some leaf?"""
        return False

    @property
    def orders(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """What a witness orders: ``priority`` by server, ``server_order`` by buffer; empty without a witness."""
        return {}

    @abstractmethod
    def claim(self) -> str:
        """The sentence (``verify/checker/FORMAT.md``, section 25)."""

    @abstractmethod
    def evidence(self) -> dict[str, Any]:
        """What the certificate holds beside claim, network and policy."""

    def document(self) -> dict[str, Any]:
        """The certificate: claim, network and policy, evidence."""
        claim = {
            "verdict": self.verdict.value,
            "condition": self.condition.word,
            **self.measures(),
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
