"""Equilibria and social optimum along a grid of one parameter (``--sweep NAME=START:STOP:STEP``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from proofs.equilibria.downs_thomson.model import Equilibrium, Model
from proofs.equilibria.downs_thomson.social import Optimum
from proofs.equilibria.file import read_equilibria_file
from proofs.equilibria.report import report, social_optimum, solved
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


@dataclass(frozen=True)
class SweepPoint:
    """The equilibria at one value of the parameter; ``social`` None where there is none (or it is not solved)."""

    value: Fraction
    model: Model
    equilibria: tuple[Equilibrium, ...]
    social: Optimum | None


def parse_grid(text: str) -> Grid:
    """The grid in the text of ``--sweep``.

    >>> [str(value) for value in parse_grid("mu1=0.5:1:1/4").values]
    ['1/2', '3/4', '1']
    >>> parse_grid("mu1=1:2")
    Traceback (most recent call last):
    verify.errors.InputError: --sweep: expected NAME=START:STOP:STEP, got 'mu1=1:2'
    """
    match = _GRID.fullmatch(text)
    if match is None:
        raise InputError("--sweep", _FORM, shown(text))
    start, stop, step = (evaluate(match[key], {}, f"--sweep {key.upper()}") for key in ("start", "stop", "step"))
    if step <= 0:
        raise InputError("--sweep STEP", "a number > 0", str(step))
    if stop < start:
        raise InputError("--sweep STOP", f"a number >= START = {start}", str(stop))
    if (stop - start) / step >= MAX_POINTS:
        raise InputError("--sweep", f"at most {MAX_POINTS} values", str((stop - start) // step + 1))
    return Grid(match["name"], start, stop, step)


def sweep(path: str | Path, grid: Grid, settings: Mapping[str, str] | None = None) -> list[SweepPoint]:
    """The equilibria at every value of the grid.  Raises ``InputError``."""
    return sweep_models(lambda value: _read(path, grid, settings, value), grid.values)


def _read(path: str | Path, grid: Grid, settings: Mapping[str, str] | None, value: Fraction) -> Model:
    """The model at one value of the grid; an unknown parameter is a fault of ``--sweep``."""
    fixed = dict(settings or {})
    if grid.name in fixed:
        raise InputError("--sweep", "a parameter that --set leaves alone", shown(grid.name))
    try:
        return read_equilibria_file(path, {**fixed, grid.name: str(value)})
    except InputError as error:
        if error.place == "--set" and error.found == shown(grid.name):
            raise InputError("--sweep", error.expected, error.found, error.cure) from error
        raise


def sweep_models(model_at: Callable[[Fraction], Model], values: Sequence[Fraction]) -> list[SweepPoint]:
    """The same for any family of models."""
    return [_point(value, model_at(value)) for value in values]


def _point(value: Fraction, model: Model) -> SweepPoint:
    return SweepPoint(value, model, solved(model).equilibria, social_optimum(model)[0])


def sweep_report(path: str | Path, grid: Grid, settings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What ``queueproof equilibria FILE --sweep ... --json`` prints: the tables of every value."""
    points = [{"value": str(value), **report(_read(path, grid, settings, value))} for value in grid.values]
    return {"parameter": grid.name, "points": points}
