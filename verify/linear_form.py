"""Linear forms g·x over the coordinates of the state: the weights of a piece, a normal, a mean drift, a jump."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

ZERO = Fraction(0)


class LinearForm(Mapping[int, Fraction]):
    """A sparse exact vector: coordinate -> entry, zeros left out.  Immutable; a mapping, and with the arithmetic of vectors.

    Parameters: ``entries`` coordinate -> number, zeros allowed.

    >>> g = LinearForm({0: Fraction(1), 1: Fraction(-1, 2)})
    >>> (g + LinearForm.unit(1) * Fraction(1, 2)) == LinearForm.unit(0)
    True
    >>> g.at({0: Fraction(3), 1: Fraction(4)}), g.entry(7)
    (Fraction(1, 1), Fraction(0, 1))
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[int, Fraction] | Iterable[tuple[int, Fraction]] = ()):
        self._entries = {k: value for k, value in dict(entries).items() if value}

    @classmethod
    def unit(cls, k: int) -> LinearForm:
        """x_k."""
        return cls({k: Fraction(1)})

    @classmethod
    def sum_of(cls, coordinates: Iterable[int]) -> LinearForm:
        """Σ x_k, a coordinate as often as it is listed."""
        return cls.combination((Fraction(1), {k: Fraction(1)}) for k in coordinates)

    @classmethod
    def combination(cls, terms: Iterable[tuple[Fraction, Mapping[int, Fraction]]]) -> LinearForm:
        """Σ factor · form."""
        total: dict[int, Fraction] = {}
        for factor, form in terms:
            for k, value in form.items():
                total[k] = total.get(k, ZERO) + factor * value
        return cls(total)

    def __getitem__(self, k: int) -> Fraction:
        return self._entries[k]

    def __iter__(self) -> Iterator[int]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, k: object) -> bool:
        return k in self._entries

    def items(self) -> ItemsView[int, Fraction]:
        """Coordinates with their entries (those of the dictionary inside: forms are walked through millions of times)."""
        return self._entries.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._entries == {k: v for k, v in other.items() if v}

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"LinearForm({self._entries!r})"

    def entry(self, k: int) -> Fraction:
        """The entry of a coordinate, 0 where none is kept."""
        return self._entries.get(k, ZERO)

    def __add__(self, other: Mapping[int, Fraction]) -> LinearForm:
        return self.combination(((Fraction(1), self), (Fraction(1), other)))

    def __sub__(self, other: Mapping[int, Fraction]) -> LinearForm:
        return self.combination(((Fraction(1), self), (Fraction(-1), other)))

    def __neg__(self) -> LinearForm:
        return self * Fraction(-1)

    def __mul__(self, factor: Fraction) -> LinearForm:
        return LinearForm({k: factor * value for k, value in self._entries.items()})

    __rmul__ = __mul__

    def coprime(self) -> LinearForm:
        """The form times the least positive number that makes its entries coprime integers.

        >>> LinearForm({0: Fraction(2, 3), 1: Fraction(-4)}).coprime()
        LinearForm({0: Fraction(1, 1), 1: Fraction(-6, 1)})
        """
        scale = math.lcm(*(value.denominator for value in self._entries.values()))
        shared = math.gcd(*(int(value * scale) for value in self._entries.values())) or 1
        return self * Fraction(scale, shared)

    def at(self, state: Mapping[int, Fraction]) -> Fraction:
        """g·x, for a state, a jump or a mean drift x; a coordinate missing in it counts 0."""
        if len(state) < len(self._entries):
            return sum((self._entries[k] * x for k, x in state.items() if k in self._entries), ZERO)
        return sum((value * state[k] for k, value in self._entries.items() if k in state), ZERO)

    def words(self, names: Sequence[str]) -> str:
        """For people.

        >>> LinearForm({0: Fraction(1), 1: Fraction(1, 2)}).words(["a", "b"])
        '1 a + 1/2 b'
        """
        return " + ".join(f"{value} {names[k]}" for k, value in self._entries.items())

    def named(self, names: Sequence[str]) -> dict[str, Fraction]:
        """Name -> entry."""
        return {names[k]: value for k, value in self._entries.items()}
