"""Bounds on stationary means by quadratic functions with cuts (FORMAT.md section 22); stability is proved elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.checker.core.data import Numbers
from verify.checker.core.errors import Rejected, require
from verify.checker.core.forms import Form, combine, form
from verify.checker.core.model import Model
from verify.checker.core.quadratics import MeanBound, MeanProof, PlaceEvidence
from verify.checker.quadratic.drift import MINUS_ONE, ONE, Walk, check_evidence
from verify.checker.quadratic.function import Place, Quadratic, check_function, place_at, read_levels
from verify.checker.quadratic.rows import CONSTANT, in_place


def check_means(model: Model, proof: MeanProof) -> None:
    """Bounds on the mean of `of` in the stationary law: drift of f <= u - of.x, or of -f <= of.x - l, at all states.

    Sound because E|X| is finite where stability is proved, f grows like |x|^2 at most and jumps are bounded: the mean drift
    of f is 0 in the stationary law (theory 13.5).
    """
    wanted, walk = check_of(model, proof.of), Walk(model)
    for side, bound, sign in (("upper", proof.upper, ONE), ("lower", proof.lower, MINUS_ONE)):
        if bound is not None:
            _check_side(walk, wanted, bound, side, sign)


def check_of(model: Model, of: Numbers) -> Form:
    """**mean-of**: a form in buffers.

    Sound because its mean is otherwise not defined.
    """
    index = model.state.index
    for name in of:
        require(name in index, "mean-of", "claim.of", name, "a buffer")
    return form({index[name]: value for name, value in of.items()})


def _check_side(walk: Walk, of: Form, bound: MeanBound, side: str, sign: Fraction) -> None:
    """An upper bound (sign 1), or a lower one."""
    function = check_function(walk.model.state, bound.function, f"{side}, function", walk.work)
    places = check_places(walk, function, bound.places, side)
    for place, found in zip(places, bound.places, strict=True):
        total = check_evidence(walk, function, place, found.components, sign)
        check_total(walk, place, total, of, sign * bound.value, sign)


def check_places(walk: Walk, function: Quadratic, places: Sequence[PlaceEvidence], side: str) -> list[Place]:
    """**mean-places**: every place once.

    Sound because every state is then in one of them.
    """
    state, most = walk.model.state, {k: cut + 1 for k, cut in function.cuts.items()}
    found: dict[tuple[int, ...], Place] = {}
    for number, one in enumerate(places):
        where = f"{side}, evidence[{number}], at"
        walk.work.spend(100 + 20 * len(most), "places")
        levels = read_levels(state, one.at, function.cuts, most, "mean-places", where)
        require(levels not in found, "mean-places", where, dict(one.at), "a place not listed before")
        found[levels] = place_at(state, function, levels, side)
    number = function.number_of_places
    require(len(found) == number, "mean-places", f"{side}, evidence", f"{len(found)} places", number)
    return list(found.values())


def check_total(walk: Walk, place: Place, total: Form, of: Form, bound: Fraction, sign: Fraction) -> None:
    """**mean-sum**: for an upper bound u the drift of f is at most u - of.x in the place, for a lower one that of -f at most
    of.x - l.

    Sound because so it is at all states of the place, x = n + z. (`bound` is u, or -l.)
    """
    gap = combine([(ONE, total), (sign, in_place(of, place))], walk.work)
    for k, value in gap.entries.items():
        if k != CONSTANT and k not in place.fixed and value > 0:
            where = f"{place.where}, coordinate {walk.model.state.names[k]}"
            raise Rejected("mean-sum", where, Fraction(value, gap.denominator), "<= 0")
    constant = Fraction(gap.entries.get(CONSTANT, 0), gap.denominator)
    require(constant <= bound, "mean-sum", f"{place.where}, constant", sign * constant, _range(bound, sign))


def _range(bound: Fraction, sign: Fraction) -> str:
    return f"<= {bound}" if sign > 0 else f">= {-bound}"
