"""A V of pieces that a program has found, as a proof by condition F or S, or as what it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from verify.conditions.condition import Condition
from verify.conditions.drift import DriftProof, Evaluation
from verify.conditions.grounds import grounds
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.method import Attempt
from verify.methods.programs.faces import LinearResult
from verify.network.model import FreePieces, FunctionSpec
from verify.policies.compose import Walk


def proved(
    name: str, chain: Walk, spec: FunctionSpec, function: PiecewiseLinear, found: Evaluation
) -> DriftProof | Attempt:
    """The proof by a condition that holds for V, with (0) and (R); ``name`` of the method."""
    base = grounds(chain, function)
    if isinstance(base, str) or found.epsilon is None:
        return Attempt(name, base if isinstance(base, str) else found.reason)
    return DriftProof(chain, spec, function, found.condition, base, found.epsilon, found.trees, found.faces)


def proved_with_pieces(name: str, chain: Walk, found: LinearResult) -> DriftProof | Attempt:
    """The proof by condition F with the V of a program, whose pieces are listed."""
    spec = free_spec(found.function, chain.expansion.names)
    evaluation = Evaluation(Condition.FLUID, True, found.epsilon, found.trees, faces=found.faces)
    return proved(name, chain, spec, found.function, evaluation)


def free_spec(function: PiecewiseLinear, names: Sequence[str]) -> FreePieces:
    """The pieces of a function by buffer names."""
    return FreePieces(tuple({names[k]: weight for k, weight in piece.items()} for piece in function.pieces))
