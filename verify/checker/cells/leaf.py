"""The bound of a leaf with a corrector (FORMAT.md section 16)."""

from __future__ import annotations

from fractions import Fraction

from verify.checker.cells.cell_walk import largest_drifts
from verify.checker.core.components import Branch, Component, Part
from verify.checker.core.data import Corrector
from verify.checker.core.errors import require
from verify.checker.core.evidence import Situation
from verify.checker.core.forms import Form
from verify.checker.core.model import Model


def bound_in_cells(model: Model, here: Situation, gradient: Form, corrector: Corrector) -> Fraction:
    """The largest drift of w.x + h over all cells, by what is not excluded here; some cell must be left.

    Sound because near a fluid state of the leaf the chain does nothing else, and h, which is bounded, vanishes in the
    scaling: w.x' is then at most this. (Rule **no-alternative** has passed.)
    """
    components = [
        Component(component.name, tuple(_remaining(here, b) for b in component.branches if not here.misses(b)))
        for component in model.components
    ]
    bounds = [bound for _, bound in largest_drifts(model, components, gradient, corrector)]
    require(bool(bounds), "no-alternative", here.where, "every cell is empty", "one that is not")
    return max(bounds)


def _remaining(here: Situation, branch: Branch) -> Branch:
    """The branch without the alternatives that are excluded here."""
    options = [tuple(option for option in part.alternatives if not here.misses(option)) for part in branch.parts]
    parts = zip(branch.parts, options, strict=True)
    return Branch(branch.name, branch.guard, tuple(Part(part.server, left) for part, left in parts))
