"""Plots of equilibria against a parameter: delays above, share of queue 1 below; readable in black and white."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from proofs.equilibria.downs_thomson.model import Equilibrium
from proofs.equilibria.sweep import SweepPoint, sweep
from verify.files import Output
from verify.network.grid import Grid

#: What a plot may be.
SUFFIXES = (".svg", ".png", ".pdf")

_STYLE: Any = {
    "font.family": "serif",
    "mathtext.fontset": "cm",
    "font.size": 9,
    "axes.linewidth": 0.7,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.top": True,
    "ytick.right": True,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
}
#: line style by (kind, stable): colours that differ in print as well
_LINES: dict[tuple[str, bool | None], dict[str, Any]] = {
    ("mixed", True): {"color": "#b2182b", "linestyle": "-", "label": "mixed, stable"},
    ("mixed", False): {"color": "#b2182b", "linestyle": (0, (4, 2)), "label": "mixed, unstable"},
    ("mixed", None): {"color": "#b2182b", "linestyle": "none", "marker": "x", "label": "mixed, degenerate"},
    ("corner", True): {"color": "#6baed6", "linewidth": 2.4, "linestyle": "-", "label": "corner, stable"},
    ("corner", False): {"color": "#6baed6", "linestyle": (0, (4, 2)), "label": "corner, unstable"},
    ("corner", None): {"color": "#6baed6", "linestyle": "none", "marker": "x", "label": "corner, degenerate"},
}
_SOCIAL: dict[str, Any] = {"color": "0.1", "linestyle": (0, (1, 1.5)), "label": "social optimum"}


@dataclass(frozen=True)
class Branch:
    """Consecutive equilibria of one kind: the parameter, the delay and the share of queue 1 as floats."""

    kind: str
    stable: bool | None
    values: list[float]
    delays: list[float]
    shares: list[float]


def branches(points: Sequence[SweepPoint]) -> list[Branch]:
    """The equilibria joined along the grid where used queues, kind, stability and rank among its likes agree."""
    found: list[Branch] = []
    open_: dict[tuple[object, ...], Branch] = {}
    for point in points:
        still: dict[tuple[object, ...], Branch] = {}
        for equilibrium in point.equilibria:
            key = _key(equilibrium)
            rank = sum(other[:-1] == key for other in still)
            branch = open_.get((*key, rank))
            if branch is None:
                branch = Branch(equilibrium.kind, equilibrium.stable, [], [], [])
                found.append(branch)
            still[(*key, rank)] = branch
            branch.values.append(float(point.value))
            branch.delays.append(float(equilibrium.delay))
            branch.shares.append(float(equilibrium.shares[0]))
        open_ = still
    return found


def _key(equilibrium: Equilibrium) -> tuple[object, ...]:
    used = tuple(share.sign() > 0 for share in equilibrium.shares)
    return (used, equilibrium.stable)


def draw_delays(axes: Any, points: Sequence[SweepPoint], social: bool = True) -> None:
    """The common delay of the used queues at every equilibrium, and the mean delay of the social optimum."""
    _draw(axes, points, "delays")
    if social:
        best = [(float(p.value), float(p.social.value)) for p in points if p.social is not None]
        axes.plot([x for x, _ in best], [y for _, y in best], **_SOCIAL)


def draw_shares(axes: Any, points: Sequence[SweepPoint], social: bool = True) -> None:
    """The share of queue 1 at every equilibrium and at the social optimum."""
    _draw(axes, points, "shares")
    if social:
        best = [(float(p.value), float(p.social.shares[0])) for p in points if p.social is not None]
        axes.plot([x for x, _ in best], [y for _, y in best], **_SOCIAL)
    axes.set_ylim(-0.04, 1.04)


def _draw(axes: Any, points: Sequence[SweepPoint], what: str) -> None:
    used: set[tuple[str, bool | None]] = set()
    for branch in branches(points):
        style = dict(_LINES[(branch.kind, branch.stable)])
        if (branch.kind, branch.stable) in used:
            style["label"] = "_"
        used.add((branch.kind, branch.stable))
        if len(branch.values) == 1:
            style |= {"marker": ".", "markersize": 4}
        axes.plot(branch.values, getattr(branch, what), **style)


def style() -> Any:
    """The look of all plots, as a context: ``with style(): ...``."""
    import matplotlib

    matplotlib.use("Agg")
    return matplotlib.rc_context(_STYLE)


def plot_points(points: Sequence[SweepPoint], name: str, target: Output | str | Path, title: str = "") -> None:
    """Writes the figure: delays above, shares of queue 1 below.  The format is that of the file's name.

    The file is there whole, or as it was.  Raises ``InputError``: another suffix, or a file that cannot be written.
    """
    output = target if isinstance(target, Output) else Output("--plot", str(target), suffixes=SUFFIXES)
    output.check()
    page = io.BytesIO()
    with style():
        from matplotlib import pyplot

        figure, (top, bottom) = pyplot.subplots(
            2, 1, sharex=True, figsize=(5.2, 5.0), height_ratios=(3, 2), layout="constrained"
        )
        draw_delays(top, points)
        draw_shares(bottom, points)
        top.set_ylabel("mean transit time")
        bottom.set_ylabel("share of queue 1")
        bottom.set_xlabel(name)
        top.set_title(title, fontsize=9)
        top.legend()
        figure.savefig(page, format=output.suffix.removeprefix("."), dpi=200)
        pyplot.close(figure)
    output.save(page.getvalue())


def plot(
    path: str | Path, grid: Grid, target: Output | str | Path, settings: dict[str, str] | None = None
) -> list[SweepPoint]:
    """``queueproof equilibria FILE --sweep ... --plot TARGET``: sweeps, draws, and returns the points."""
    output = target if isinstance(target, Output) else Output("--plot", str(target), (path,), SUFFIXES)
    output.check()
    points = sweep(path, grid, settings)
    plot_points(points, grid.name, output, points[0].model.title)
    return points


def steps(points: Sequence[SweepPoint]) -> list[Fraction]:
    """The values of the grid at which the number or kind of the equilibria differs from the value before."""
    kinds = [[(e.kind, e.stable) for e in point.equilibria] for point in points]
    return [points[k].value for k in range(1, len(points)) if kinds[k] != kinds[k - 1]]
