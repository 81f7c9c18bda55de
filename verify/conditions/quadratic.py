"""Condition Q (theory 13.2): a quadratic function f falls at rate ε|x| − d at every state, its matrix is copositive.

*Statement.* With forms ℓ_C and numbers k_C above the drift of f in each component C, −Σ ℓ_C >= ε > 0 in every coordinate,
d = Σ k_C, and x'Qx >= 0 for x >= 0 by squares and a remainder that is diagonally dominant over its negative entries.
*Reason.* The drift of f is at most −ε|x| + d under every choice; Q then is strictly copositive and the square root of f is a
Lyapunov function with bounded jumps (theorem Q, 13.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.evidence.quadratic_drift import PlaceBound
from verify.conditions.grounds import Emptying
from verify.conditions.proof import Proof
from verify.conditions.words import MODEL, NETWORK, policy_words
from verify.functions.quadratic import Quadratic
from verify.linear_form import ZERO, LinearForm
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.rational import decimals, text


@dataclass(frozen=True)
class Square:
    """weight · (form·x)², weight >= 0."""

    weight: Fraction
    form: LinearForm


def remainder(function: Quadratic, squares: Sequence[Square]) -> dict[tuple[int, int], Fraction]:
    """R = Q − Σ s l l' by (k, l), k <= l."""
    rest = dict(function.matrix)
    for square in squares:
        listed = sorted(square.form.items())
        for position, (k, a) in enumerate(listed):
            for j, b in listed[position:]:
                rest[k, j] = rest.get((k, j), ZERO) - square.weight * a * b
    return rest


def lacking(function: Quadratic, squares: Sequence[Square]) -> dict[int, Fraction]:
    """How much R_kk misses to be Σ_{l≠k} max(0, −R_kl), where it misses something: nowhere, and Q is copositive."""
    rest = remainder(function, squares)
    needed: dict[int, Fraction] = {}
    for (k, j), value in rest.items():
        if k != j and value < 0:
            needed[k] = needed.get(k, ZERO) - value
            needed[j] = needed.get(j, ZERO) - value
        elif k == j and value < 0:
            needed.setdefault(k, ZERO)
    missing = {k: value - rest.get((k, k), ZERO) for k, value in needed.items()}
    return {k: value for k, value in missing.items() if value > 0}


@dataclass(frozen=True)
class QuadraticProof(Proof):
    """``function`` f without cuts, ``squares`` of its matrix, ``bound``: the forms above its drift, ``emptying`` is (R)."""

    walk: Walk
    function: Quadratic
    squares: tuple[Square, ...]
    bound: PlaceBound
    emptying: Emptying
    condition: Condition = Condition.QUADRATIC

    @property
    def epsilon(self) -> Fraction:  # type: ignore[override]
        """The least fall of f per job."""
        return falls(self.bound, len(self.names))

    @property
    def level(self) -> Fraction:
        """d: drift of f <= −ε|x| + d."""
        return self.bound.total.constant

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """As walked."""
        return self.walk.instance

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.walk.expansion.names

    def claim(self) -> str:
        """Of every policy of the class, ties in any way."""
        return (
            f"STABLE: {NETWORK} is positive recurrent from every start under every Markov policy with "
            f"{policy_words(self.instance, uniform=False)}, its stationary law has geometric tails; under every adapted one the "
            f"mean time to reach a bounded set is at most C(1+|x|), and the time average of the mean number of jobs is at most "
            f"{self.level / self.epsilon} in the limit (condition Q, epsilon {self.epsilon}). {MODEL}"
        )

    def measures(self) -> Mapping[str, Any]:
        """ε and d."""
        return {"epsilon": text(self.epsilon), "bound": text(self.level)}

    def evidence(self) -> dict[str, Any]:
        """f, its squares, (R), and the forms with their multipliers."""
        return {
            "function": self.function.to_json(self.names),
            "squares": [
                {"weight": text(s.weight), "form": {self.names[k]: text(v) for k, v in s.form.items()}}
                for s in self.squares
            ],
            **self.emptying.to_json(self.names),
            "evidence": self.bound.to_json(self.names),
        }

    def summary(self) -> Iterator[str]:
        """f, ε and what follows for the number of jobs."""
        yield f"proof: condition Q by {self.function.words(self.names)}; epsilon = {decimals(self.epsilon)}"
        yield f"number of jobs: at most {decimals(self.level / self.epsilon)} on average in the long run"


def falls(bound: PlaceBound, dimension: int) -> Fraction:
    """min_k −Σ_C ℓ_C,k."""
    form = bound.total.form
    return min(-form.entry(k) for k in range(dimension))
