"""The values of one parameter, ``NAME=START:STOP:STEP``, exactly: how options say along what a study goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.errors import InputError
from verify.network.expression import PARAMETER_NAME, evaluate
from verify.network.messages import shown

MAX_POINTS = 10_000
_FORM = "NAME=START:STOP:STEP"
_GRID = re.compile(rf"(?P<name>{PARAMETER_NAME.pattern})=(?P<start>[^:]*):(?P<stop>[^:]*):(?P<step>[^:]*)")


@dataclass(frozen=True)
class Grid:
    """The values start, start + step, ... up to stop (included if it is one of them) of the parameter ``name``."""

    name: str
    start: Fraction
    stop: Fraction
    step: Fraction

    @property
    def values(self) -> tuple[Fraction, ...]:
        """All values, exact."""
        return tuple(self.start + k * self.step for k in range((self.stop - self.start) // self.step + 1))


def parse_grid(text: str, option: str = "--sweep") -> Grid:
    """The grid in the text of an option.  Raises ``InputError``.

    >>> [str(value) for value in parse_grid("mu1=0.5:1:1/4").values]
    ['1/2', '3/4', '1']
    >>> parse_grid("mu1=1:2")
    Traceback (most recent call last):
    verify.errors.InputError: --sweep: expected NAME=START:STOP:STEP, got 'mu1=1:2'
    """
    match = _GRID.fullmatch(text)
    if match is None:
        raise InputError(option, _FORM, shown(text))
    start, stop, step = (evaluate(match[key], {}, f"{option} {key.upper()}") for key in ("start", "stop", "step"))
    if step <= 0:
        raise InputError(f"{option} STEP", "a number > 0", str(step))
    if stop < start:
        raise InputError(f"{option} STOP", f"a number >= START = {start}", str(stop))
    if (stop - start) / step >= MAX_POINTS:
        raise InputError(option, f"at most {MAX_POINTS} values", str((stop - start) // step + 1))
    return Grid(match["name"], start, stop, step)


def setting_at(grid: Grid, value: Fraction, settings: Mapping[str, str], option: str) -> dict[str, str]:
    """The settings with the parameter at one value of the grid.  Raises ``InputError``: it is set already."""
    if grid.name in settings:
        raise InputError(option, "a parameter that --set leaves alone", shown(grid.name))
    return {**settings, grid.name: str(value)}


def blamed(error: InputError, grid: Grid, option: str) -> InputError:
    """An unknown parameter is a fault of the option that names it."""
    if error.place.endswith("--set") and error.found == shown(grid.name):
        return InputError(option, error.expected, error.found, error.cure)
    return error
