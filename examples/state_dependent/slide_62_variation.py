"""Slides 62 and 68: W against c² with two servers, μ1 = 0.8 and 2.4: selfish policy (jumps down), heuristics (no fall).

Coxian-2, balanced means.  Policies are decided in balls or rationals; W in floats.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.heuristic import heuristic_policy
from proofs.equilibria.state_dependent.service import balanced
from proofs.equilibria.state_dependent.standard import coxian, selfish_in_balls
from proofs.equilibria.state_dependent.sweep import falling, grid, sweep


def main() -> None:
    """Draw, and print the falls and how many happen without a change of policy."""
    figure, axes = panels(2, 2, "Two servers, W against c² (slides 62 and 68); λ=1, λ1=0, λ2=1/10, μ2=1, N=3")
    fine, coarse = grid("0.5", "0.1", "10"), grid("0.5", "0.5", "10")
    for column, rate in enumerate((Fraction(4, 5), Fraction(12, 5))):
        model, above, below = coxian(rate, 2, balanced), axes[column], axes[column + 2]
        selfish = sweep(tracked(fine, f"selfish, μ1={rate}"), model, selfish_in_balls, Arithmetic.FLOAT)
        curve(above, fine, [p.transit_time for p in selfish], 0, "selfish")
        falls = falling(selfish)
        print(f"μ1={rate}, selfish: {len(falls)} falls, {sum(not s.changes_policy for s in falls)} without a change of policy, "
              f"largest {min((float(s.rise) for s in falls), default=0.0):.4f}")  # fmt: skip
        for number, weight in enumerate((Fraction(0), Fraction(1)), start=1):
            points = sweep(coarse, model, partial(heuristic_policy, weight=weight), Arithmetic.FLOAT)
            curve(below, coarse, [p.transit_time for p in points], number, f"heuristic, w1 = {weight}")
            print(f"μ1={rate}, heuristic w1={weight}: {len(falling(points))} falls")
        for axis in (above, below):
            labelled(axis, f"μ1 = {float(rate)}", "c², squared coefficient of variation")
    save(figure, __file__)


if __name__ == "__main__":
    main()
