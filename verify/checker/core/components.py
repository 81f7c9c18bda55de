"""The nouns of the walk (FORMAT.md section 8): components, branches, parts, alternatives, and their mean drifts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from verify.checker.core.forms import Fact, Form
from verify.checker.core.state import State
from verify.checker.core.work import common_denominator

Jumps = Iterable[tuple[int | None, int | None, Fraction]]  # from, to (None: outside), rate
Jump = tuple[int | None, int | None, int]  # from, to, rate * common denominator
Guard = tuple[Fact, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Alternative:
    """One thing a component may do where its closed guard holds.

    drift: the number of its jumps and of their mean drift in the lists of `Drifts`.
    serves: the buffer that loses a job (then x >= least, which is 1 but for shared buffers).
    targets: the buffers the job may reach with positive probability, None for the exit.
    """

    name: str
    guard: Guard
    drift: int
    serves: int | None = None
    targets: tuple[int | None, ...] = ()
    least: int = 1


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
    """The distinct lists of jumps with their mean drifts, all over one common denominator, so that they are integers.

    jumps: for each number the jumps, from and to (None: outside), with rate * denominator; forms: the mean drifts.
    """

    def __init__(self, state: State) -> None:
        rates = [s.rate * o.probability for s in state.services for d in s.destinations for o in d.outcomes]
        rates += [a.rate * (e.probability or 1) for a in state.streams for e in a.entries]
        self.denominator = common_denominator((rate.denominator for rate in rates), "rates")
        self.forms: list[Form] = []
        self.jumps: list[tuple[Jump, ...]] = []
        self.numbers: dict[tuple[Jump, ...], int] = {}

    def number(self, jumps: Jumps) -> int:
        """The number of these jumps and their mean drift: sum of rate * jump."""
        listed = tuple((source, target, int(rate * self.denominator)) for source, target, rate in jumps)
        number = self.numbers.setdefault(listed, len(self.forms))
        if number == len(self.forms):
            self.jumps.append(listed)
            self.forms.append(Form(self.denominator, _mean(listed)))
        return number


def _mean(jumps: Iterable[Jump]) -> dict[int, int]:
    total: dict[int, int] = {}
    for source, target, amount in jumps:
        if source is not None:
            total[source] = total.get(source, 0) - amount
        if target is not None:
            total[target] = total.get(target, 0) + amount
    return total


def subsets(items: Sequence[T]) -> list[tuple[T, ...]]:
    """All subsets, each in the order of the list, the empty one first."""
    return [chosen for size in range(len(items) + 1) for chosen in combinations(items, size)]
