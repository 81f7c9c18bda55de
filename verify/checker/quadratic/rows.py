"""What guards say on integer points: rows, and what may occur in a place (FORMAT.md sections 20.2 and 20.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.components import Alternative, Branch, Component
from verify.checker.core.forms import AT_LEAST, EQUAL, Fact, Form, combine, count
from verify.checker.core.model import Model
from verify.checker.quadratic.function import Place

CONSTANT = -1  # the key of the constant, in a form that has one
SERVES = "serves"
ONE = Form(1, {CONSTANT: 1})


@dataclass(frozen=True)
class Row:
    """g.x - b >= 0 (or = 0), with -b at CONSTANT."""

    form: Form
    equality: bool


@dataclass(frozen=True)
class Option:
    """An alternative with its branch; `empty` are the coordinates that are 0 wherever it is in force."""

    branch: Branch
    alternative: Alternative
    part: str
    empty: frozenset[int]

    def may_occur(self, place: Place) -> bool:
        """Unless it serves a buffer with too few jobs, or one that it needs empty holds some."""
        served, origin = self.alternative.serves, place.origin
        if served in place.fixed and origin[served or 0] < self.alternative.least:
            return False
        return not any(origin.get(k, 0) for k in self.empty)

    def facts(self) -> Iterable[Fact]:
        """Of the whole guard."""
        return (*self.branch.guard, *self.alternative.guard)


def options_of(model: Model, component: Component) -> dict[str, Option]:
    """The alternatives of a component by name."""
    zero = {f"x({name})": k for k, name in enumerate(model.state.names)}
    found: dict[str, Option] = {}
    for branch in component.branches:
        for part in branch.parts:
            name = f"{branch.name} / server {part.server}" if branch.name else ""
            for one in part.alternatives:
                empty = {zero[f.normal] for f in one.guard if f.signs == EQUAL and not f.spare and f.normal in zero}
                found[one.name] = Option(branch, one, name, frozenset(empty))
    return found


def rows_of(model: Model, option: Option) -> dict[str, Row]:
    """The rows of an alternative, by the names of their normals; two facts about one normal make one row.

    Sound because each holds on all integer points at which the alternative may be in force (section 6), a fact that is
    left out says less; >= and <= together say =.
    """
    found: dict[str, Row] = {}
    one, work = option.alternative, model.work
    if one.serves is not None:
        found[SERVES] = Row(_minus(count([one.serves]), Fraction(one.least), model), False)
    first: dict[str, Fact] = {}
    for fact in option.facts():
        work.spend(100, "rows")
        known = first.setdefault(fact.normal, fact)
        if known is fact:
            found[fact.normal] = _row(model, fact)
        elif known.signs != fact.signs and not (known.slack or known.spare or fact.slack or fact.spare):
            found[fact.normal] = Row(model.normals.get(fact.normal), True)
    return found


def _row(model: Model, fact: Fact) -> Row:
    """The row of one fact."""
    normal = model.normals.get(fact.normal)
    if fact.signs == EQUAL and not fact.spare:
        return Row(normal, True)
    if fact.signs == AT_LEAST:
        return Row(_minus(normal, -fact.slack, model), False)
    opposite = combine([(Fraction(-1), normal)], model.work)
    return Row(_minus(opposite, -(fact.slack or Fraction(fact.spare)), model), False)


def _minus(form: Form, bound: Fraction, model: Model) -> Form:
    """The form minus a number."""
    return combine([(Fraction(1), form), (-bound, ONE)], model.work) if bound else form


def in_place(form: Form, place: Place) -> Form:
    """A form with a constant, in z = x - n."""
    moved = sum(value * form.entries.get(k, 0) for k, value in place.origin.items())
    return Form(form.denominator, {**form.entries, CONSTANT: form.entries.get(CONSTANT, 0) + moved}) if moved else form
