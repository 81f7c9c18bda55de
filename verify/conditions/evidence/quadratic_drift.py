"""The drift of a quadratic function, place by place and component by component, and the forms that bound it (theory 13.1, 13.2).

Under an alternative with jumps e at rates r_e, at x = n + z in a place, the drift of f is α·z + κ, both linear in f.
Multipliers y of its rows g·z >= b, y >= 0 (free on equalities), prove α·z + κ <= (α + Σ y g)·z + κ − Σ y b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.chain.components import Alternative, Branch, Component
from verify.chain.places import Place
from verify.chain.rows import Row, rows_of
from verify.conditions.evidence import encode
from verify.functions.quadratic import Coefficient, Quadratic, Terms, square
from verify.linear_form import ZERO, LinearForm
from verify.rational import text

Multipliers = Mapping[str, Mapping[str, Fraction]]
"""Alternative -> row -> y."""


@dataclass(frozen=True, eq=False)
class Option:
    """An alternative that may occur in a place: ``alpha`` free coordinate -> terms, ``kappa`` terms, ``rows`` in z, without those
    that say that a free coordinate is 0; these coordinates are ``empty``."""

    name: str
    alpha: Mapping[int, Terms]
    kappa: Terms
    rows: tuple[Row, ...]
    empty: Mapping[int, str]


@dataclass(frozen=True, eq=False)
class PartOptions:
    """A part of a branch with what may occur there."""

    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True, eq=False)
class Here:
    """A component in a place: for each branch its parts."""

    component: Component
    branches: tuple[tuple[PartOptions, ...], ...]


def components_in(components: Sequence[Component], place: Place, dimension: int) -> list[Here]:
    """Every component in a place of the given dimension."""
    return [
        Here(component, tuple(_parts(branch, place, dimension) for branch in component.branches))
        for component in components
    ]


def _parts(branch: Branch, place: Place, dimension: int) -> tuple[PartOptions, ...]:
    return tuple(PartOptions(p.name, tuple(_options(branch, p.alternatives, place, dimension))) for p in branch.parts)


def _options(branch: Branch, alternatives: Sequence[Alternative], place: Place, dimension: int) -> Iterator[Option]:
    for alternative in alternatives:
        rows = list(rows_of(branch, alternative))
        if not place.excludes(alternative, rows):
            yield _option(alternative, rows, place, dimension)


def _option(alternative: Alternative, rows: Sequence[Row], place: Place, dimension: int) -> Option:
    alpha, kappa = _drift(alternative, place, dimension)
    corner = place.corner
    empty = {row.empties: row.name for row in rows if row.empties is not None and not place.fixes(row.empties)}
    kept = tuple(
        Row(row.name, _free(row.form, place), row.least - row.form.at(corner), row.equality)
        for row in rows
        if row.empties is None
    )
    return Option(alternative.name, {k: t for k, t in alpha.items() if not place.fixes(k)}, kappa, kept, empty)


def _free(form: LinearForm, place: Place) -> LinearForm:
    return LinearForm((k, value) for k, value in form.items() if not place.fixes(k))


def _drift(alternative: Alternative, place: Place, dimension: int) -> tuple[dict[int, Terms], Terms]:
    """(α by coordinate, fixed ones too, κ at the corner n)."""
    alpha: dict[int, Terms] = {k: {} for k in range(dimension)} if alternative.jumps else {}
    kappa: Terms = {}
    cell = place.cell()
    for k, value in alternative.mean_drift.items():
        for j in alpha:
            _add(alpha[j], square(k, j), value)
    for jump in alternative.jumps:
        rate, after, listed = jump.rate, place.cell(jump.change), list(jump.change.items())
        for place_of, (k, step) in enumerate(listed):
            _add(kappa, square(k, k), rate * step * step / 2)
            for j, other in listed[place_of + 1 :]:
                _add(kappa, square(k, j), rate * step * other)
            _add(kappa, Coefficient("q", (*after, k)), rate * step)
        if after != cell:
            for into, sign in ((after, rate), (cell, -rate)):
                _add(kappa, Coefficient("h", into), sign)
                for j, terms in alpha.items():
                    _add(terms, Coefficient("q", (*into, j)), sign)
    for k, number in place.corner.items():
        for coefficient, value in alpha.get(k, {}).items():
            _add(kappa, coefficient, value * number)
    return alpha, kappa


def _add(terms: Terms, coefficient: Coefficient, value: Fraction) -> None:
    terms[coefficient] = terms.get(coefficient, ZERO) + value


# ---- forms that bound the drift of one f -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Above:
    """form·z + constant, at least the drift."""

    form: LinearForm
    constant: Fraction

    def times(self, factor: Fraction) -> Above:
        """For factor · f, factor > 0."""
        return Above(factor * self.form, factor * self.constant)


@dataclass(frozen=True)
class ComponentBound:
    """What bounds a component in a place: ``total``; ``parts`` of its branches by name; ``multipliers`` that prove it."""

    name: str
    total: Above
    parts: Mapping[str, Above]
    multipliers: Multipliers

    def times(self, factor: Fraction) -> ComponentBound:
        """For factor · f, factor > 0."""
        parts = {name: above.times(factor) for name, above in self.parts.items()}
        chosen = {name: {row: factor * y for row, y in rows.items()} for name, rows in self.multipliers.items()}
        return ComponentBound(self.name, self.total.times(factor), parts, chosen)


def bounded(here: Here, function: Quadratic, proposed: Multipliers) -> ComponentBound:
    """The least forms and numbers that the proposed multipliers prove (those of rows that say x_k = 0 are found here).

    Multipliers must be >= 0 on inequalities; all exact."""
    parts: dict[str, Above] = {}
    multipliers: dict[str, dict[str, Fraction]] = {}
    sums: list[Above] = []
    unsettled: list[tuple[PartOptions, ...]] = []
    for branch in here.branches:
        for part in branch:
            if part.options:
                parts[part.name], found = _part_bound(part, function, proposed)
                multipliers |= found
        if all(part.options for part in branch):
            sums.append(_sum([parts[part.name] for part in branch]))
        else:
            unsettled.append(branch)
    total = _largest(sums)
    for branch in unsettled:  # does not hold anywhere in the place: whatever is said of its idle parts is true there
        known = _sum([parts[part.name] for part in branch if part.options])
        rest = Above(total.form - known.form, total.constant - known.constant)
        missing = [part.name for part in branch if not part.options]
        parts |= dict.fromkeys(missing, Above(LinearForm(), ZERO)) | {missing[0]: rest}
    return ComponentBound(here.component.name, total, parts, multipliers)


def _part_bound(
    part: PartOptions, function: Quadratic, proposed: Multipliers
) -> tuple[Above, dict[str, dict[str, Fraction]]]:
    reached: list[tuple[Option, LinearForm, dict[str, Fraction]]] = []
    constants: list[Fraction] = []
    for option in part.options:
        chosen = {row.name: y for row in option.rows if (y := proposed.get(option.name, {}).get(row.name, ZERO))}
        form, constant = raised(option, function, chosen)
        reached.append((option, form, chosen))
        constants.append(constant)
    coordinates = sorted({k for option, form, _ in reached for k in (*form, *option.empty)})
    top: dict[int, Fraction] = {}
    for k in coordinates:
        # an option at which x_k = 0 bounds nothing in this coordinate: its multiplier is free
        top[k] = max((form.entry(k) for option, form, _ in reached if k not in option.empty), default=ZERO)
    multipliers = {}
    for option, form, chosen in reached:
        chosen |= {name: y for k, name in option.empty.items() if (y := top[k] - form.entry(k))}
        if chosen:
            multipliers[option.name] = chosen
    return Above(LinearForm(top), max(constants)), multipliers


def raised(option: Option, function: Quadratic, chosen: Mapping[str, Fraction]) -> tuple[LinearForm, Fraction]:
    """α + Σ y g and κ − Σ y b."""
    used = [(chosen[row.name], row) for row in option.rows if row.name in chosen]
    alpha = LinearForm((k, function.sum_of(terms)) for k, terms in option.alpha.items())
    form = LinearForm.combination([(Fraction(1), alpha), *((y, row.form) for y, row in used)])
    return form, function.sum_of(option.kappa) - sum((y * row.least for y, row in used), ZERO)


def _sum(bounds: Sequence[Above]) -> Above:
    return Above(
        LinearForm.combination((Fraction(1), bound.form) for bound in bounds), sum((b.constant for b in bounds), ZERO)
    )


def _largest(bounds: Sequence[Above]) -> Above:
    coordinates = sorted({k for bound in bounds for k in bound.form})
    form = LinearForm((k, max(bound.form.entry(k) for bound in bounds)) for k in coordinates)
    return Above(form, max(bound.constant for bound in bounds))


@dataclass(frozen=True)
class PlaceBound:
    """The components in a place."""

    place: Place
    components: tuple[ComponentBound, ...]

    def times(self, factor: Fraction) -> PlaceBound:
        """For factor · f, factor > 0."""
        return PlaceBound(self.place, tuple(bound.times(factor) for bound in self.components))

    @property
    def total(self) -> Above:
        """The sum over components: at least the drift of f at x = n + z."""
        return _sum([bound.total for bound in self.components])

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Evidence for one place (``FORMAT.md``, section 20.4)."""
        return {bound.name: _component_json(bound, names) for bound in self.components}


def _component_json(bound: ComponentBound, names: Sequence[str]) -> dict[str, Any]:
    shown = _above_json(bound.total, names)
    shown["alternatives"] = {name: encode.numbers(rows) for name, rows in bound.multipliers.items()}
    if len(bound.parts) > 1 or next(iter(bound.parts)) != bound.name:
        shown["parts"] = {name: _above_json(above, names) for name, above in bound.parts.items()}
    return shown


def _above_json(above: Above, names: Sequence[str]) -> dict[str, Any]:
    shown: dict[str, Any] = {"form": {names[k]: text(value) for k, value in above.form.items()}}
    return {**shown, "constant": text(above.constant)} if above.constant else shown
