"""The table of docs/growth.md: certified rates are those shown, and lower bounds of what is simulated."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from verify.studies.simulation.simulate import Plan

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "growth.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("growth_table", ROOT / "examples" / "growth_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", [0, 1, 4, 7])
def test_growth_table_certified_rate_is_a_lower_bound_of_the_simulated_one(script: ModuleType, number: int) -> None:
    name, file, changes = script.NETWORKS[number]
    row = script.row(name, script.load(file, changes), Plan(seed=6, replications=12, horizon=2000, confidence=0.999))
    assert row.certified > 0
    assert row.certified <= row.simulated.high
    assert row.agrees
    shown = [line for line in PAGE.splitlines() if line.startswith(f"| {name} |")]
    assert len(shown) == 1
    assert f"| {row.certified} (about" in shown[0]


def test_growth_table_on_the_page_has_ten_rows_and_no_contradiction(script: ModuleType) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")][2:]
    assert [line.split(" | ")[0].removeprefix("| ") for line in rows] == [name for name, _, _ in script.NETWORKS]
    assert all(line.endswith("| yes |") for line in rows)


def test_growth_table_row_that_contradicts_its_certificate_would_say_so(script: ModuleType) -> None:
    below = script.Row("made up", Fraction(1, 2), "1 a", 0, script.Estimate(0.3, 0.1))
    assert not below.agrees
    assert script.markdown([below]).endswith("| NO |\n")
