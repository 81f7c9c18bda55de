"""Largest sums over the choices of a chain: component by component, as its drifts are bounded (theory 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from verify.chain.components import Alternative, Component

T = TypeVar("T")
#: Per component its branches, per branch its parts, per part what may be chosen.
Choices: TypeAlias = Sequence[Sequence[Sequence[Sequence[T]]]]


def choices_of(components: Iterable[Component]) -> Choices[Alternative]:
    """All alternatives, wherever the state is."""
    return [
        [[list(part.alternatives) for part in branch.parts] for branch in component.branches]
        for component in components
    ]


def most(choices: Choices[T], value: Callable[[T], Fraction]) -> Fraction:
    """Σ_components max_branches Σ_parts max ``value``: no joint choice has more, nor has any mixture of choices."""
    return sum((max(_parts(branch, value) for branch in component) for component in choices), Fraction(0))


def _parts(branch: Sequence[Sequence[T]], value: Callable[[T], Fraction]) -> Fraction:
    return sum((max(map(value, part)) for part in branch), Fraction(0))


def rate(alternative: Alternative) -> Fraction:
    """The total rate of its jumps."""
    return sum((jump.rate for jump in alternative.jumps), Fraction(0))
