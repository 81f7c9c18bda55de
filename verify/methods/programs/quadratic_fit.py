"""From the float answer of the quadratic program to exact functions, forms and numbers, coarse first (theory 9.7)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.conditions.evidence.quadratic_drift import PlaceBound, bounded
from verify.functions.quadratic import Quadratic
from verify.linear_form import LinearForm
from verify.lp.exact import exact_optimum
from verify.lp.model import Proposal
from verify.methods.programs.quadratic_program import QuadraticProgram
from verify.rational import roundings

#: Programs with at most so many columns are solved exactly, too, and that answer is taken where its number is so short.
_MOST_COLUMNS, _MOST_DIGITS = 400, 40
#: The first rounding of large programs.
_FINE = 3
#: A rounded answer may be worse than the proposed one by this factor; else finer ones are tried.
_READABLE = 1 + 1e-4


@dataclass(frozen=True)
class Fit:
    """f, what bounds its drift in every place, and the number that follows: drift of f <= upper − of·x everywhere.

    ``factor``: f is this times the function that was proposed."""

    function: Quadratic
    places: tuple[PlaceBound, ...]
    upper: Fraction
    factor: Fraction


def fit(program: QuadraticProgram, proposal: Proposal) -> Fit | None:
    """An exact answer near the proposal: the exact optimum if it is short, else rounded as coarsely as is good enough."""
    best = None
    if len(program.program.costs) <= _MOST_COLUMNS:
        answer = exact_optimum(program.program)
        best = None if answer is None else fit_at(program, program.function(answer.point), answer.point)
        if best is not None and len(str(best.upper)) <= _MOST_DIGITS:
            return best
    coarse = len(program.program.costs) <= _MOST_COLUMNS
    for point in itertools.islice(roundings(proposal.point), 0 if coarse else _FINE, None):
        found = fit_at(program, program.function(point), point)
        if found is not None and (best is None or found.upper < best.upper):
            best = found
        if found is not None and found.upper <= proposal.value + abs(proposal.value) * (_READABLE - 1):
            return found
    return best


def fit_at(program: QuadraticProgram, function: Quadratic, point: Sequence[Fraction]) -> Fit | None:
    """f with the multipliers at a point, scaled so that all weights are reached; None if that cannot be done."""
    places = tuple(
        PlaceBound(place, tuple(bounded(here, function, program.chosen(number, point)) for here in heres))
        for number, (place, heres) in enumerate(program.places)
    )
    factor = _factor(places, program.of, program.dimension)
    if factor is None:
        return None
    if factor != 1:
        function, places = function.times(factor), tuple(bound.times(factor) for bound in places)
    upper = max(p.total.constant + program.of.at(p.place.corner) for p in places)
    return Fit(function, places, upper, factor)


def _factor(places: Sequence[PlaceBound], of: LinearForm, dimension: int) -> Fraction | None:
    """A number s > 0, as near to 1 as can be, with Σ s·ℓ <= −of in every place; None if there is none."""
    low, high = Fraction(0), None
    for place in places:
        form = place.total.form
        for k in (k for k in range(dimension) if not place.place.fixes(k)):
            fall, wanted = -form.entry(k), of.entry(k)
            if fall > 0:
                low = max(low, wanted / fall)
            elif fall < 0:
                high = wanted / fall if high is None else min(high, wanted / fall)
            elif wanted > 0:
                return None
    if high is not None and (high <= 0 or high < low):
        return None
    one = max(Fraction(1), low)
    return one if high is None else min(one, high)
