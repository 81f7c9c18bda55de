"""Slide 61: W of the social optimum against μ1 for 1 and 2 servers and c² = 1/2, 1, 2 (Coxian-2, balanced means, phases seen).

Policies by value iteration (float), W in floats; at most 20 customers in queue 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.service import balanced
from proofs.equilibria.state_dependent.social import evaluate, value_iteration
from proofs.equilibria.state_dependent.sweep import grid


def main() -> None:
    """Draw, and print the largest rise between neighbouring points: none."""
    figure, axes = panels(1, 2, "λ=1, λ1=0, λ2=1/10, μ2=1, N=3: social optimum, Coxian-2 service (slide 61)")
    rates = grid("0.05", "0.05", "3")
    for axis, servers in zip(axes, (1, 2), strict=True):
        for number, variation in enumerate((Fraction(1, 2), Fraction(1), Fraction(2))):
            times = []
            for rate in tracked(rates, f"c={servers}, c²={variation}"):
                model = Parallel.standard(rate, servers, balanced(1 / rate, variation))
                policy, _ = value_iteration(model, 20, width=1e-7)
                times.append(float(evaluate(model, policy, Arithmetic.FLOAT)))
            curve(axis, rates, times, number, f"c² = {variation}")
            rise = max(after - before for before, after in pairwise(times))
            print(f"c={servers}, c²={variation}: largest rise {rise:.1e}")
        axis.set_ylim(0, 2.2)
        labelled(axis, f"{servers} server{'s' if servers > 1 else ''}", "μ1")
    save(figure, __file__)


if __name__ == "__main__":
    main()
