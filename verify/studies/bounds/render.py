"""Bounds as a table for terminals, Markdown, CSV or JSON (``queueproof bounds``).

Decimals are rounded so that they stay bounds; exact numbers stand in JSON and CSV, and for people where they are short.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Verdict
from verify.conditions.product_form import ProductForm
from verify.conditions.words import policy_words
from verify.rational import text
from verify.studies.bounds.bounds import Bounds
from verify.studies.bounds.decimals import down, exactly, up
from verify.studies.bounds.moment import Moment
from verify.studies.bounds.pathwise import Pathwise
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.render import run_words
from verify.studies.simulation.simulate import Simulation
from verify.studies.tables import Column, Format, Grid, csv_text, json_text, markdown_row, page, rendered

#: Width of a table that does not go to a terminal.
WIDTH = 120
FORMATS = (Format.TABLE, Format.CSV, Format.MARKDOWN, Format.JSON)
_CSV = ("network", "of", "quantity", "exact", "decimal", "ratio_to_simulated", "mean_time")
SIMULATED = "simulated (evidence, no bound)"


class Side(StrEnum):
    """What a number is to the mean."""

    LOWER = "at least"
    UPPER = "at most"
    MEAN = "exactly"


@dataclass(frozen=True)
class Row:
    """A number known of the mean: its name, which side it bounds, and the number."""

    name: str
    side: Side
    value: Fraction

    @property
    def decimal(self) -> str:
        """Rounded so that it stays true; an exact mean to the nearest digit below."""
        return up(self.value) if self.side is Side.UPPER else down(self.value)


def rows(found: Bounds) -> Iterator[Row]:
    """What is proved, then what stands beside it."""
    if isinstance(found.proof, ProductForm):
        yield Row("proved, exactly (product form)", Side.MEAN, found.proof.mean)
    else:
        for value, side in ((found.lower, Side.LOWER), (found.upper, Side.UPPER)):
            if value is not None:
                yield Row(f"proved, {side}", side, value)
    if isinstance(found.pathwise, Pathwise):
        yield Row("by work, at least", Side.LOWER, found.pathwise.value)
    if isinstance(found.moment, Moment):
        yield Row("by a linear V, at most", Side.UPPER, found.moment.value)


def ratio(found: Bounds, value: Fraction) -> float | None:
    """The number as a multiple of the simulated mean."""
    simulated = found.simulated
    return None if simulated is None or simulated.mean <= 0 else float(value) / simulated.mean


def render(found: Bounds, format: Format | str = Format.TABLE, written: str | None = None, name: str = "") -> str:
    """The bounds as text that ends in a newline.

    Parameters: ``format`` "table", "csv", "markdown" or "json"; ``written``: where the certificate lies, None: nowhere; ``name``
    of the network in CSV.
    """
    ways = {
        Format.TABLE: lambda one: _table(one, written),
        Format.CSV: lambda one: _csv(one, name),
        Format.MARKDOWN: _markdown,
        Format.JSON: lambda one: json_text(as_json(one, written)),
    }
    return rendered(found, format, ways)


# Table and Markdown ------------------------------------------------------------------------------------


def _header(found: Bounds) -> Iterator[str]:
    if found.instance.title:
        yield found.instance.title
    yield f"the mean of {found.objective.words} in the stationary law"
    if found.proof is not None:
        yield f"claim: {found.proof.claim()}"
    else:
        yield f"no bound: {found.reason}"
        yield f"policy: {policy_words(found.instance, uniform=True)}"


def _cells(found: Bounds) -> Iterator[tuple[str, ...]]:
    """Rows of the table for people; the simulation is the last one."""
    rate = found.objective.rate
    for row in rows(found):
        multiple = ratio(found, row.value)
        time = found.objective.time_of(row.value)
        cells = (row.name, exactly(row.value), row.decimal, "" if multiple is None else f"{multiple:.3g}")
        yield cells if time is None else (*cells, Row("", row.side, time).decimal)
    simulated = found.simulated
    if simulated is not None:
        cells = (SIMULATED, "", _estimate(simulated), "")
        yield (*cells, _estimate(_divided(simulated, float(rate)))) if rate else cells


def _heads(found: Bounds) -> tuple[str, ...]:
    time = (found.objective.time,) if found.objective.rate else ()
    return ("", "exact", "decimal", "/ simulated", *time)


def _estimate(found: Estimate) -> str:
    return f"{found.mean:.4g} ± {found.half_width:.2g}"


def _divided(found: Estimate, rate: float) -> Estimate:
    return Estimate(found.mean / rate, found.half_width / rate)


def _footer(found: Bounds, written: str | None) -> Iterator[str]:
    if found.decision.proof is not None and found.verdict is Verdict.STABLE:
        yield f"stability: condition {found.decision.proof.condition.letter} (certify shows the proof)"
    if found.proof is not None:
        for value, side in ((found.lower, Side.LOWER), (found.upper, Side.UPPER)):
            if value is None:
                yield f"proved, {side}: nothing was found"
    elif found.verdict is not Verdict.STABLE and any(True for _ in rows(found)):
        yield "what stands here holds under policies with a stationary law of finite mean"
    for name, one in (("by work", found.pathwise), ("by a linear V", found.moment)):
        if isinstance(one, str):
            yield f"{name}: none: {one}"
    if isinstance(found.simulation, Simulation):
        confidence = found.simulation.plan.confidence
        yield f"simulated with {confidence:.4g} confidence; {run_words(found.simulation)}"
    else:
        yield f"simulated: nothing: {found.simulation}"
    if found.tails:
        yield from ("", *found.tails, "")
    if found.certificate is not None:
        where = written or "not written (-o CERT writes it)"
        yield f"certificate: {where} (the independent checker: ACCEPTED)"


def _table(found: Bounds, written: str | None) -> str:
    columns = [Column(head, number=k > 0) for k, head in enumerate(_heads(found))]
    cells = list(_cells(found))
    grid: list[str | Grid] = [Grid(columns, cells), ""] if cells else []
    return page([*_header(found), "", *grid, *_footer(found, written)], WIDTH)


def _markdown(found: Bounds) -> str:
    heads = _heads(found)
    lines = [markdown_row(heads), "|---|" + "|".join("--:" for _ in heads[1:]) + "|"]
    return "\n".join([*lines, *(markdown_row(cells) for cells in _cells(found))]) + "\n"


# CSV and JSON --------------------------------------------------------------------------------------------


def _csv(found: Bounds, name: str) -> str:
    head = (name, found.objective.words)
    lines: list[tuple[Any, ...]] = []
    for row in rows(found):
        time = found.objective.time_of(row.value)
        times = "" if time is None else text(time)
        lines.append((*head, row.name, text(row.value), float(row.value), _blank(ratio(found, row.value)), times))
    simulated = found.simulated
    if simulated is not None:
        for quantity, value in (
            ("simulated", simulated.mean), ("simulated low", simulated.low), ("simulated high", simulated.high)
        ):  # fmt: skip
            rate = found.objective.rate
            lines.append((*head, quantity, "", value, "", value / float(rate) if rate else ""))
    return csv_text(_CSV, lines)


def _blank(value: float | None) -> float | str:
    return "" if value is None else value


def as_json(found: Bounds, written: str | None = None) -> dict[str, Any]:
    """The object of ``bounds --json``; exact numbers are texts."""
    objective, proof = found.objective, found.proof
    names = found.instance.weighable
    return {
        "title": found.instance.title,
        "policy": policy_words(found.instance, uniform=True),
        "of": {name: text(weight) for name, weight in objective.of.named(names).items()},
        "counts": objective.words,
        "verdict": found.verdict.value,
        "lower": _text(found.lower),
        "upper": _text(found.upper),
        "exact": isinstance(proof, ProductForm),
        "claim": proof.claim() if proof else None,
        "reason": found.reason or None,
        "stability": found.decision.proof.condition.word if found.decision.proof else None,
        "arrival_rate": _text(objective.rate),
        "mean_time": _times(found),
        "pathwise": _or_reason(found.pathwise, "servers"),
        "moment": _or_reason(found.moment, "epsilon"),
        "simulation": _simulation(found),
        "ratios": {
            side: None if value is None else ratio(found, value)
            for side, value in (("lower", found.lower), ("upper", found.upper))
        },
        "tails": list(found.tails),
        "certificate": written,
        "seconds": round(found.seconds, 3),
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else text(value)


def _times(found: Bounds) -> dict[str, str | None] | None:
    """The mean time, by Little's law."""
    if not found.objective.rate:
        return None
    time = found.objective.time_of
    return {
        "what": found.objective.time,
        "lower": None if found.lower is None else _text(time(found.lower)),
        "upper": None if found.upper is None else _text(time(found.upper)),
    }


def _or_reason(one: Pathwise | Moment | str, other: str) -> dict[str, Any]:
    """A bound with what it comes from, or the reason why there is none."""
    if isinstance(one, str):
        return {"value": None, other: None, "reason": one}
    source: object = list(one.servers) if isinstance(one, Pathwise) else text(one.epsilon)
    return {"value": text(one.value), other: source, "reason": None}


def _simulation(found: Bounds) -> dict[str, Any] | None:
    """The interval with the plan of its runs, None if nothing was simulated."""
    simulated = found.simulated
    if simulated is None or isinstance(found.simulation, str):
        return None
    plan = found.simulation.plan
    return {
        "mean": simulated.mean, "low": simulated.low, "high": simulated.high, "confidence": plan.confidence,
        "seed": plan.seed, "replications": plan.replications, "jumps": plan.jumps, "warm_up": plan.warm_up,
        "rule": plan.rule.value,
    }  # fmt: skip
