"""Slide 45: transit time against the number of servers at mu1 = 0.55.

Exact: claim ``downs-thomson.slide-45``: it rises from one to two servers and falls from two to three.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from equilibria_figures import Row, figure, main

from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import taxis

RATE = Fraction(11, 20)


def compare() -> list[Row]:
    """p* for one and two servers as the slide prints it, and the transit times."""
    rows = []
    shares, delays = {1: "0.034", 2: "1.000"}, {1: "1.9381", 2: "10.4762", 3: "2.3759"}
    for servers, delay in delays.items():
        (only,) = solve(taxis(RATE, servers)).equilibria
        if servers in shares:
            rows.append((f"c = {servers}: p* (slide 45)", shares[servers], f"{float(only.shares[0]):.3f}"))
        rows.append((f"c = {servers}: W", delay, f"{float(only.delay):.4f}"))
    return rows


def draw(folder: Path) -> Path:
    """The only equilibrium for one to eight servers."""
    target = folder / "slide_45.png"
    counts = list(range(1, 9))
    found = [solve(taxis(RATE, servers)).equilibria for servers in counts]
    with figure(target, 1, width=4.2) as axes:
        axes.plot(counts, [float(e[0].delay) for e in found], marker="o", markersize=4, color="#b2182b")
        for servers, (only,) in zip(counts, found, strict=True):
            axes.annotate(f"$p^* = {float(only.shares[0]):.3g}$", (servers, float(only.delay)), fontsize=7,
                          xytext=(4, 5), textcoords="offset points")  # fmt: skip
        axes.set_xlabel("number of servers $c$")
        axes.set_ylabel("mean transit time")
        axes.set_xlim(0.7, 8.9)
        axes.set_ylim(0, 12)
        axes.set_title(r"$\mu_1 = 0.55$", fontsize=9)
    return target


if __name__ == "__main__":
    sys.exit(main(__doc__, compare, draw))
