"""The bounds that Xie & Jin print for their example 1, beside the drifts found here.

The paper verifies its Proposition 1 by three cases and prints −γβαμ = −(3/4)³ for the first two and γβ³(λ − μ − αμ)
= −(3/4)⁵ for the third.  Server 3 is slower than μ, so the printed bounds are too strong; the conclusion, that the network
is stable, is right.  The weights of the pieces are a reconstruction (theory 3.2): the formulas of the construction are lost
in the text at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.functions.explicit import geometric_template
from verify.network.model import ExplicitTemplate, JobClass, RouteNetwork
from verify.policies.instance import Instance
from verify.studies.regimes.regimes import PAPER_CASES, Group, Regime, RegimeReport

PAPER = "Xie & Jin, Stabilizing Queuing Networks with Model Data-Independent Control, example 1"
#: Formulas as printed, one for each case.
PRINTED = ("−γβαμ", "−γβαμ", "γβ³(λ − μ − αμ)")
PRINTED_LATEX = (r"-\gamma\beta\alpha\mu", r"-\gamma\beta\alpha\mu", r"\gamma\beta^3(\lambda-\mu-\alpha\mu)")


@dataclass(frozen=True)
class Exceeding:
    """A regime whose drift is above the printed bound, described as in the paper."""

    number: int
    words: str
    drift: Fraction


@dataclass(frozen=True)
class Comparison:
    """One case: the printed formula and its value, our largest drift, and the regimes in which the printed bound fails."""

    case: int
    group: str
    bound: Fraction
    largest: Fraction | None
    exceeding: tuple[Exceeding, ...]


def comparisons(report: RegimeReport) -> tuple[Comparison, ...]:
    """The three cases of the paper, or nothing if the network is not its example 1 up to names."""
    instance = report.question.walk.instance
    base = _parameter(report)
    if base is None or not is_example_1(instance):
        return ()
    names = paths(instance)
    bounds = dict(zip(PAPER_CASES, printed_bounds(base), strict=True))
    return tuple(
        _compare(case, group, bounds[group.name], names)
        for case, group in enumerate(report.groups, 1)
        if group.name in bounds
    )


def printed_bounds(base: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The printed formulas at λ = μ = 1 and α = β = γ = ``base``.

    >>> printed_bounds(Fraction(3, 4))
    (Fraction(-27, 64), Fraction(-27, 64), Fraction(-243, 1024))
    """
    return -(base**3), -(base**3), base**4 * (1 - 1 - base)


def is_example_1(instance: Instance) -> bool:
    """Is this the paper's example 1 up to names and listing order: routes 1→3 | 4 and 3→5 | 2, λ = 1, μ_3 = 1/4, else μ = 1, JSR,
    servers following the dominant piece?  (Any tie order.)"""
    network, policy = instance.network, instance.policy
    if policy.choices != {"routing": "jsr", "sequencing": "dominant", "holding": "none"}:
        return False
    pairs = [pair for pair in map(_long_and_short, network.classes) if pair is not None]
    if len(pairs) != 2 or len(network.classes) != 2 or any(c.arrival_rate != 1 for c in network.classes):
        return False
    first, second = pairs if pairs[0].long[1] == pairs[1].long[0] else reversed(pairs)
    shared = first.long[1]
    if second.long[0] != shared or len({*first.long, first.short, *second.long, second.short}) != 5:
        return False
    visits = (visit for c in network.classes for route in c.routes for visit in route.visits)
    return all(visit.rate == (Fraction(1, 4) if visit.server == shared else 1) for visit in visits)


@dataclass(frozen=True)
class _Pair:
    """The servers of a class with one route of two visits and one of one visit."""

    long: tuple[str, ...]
    short: str


def _long_and_short(job_class: JobClass) -> _Pair | None:
    routes = sorted((tuple(visit.server for visit in route.visits) for route in job_class.routes), key=len)
    return _Pair(routes[1], routes[0][0]) if [len(route) for route in routes] == [1, 2] else None


def _parameter(report: RegimeReport) -> Fraction | None:
    """α = β = γ if V is the template with α^(d−1), β^n, γ^m, else None."""
    spec, network = report.question.spec, report.question.walk.instance.network
    if not isinstance(spec, ExplicitTemplate) or not isinstance(network, RouteNetwork):
        return None
    base = spec.beta[0]
    return base if spec == geometric_template(network, base, base, base) else None


def paths(instance: Instance) -> Mapping[str, str]:
    """Every route "class.route" by its servers, "1→3"; nothing for a buffer network."""
    classes = instance.network.classes
    return {f"{c.name}.{r.name}": "→".join(v.server for v in r.visits) for c in classes for r in c.routes}


def _compare(case: int, group: Group, bound: Fraction, names: Mapping[str, str]) -> Comparison:
    above = tuple(
        Exceeding(regime.number, describe(regime, names), regime.active.drift)
        for regime in group.regimes
        if regime.active is not None and regime.active.drift > bound
    )
    largest = group.largest.active.drift if group.largest is not None and group.largest.active is not None else None
    return Comparison(case, group.name, bound, largest, above)


def describe(regime: Regime, names: Mapping[str, str]) -> str:
    """A regime in words: which routes (by their servers) are dominant, and the bottlenecks."""
    routes = [names.get(route, route) for route in regime.dominant.routes]
    servers = regime.dominant.servers
    listed = routes[0] if len(routes) == 1 else f"{', '.join(routes[:-1])} and {routes[-1]}"
    only = "only " if len(routes) == 1 else ""
    return f"{only}{listed} dominant, bottleneck{'' if len(servers) == 1 else 's'} {', '.join(servers)}"
