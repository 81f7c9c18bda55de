"""Slide 77: W against the number of servers: the paradox in c at μ1 = 0.36, none at 0.8, and the social optimum.  All exact."""

from __future__ import annotations

from fractions import Fraction

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.social import social_optimum
from proofs.equilibria.state_dependent.standard import selfish_time


def main() -> None:
    """Draw and print both rows."""
    figure, axes = panels(1, 2, "W against the number of servers (slide 77); λ=1, λ1=0, λ2=1/10, μ2=1, N=3")
    counts = list(range(1, 9))
    for axis, rate in zip(axes, (Fraction(9, 25), Fraction(4, 5)), strict=True):
        selfish = [selfish_time(rate, c) for c in counts]
        social = [social_optimum(Parallel.standard(rate, c), 20).transit_time for c in counts]
        curve(axis, counts, selfish, 0, "selfish")
        curve(axis, counts, social, 1, "social optimum")
        axis.set_ylim(0, 2.8)
        labelled(axis, f"μ1 = {float(rate)}", "c, servers")
        print(f"μ1={float(rate)}: selfish " + ", ".join(f"{float(w):.4f}" for w in selfish)
              + "; social " + ", ".join(f"{float(w):.4f}" for w in social))  # fmt: skip
    save(figure, __file__)


if __name__ == "__main__":
    main()
