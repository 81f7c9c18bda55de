"""Equilibria and social optimum along a grid of one parameter (``--sweep NAME=START:STOP:STEP``)."""

from __future__ import annotations

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
from verify.network.grid import Grid, blamed, setting_at


@dataclass(frozen=True)
class SweepPoint:
    """The equilibria at one value of the parameter; ``social`` None where there is none (or it is not solved)."""

    value: Fraction
    model: Model
    equilibria: tuple[Equilibrium, ...]
    social: Optimum | None


def sweep(path: str | Path, grid: Grid, settings: Mapping[str, str] | None = None) -> list[SweepPoint]:
    """The equilibria at every value of the grid.  Raises ``InputError``."""
    return sweep_models(lambda value: _read(path, grid, settings, value), grid.values)


def _read(path: str | Path, grid: Grid, settings: Mapping[str, str] | None, value: Fraction) -> Model:
    """The model at one value of the grid; an unknown parameter is a fault of ``--sweep``."""
    fixed = setting_at(grid, value, settings or {}, "--sweep")
    try:
        return read_equilibria_file(path, fixed)
    except InputError as error:
        raise blamed(error, grid, "--sweep") from error


def sweep_models(model_at: Callable[[Fraction], Model], values: Sequence[Fraction]) -> list[SweepPoint]:
    """The same for any family of models."""
    return [_point(value, model_at(value)) for value in values]


def _point(value: Fraction, model: Model) -> SweepPoint:
    return SweepPoint(value, model, solved(model).equilibria, social_optimum(model)[0])


def sweep_report(path: str | Path, grid: Grid, settings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What ``queueproof equilibria FILE --sweep ... --json`` prints: the tables of every value."""
    points = [{"value": str(value), **report(_read(path, grid, settings, value))} for value in grid.values]
    return {"parameter": grid.name, "points": points}
