"""Slide 87: retrial queue beside batches of seven, transit times against nu at mu1 = 2.

Exact: claim ``downs-thomson.slides-86-87``.  Between 3/29 and 11/101 only the corners are stable; from 11/101 to the
fold at 13/2 - 5 sqrt(57)/6 a stable mixed equilibrium stands beside p = 1.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, share_panel, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.standard import retrial_line, retrials

MU1 = Fraction(2)


def compare() -> list[Row]:
    """The ends of the stretches."""
    _, jump, early, full = stretches(retrial_line(mu1=MU1))
    return [
        ("p = 1 is an equilibrium for nu above", "3/29", str(jump.start)),
        ("p = 0 is one up to", "11/101", str(jump.end)),
        ("stable mixed up to", "13/2 - 5*sqrt(57)/6", str(early.end)),
        ("p = 1 alone beyond", "13/2 - 5*sqrt(57)/6", str(full.start)),
    ]


def draw(folder: Path) -> Path:
    """Transit times and shares; finer where several equilibria stand beside each other."""
    target = folder / "slide_87.png"
    values = grid("1/100", "1/10", "1/200") + grid("41/400", "43/200", "1/400") + grid("11/50", "1", "1/100")
    swept = points(lambda nu: retrials(MU1, nu), with_ends(values, retrial_line(mu1=MU1)))
    with figure(target, 2) as (left, right):
        delay_panel(left, swept, r"$\nu$", top=32)
        share_panel(right, swept, r"$\nu$")
        left.legend()
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
