"""Slides 59-60: W of the selfish policy against μ1 for 1, 2, 3, 4 servers and c² = 1/2, 1, 2 (Coxian-2 service, gamma fit).

Policies are decided in balls (rigorous); W in floats.  For c² = 2 the fit's r is irrational and cut after 15 digits.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.service import gamma
from proofs.equilibria.state_dependent.standard import selfish_in_balls
from proofs.equilibria.state_dependent.sweep import grid, steps, sweep


def at_rate(servers: int, variation: Fraction, rate: Fraction) -> Parallel:
    """The slides' example with Coxian-2 service of this c²."""
    return Parallel.standard(rate, servers, gamma(1 / rate, variation))


def main() -> None:
    """Draw, and print how many upward steps (by more than 1e-9) each curve has."""
    figure, axes = panels(2, 2, "λ=1, λ1=0, λ2=1/10, μ2=1, N=3: selfish routing, Coxian-2 service (slide 60)")
    rates = grid("0.04", "0.04", "3")
    for axis, servers in zip(axes, (1, 2, 3, 4), strict=True):
        for number, variation in enumerate((Fraction(1, 2), Fraction(1), Fraction(2))):
            points = sweep(tracked(rates, f"c={servers}, c²={variation}"),
                           partial(at_rate, servers, variation),
                           selfish_in_balls, Arithmetic.FLOAT)  # fmt: skip
            curve(axis, rates, [p.transit_time for p in points], number, f"c² = {variation}")
            up = [step for step in steps(points) if step.rise > 1e-9]
            print(f"c={servers}, c²={variation}: {len(up)} upward steps of {len(points) - 1}, "
                  f"all with a change of policy: {all(step.changes_policy for step in up)}")  # fmt: skip
        axis.set_ylim(0, 2.6)
        labelled(axis, f"{servers} server{'s' if servers > 1 else ''}", "μ1")
    save(figure, __file__)


if __name__ == "__main__":
    main()
