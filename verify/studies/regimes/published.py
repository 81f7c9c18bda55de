"""The drifts found here beside the bounds that a paper prints for its example (:mod:`verify.papers`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.papers.publication import Case
from verify.papers.xie_jin import recognise
from verify.rational import text
from verify.studies.regimes.report import Group, Regime, RegimeReport
from verify.studies.regimes.words import paths, regime_words


@dataclass(frozen=True)
class Exceeding:
    """A regime whose drift is above the printed bound, described as in the paper."""

    number: int
    words: str
    drift: Fraction


@dataclass(frozen=True)
class Comparison:
    """One case of a ``source``: the value of its printed bound, our largest drift, and the regimes in which the bound fails."""

    source: str
    case: Case
    bound: Fraction
    largest: Fraction | None
    exceeding: tuple[Exceeding, ...]


def comparisons(report: RegimeReport) -> tuple[Comparison, ...]:
    """The cases of the paper, or nothing if the network is no published example."""
    instance = report.question.walk.instance
    found = recognise(instance, report.question.spec)
    if found is None:
        return ()
    bounds, names = dict(found.bounds), paths(instance)
    return tuple(
        _compare(found.source, group.case, group, bounds[group.case], names)
        for group in report.groups
        if group.case is not None
    )


def _compare(source: str, case: Case, group: Group, bound: Fraction, names: Mapping[str, str]) -> Comparison:
    above = tuple(
        Exceeding(regime.number, regime_words(regime, names), regime.active.drift)
        for regime in group.regimes
        if regime.active is not None and regime.active.drift > bound
    )
    return Comparison(source, case, bound, _drift(group.largest), above)


def _drift(regime: Regime | None) -> Fraction | None:
    return None if regime is None or regime.active is None else regime.active.drift


def published_words(report: RegimeReport) -> Iterator[str]:
    """The paper's printed bounds beside ours, nothing for other networks."""
    found = comparisons(report)
    if found:
        yield f"printed bounds ({found[0].source}; weights as reconstructed):"
    for one in found:
        yield from _comparison(one)


def _comparison(one: Comparison) -> Iterator[str]:
    largest = "none" if one.largest is None else text(one.largest)
    failing = f"fails in {len(one.exceeding)} regime{'' if len(one.exceeding) == 1 else 's'}:"
    yield f"case {one.case.number}, {one.case.name}:"
    yield f"  printed {one.case.formula} = {one.bound}, largest drift here {largest}"
    yield f"  the printed bound {failing if one.exceeding else 'holds'}"
    yield from (f"    regime {e.number}, {e.words}: {e.drift} > {one.bound}" for e in one.exceeding)
