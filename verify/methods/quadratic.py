"""The method "quadratic": f = ½ x'Qx + q·x by one linear program, Q >= 0 first, then wider kinds of matrices (theory 13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verify.chain.components import branches_with_alternatives
from verify.conditions.criterion import Criterion
from verify.conditions.evidence.quadratic_drift import Above, PlaceBound
from verify.conditions.grounds import Emptying, emptying
from verify.conditions.proof import Proof
from verify.conditions.quadratic import QuadraticProof, Square, lacking
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.model import Status
from verify.methods.method import Attempt, Method, Problem, Settings, Why
from verify.methods.programs.quadratic_fit import Fit, fit, fit_at
from verify.methods.programs.quadratic_program import QuadraticProgram, Shape
from verify.methods.programs.squares import repaired, squares_of, with_squares
from verify.methods.programs.templates import chain_to_search
from verify.policies.compose import Walk
from verify.rational import rounded_up, roundings

#: Entries (alternatives times buffers) that the linear program may have, and columns of one with semidefinite constraints.
_MOST_ENTRIES, _MOST_FOR_SQUARES = 400_000, 2_000
_SHAPES = ((Shape.NOT_NEGATIVE, "Q >= 0"), (Shape.DOMINANT, "a diagonally dominant Q"))
_NOTHING = "no quadratic function falls under every choice"


class QuadraticFunction(Method):
    """One program of polynomial size for any policy: neither faces nor joint choices are listed."""

    name, missing = "quadratic", "no quadratic"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """Q >= 0; where no other method is asked also a diagonally dominant Q, and semidefinite plus nonnegative.  (On no network
        tried so far have these proved what Q >= 0 had not.)"""
        if problem.criterion not in (Criterion.AUTO, Criterion.QUADRATIC):
            if problem.alone:
                yield Attempt(self.name, "a quadratic function serves condition Q only", why=Why.UNFIT)
            return
        chain = chain_to_search(problem.instance)
        dimension = len(chain.expansion.buffers)
        if (size := dimension * sum(1 for _ in branches_with_alternatives(chain.components))) > _MOST_ENTRIES:
            yield Attempt(self.name, f"the quadratic program would have {size} entries")
            return
        empties = emptying(chain)
        if isinstance(empties, str):
            yield Attempt(self.name, empties)
            return
        jobs = LinearForm.sum_of(range(dimension))
        for shape, words in _SHAPES if problem.alone else _SHAPES[:1]:
            settings.report(f"quadratic test function, {words}")
            program = QuadraticProgram(chain, jobs, shape)
            proposal = propose(program.program)
            found = fit(program, proposal) if proposal.status is Status.OPTIMAL else None
            if found is not None and not lacking(found.function, ()):
                yield QuadraticProof(chain, found.function, (), tidy(found, dimension), empties)
        if problem.alone:
            settings.report("quadratic test function, semidefinite plus nonnegative")
            yield from by_squares(chain, jobs, empties)
        yield Attempt(self.name, _NOTHING)


def by_squares(chain: Walk, jobs: LinearForm, empties: Emptying) -> Iterator[Proof | Attempt]:
    """Q = P + N with P a sum of squares, N >= 0 but for what rounding does."""
    program = QuadraticProgram(chain, jobs, Shape.ANY)
    if (size := len(program.program.costs)) > _MOST_FOR_SQUARES:
        yield Attempt(QUADRATIC.name, f"the semidefinite program would have {size} columns")
        return
    found = with_squares(program)
    if found is None:
        return
    point, part = found
    squares = squares_of(part / float(program.unit))
    for rounded in roundings(point):
        fitted = fit_at(program, repaired(program.function(rounded), squares), rounded)
        if fitted is None:
            continue
        scaled = tuple(Square(s.weight * fitted.factor, s.form) for s in squares)
        if not lacking(fitted.function, scaled):
            yield QuadraticProof(chain, fitted.function, scaled, tidy(fitted, len(jobs)), empties)
            return


def tidy(found: Fit, dimension: int) -> PlaceBound:
    """The forms of a fit without cuts, one of them raised so that ε is 1 and d a short number."""
    (place,) = found.places
    total, first = place.total, place.components[0]
    form = LinearForm((k, -1 - total.form.entry(k)) for k in range(dimension))
    raised = Above(first.total.form + form, first.total.constant + rounded_up(total.constant) - total.constant)
    return replace(place, components=(replace(first, total=raised), *place.components[1:]))


QUADRATIC = QuadraticFunction()
