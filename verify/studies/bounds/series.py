"""Bounds along a grid of one parameter (``queueproof bounds FILE --over NAME=START:STOP:STEP``)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.errors import InputError
from verify.network.grid import Grid, blamed, setting_at
from verify.policies.instance import Instance
from verify.rational import text
from verify.studies import tables
from verify.studies.bounds.bounds import RUNS, Bounds, bounds
from verify.studies.bounds.decimals import down, up
from verify.studies.bounds.moment import Moment
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise
from verify.studies.bounds.render import WIDTH, as_json
from verify.studies.simulation.render import run_words
from verify.studies.simulation.simulate import Plan, Simulation
from verify.studies.tables import Column, Format, csv_text, json_text, markdown_row, page, rendered

_CSV = (
    "lower", "upper", "by_work", "by_linear_v", "simulated", "simulated_low", "simulated_high", "verdict",
    "reason",
)  # fmt: skip


@dataclass(frozen=True)
class Series:
    """The bounds at each value of the parameter ``name``."""

    name: str
    points: tuple[tuple[Fraction, Bounds], ...]

    @property
    def title(self) -> str:
        """Of the network."""
        return self.points[0][1].instance.title

    @property
    def words(self) -> str:
        """What is bounded."""
        return self.points[0][1].objective.words


def bounds_over(
    read: Callable[[Mapping[str, str]], Instance],
    grid: Grid,
    settings: Mapping[str, str],
    of: str = "total",
    plan: Plan | None = RUNS,
    seconds: float | None = None,
    effort: int | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Series:
    """The bounds at every value of the grid.

    Parameters: ``read`` makes an instance of settings; ``of`` as for :func:`objective`; the others as for :func:`bounds`.
    Raises ``InputError``.
    """
    found = []
    for value in grid.values:
        fixed = setting_at(grid, value, settings, "--over")
        try:
            instance = read(fixed)
        except InputError as error:
            raise blamed(error, grid, "--over") from error
        report(f"{grid.name} = {value}")
        found.append((value, bounds(instance, objective(instance, of), plan, seconds, effort, report=report)))
    return Series(grid.name, tuple(found))


def render(series: Series, format: Format | str = Format.TABLE) -> str:
    """The series as text that ends in a newline: "table", "csv", "markdown" or "json"."""
    ways = {Format.TABLE: _table, Format.CSV: _csv, Format.MARKDOWN: _markdown, Format.JSON: _json}
    return rendered(series, format, ways)


# Table and Markdown --------------------------------------------------------------------------------------


def _heads(series: Series) -> tuple[str, ...]:
    return (
        series.name,
        "at least",
        "at most",
        "by work",
        "by a linear V",
        "simulated",
        "at most / simulated",
    )


def _cells(value: Fraction, found: Bounds) -> tuple[str, ...]:
    """One row for people; where nothing is proved, a short word instead."""
    simulated = found.simulated
    lower = found.verdict.value if found.proof is None else _shown(found.lower, down)
    multiple = ""
    if found.upper is not None and simulated is not None and simulated.mean > 0:
        multiple = f"{float(found.upper) / simulated.mean:.3g}"
    return (
        str(value),
        lower if found.proof is not None or found.verdict.value != "stable" else "no bound",
        _shown(found.upper, up),
        down(found.pathwise.value) if isinstance(found.pathwise, Pathwise) else "",
        up(found.moment.value) if isinstance(found.moment, Moment) else "",
        "" if simulated is None else f"{simulated.mean:.4g} ± {simulated.half_width:.2g}",
        multiple,
    )


def _shown(value: Fraction | None, way: Callable[[Fraction], str]) -> str:
    return "" if value is None else way(value)


def _table(series: Series) -> str:
    columns = [Column(head, number=True) for head in _heads(series)]
    grid = tables.Grid(columns, [_cells(*point) for point in series.points])
    heading = [series.title] if series.title else []
    return page([*heading, f"the mean of {series.words} in the stationary law", "", grid, "", *_footer(series)], WIDTH)


def _footer(series: Series) -> Iterator[str]:
    """Where nothing is proved, why; and what was simulated."""
    for reason, group in itertools.groupby(series.points, lambda point: point[1].reason):
        if reason:
            yield f"{series.name} = {', '.join(str(value) for value, _ in group)}: no bound: {reason}"
    runs = [found.simulation for _, found in series.points if isinstance(found.simulation, Simulation)]
    if runs:
        yield f"simulated (evidence, no bound) with {runs[0].plan.confidence:.4g} confidence; {run_words(runs[0])}"


def _markdown(series: Series) -> str:
    heads = _heads(series)
    lines = [markdown_row(heads), "|--:" * len(heads) + "|"]
    return "\n".join([*lines, *(markdown_row(_cells(*point)) for point in series.points)]) + "\n"


# CSV and JSON ----------------------------------------------------------------------------------------------


def _csv(series: Series) -> str:
    return csv_text((series.name, *_CSV), (_line(*point) for point in series.points))


def _line(value: Fraction, found: Bounds) -> list[Any]:
    pathwise = found.pathwise.value if isinstance(found.pathwise, Pathwise) else None
    moment = found.moment.value if isinstance(found.moment, Moment) else None
    exact = [value, found.lower, found.upper, pathwise, moment]
    simulated = found.simulated
    floats = ["", "", ""] if simulated is None else [simulated.mean, simulated.low, simulated.high]
    return [*("" if one is None else text(one) for one in exact), *floats, found.verdict.value, found.reason]


def _json(series: Series) -> str:
    points = [{"value": text(value), **as_json(found)} for value, found in series.points]
    return json_text({"parameter": series.name, "points": points})
