"""Fields of a file: a value together with its place, so that every refusal can say where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.errors import InputError
from verify.network.expression import bounded, evaluate
from verify.network.hints import key_hint, spelling_hint
from verify.network.messages import FloatLiteral, float_cure, listed, shown, shown_number

#: Names are written into many others (class.route.position), so they are not endless.
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
#: The largest number, and one over the smallest.
_LARGEST = 10**60
_LONG = "at most 100 characters"
_KEY = re.compile(r"[A-Za-z0-9_.@-]{1,200}")


@dataclass(frozen=True)
class Field:
    """One value of the file.

    Parameters: ``place`` its path, as in ``classes[1].routes.r1[0].rate``; ``value`` what stands there;
    ``parameters`` the named constants that its expressions may use.  All methods but ``refused`` and ``child`` raise
    ``InputError``.
    """

    place: str
    value: object
    parameters: Mapping[str, Fraction]

    def refused(self, expected: str, cure: str = "", found: str = "") -> InputError:
        """The refusal of this value, to be raised."""
        return InputError(self.place or "file", expected, found or shown(self.value), cure)

    def child(self, key: str, value: object) -> Field:
        """The field ``key`` of this table."""
        shown_key = key if _KEY.fullmatch(key) else shown(key)
        return Field(f"{self.place}.{shown_key}" if self.place else shown_key, value, self.parameters)

    def entries(self, what: str = "a table") -> dict[str, Field]:
        """The fields of a table whose keys are free, in the order of the file."""
        if not isinstance(self.value, dict):
            raise self.refused(what)
        if not all(isinstance(key, str) for key in self.value):
            raise self.refused(f"{what}, its keys strings", found="other keys")
        return {key: self.child(key, value) for key, value in self.value.items()}

    def table(
        self, keys: Sequence[str], what: str = "a table", hint: Callable[[str, Sequence[str]], str] = key_hint
    ) -> Table:
        """A table that has no other keys than these; ``hint`` says what may have been meant by another one."""
        entries = self.entries(what)
        for key, entry in entries.items():
            if key not in keys:
                what_keys = f"one of the keys {listed(keys)}" if keys else "no keys here"
                raise entry.refused(what_keys, hint(key, keys), shown(key))
        return Table(self, entries)

    def items(self, what: str) -> tuple[Field, ...]:
        """The fields of a list that is not empty."""
        if not isinstance(self.value, (list, tuple)):
            raise self.refused(what)
        if not self.value:
            raise self.refused(what, found="an empty list")
        return tuple(Field(f"{self.place}[{i}]", value, self.parameters) for i, value in enumerate(self.value))

    def text(self, what: str = "a string") -> str:
        """A string."""
        if not isinstance(self.value, str):
            quote = f'write "{self.value}"' if type(self.value) is int and self.value.bit_length() < 100 else ""
            raise self.refused(what, quote)
        return self.value

    def prose(self) -> str:
        """A string that can be written to any file again (no lone surrogates)."""
        text = self.text()
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise self.refused("Unicode text")
        return text

    def choice(
        self, options: Sequence[str], what: str, hint: Callable[[str, Sequence[str]], str] = spelling_hint
    ) -> str:
        """One of the listed words, called ``what`` in the refusal; ``hint`` says what may have been meant by another one.

        >>> Field("policy.holding", "non", {}).choice(["none", "stop"], "the words")
        Traceback (most recent call last):
        verify.errors.InputError: policy.holding: expected one of the words none, stop, got 'non' (did you mean 'none'?)
        """
        word = self.text(f"one of {what} {listed(options)}")
        if word not in options:
            raise self.refused(f"one of {what} {listed(options)}", hint(word, options))
        return word

    def name(self) -> str:
        """A name: letters, digits, ``_`` and ``-`` (ASCII)."""
        return self.named(self.text("a name (a string)"))

    def named(self, name: str) -> str:
        """``name``, if it is a name; refused at this place otherwise."""
        if not NAME.fullmatch(name):
            raise self.refused("a name of letters, digits, _ and -", _LONG if len(name) > 100 else "", shown(name))
        return name

    def number(self) -> Fraction:
        """An exact number: an integer, or a string with an expression.

        >>> Field("classes[0].arrival_rate", "3/4", {}).number()
        Fraction(3, 4)
        """
        value = self.value
        if isinstance(value, str):
            return self._moderate(evaluate(value, self.parameters, self.place))
        if isinstance(value, int) and not isinstance(value, bool):
            return self._moderate(bounded(Fraction(value), self.place))
        if isinstance(value, (FloatLiteral, float)):
            literal = value.text if isinstance(value, FloatLiteral) else repr(value)
            raise self.refused("an exact number", float_cure(literal), shown(FloatLiteral(literal)))
        raise self.refused("an exact number")

    def _moderate(self, number: Fraction) -> Fraction:
        """Searches work in floats, which products of a few numbers of this size do not overflow."""
        if number and not Fraction(1, _LARGEST) <= abs(number) <= _LARGEST:
            cure = "choose another unit of time or of weights"
            raise self._out_of_range(number, "0, or a number between 10^-60 and 10^60 in size", cure)
        return number

    def positive(self) -> Fraction:
        """An exact number > 0."""
        number = self.number()
        if number > 0:
            return number
        raise self._out_of_range(number, "a number > 0")

    def non_negative(self) -> Fraction:
        """An exact number >= 0."""
        number = self.number()
        if number >= 0:
            return number
        raise self._out_of_range(number, "a number >= 0")

    def probability(self) -> Fraction:
        """An exact number p with 0 < p <= 1."""
        number = self.number()
        if 0 < number <= 1:
            return number
        raise self._out_of_range(number, "a probability > 0 and <= 1", "leave it out if it is 0" if number == 0 else "")

    def _out_of_range(self, number: Fraction, expected: str, cure: str = "") -> InputError:
        """The refusal of a number; an expression is shown with its value."""
        value = shown_number(number)
        found = value if str(self.value) == value else f"{value}, the value of {shown(self.value)}"
        return self.refused(expected, cure, found)


@dataclass(frozen=True)
class Table:
    """A table with known keys: ``field`` where it stands, ``entries`` the keys that are there."""

    field: Field
    entries: Mapping[str, Field]

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def get(self, key: str, default: object) -> Field:
        """The field ``key``, or a field with the default value in its place."""
        return self.entries[key] if key in self.entries else self.field.child(key, default)

    def need(self, key: str, expected: str, cure: str = "") -> Field:
        """The field ``key``; refused if it is missing."""
        if key not in self.entries:
            raise self.field.child(key, None).refused(expected, cure, "nothing")
        return self.entries[key]

    def rate(self) -> Fraction | None:
        """The rate (jobs per unit of time, > 0) given as ``rate``, or as ``mean`` service time; None if neither is."""
        if "rate" in self and "mean" in self:
            raise self.field.refused("rate or mean", "remove one of them", "both")
        if "mean" in self:
            return 1 / self.entries["mean"].positive()
        return self.entries["rate"].positive() if "rate" in self else None
