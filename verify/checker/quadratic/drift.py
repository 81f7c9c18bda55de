"""Bounds on the drift of a quadratic function in a place, component by component (FORMAT.md sections 20.2 and 20.4).

A bound l.z + k is a form with k at CONSTANT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from verify.checker.core.components import Component
from verify.checker.core.data import Numbers
from verify.checker.core.errors import Rejected, require, show
from verify.checker.core.forms import Form, combine, form
from verify.checker.core.model import Model
from verify.checker.core.quadratics import Affine, ComponentEvidence, Components
from verify.checker.core.work import product
from verify.checker.quadratic.function import Place, Quadratic
from verify.checker.quadratic.rows import CONSTANT, Option, Row, in_place, options_of, rows_of

ONE, MINUS_ONE = Fraction(1), Fraction(-1)


class Walk:
    """The alternatives of a model by component and name, with their rows, which are made when they are asked for."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.work = model.work
        self.components = model.components
        self.options = {component.name: options_of(model, component) for component in model.components}
        self._rows: dict[str, dict[str, Row]] = {}

    def rows(self, option: Option) -> Mapping[str, Row]:
        """The rows of an alternative."""
        name = option.alternative.name
        if name not in self._rows:
            self._rows[name] = rows_of(self.model, option)
        return self._rows[name]

    def occurring(self, component: Component, place: Place) -> Iterator[Option]:
        """What may occur in a place."""
        for option in self.options[component.name].values():
            self.work.spend(10 + len(option.empty), "alternatives in places")
            if option.may_occur(place):
                self.work.spend(250, "alternatives in places")
                yield option


# ---- section 20.2 --------------------------------------------------------------------------------------------------
def change(walk: Walk, function: Quadratic, place: Place, option: Option) -> Form:
    """alpha.z + kappa: the drift of f under an alternative at all states of the place, over fixed coordinates too.

    Sound because f(x + e) - f(x) = x'Qe + e'Qe/2 + q.e + q_m'.(x + e) - q_m.x + h_m' - h_m, and m' is the same for all x.
    """
    doubled = _Doubled(walk, function)
    here = function.term(function.cell(place.levels))
    for source, target, amount in walk.model.jumps[option.alternative.drift]:
        walk.work.spend(250 + 10 * len(place.levels), "jumps in places")
        if source == target:
            continue
        step = {k: e for k, e in ((source, -1), (target, 1)) if k is not None}
        levels = tuple(n + step.get(k, 0) for k, n in place.origin.items())
        doubled.square(amount, step)
        doubled.linear(amount, function.linear, step)
        doubled.cell(amount, function.term(function.cell(levels)), step)
        doubled.cell(-amount, here, {})
    return in_place(Form(2 * function.denominator * walk.model.denominator, doubled.entries), place)


class _Doubled:
    """Twice the drift, as a form in x; amounts are rates over the model's denominator."""

    def __init__(self, walk: Walk, function: Quadratic) -> None:
        self.work = walk.work
        self.function = function
        self.entries: dict[int, int] = {}
        self.steps = product(function.bits, walk.model.rate_bits)

    def add(self, amount: int, form: Mapping[int, int], constant: int) -> None:
        """2 amount (form.x) + amount constant."""
        self.work.spend((1 + len(form)) * self.steps, "drifts of functions")
        entries = self.entries
        for k, value in form.items():
            entries[k] = entries.get(k, 0) + 2 * amount * value
        entries[CONSTANT] = entries.get(CONSTANT, 0) + amount * constant

    def square(self, amount: int, step: Mapping[int, int]) -> None:
        """amount (x'Qe + e'Qe/2)."""
        for k, e in step.items():
            column = self.function.columns.get(k, {})
            self.add(e * amount, column, sum(column.get(j, 0) * other for j, other in step.items()))

    def linear(self, amount: int, form: Mapping[int, int], step: Mapping[int, int]) -> None:
        """amount (form.e)."""
        self.add(amount, {}, 2 * sum(form.get(k, 0) * e for k, e in step.items()))

    def cell(self, amount: int, term: tuple[Mapping[int, int], int], step: Mapping[int, int]) -> None:
        """amount (q_m.(x + e) + h_m)."""
        linear, constant = term
        self.add(amount, linear, 2 * constant)
        self.linear(amount, linear, step)


# ---- section 20.4 --------------------------------------------------------------------------------------------------
def check_evidence(walk: Walk, function: Quadratic, place: Place, evidence: Components, sign: Fraction) -> Form:
    """The rules of the evidence in one place, each on all components; `sign` -1: the drift of -f is bounded.

    Returns the bound of the drift in the place, the sum over components. Sound because a component does one of its
    alternatives, or a mixture of them, one in each part of one branch.
    """
    check_names(walk, place, evidence)
    bounds = {name: _read_bound(walk, place, found, f"{place.where}, {name}") for name, found in evidence.items()}
    check_multipliers(walk, place, evidence)
    for component in walk.components:
        inside = bounds[component.name]
        for option in walk.occurring(component, place):
            multipliers = evidence[component.name].alternatives.get(option.alternative.name, {})
            drift = change(walk, function, place, option)
            check_alternative(walk, place, option, [(sign, drift), (MINUS_ONE, inside[option.part])], multipliers)
    for component in walk.components:
        check_parts(walk, place, component, bounds[component.name])
    return combine([(ONE, bounds[component.name][""]) for component in walk.components], walk.work)


def check_names(walk: Walk, place: Place, evidence: Components) -> None:
    """**Q-component**: exactly the components, and under `dominant` exactly the parts.

    Sound because what the walk does besides would not be bounded.
    """
    walk.work.spend(200 + 100 * len(walk.components), "components in places")
    names = {component.name for component in walk.components}
    require(set(evidence) == names, "Q-component", place.where, set(evidence), names)
    for component in walk.components:
        wanted, found = _parts_of(component), evidence[component.name].parts
        parts = None if found is None else set(found)
        require(
            parts == (wanted or None), "Q-component", f"{place.where}, {component.name}, parts", parts, wanted or None
        )


def _parts_of(component: Component) -> set[str]:
    """The names of the parts of a component that has branches with names."""
    named = (branch for branch in component.branches if branch.name)
    return {f"{branch.name} / server {part.server}" for branch in named for part in branch.parts}


def _read_bound(walk: Walk, place: Place, evidence: ComponentEvidence, where: str) -> dict[str, Form]:
    """The bounds of a component, at "", and of its parts."""
    parts = {"": evidence.bound, **(evidence.parts or {})}
    return {name: _affine(walk, place, bound, f"{where}, {name}" if name else where) for name, bound in parts.items()}


def _affine(walk: Walk, place: Place, bound: Affine, where: str) -> Form:
    """**Q-form**: a form on free buffers.

    Sound because z is 0 at the others: what stands there bounds nothing.
    """
    index = walk.model.state.index
    walk.work.spend(100 + 20 * len(bound.form), "forms of components")
    for name in bound.form:
        free = name in index and index[name] not in place.fixed
        require(free, "Q-form", where, name, "a free buffer")
    return form({index[name]: value for name, value in bound.form.items()} | {CONSTANT: bound.constant})


def check_multipliers(walk: Walk, place: Place, evidence: Components) -> None:
    """**Q-multiplier**: multipliers of alternatives that may occur, on their rows, >= 0 but for equalities.

    Sound because then every y_r (g_r.x - b_r) >= 0 wherever the alternative is in force.
    """
    for component in walk.components:
        options = walk.options[component.name]
        for name, multipliers in evidence[component.name].alternatives.items():
            where = f"{place.where}, {show(name)}"
            walk.work.spend(50 + 20 * len(multipliers), "multipliers")
            if name not in options or not options[name].may_occur(place):
                raise Rejected("Q-multiplier", where, name, f"an alternative of {component.name} that may occur")
            rows = walk.rows(options[name])
            for row, y in multipliers.items():
                require(row in rows, "Q-multiplier", where, row, "a row of the alternative")
                require(y >= 0 or rows[row].equality, "Q-multiplier", f"{where}, {row}", y, ">= 0")


def check_alternative(
    walk: Walk, place: Place, option: Option, terms: Sequence[tuple[Fraction, Form]], multipliers: Numbers
) -> None:
    """**Q-alternative**: alpha + sum y_r g_r <= l at free buffers and kappa - sum y_r (b_r - g_r.n) <= k.

    Sound because alpha.z + kappa <= l.z + k - sum y_r (g_r.x - b_r) <= l.z + k then. `terms` add up to
    (alpha - l).z + kappa - k.
    """
    rows = walk.rows(option) if multipliers else {}
    added = [(y, in_place(rows[name].form, place)) for name, y in multipliers.items()]
    total = combine([*terms, *added], walk.work)
    _require_below(walk, place, total, "Q-alternative", f"{place.where}, {option.alternative.name}")


def check_parts(walk: Walk, place: Place, component: Component, bounds: Mapping[str, Form]) -> None:
    """**Q-parts**: in every branch the bounds of the parts add up to at most that of the component.

    Sound because the walk follows one branch, and in it a drift is the sum over the parts.
    """
    for branch in (branch for branch in component.branches if branch.name):
        parts = [(ONE, bounds[f"{branch.name} / server {part.server}"]) for part in branch.parts]
        total = combine([*parts, (MINUS_ONE, bounds[""])], walk.work)
        _require_below(walk, place, total, "Q-parts", f"{place.where}, {branch.name}")


def _require_below(walk: Walk, place: Place, total: Form, rule: str, where: str) -> None:
    """At most 0 in every free coordinate, and so is the constant."""
    for k, value in total.entries.items():
        if value > 0 and k not in place.fixed:
            at = "constant" if k == CONSTANT else f"coordinate {walk.model.state.names[k]}"
            raise Rejected(rule, f"{where}, {at}", Fraction(value, total.denominator), "<= 0")
