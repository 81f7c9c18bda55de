"""What a test function V is to everyone who does not look for it: a value, gradients, a scale, words and JSON (theory 3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.linear_form import LinearForm


class TestFunction(ABC):
    """V over the coordinates of the state, up to what is said of it in words."""

    __test__ = False  # it is no test: pytest looks at names

    @property
    @abstractmethod
    def size(self) -> int:
        """How many pieces it has."""

    @property
    @abstractmethod
    def scale(self) -> Fraction:
        """The largest weight of a job: drifts of two functions are compared per this."""

    @abstractmethod
    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """V(x)."""

    @abstractmethod
    def gradients_at(self, state: Mapping[int, Fraction]) -> tuple[LinearForm, ...]:
        """The gradient of V at x (without bounded terms), or those of all pieces that attain the maximum there."""

    @abstractmethod
    def words(self, names: Sequence[str]) -> str:
        """For people, shortened where it is long: "V = …"."""

    @abstractmethod
    def to_json(self, names: Sequence[str]) -> Any:
        """For programs, exact numbers as text; the bounded terms stand in certificates only."""
