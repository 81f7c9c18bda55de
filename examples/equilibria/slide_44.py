"""Slide 44: equilibrium transit times against mu1 for one to five servers (M/M/c).

Exact: claims ``downs-thomson.slide-44-servers``, ``-interval`` (holds) and ``-size`` (refuted).
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from equilibria_figures import Row, delay_panel, figure, grid, main, points, with_ends

from proofs.equilibria.downs_thomson.cells import stretches
from proofs.equilibria.downs_thomson.standard import taxi_line, taxis


def compare() -> list[Row]:
    """The stable mixed equilibria."""
    expected = {1: "(0.5238095, 1.0909091)", 2: "(0.4903267, 0.5475164)", 3: "none", 4: "none", 5: "none"}
    rows = []
    for servers, text in expected.items():
        own = [s for s in stretches(taxi_line(servers)) if ("mixed", True) in s.kinds]
        found = f"({float(own[0].start):.7f}, {float(own[-1].end or 0):.7f})" if own else "none"
        rows.append((f"c = {servers}: stable mixed for mu1 in", text, found))
    return rows


def draw(folder: Path) -> Path:
    """One panel for each number of servers."""
    target = folder / "slide_44.png"
    with figure(target, 4, width=2.6, sharey=True) as panels:
        for axes, servers in zip(panels, (1, 2, 3, 5), strict=True):
            step = "1/100" if servers == 1 else "1/200"
            stop = "2" if servers == 1 else "1"
            swept = points(partial(taxis, servers=servers), with_ends(grid(step, stop, step), taxi_line(servers)))
            delay_panel(axes, swept, r"$\mu_1$", f"$c = {servers}$", top=11.5)
            axes.label_outer()
        handles, labels = panels[1].get_legend_handles_labels()
        panels[3].legend(handles, labels, loc="upper right")
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
