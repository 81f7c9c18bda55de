"""Slide 42: equilibrium transit times against mu1, one server (the Downs-Thomson paradox).

Exact: the paradox interval is (11/21, 12/11), claim ``downs-thomson.slide-42``; p* at mu1 = 1 is on slide 76.
"""

from __future__ import annotations

import sys
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, share_panel, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import ONE, taxi_line, taxis


def compare() -> list[Row]:
    """Expected values beside the exact ones."""
    (only,) = solve(taxis(ONE)).equilibria
    _, mixed, _ = stretches(taxi_line())
    return [
        ("p* at mu1 = 1 (slide 76)", "0.7298", f"{float(only.shares[0]):.4f}"),
        ("paradox interval (claim slide-42)", "(11/21, 12/11)", f"({mixed.start}, {mixed.end})"),
        ("delays at its ends (claim slide-42)", "21/11, 11", f"{solve(taxis(ONE / 2)).equilibria[0].delay}, 11"),
    ]


def draw(folder: Path) -> Path:
    """Delays and shares against mu1 (300 values)."""
    target = folder / "slide_42.png"
    swept = points(taxis, with_ends(grid("1/100", "3", "1/100"), taxi_line()))
    with figure(target, 2) as (left, right):
        delay_panel(left, swept, r"$\mu_1$", top=11.5)
        share_panel(right, swept, r"$\mu_1$")
        left.legend()
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
