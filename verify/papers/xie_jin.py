"""Example 1 of [Xie & Jin 2020]: its three cases, the bounds printed for them, and how the example is recognised.

The paper verifies its Proposition 1 by three cases and prints −γβαμ = −(3/4)³ for the first two and γβ³(λ − μ − αμ)
= −(3/4)⁵ for the third.  Server 3 is slower than μ, so the printed bounds are too strong; the conclusion, that the network
is stable, is right.  The weights of the pieces are a reconstruction (theory 3.2): the formulas of the construction are lost
in the text at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from verify.functions.explicit import geometric_template
from verify.network.model import ExplicitTemplate, FunctionSpec, JobClass, Network, RouteNetwork
from verify.papers.publication import Case, Publication
from verify.policies.instance import Instance

SOURCE = "Xie & Jin, Stabilizing Queuing Networks with Model Data-Independent Control, example 1"
#: The paper's three cases, for two classes (OD pairs) with two routes each.
CASES = (
    Case(1, "only one route is dominant", "−γβαμ", r"-\gamma\beta\alpha\mu"),
    Case(2, "two routes of different classes (OD pairs) are dominant", "−γβαμ", r"-\gamma\beta\alpha\mu"),
    Case(
        3,
        "two routes of one class, or more than two routes, are dominant",
        "γβ³(λ − μ − αμ)",
        r"\gamma\beta^3(\lambda-\mu-\alpha\mu)",
    ),
)


def case_of(network: Network, routes: int, classes: int) -> Case | None:
    """The case of a regime with so many dominant routes of so many classes; None unless the network has two classes with
    two routes each, as the example has."""
    if not isinstance(network, RouteNetwork) or [len(c.routes) for c in network.classes] != [2, 2]:
        return None
    return CASES[0] if routes == 1 else CASES[1] if routes == classes else CASES[2]


def recognise(instance: Instance, spec: FunctionSpec) -> Publication | None:
    """The printed bounds, if the network is the example up to names and V is the template with α^(d−1), β^n, γ^m."""
    base = _parameter(instance.network, spec)
    if base is None or not is_example_1(instance):
        return None
    return Publication(SOURCE, tuple(zip(CASES, printed_bounds(base), strict=True)))


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


def _parameter(network: Network, spec: FunctionSpec) -> Fraction | None:
    """α = β = γ if V is the template with α^(d−1), β^n, γ^m, else None."""
    if not isinstance(spec, ExplicitTemplate) or not isinstance(network, RouteNetwork):
        return None
    base = spec.beta[0]
    return base if spec == geometric_template(network, base, base, base) else None
