"""A simulation as a table for terminals or as JSON (``queueproof simulate``); its label: evidence, never a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.conditions.words import policy_words
from verify.linear_form import LinearForm
from verify.policies.jumps import Rule
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.simulate import LABEL, Simulation
from verify.studies.tables import Column, Format, Grid, json_text, page, rendered

#: Width of a table that does not go to a terminal.
WIDTH = 120
_CHOICE = {
    Rule.FIRST: "the first listed",
    Rule.LAST: "the last listed",
    Rule.RANDOM: "at random, anew at every jump",
}


def render(simulation: Simulation, format: Format | str = Format.TABLE) -> str:
    """The simulation as text that ends in a newline.

    Parameters: ``format`` "table" or "json".

    >>> from verify.network_file.read import read_text
    >>> from verify.studies.simulation.simulate import Plan, chain_to_run, replicate
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> chain = chain_to_run(read_text(line, format="toml"))
    >>> print(render(replicate(chain, Plan(jumps=1000, replications=3))).splitlines()[0])
    simulation: evidence, never a verdict
    """
    return rendered(simulation, format, {Format.TABLE: _table, Format.JSON: _json})


# Words -------------------------------------------------------------------------------------------


def header(simulation: Simulation) -> Iterator[str]:
    """What was run, line by line."""
    yield LABEL
    instance = simulation.walk.instance
    if instance.title:
        yield instance.title
    yield f"policy: {policy_words(instance, uniform=True)}"
    yield run_words(simulation)


def run_words(simulation: Simulation) -> str:
    """Seed, length, start, warm-up and rule of the runs."""
    plan = simulation.plan
    length = f"{plan.jumps} jumps each" if plan.horizon is None else f"time {plan.horizon:g} each"
    start = ", ".join(f"{jobs} in {name}" for name, jobs in plan.start.items() if jobs) or "no job"
    return (
        f"runs: {plan.replications} of {length}, seed {plan.seed}, started with {start}, "
        f"means without the first {plan.warm_up:.0%}; free choices: {_CHOICE[plan.rule]}"
    )


def footer(simulation: Simulation) -> Iterator[str]:
    """Time spent empty, and what the growth says and does not say."""
    yield f"time with no job: {_percent(simulation.empty())}; most jobs at once: {_largest(simulation)}"
    yield f"intervals: {simulation.plan.confidence:.4g} confidence (Student); growth: jobs per unit of time between half and end"
    growth = total_growth(simulation)
    if growth.low > 0:
        yield "the number of jobs grew in these runs; a stable network may do so for long: only certify decides"
    else:
        yield "no growth is to be seen in these runs; an unstable network may look so for long: only certify decides"


def total_growth(simulation: Simulation) -> Estimate:
    """Growth of the number of jobs."""
    return simulation.growth(LinearForm.sum_of(range(len(simulation.names))))


def _largest(simulation: Simulation) -> int:
    return max(path.largest for path in simulation.paths)


def _percent(found: Estimate) -> str:
    return f"{found.mean:.2%} ± {found.half_width:.2%}"


def _rows(simulation: Simulation) -> Iterator[tuple[str, tuple[Estimate, Estimate]]]:
    """Every buffer with its mean number of jobs and its growth."""
    for k, name in enumerate(simulation.names):
        yield name, (simulation.jobs(k), simulation.growth(LinearForm.unit(k)))


# Table -------------------------------------------------------------------------------------------


def _table(simulation: Simulation) -> str:
    """Header, one row for each buffer, the total, footer."""
    columns = [Column("buffer", folds=True), *(Column(name, number=True) for name in ("mean jobs", "±", "growth", "±"))]
    total = ("total", (simulation.jobs(), total_growth(simulation)))
    rows = [
        (name, *(f"{value:.4g}" for one in pair for value in (one.mean, one.half_width)))
        for name, pair in [*_rows(simulation), total]
    ]
    return page([*header(simulation), "", Grid(columns, rows, total=True), "", *footer(simulation)], WIDTH)


# JSON --------------------------------------------------------------------------------------------


def _json(simulation: Simulation) -> str:
    plan, instance = simulation.plan, simulation.walk.instance
    document = {
        "label": LABEL,
        "title": instance.title,
        "policy": policy_words(instance, uniform=True),
        "seed": plan.seed,
        "replications": plan.replications,
        "horizon": plan.horizon,
        "jumps": plan.jumps,
        "warm_up": plan.warm_up,
        "start": dict(plan.start),
        "rule": plan.rule.value,
        "confidence": plan.confidence,
        "buffers": {name: _entry(*pair) for name, pair in _rows(simulation)},
        "total": _entry(simulation.jobs(), total_growth(simulation)),
        "empty_fraction": _interval(simulation.empty()),
        "largest_total": _largest(simulation),
        "jumps_done": sum(path.end.jumps for path in simulation.paths),
    }
    return json_text(document)


def _entry(jobs: Estimate, growth: Estimate) -> dict[str, Any]:
    return {"mean_jobs": _interval(jobs), "growth": _interval(growth)}


def _interval(found: Estimate) -> dict[str, float]:
    return {"mean": found.mean, "low": found.low, "high": found.high}
