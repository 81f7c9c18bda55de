"""Bounds against a parameter: what is proved as a band, the simulation as points with intervals; readable in grey."""

from __future__ import annotations

import io
from fractions import Fraction
from typing import Any

from verify.files import Output
from verify.studies.bounds.moment import Moment
from verify.studies.bounds.pathwise import Pathwise
from verify.studies.bounds.series import Series

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
_BAND = "#0072B2"
_WORK: dict[str, Any] = {"color": "#009E73", "linewidth": 1.0, "linestyle": (0, (4, 2)), "label": "by work, at least"}
_LINEAR: dict[str, Any] = {
    "color": "#D55E00",
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "label": "by a linear V, at most",
}
_RUNS: dict[str, Any] = {
    "color": "0.1", "fmt": "o", "markersize": 2.5, "capsize": 2.0, "elinewidth": 0.9, "label": "simulated",
}  # fmt: skip
#: Where the largest number is so many times the least one, the axis is logarithmic.
_WIDE = 12


def plot(series: Series, output: Output) -> None:
    """Write the figure; the file is there whole, or as it was.  Raises ``InputError``: a file that cannot be written."""
    import matplotlib

    matplotlib.use("Agg")
    page = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.2, 3.6), layout="constrained")
        draw(axes, series)
        figure.savefig(page, format=output.suffix.removeprefix("."), dpi=200)
        pyplot.close(figure)
    output.save(page.getvalue())


def draw(axes: Any, series: Series) -> None:
    """All curves on these axes, with a legend."""
    values = [float(value) for value, _ in series.points]
    lower = _floats(found.lower for _, found in series.points)
    upper = _floats(found.upper for _, found in series.points)
    axes.fill_between(values, lower, upper, color=_BAND, alpha=0.15, linewidth=0)
    for numbers, label in ((upper, "proved bounds"), (lower, "_")):
        if _any(numbers):
            axes.plot(values, numbers, color=_BAND, label=label)
    beside = (
        (_floats(_value(found.moment) for _, found in series.points), _LINEAR),
        (_floats(_value(found.pathwise) for _, found in series.points), _WORK),
    )
    for numbers, style in beside:
        if _any(numbers):
            axes.plot(values, numbers, **style)
    runs = [(value, found.simulated) for value, (_, found) in zip(values, series.points, strict=True)]
    seen = [(value, one) for value, one in runs if one is not None]
    if seen:
        axes.errorbar(
            [value for value, _ in seen], [one.mean for _, one in seen], [one.half_width for _, one in seen], **_RUNS
        )
    shown = [n for numbers in (lower, upper, *(numbers for numbers, _ in beside)) for n in numbers if n == n]
    shown += [one.mean for _, one in seen]
    if shown and min(shown) > 0 and max(shown) > _WIDE * min(shown):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda number, _: f"{number:g}")
    axes.set_xlabel(series.name)
    axes.set_ylabel(f"mean of {series.words}")
    axes.set_title(series.title, fontsize=9)
    axes.legend()


def _value(one: Pathwise | Moment | str) -> Fraction | None:
    return None if isinstance(one, str) else one.value


def _floats(numbers: Any) -> list[float]:
    """Curves are broken where there is no number."""
    return [float("nan") if number is None else float(number) for number in numbers]


def _any(numbers: list[float]) -> bool:
    return any(number == number for number in numbers)
