"""Slides 66-67: W of the selfish policy and of two heuristics (w1 = 1, w1 = 0) against μ1; 1, 2, 3 servers, c² = 1/2, 1, 2.

Coxian-2, balanced means.  Policies exact; W in floats.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.heuristic import heuristic_policy
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.service import balanced
from proofs.equilibria.state_dependent.standard import selfish_in_balls
from proofs.equilibria.state_dependent.sweep import grid, sweep


def at_rate(servers: int, variation: Fraction, rate: Fraction) -> Parallel:
    """The slides' example with Coxian-2 service of this c²."""
    return Parallel.standard(rate, servers, balanced(1 / rate, variation))


def main() -> None:
    """Draw, and print the largest W of each curve: the heuristics are "dramatic" for w1 = 1 (slide 69)."""
    figure, axes = panels(3, 3, "Selfish policy and heuristics (slides 66–67); λ=1, λ1=0, λ2=1/10, μ2=1, N=3", 10, 2.7)
    rates = grid("0.06", "0.06", "3")
    cases = [(servers, variation) for servers in (1, 2, 3) for variation in (Fraction(1, 2), Fraction(1), Fraction(2))]
    for axis, (servers, variation) in zip(axes, tracked(cases, "heuristics"), strict=True):
        largest = []
        for number, (name, policy) in enumerate((("selfish", selfish_in_balls),
                                                 ("w1 = 1", lambda m: heuristic_policy(m, Fraction(1))),
                                                 ("w1 = 0", lambda m: heuristic_policy(m, Fraction(0))))):  # fmt: skip
            points = sweep(rates, partial(at_rate, servers, variation),
                           policy, Arithmetic.FLOAT)  # fmt: skip
            curve(axis, rates, [p.transit_time for p in points], number, name)
            largest.append(f"{name} {max(float(p.transit_time) for p in points):.2f}")
        print(f"c={servers}, c²={variation}: largest W: " + ", ".join(largest))
        axis.set_ylim(0, 11.5)
        labelled(axis, f"c = {servers}, c² = {variation}", "μ1", "W")
    save(figure, __file__)


if __name__ == "__main__":
    main()
