"""The equilibria and the social optimum of a model as tables of exact texts, with decimals beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proofs.equilibria.algebraic import Number, integer_polynomial_text
from proofs.equilibria.downs_thomson.model import Dropped, Equilibrium, Model, NotSupported, Solution
from proofs.equilibria.downs_thomson.social import Optimum, optimum
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.file import NO_SETTINGS, read_equilibria_file
from verify.errors import InputError


def equilibria_from_file(path: str | Path, settings: Mapping[str, str] = NO_SETTINGS) -> dict[str, Any]:
    """What ``queueproof equilibria FILE --json`` prints.

    Parameters: ``settings`` name -> expression, in place of parameters of the file.  Raises ``InputError``.
    """
    return report(read_equilibria_file(path, settings))


def report(model: Model) -> dict[str, Any]:
    """All equilibria, the social optimum and the dropped roots of a model, in exact texts and floats."""
    solution = solved(model)
    best, obstacle = social_optimum(model)
    return {
        "title": model.title,
        "queues": [{"type": q.kind.value, "approximation": q.approximation} for q in model.queues],
        "equilibria": [_equilibrium(equilibrium) for equilibrium in solution.equilibria],
        "continua": [{"from": _texts(c.start), "to": _texts(c.end), "reason": c.reason} for c in solution.continua],
        "social": None if best is None else _optimum(best),
        "social_obstacle": obstacle,
        "dropped": [_dropped(root) for root in solution.dropped],
    }


def solved(model: Model) -> Solution:
    """All equilibria; ``InputError`` where the exact method does not reach."""
    try:
        return solve(model)
    except NotSupported as reason:
        raise InputError("queues", "queues whose equilibria can be solved exactly", str(reason)) from reason


def social_optimum(model: Model) -> tuple[Optimum | None, str | None]:
    """The social optimum, or why there is none to show."""
    try:
        best = optimum(model)
    except NotSupported as reason:
        return None, f"not solved: {reason}"
    return best, None if best is not None else "every division of the customers overloads a queue that is used"


def _equilibrium(equilibrium: Equilibrium) -> dict[str, Any]:
    return {
        "shares": _texts(equilibrium.shares),
        "shares_float": [float(share) for share in equilibrium.shares],
        "shares_root": [_root(share) for share in equilibrium.shares],
        "delays": ["oo" if delay is None else str(delay) for delay in equilibrium.delays],
        "delays_float": [None if delay is None else float(delay) for delay in equilibrium.delays],
        "delays_root": [None if delay is None else _root(delay) for delay in equilibrium.delays],
        "kind": equilibrium.kind,
        "stable": equilibrium.stable,
        "proof": equilibrium.reason,
    }


def _optimum(best: Optimum) -> dict[str, Any]:
    return {
        "shares": _texts(best.shares),
        "shares_float": [float(share) for share in best.shares],
        "shares_root": [_root(share) for share in best.shares],
        "value": str(best.value),
        "value_float": float(best.value),
        "value_root": _root(best.value),
    }


def _dropped(root: Dropped) -> dict[str, Any]:
    return {
        "shares": _texts(root.shares),
        "shares_float": [float(share) for share in root.shares],
        "shares_root": [_root(share) for share in root.shares],
        "reason": root.reason,
    }


def _root(number: Number) -> dict[str, Any] | None:
    """The minimal polynomial of a number of degree 3 or more, and which of its real roots it is (from 0 upwards)."""
    if number.root.degree < 3 or number.rational is not None or number.own_root.degree < 3:
        return None
    return {"polynomial": integer_polynomial_text(number.own_root.minimal), "index": number.own_root.index}


def _texts(numbers: tuple[Number, ...]) -> list[str]:
    return [str(number) for number in numbers]
