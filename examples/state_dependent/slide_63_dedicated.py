"""Slide 63: dedicated customers of queue 1.  The slide prints no parameters; here λ1 = 3/10, one server, else as before.

W is the middle of the proved bracket (``proofs/equilibria/state_dependent/tail.py``), whose width is printed.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from proofs.equilibria.figures import curve, labelled, panels, save
from proofs.equilibria.progress import tracked
from proofs.equilibria.state_dependent.model import Parallel
from proofs.equilibria.state_dependent.selfish import selfish_policy
from proofs.equilibria.state_dependent.service import exponential
from proofs.equilibria.state_dependent.sweep import grid
from proofs.equilibria.state_dependent.tail import transit_time_bracket


def main() -> None:
    """Draw, and print the widest bracket and the number of upward steps that the brackets prove."""
    rates = grid("0.5", "0.05", "3")
    one = Fraction(1)
    brackets = []
    for rate in tracked(rates, "λ1 = 3/10"):
        model = Parallel(one, Fraction(3, 10), Fraction(1, 10), exponential(rate), 1, 3, one)
        brackets.append(transit_time_bracket(model, selfish_policy(model).policy))
    figure, (axis,) = panels(1, 1, "λ=1, λ1=3/10, λ2=1/10, μ2=1, N=3, one server: selfish routing (slide 63)", 6.5, 3.6)
    curve(axis, rates, [(b.low + b.high) / 2 for b in brackets], 0, "selfish")
    labelled(axis, "with dedicated customers in queue 1", "μ1")
    up = sum(before.high < after.low for before, after in pairwise(brackets))
    print(
        f"widest bracket {float(max(b.high - b.low for b in brackets)):.1e}; proved upward steps: {up} of {len(rates) - 1}"
    )
    save(figure, __file__)


if __name__ == "__main__":
    main()
