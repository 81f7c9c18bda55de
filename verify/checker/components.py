"""The nouns of the walk (FORMAT.md section 4): components, branches, parts, alternatives, and their mean drifts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TypeVar

from verify.checker.forms import Fact, Form
from verify.checker.state import State

Jumps = Iterable[tuple[int | None, int | None, Fraction]]  # from, to (None: outside), rate
Guard = tuple[Fact, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Alternative:
    """One thing a component may do where its closed guard holds.

    drift: the number of its mean drift in the model's list. serves: the buffer that loses a job (then x >= 1).
    targets: the buffers the job may reach with positive probability, None for the exit.
    """

    name: str
    guard: Guard
    drift: int
    serves: int | None = None
    targets: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Part:
    """Alternatives one of which is taken; `server` is empty for a class."""

    server: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Branch:
    """A common choice of a component: a guard, and parts that choose freely within it."""

    name: str
    guard: Guard
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Component:
    """An independent part of the walk."""

    name: str
    branches: tuple[Branch, ...]


def plain_component(name: str, server: str, alternatives: Iterable[Alternative]) -> Component:
    """A component with one branch without a guard and one part."""
    return Component(name, (Branch("", (), (Part(server, tuple(alternatives)),)),))


class Drifts:
    """The distinct mean drifts, all over one common denominator, so that they can be compared as integers."""

    def __init__(self, state: State) -> None:
        rates = [s.rate * o.probability for s in state.services for d in s.destinations for o in d.outcomes]
        rates += [a.rate * (e.probability or 1) for a in state.streams for e in a.entries]
        self.denominator = lcm(*(rate.denominator for rate in rates))
        self.forms: list[Form] = []
        self.numbers: dict[frozenset[tuple[int, int]], int] = {}

    def number(self, jumps: Jumps) -> int:
        """The number of the mean drift: sum of rate * jump."""
        total: dict[int, int] = {}
        for source, target, rate in jumps:
            amount = int(rate * self.denominator)
            if source is not None:
                total[source] = total.get(source, 0) - amount
            if target is not None:
                total[target] = total.get(target, 0) + amount
        number = self.numbers.setdefault(frozenset(total.items()), len(self.forms))
        if number == len(self.forms):
            self.forms.append(Form(self.denominator, total))
        return number


def subsets(items: Sequence[T]) -> list[tuple[T, ...]]:
    """All subsets, each in the order of the list, the empty one first."""
    return [chosen for size in range(len(items) + 1) for chosen in combinations(items, size)]
