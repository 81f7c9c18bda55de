"""The chain at integer states: what may happen there, exactly as theory 1 says it.

The guards of the components are closed (theory 2).  Here they are read as they are written, for points of Z^K: the buffer served
is not empty and not held, a move of jsq-as goes to fewer jobs, a server idles only if there is nothing else to do.  Ties of a
routing decision are split uniformly; under ``dominant`` all servers follow the first maximal piece in listed order.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.chain.components import Alternative, Part
from verify.linear_form import LinearForm
from verify.policies.assignment import Assignments
from verify.policies.compose import Walk

Changes: TypeAlias = tuple[tuple[int, int], ...]
"""A jump: (buffer, amount) in the order of the buffers."""
Option: TypeAlias = tuple[tuple[Changes, Fraction], ...]
"""What one decision does: jumps with their rates; empty: it idles."""
Heights: TypeAlias = npt.NDArray[Any]
"""The values of the pieces of a dominance function, all times one number: exact, 64-bit integers where they cannot overflow,
Python's integers else."""

#: Three bits for the sign of a form in a key.
_NEGATIVE, _ZERO, _POSITIVE, _BITS = 1, 2, 4, 3
#: A state has at most this many jobs at the start; pieces with integers below this have heights of 64 bits.
MOST_JOBS, _SMALL = 10**9, 2**30
#: Sign patterns remembered before the memory is emptied.
MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class _Written:
    """An alternative with its guard as masks over a key: no ``forbidden`` bit, and some ``needed`` bit (0: none is needed).
    Alternatives of one ``group`` are the options of one routing decision."""

    forbidden: int
    needed: int
    group: Hashable
    jumps: Option


class IntegerChain:
    """The components of a walk at integer states; servers that share buffers are one decision.

    A *key* has three bits for every form that a guard asks for (negative, zero, positive), and above them the number of the
    dominant piece.  What may happen depends on the key alone.  ``forms``: pairs (integral form, number it is compared with) ->
    their places; ``top``: where the number of the piece stands.
    """

    def __init__(self, chain: Walk):
        self.forms: dict[tuple[Changes, int], int] = {}
        reader = _Reader(chain, self.forms)
        branches = [branch for component in chain.components for branch in component.branches]
        self._always: list[_Decision | _Together] = [
            reader.part(part)
            for b in branches
            if b.piece is None
            for part in b.parts
            if not (chain.expansion.shared and part.server)
        ]
        if chain.expansion.shared:
            self._always.append(_Together(Assignments(chain), reader))
        self._following = [[reader.part(part) for part in b.parts] for b in branches if b.piece is not None]
        pieces = chain.dominance.pieces if self._following and chain.dominance else ()
        self.buffers = len(chain.expansion.buffers)
        self._pieces = _integral(pieces, self.buffers)
        self.top = _BITS * len(self.forms)

    def values(self, state: Sequence[int]) -> list[int]:
        """The value of every form minus its number."""
        return [sum(a * state[k] for k, a in form) - number for form, number in self.forms]

    def heights(self, state: Sequence[int]) -> Heights:
        """The values of the pieces of the dominance function (linear: also what a jump adds to them); empty without one."""
        found: Heights = self._pieces @ np.array(state, self._pieces.dtype)
        return found

    def key(self, values: Sequence[int], heights: Heights) -> int:
        """The key of a state with these values and heights.  ``argmax`` finds the first of the maximal pieces."""
        signs = sum(sign(value) << _BITS * i for i, value in enumerate(values))
        return signs + (int(heights.argmax()) << self.top if len(heights) else 0)

    def flip(self, form: int, old: int, new: int) -> int:
        """What to exclusive-or a key with when a form changes from one value to another."""
        return (sign(old) ^ sign(new)) << _BITS * form

    def decisions(self, key: int) -> list[list[Option]]:
        """For every decision (streams, then servers) its options: several of them are a free choice."""
        parts = self._always + (self._following[key >> self.top] if self._following else [])
        return [part.options(key) for part in parts]

    def decisions_at(self, state: Sequence[int]) -> list[list[Option]]:
        """The same at a state.

        >>> from verify.network_file.read import read_text
        >>> from verify.policies.compose import walk
        >>> text = '''
        ... servers = { 1 = { rate = "2" }, 2 = { rate = "3" } }
        ... classes = [{ name = "a", arrival_rate = "1", routes = { r1 = ["1"], r2 = ["2"] } }]
        ... policy = { routing = "jsq" }
        ... '''
        >>> chain = IntegerChain(walk(read_text(text, format="toml")))
        >>> [[dict(option) for option in options] for options in chain.decisions_at([1, 1])][0]
        [{((0, 1),): Fraction(1, 2), ((1, 1),): Fraction(1, 2)}]
        """
        return self.decisions(self.key(self.values(state), self.heights(state)))


def sign(value: int) -> int:
    """The sign of a number as one of three bits."""
    return _POSITIVE if value > 0 else _NEGATIVE if value else _ZERO


def _integral(pieces: Sequence[LinearForm], buffers: int) -> Heights:
    """All pieces times one number that makes them integral, one row for each."""
    scale = math.lcm(*(weight.denominator for piece in pieces for weight in piece.values()))
    rows = [[int(piece.entry(k) * scale) for k in range(buffers)] for piece in pieces]
    small = all(weight < _SMALL for row in rows for weight in row)
    return np.array(rows, np.int64 if small else object).reshape(len(rows), buffers)


class _Decision:
    """The alternatives of one part, and what was found for the sign patterns of their forms."""

    def __init__(self, alternatives: Sequence[_Written], mask: int):
        self.alternatives, self.mask = alternatives, mask
        self._known: dict[int, list[Option]] = {}

    def options(self, key: int) -> list[Option]:
        """The open alternatives, those of one group mixed uniformly, each once; idling only where nothing else is open."""
        seen = key & self.mask
        if seen not in self._known:
            if len(self._known) > MOST_ENTRIES:
                self._known.clear()
            self._known[seen] = self._open(seen)
        return self._known[seen]

    def _open(self, key: int) -> list[Option]:
        groups: dict[Hashable, dict[Option, None]] = {}
        for a in self.alternatives:
            if not key & a.forbidden and (not a.needed or key & a.needed):
                groups.setdefault(a.group, {})[a.jumps] = None
        mixed: dict[Option, None] = {}
        for group in groups.values():
            mixed[tuple((changes, rate / len(group)) for jumps in group for changes, rate in jumps)] = None
        return [option for option in mixed if option] or [()]


class _Together:
    """All servers of a network with shared buffers, and what was found for the sign patterns of their forms."""

    def __init__(self, assignments: Assignments, reader: _Reader):
        self.assignments = assignments
        self.places = {_asked(form, number): reader.place(form, number) for form, number in assignments.asks()}
        self.mask = sum({7 << place for place in self.places.values()})
        self._known: dict[int, list[Option]] = {}

    def options(self, key: int) -> list[Option]:
        """Some of the admissible assignments, each once (:class:`~verify.policies.assignment.Assignments`)."""
        seen = key & self.mask
        if seen not in self._known:
            if len(self._known) > MOST_ENTRIES:
                self._known.clear()
            listed = self.assignments.options(lambda form, number: self._sign(seen, form, number))
            self._known[seen] = [tuple((_changes(jump.change), jump.rate) for jump in jumps) for jumps in listed]
        return self._known[seen]

    def _sign(self, key: int, form: LinearForm, number: int) -> int:
        bits = key >> self.places[_asked(form, number)]
        return 1 if bits & _POSITIVE else -1 if bits & _NEGATIVE else 0


def _asked(form: LinearForm, number: int) -> Hashable:
    return tuple(sorted(form.items())), number


class _Reader:
    """Reads alternatives; ``forms`` grows with the forms they ask for."""

    def __init__(self, chain: Walk, forms: dict[tuple[Changes, int], int]):
        self.read, self.forms = chain.instance.policy.at_integers(chain.expansion, chain.normals), forms

    def part(self, part: Part) -> _Decision:
        """All alternatives of one decision."""
        written = [self._written(a) for a in part.alternatives]
        return _Decision(written, functools.reduce(operator.or_, (a.forbidden | a.needed for a in written)))

    def _written(self, a: Alternative) -> _Written:
        forbidden = needed = 0
        for normal, signs in a.guard.items():
            forbidden |= (7 & ~signs) << self.place(normal.form)
        here = self.read(a)
        for form in here.positive:
            forbidden |= (_NEGATIVE | _ZERO) << self.place(form)
        for form in here.one_positive:
            needed |= _POSITIVE << self.place(form)
        return _Written(forbidden, needed, here.group, tuple((_changes(jump.change), jump.rate) for jump in a.jumps))

    def place(self, form: LinearForm, number: int = 0) -> int:
        """Where the sign of (form − number) stands in a key."""
        scale = math.lcm(*(value.denominator for value in form.values()))
        integral = _changes(form * Fraction(scale))
        return _BITS * self.forms.setdefault((integral, number * scale), len(self.forms))


def _changes(change: LinearForm) -> Changes:
    return tuple(sorted((k, int(amount)) for k, amount in change.items()))
