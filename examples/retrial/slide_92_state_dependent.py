"""Slides 88-92: selfish routing next to the retrial queue against μ1: W, the fraction in queue 1, the kind of equilibrium.

λ=1, λ1=1/2, λ2=1/10, μ2=1, ν=2, N=7.  Floats, orbit cut at 60 and closed with slope 1/(2μ1-λ1).  Where best responses cycle, a
randomised equilibrium is shown (crosses) if Krawczyk's test encloses one, never the last iterate; else nothing is drawn.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from proofs.equilibria.figures import COLOURS, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.retrial.equilibrium import Found, iterate, starts
from proofs.equilibria.retrial.krawczyk import enclose
from proofs.equilibria.retrial.performance import retrial_performance
from proofs.equilibria.retrial.randomised import randomised_equilibrium
from proofs.equilibria.retrial.routing import RetrialParallel

LIMIT = 60


def equilibrium(rate: Fraction) -> tuple[str, RetrialParallel, dict[tuple[int, int, int], float] | None]:
    """("pure" or "randomised" or "none found", the model, the policy as probabilities)."""
    model = RetrialParallel.standard(rate)
    result = iterate(model, starts(model, LIMIT)[0], LIMIT)
    if result.found is Found.FIXED_POINT:
        return "pure", model, dict.fromkeys(result.policies[0], 1.0)
    found = randomised_equilibrium(model, result.policies, LIMIT) if result.found is Found.CYCLE else None
    if found is None or enclose(model, found) is None:  # a proposal without a proof is not shown
        return "none found", model, None
    return "randomised", model, found.choice()


def main() -> None:
    """Draw, and print the counts and the largest gap in Little's law."""
    rates = [Fraction(n, 20) for n in range(14, 61)]
    rows = []
    for rate in tracked(rates, "equilibria"):
        kind, model, choice = equilibrium(rate)
        rows.append((rate, kind, None if choice is None else retrial_performance(model, choice, LIMIT)))
    figure, axes = panels(
        1, 2, "Selfish routing next to a retrial queue (slides 88–92); λ=1, λ1=½, λ2=1/10, μ2=1, ν=2, N=7"
    )
    for kind, mark, colour in (("pure", "o", COLOURS[2]), ("randomised", "x", COLOURS[0])):
        shown = [(float(rate), result) for rate, k, result in rows if k == kind and result is not None]
        for axis, name in zip(axes, ("transit_time", "joining"), strict=True):
            axis.plot(
                [x for x, _ in shown],
                [getattr(r, name) for _, r in shown],
                mark,
                color=colour,
                markersize=4,
                label=kind,
            )
    labelled(axes[0], "mean transit time of general customers", "μ1")
    labelled(axes[1], "fraction that joins queue 1", "μ1", "fraction")
    results = [result for _, _, result in rows if result is not None]
    up = sum(after.transit_time > before.transit_time + 1e-9 for before, after in pairwise(results))
    print({kind: sum(k == kind for _, k, _ in rows) for kind in ("pure", "randomised", "none found")})
    print(f"largest gap in Little's law {max(float(r.little.gap) for r in results):.1e}; upward steps of W: {up}")
    save(figure, __file__)


if __name__ == "__main__":
    main()
