"""Slide 82: the mean delay of the tagged customer against simulation, also for μ < λ < 2μ (μ = 1, ν = 7/10, server busy, j = 0).

Left: λ < 3μ/2, where 95 % confidence intervals are valid.  Right: beyond, where the variance is infinite: the delay stopped at a
level, exact and simulated; levels 40 to 10 000 show how slowly the limit is reached near 2μ, and that there is none above.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs.equilibria.figures import COLOURS, curve, labelled, panels, save
from proofs.equilibria.retrial.simulate import simulate_delay
from proofs.equilibria.retrial.truncation import stopped_delay
from proofs.equilibria.retrial.waiting import BUSY, Rates, mean_delay

_LEVELS = (40, 400, 10_000)


def _rates(arrival: Fraction) -> Rates:
    return Rates.classical(arrival, Fraction(1), Fraction(7, 10))


def _floats(arrival: float) -> Rates:
    return Rates.classical(arrival, 1.0, 0.7)


def main() -> None:
    """Draw, and print formula and intervals."""
    figure, (left, right) = panels(1, 2, "Mean delay of a tagged customer, y(1,0); μ=1, ν=7/10 (slides 79–82)")
    valid = [Fraction(n, 10) for n in range(2, 15, 2)] + [Fraction(13, 10)]
    curve(
        left,
        fine := [n / 100 for n in range(10, 150)],
        [mean_delay(BUSY, 0, _floats(x)) for x in fine],
        0,
        "theorem, (12)",
    )
    _simulated(left, sorted(valid), None)
    labelled(left, "λ < 3μ/2: 95 % intervals of 100 000 runs", "λ", "mean delay")
    beyond = [n / 100 for n in range(140, 246) if n != 200]
    below = [x for x in beyond if x < 1.96]
    curve(right, below, [mean_delay(BUSY, 0, _floats(x)) for x in below], 0, "theorem, (12); infinite from 2μ on")
    for number, level in enumerate(_LEVELS, start=1):
        curve(
            right,
            beyond,
            [stopped_delay(BUSY, 0, level, _floats(x)) for x in beyond],
            number,
            f"stopped at {level:,}, exact",
        )
    _simulated(right, [Fraction(n, 10) for n in (16, 18, 19, 22, 24)], 40)
    right.set_yscale("log")
    right.set_ylim(0.7, 400)
    labelled(right, "λ > 3μ/2: only the stopped delay is simulated", "λ", "mean delay (log scale)")
    right.legend(loc="lower left", fontsize=8, frameon=False)
    save(figure, __file__)


def _simulated(axis: Any, arrivals: Sequence[Fraction], level: int | None) -> None:
    estimates = [simulate_delay(BUSY, 0, _rates(x), 100_000, seed=2014, level=level) for x in arrivals]
    name = "simulated" if level is None else f"stopped at {level}, simulated"
    axis.errorbar([float(x) for x in arrivals], [e.mean for e in estimates], [e.half_width for e in estimates],
                  fmt="o", markersize=3, capsize=3, color=COLOURS[2], label=name)  # fmt: skip
    for x, e in zip(arrivals, estimates, strict=True):
        exact = mean_delay(BUSY, 0, _rates(x)) if level is None else stopped_delay(BUSY, 0, level, _rates(x))
        print(
            f"λ={x}, level {level}: {e.mean:.4f} ± {e.half_width:.4f}, exact {float(exact):.4f}, covered: {e.covers(exact)}"
        )


if __name__ == "__main__":
    main()
