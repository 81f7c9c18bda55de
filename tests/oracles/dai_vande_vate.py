"""The criterion of Dai and Vande Vate (2000) for two stations and fixed routes, every non-idling policy, in exact fractions.

With r = λm: a *push start* F takes an initial segment of each type's route.  The rest of a route falls into *excursions*,
maximal runs at one station.  S is a set of excursions, none the first of its type, no two consecutive ones of a type.  The
*virtual station* V holds all classes of the excursions in S and, for every non-first excursion neither in S nor directly
after one in S, all its classes but the last.  The network is globally stable iff both loads are below 1 and, for all F and S,

    Σ_{V at A} r / (1 − Σ_{F at A} r)  +  Σ_{V at B} r / (1 − Σ_{F at B} r)  <  1.

The left side is largest separately for each type once F is chosen, so S is found type by type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product

from verify.network.model import JobClass, RouteNetwork

#: λm at a server.
Step = tuple[str, Fraction]
Loads = Mapping[str, Fraction]


class NotApplicable(ValueError):
    """More than two stations, or a class with several routes."""


@dataclass(frozen=True)
class VirtualStation:
    """The worst choice: its ``load``, the number of pushed visits and the classes in V (positions from 1) per type."""

    load: Fraction
    pushed: tuple[int, ...]
    classes: tuple[tuple[int, ...], ...]


def globally_stable(network: RouteNetwork) -> bool:
    """Positive recurrent under every non-idling policy?  Raises ``NotApplicable``."""
    return max(nominal_loads(network).values()) < 1 and worst_virtual_station(network).load < 1


def nominal_loads(network: RouteNetwork) -> dict[str, Fraction]:
    """Σ λm at each server used."""
    steps = [step for job_class in network.classes for step in work(job_class)]
    return {server: sum((r for s, r in steps if s == server), Fraction(0)) for server in {s for s, _ in steps}}


def work(job_class: JobClass) -> list[Step]:
    """(server, λm) for each visit of a class with a single route."""
    if len(job_class.routes) != 1:
        raise NotApplicable("a class with several routes")
    return [(visit.server, job_class.arrival_rate / visit.rate) for visit in job_class.routes[0].visits]


def worst_virtual_station(network: RouteNetwork) -> VirtualStation:
    """The largest left side over all F and S; defined for loads below 1."""
    loads = nominal_loads(network)
    if len(loads) > 2 or max(loads.values()) >= 1:
        raise NotApplicable("more than two stations, or a load of 1 or more")
    types = [work(job_class) for job_class in network.classes]
    return max((_worst_after(types, pushed) for pushed in _push_starts(types)), key=lambda found: found.load)


def _push_starts(types: Sequence[Sequence[Step]]) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(steps) + 1) for steps in types))


def _worst_after(types: Sequence[Sequence[Step]], pushed: tuple[int, ...]) -> VirtualStation:
    free: dict[str, Fraction] = {}
    for steps, length in zip(types, pushed, strict=True):
        for server, r in steps[:length]:
            free[server] = free.get(server, Fraction(1)) - r
    best = [_worst_of_type(steps, length, free) for steps, length in zip(types, pushed, strict=True)]
    return VirtualStation(sum((load for load, _ in best), Fraction(0)), pushed, tuple(classes for _, classes in best))


def _worst_of_type(steps: Sequence[Step], pushed: int, free: Loads) -> tuple[Fraction, tuple[int, ...]]:
    """The heaviest V of one type: excursion by excursion, the best V whose last excursion is (not) in S."""
    rest = range(pushed, len(steps))
    excursions = [list(run) for _, run in groupby(rest, key=lambda i: steps[i][0])]

    def heavier(choices: Sequence[Sequence[int]]) -> Sequence[int]:
        return max(choices, key=weight)

    def weight(classes: Sequence[int]) -> Fraction:
        return sum((steps[i][1] / free.get(steps[i][0], Fraction(1)) for i in classes), Fraction(0))

    outside: Sequence[int] = []  # the first excursion is never in S and gives nothing to V
    inside: Sequence[int] | None = None
    for excursion in excursions[1:]:
        after_outside, after_inside = [*outside, *excursion[:-1]], inside
        inside = [*outside, *excursion]
        outside = after_outside if after_inside is None else heavier([after_outside, after_inside])
    best = outside if inside is None else heavier([outside, inside])
    return weight(best), tuple(i + 1 for i in best)
