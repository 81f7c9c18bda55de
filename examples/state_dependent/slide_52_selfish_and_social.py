"""Slides 51-52: W of the selfish and of the socially optimal policy against μ1, for 1, 2, 3 and 5 servers (exponential service).

Policies and W of the selfish curve are exact; the social policy is found by value iteration (float), its W is exact.
Run: python examples/state_dependent/slide_52_selfish_and_social.py [folder]
"""

from __future__ import annotations

from functools import partial

from proofs.claims.state_dependent.known import UPWARD_STEPS
from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.standard import RATES
from proofs.equilibria.state_dependent.sweep import rising, social_sweep, sweep


def main() -> None:
    """Draw, and print what the slides claim: fewer jumps for more servers; no rise of the social optimum."""
    figure, axes = panels(2, 2, "λ=1, λ1=0, λ2=1/10, μ2=1, N=3: selfish and social routing (slides 51–52)")
    for axis, servers in zip(axes, (1, 2, 3, 5), strict=True):
        selfish = sweep(tracked(RATES, f"selfish, c={servers}"), partial(Parallel.standard, servers=servers))
        social = social_sweep(tracked(RATES, f"social, c={servers}"), partial(Parallel.standard, servers=servers), 20)
        curve(axis, RATES, [p.transit_time for p in selfish], 0, "selfish")
        curve(axis, RATES, [p.transit_time for p in social], 1, "social optimum (at most 20 in queue 1)")
        axis.set_ylim(0, 2.6)
        labelled(axis, f"{servers} server{'s' if servers > 1 else ''}", "μ1")
        up = rising(selfish)
        print(f"c={servers}: {len(up)} upward steps (known: {UPWARD_STEPS[servers - 1]}), "
              f"all with a change of policy: {all(step.changes_policy for step in up)}; "
              f"upward steps of the social optimum: {len(rising(social))}")  # fmt: skip
    save(figure, __file__)


if __name__ == "__main__":
    main()
