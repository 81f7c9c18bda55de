"""Condition H (FORMAT.md section 17): V = w.x + h falls at rate epsilon in every cell that is not exempt."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from verify.checker.cells.cell_walk import largest_drifts
from verify.checker.cells.features import Cell, Feature, cell_name, read_features
from verify.checker.core.conditions import check_emptying, check_epsilon
from verify.checker.core.data import Claim, CorrectedProof, Numbers
from verify.checker.core.errors import require, show
from verify.checker.core.forms import Form, form
from verify.checker.core.model import Model


def check_corrected(model: Model, claim: Claim, proof: CorrectedProof) -> None:
    """Condition H: V = w.x + h falls at rate epsilon outside finitely many states, from which 0 is reached."""
    check_emptying(model, proof.emptying)
    weights = check_weights(model, proof.weights)
    features = read_features(model, proof.corrector)
    check_coordinates(model, features)
    margins: list[Fraction] = []
    for cell, bound in largest_drifts(model, model.components, weights, proof.corrector):
        if not exempt(features, cell):
            require(-bound >= claim.value, "H-cell", f"cell {cell_name(cell)}", -bound, f">= {show(claim.value)}")
            margins.append(-bound)
    check_epsilon(claim, margins)


def check_weights(model: Model, weights: Numbers) -> Form:
    """**H-weights**: w_k > 0 for every buffer.

    Sound because V is then bounded below, and large where x is.
    """
    names = model.state.names
    require(set(weights) == set(names), "H-weights", "buffers", set(weights), set(names))
    for name, weight in weights.items():
        require(weight > 0, "H-weights", name, weight, "> 0")
    return form({k: weights[name] for k, name in enumerate(names)})


def check_coordinates(model: Model, features: Iterable[Feature]) -> None:
    """**H-features**: every coordinate is a feature.

    Sound because otherwise a cell below all ends could hold infinitely many states.
    """
    resolved = {feature.coordinate for feature in features}
    for k, name in enumerate(model.state.names):
        require(k in resolved, "H-features", "features", f"no x({name})", "every coordinate")


def exempt(features: Iterable[Feature], cell: Cell) -> bool:
    """Whether all coordinates are below their ends, so that the cell has one point at most."""
    pairs = zip(features, cell, strict=True)
    return all(value < feature.high for feature, value in pairs if feature.coordinate is not None)
