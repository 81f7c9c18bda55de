"""The table of docs/bounds.md: its bounds have certificates and enclose what is simulated."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from verify.methods.bounds import Effort
from verify.studies.simulation.simulate import Plan

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "bounds.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "±" in line]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bounds_table", ROOT / "examples" / "bounds_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_row_of_the_page_is_made_again(script: ModuleType, number: int) -> None:
    """With smaller programs: bounds are no closer than those of the page, and enclose what is simulated."""
    name, source, alone = script.NETWORKS[number]
    plan = Plan(seed=6, replications=12, jumps=20_000, confidence=0.999)
    row = script.row(name, script.load(source), alone, plan, Effort(1000))
    shown = ROWS[number]
    assert shown[0] == name and row.agrees
    assert row.lower - Fraction(1, 10**4) <= Fraction(shown[3]) <= Fraction(shown[5]) <= row.upper + Fraction(1, 10**4)


def test_table_of_the_page_has_every_network_and_no_contradiction(script: ModuleType) -> None:
    assert [row[0] for row in ROWS] == [name for name, _, _ in script.NETWORKS]
    for row in ROWS:
        _, _, work, lower, simulated, upper, _ = row
        mean, half = (Fraction(number) for number in simulated.split(" ± "))
        assert Fraction(work) <= Fraction(lower) <= mean + half
        assert mean - half <= Fraction(upper) and Fraction(lower) <= Fraction(upper)


def test_row_that_contradicts_its_certificate_would_say_so(script: ModuleType) -> None:
    above = script.Row("made up", Fraction(1, 2), Fraction(2), Fraction(3), None, script.Estimate(1.0, 0.1))
    below = script.Row("made up", Fraction(1, 2), Fraction(1, 2), Fraction(4, 5), None, script.Estimate(1.0, 0.1))
    assert not above.agrees and not below.agrees
