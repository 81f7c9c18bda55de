"""Bounds on stationary means (theorem 13.5): the drift of a quadratic function is at most u − of·x, or at least l − of·x.

*Statement.* Where stability is proved, E|X| < ∞ in the stationary law, and l <= E of·X <= u.
*Reason.* f grows at most quadratically and jumps are bounded, so the mean drift of f is 0 in the stationary law, whatever Q is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.evidence.quadratic_drift import PlaceBound
from verify.conditions.proof import Proof
from verify.conditions.words import MODEL, NETWORK, policy_words
from verify.functions.quadratic import Quadratic
from verify.linear_form import LinearForm
from verify.policies.instance import Instance
from verify.rational import decimals, text


@dataclass(frozen=True)
class Side:
    """``number`` bounds the mean by ``function``; ``places``: what bounds the drift of f (of −f for a lower bound)."""

    number: Fraction
    function: Quadratic
    places: tuple[PlaceBound, ...]

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Function and evidence (``FORMAT.md``, section 22)."""
        listed = [
            {"at": {names[k]: text(n) for k, n in bound.place.at.items()}, "components": bound.to_json(names)}
            for bound in self.places
        ]
        return {"function": self.function.to_json(names), "evidence": listed}


@dataclass(frozen=True)
class MeanProof(Proof):
    """Bounds on the mean of ``of``·X; one of ``above`` and ``below`` may be missing.  ``stability``: a proof by F, S, H or Q."""

    of: LinearForm
    stability: Proof
    above: Side | None
    below: Side | None
    condition: Condition = Condition.MEAN
    function: None = None

    @property
    def epsilon(self) -> Fraction | None:  # type: ignore[override]
        """That of stability."""
        return self.stability.epsilon

    @property
    def upper(self) -> Fraction | None:
        """E of·X is at most this."""
        return self.above.number if self.above else None

    @property
    def lower(self) -> Fraction | None:
        """E of·X is at least this."""
        return self.below.number if self.below else None

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """As proved stable."""
        return self.stability.instance

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.stability.names

    def claim(self) -> str:
        """Of every policy of the class; ties as in the proof of stability."""
        policy = policy_words(self.instance, uniform=self.stability.corrected)
        by = self.stability.condition
        adapted = "; under every adapted one the time average of that mean is so in the limit"
        return (
            f"BOUND: {NETWORK} has a stationary law under every Markov policy with {policy}, and the mean of "
            f"{mean_words(self.of, self.names)} in it is {self._range()}{adapted if by is not Condition.FLUID else ''} "
            f"(stable by condition {by.letter}). {MODEL}"
        )

    def _range(self) -> str:
        ends = (("at least", self.lower), ("at most", self.upper))
        return " and ".join(f"{word} {number}" for word, number in ends if number is not None)

    def measures(self) -> Mapping[str, Any]:
        """What is bounded, and the bounds."""
        ends = {"upper": self.upper, "lower": self.lower}
        return {
            "of": {self.names[k]: text(value) for k, value in self.of.items()},
            **{name: text(number) for name, number in ends.items() if number is not None},
        }

    def evidence(self) -> dict[str, Any]:
        """The proof of stability, and for each side its function and forms."""
        stable = {"condition": self.stability.condition.word, **self.stability.measures(), **self.stability.evidence()}
        sides = {"upper": self.above, "lower": self.below}
        return {
            "stability": stable,
            **{name: side.to_json(self.names) for name, side in sides.items() if side is not None},
        }

    def summary(self) -> Iterator[str]:
        """Bounds and functions."""
        yield f"proof: mean of {mean_words(self.of, self.names)}, stable by condition {self.stability.condition.letter}"
        for word, side in (("at most", self.above), ("at least", self.below)):
            if side is not None:
                yield f"{word} {decimals(side.number)} by {side.function.words(self.names)}"


def mean_words(of: LinearForm, names: Sequence[str]) -> str:
    """What is bounded: the number of jobs, or weights by buffer."""
    if len(of) == len(names) and set(of.values()) == {1}:
        return "the number of jobs"
    shown = ""
    for k, value in sorted(of.items()):
        sign = ("-" if value < 0 else "") if not shown else (" - " if value < 0 else " + ")
        shown += f"{sign}{abs(value)} {names[k]}"
    return shown
