"""Slide 43: equilibrium transit times against c^2, one server, mu1 = 0.8, 1.1, 1.5.

Exact: claims ``downs-thomson.paradox-scv`` (a theorem) and ``downs-thomson.slide-43`` (where).
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.standard import scv_line, taxis

RATES = {"0.8": "20", "1.1": "10", "1.5": "20"}


def compare() -> list[Row]:
    """Where the paradox in c^2 begins, beside the values of claim ``downs-thomson.slide-43``."""
    starts = {"0.8": "0", "1.1": "61/50", "1.5": "493/121 + 60*sqrt(82)/121"}
    rows = []
    for rate, expected in starts.items():
        own = [s for s in stretches(scv_line(Fraction(rate))) if ("mixed", True) in s.kinds]
        rows.append((f"mu1 = {rate}: stable mixed for c^2 above", expected, str(own[0].start)))
    return rows


def draw(folder: Path) -> Path:
    """One panel for each mu1: on the mixed branch the transit time falls with c^2."""
    target = folder / "slide_43.png"
    with figure(target, 3, width=2.9) as panels:
        for axes, (rate, stop) in zip(panels, RATES.items(), strict=True):
            swept = points(
                partial(taxis, Fraction(rate), 1),
                with_ends(grid("0", stop, "3/20"), scv_line(Fraction(rate))),
            )
            delay_panel(axes, swept, "$c_S^2$", rf"$\mu_1 = {rate}$")
        handles, labels = panels[2].get_legend_handles_labels()
        panels[1].legend(handles, labels, loc="upper right")
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
