"""The named constants of a file: their values, settings from outside in their place, and which of them matter."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from verify.errors import InputError, UnusedSetting
from verify.network.expression import PARAMETER_NAME, bounded, evaluate
from verify.network.fields import Field
from verify.network.messages import did_you_mean, listed, shown

_EXAMPLE = 'write [parameters] and a line like: load = "9/10", and use the name in the rates'


class Parameters(Mapping[str, Fraction]):
    """Name -> value.  Remembers which names were looked up, and which others each value was computed from."""

    def __init__(self) -> None:
        self._values: dict[str, Fraction] = {}
        self._sources: dict[str, frozenset[str]] = {}
        self._looked_up: set[str] = set()

    def __getitem__(self, name: str) -> Fraction:
        value = self._values[name]
        self._looked_up.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def define(self, name: str, value: Fraction) -> None:
        """A new parameter, computed from whatever has been looked up since the last definition."""
        self._values[name] = value
        self._sources[name] = frozenset(self._looked_up)
        self._looked_up.clear()

    def used(self) -> frozenset[str]:
        """The names looked up since the last definition, and those their values were computed from."""
        found: set[str] = set()
        waiting = list(self._looked_up)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self._sources[name])
        return frozenset(found)

    def warn_of_unused(self, names: Iterable[str]) -> None:
        """After the whole file has been read: warn of parameters that were set and change nothing."""
        for name in names:
            if name not in self.used():
                warnings.warn(
                    UnusedSetting(f"parameter {name!r} is set, but nothing in the file depends on it"), stacklevel=2
                )


def read_parameters(field: Field, settings: Mapping[str, str]) -> Parameters:
    """The parameters of a file; one may use those before it.

    Parameters: ``field`` the table; ``settings`` name -> expression, in place of the file's value.  Raises ``InputError``.
    """
    entries = field.entries("a table of named numbers")
    for name in settings:
        if name not in entries:
            expected = f"one of the parameters {listed(entries)}" if entries else "a file with parameters to set"
            cure = did_you_mean(name, entries) if entries else _EXAMPLE
            raise InputError("--set", expected, shown(name), cure)
    found = Parameters()
    for name, entry in entries.items():
        if not PARAMETER_NAME.fullmatch(name):
            raise entry.refused(
                "a parameter name of letters, digits and _, not beginning with a digit", found=shown(name)
            )
        try:
            found.define(name, _value(name, entry, settings, found))
        except InputError as error:
            later = [other for other in entries if other not in found and error.found == shown(other)]
            if not later:
                raise
            raise InputError(
                error.place, "numbers and parameters defined above it", error.found, "define that one first"
            ) from error
    return found


def _value(name: str, entry: Field, settings: Mapping[str, str], found: Parameters) -> Fraction:
    if name in settings:
        return bounded(evaluate(settings[name], found, f"--set {name}"), f"--set {name}")
    return Field(entry.place, entry.value, found).number()
