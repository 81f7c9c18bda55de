"""Guards: conjunctions of facts about the signs of named linear forms (theory 2.2; ``verify/checker/FORMAT.md``, section 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import TypeAlias

from verify.linear_form import LinearForm


class Signs(IntEnum):
    """The signs a linear form may have: a set of {<, =, >} as three bits.  ``&`` intersects (and gives an int)."""

    NONE = 0
    NEGATIVE = 1
    ZERO = 2
    NOT_POSITIVE = 3
    POSITIVE = 4
    NOT_ZERO = 5
    NOT_NEGATIVE = 6
    ANY = 7


#: The sets with one element.
SINGLE = frozenset({Signs.NEGATIVE, Signs.ZERO, Signs.POSITIVE})


@dataclass(frozen=True, eq=False)
class Normal:
    """A linear form g with its name in certificates.  One object for each name (compared by identity)."""

    name: str
    form: LinearForm

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """g·x."""
        return self.form.at(state)


Guard: TypeAlias = Mapping[Normal, Signs]
"""Closed guard: every listed form has one of the listed signs."""


class Normals:
    """The stock of normals of one walk; asks for a form by name make it once."""

    def __init__(self) -> None:
        self._stock: dict[tuple[str, int], Normal] = {}
        self._owners: dict[int, object] = {}

    def get(self, name: str, form: Callable[[], LinearForm], owner: object = None) -> Normal:
        """The normal of that name; ``form`` is asked for at the first call.

        ``owner``: differences of V's pieces have one name but another form for every V; they are kept apart by V."""
        key = (name, 0 if owner is None else id(owner))
        if key not in self._stock:
            self._owners[id(owner)] = owner  # kept, so that its id is not given away
            self._stock[key] = Normal(name, LinearForm(form()))
        return self._stock[key]

    def __getitem__(self, name: str) -> Normal:
        """The latest normal of that name.  Raises ``KeyError``."""
        for (known, _), normal in reversed(self._stock.items()):
            if known == name:
                return normal
        raise KeyError(name)


def intersect(facts: Mapping[Normal, Signs], guard: Guard) -> dict[Normal, Signs] | None:
    """Both together; None if some form is left without a sign."""
    result = dict(facts)
    for normal, signs in guard.items():
        left = result.get(normal, Signs.ANY) & signs
        if not left:
            return None
        result[normal] = Signs(left)
    return result


def holds(facts: Mapping[Normal, Signs], state: Mapping[int, Fraction]) -> bool:
    """Does the state satisfy all facts?"""
    return all(sign_of(normal.at(state)) & signs for normal, signs in facts.items())


def sign_of(value: Fraction) -> Signs:
    """The sign of a number as a one-element set."""
    return Signs.POSITIVE if value > 0 else Signs.NEGATIVE if value < 0 else Signs.ZERO
