"""What the guard of an alternative says on integer points, as rows g·x >= b or g·x = b (theory 13.1; ``FORMAT.md`` 20.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Alternative, Branch
from verify.chain.guards import Normal, Signs
from verify.linear_form import LinearForm

#: The row that says how many jobs the buffer served has.
SERVES = "serves"


@dataclass(frozen=True)
class Row:
    """form·x >= least, or form·x = least if ``equality``; ``name``: of the normal, or ``serves``."""

    name: str
    form: LinearForm
    least: Fraction
    equality: bool = False

    @property
    def empties(self) -> int | None:
        """The coordinate k if the row says x_k = 0."""
        return next(iter(self.form)) if self.equality and len(self.form) == 1 and not self.least else None


def rows_of(branch: Branch, alternative: Alternative) -> Iterator[Row]:
    """All rows, the one of the buffer served first.

    They are true at every integer state at which the alternative may be in force: strict inequalities are left closed, so that
    ties belong to all options, and shared buffers have their slack (theory 1.4)."""
    if alternative.serves is not None:
        yield Row(SERVES, LinearForm.unit(alternative.serves), Fraction(alternative.least))
    facts: dict[Normal, int] = dict(branch.guard)
    for normal, signs in alternative.guard.items():
        facts[normal] = facts.get(normal, Signs.ANY) & signs
    for normal, found in facts.items():
        slack = Fraction(alternative.spare.get(normal, alternative.slack.get(normal, 0)))
        if found == Signs.ZERO and not slack:
            yield Row(normal.name, normal.form, Fraction(0), equality=True)
        elif not found & Signs.POSITIVE:
            yield Row(normal.name, -normal.form, -slack)
        elif not found & Signs.NEGATIVE:
            yield Row(normal.name, normal.form, -slack)
