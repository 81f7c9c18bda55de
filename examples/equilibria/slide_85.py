"""Slide 85: retrial queue beside batches of seven, transit times and p* against mu1 (nu = 2).

Exact: claim ``downs-thomson.slide-85``.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, share_panel, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import retrial_line, retrials

NU = Fraction(2)


def compare() -> list[Row]:
    """The interval and p*."""
    _, mixed, _ = stretches(retrial_line(nu=NU))
    rows = [("stable mixed for mu1 in", "(137/164, 193/124)", f"({mixed.start}, {mixed.end})")]
    for mu1, share in (("21/25", "0.005091"), ("5/4", "0.500000"), ("3/2", "0.888355"), ("31/20", "0.986398")):
        (only,) = solve(retrials(Fraction(mu1), NU)).equilibria
        rows.append((f"p* at mu1 = {mu1}", share, f"{float(only.shares[0]):.6f}"))
    return rows


def draw(folder: Path) -> Path:
    """Left the transit times, right p*."""
    target = folder / "slide_85.png"
    swept = points(lambda mu1: retrials(mu1, NU), with_ends(grid("1/100", "3", "1/100"), retrial_line(nu=NU)))
    with figure(target, 2) as (left, right):
        delay_panel(left, swept, r"$\mu_1$", top=32)
        share_panel(right, swept, r"$\mu_1$")
        left.legend()
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
