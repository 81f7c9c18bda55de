"""What the figure scripts share: the command line, the printed comparison, one panel of equilibria.

Every script has ``compare()``, rows (what, expected, computed), the expected values from the slides where they print one
(the row says which slide) and from the claims otherwise, and ``draw(folder)``, which writes
one PNG and returns its path.  ``python examples/equilibria/slide_42.py --out DIR`` prints the rows and draws.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from proofs.equilibria.downs_thomson.cells import Line, stretches
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.plot import draw_delays, draw_shares, style
from proofs.equilibria.sweep import SweepPoint, sweep_models

Row = tuple[str, str, str]


def grid(start: str, stop: str, step: str) -> list[Fraction]:
    """start, start + step, ..., stop, exact."""
    first, last, by = Fraction(start), Fraction(stop), Fraction(step)
    return [first + k * by for k in range((last - first) // by + 1)]


def with_ends(values: list[Fraction], line: Line) -> list[Fraction]:
    """The values, and a few just beside every end of a stretch, so that curves reach their ends."""
    near = set(values)
    for stretch in stretches(line)[1:]:
        end = Fraction(float(stretch.start))
        near |= {end + sign * Fraction(1, 10**k) for k in (3, 4, 6) for sign in (-1, 1)}
    return sorted(value for value in near if values[0] <= value <= values[-1])


def points(model_at: Callable[[Fraction], Model], values: Sequence[Fraction]) -> list[SweepPoint]:
    """The equilibria and the social optimum along the values."""
    return sweep_models(model_at, values)


@contextmanager
def figure(target: Path, columns: int, width: float = 3.4, height: float = 2.7, **options: Any) -> Iterator[Any]:
    """``columns`` panels side by side in the look of all plots, written to ``target``."""
    with style():
        from matplotlib import pyplot

        own, axes = pyplot.subplots(1, columns, figsize=(width * columns, height), layout="constrained", **options)
        yield axes
        own.savefig(target, dpi=200)
        pyplot.close(own)


def delay_panel(axes: Any, swept: Sequence[SweepPoint], label: str, title: str = "", top: float | None = None) -> None:
    """Mean transit time at the equilibria and at the social optimum."""
    draw_delays(axes, swept)
    axes.set_xlabel(label)
    axes.set_ylabel("mean transit time")
    axes.set_title(title, fontsize=9)
    axes.set_ylim(0, top)


def share_panel(axes: Any, swept: Sequence[SweepPoint], label: str, title: str = "") -> None:
    """Share of queue 1 at the equilibria and at the social optimum."""
    draw_shares(axes, swept)
    axes.set_xlabel(label)
    axes.set_ylabel("share of queue 1, $p$")
    axes.set_title(title, fontsize=9)


def main(doc: str | None, compare: Callable[[], list[Row]], draw: Callable[[Path], Path]) -> int:
    """Prints expected beside computed values, draws, and returns 1 if a value differs."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for the figure")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    rows = compare()
    for what, expected, computed in rows:
        print(f"{what}: expected {expected}, computed {computed}: {'same' if expected == computed else 'DIFFERENT'}")
    print(f"wrote {draw(folder)}")
    return int(any(expected != computed for _, expected, computed in rows))
