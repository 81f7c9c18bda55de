"""Slide 86: retrial queue beside batches of seven, transit times and p* against nu at mu1 = 1.25.

Exact: claims ``downs-thomson.paradox-nu`` and ``downs-thomson.slides-86-87``.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, share_panel, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.standard import retrial_line, retrials

MU1 = Fraction(5, 4)


def compare() -> list[Row]:
    """Where the stable mixed equilibrium begins; it does not end."""
    _, mixed = stretches(retrial_line(mu1=MU1))
    end = "no end" if mixed.end is None else str(mixed.end)
    return [("stable mixed for nu above", "22/79, no end", f"{mixed.start}, {end}")]


def draw(folder: Path) -> Path:
    """Left the transit times, right p*."""
    target = folder / "slide_86.png"
    swept = points(lambda nu: retrials(MU1, nu), with_ends(grid("1/50", "6", "1/50"), retrial_line(mu1=MU1)))
    with figure(target, 2) as (left, right):
        delay_panel(left, swept, r"$\nu$")
        share_panel(right, swept, r"$\nu$")
        left.legend()
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
