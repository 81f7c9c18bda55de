"""The figure scripts: every value they compare is the same, and they draw."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "equilibria"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("slide_*.py"))


@pytest.fixture
def script(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module(request.param)


@pytest.mark.parametrize("script", SCRIPTS, indirect=True)
def test_figure_values_are_the_expected_ones(script: ModuleType) -> None:
    rows = script.compare()
    assert rows
    assert [(what, expected) for what, expected, _ in rows] == [(what, computed) for what, _, computed in rows]


@pytest.mark.parametrize("script", ["slide_45"], indirect=True)
def test_figure_is_drawn(script: ModuleType, tmp_path: Path) -> None:
    assert script.draw(tmp_path).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_figure_scripts_are_those_of_the_slides() -> None:
    assert [name.removeprefix("slide_") for name in SCRIPTS] == ["42", "43", "44", "45", "85", "86", "87"]
