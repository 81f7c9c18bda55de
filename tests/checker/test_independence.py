"""The checker stands alone: standard library only, nothing of the rest of `verify`, no float, no assert, no eval."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from imports import Source, modules_below, reached

import verify.checker

from .examples import mm1_faces

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "verify" / "checker"
MODULES = sorted(FOLDER.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_module_imports_only_the_standard_library_and_itself(path: Path) -> None:
    found = reached(Source.of(path, ROOT), modules_below(ROOT, "verify"))
    assert found.refused == set()
    for name in found.modules:
        own = name == "verify.checker" or name.startswith("verify.checker.")
        assert own or name.partition(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_module_has_no_assert_no_float_no_eval(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)))
        assert not (
            isinstance(node, ast.Name) and node.id in ("float", "eval", "exec", "compile", "__import__", "round")
        )


# ---- the reading order of the first page ---------------------------------------------------------------------------
PAGE = verify.checker.__doc__ or ""
#: Each file of the order with the lines that the page promises; WORDS stands for all files that are not listed.
LISTED = {path: int(lines) for path, lines in re.findall(r"^ {4}(\S+\.py) +(\d+)\b", PAGE, re.MULTILINE)}
WORDS = "policies/*.py"
WRITTEN = [path.relative_to(FOLDER).as_posix() for path in MODULES if path.name != "__init__.py"]
SHELVES = ["core", "policies", "cells", "quadratic", "network_file", "."]


def place(path: str) -> int:
    """The number of its line on the page."""
    return list(LISTED).index(path if path in LISTED else WORDS)


def test_reading_order_lists_every_file_once_shelf_by_shelf() -> None:
    unlisted = [path for path in WRITTEN if path not in LISTED]
    assert set(WRITTEN) - set(unlisted) == set(LISTED) - {WORDS}
    assert all(Path(path).match(WORDS) for path in unlisted)
    assert PAGE.count(".py  ") == len(LISTED)
    shelves = [SHELVES.index(str(Path(path).parent)) for path in LISTED]
    assert shelves == sorted(shelves)


@pytest.mark.parametrize("path", WRITTEN)
def test_module_uses_only_what_is_read_before_it(path: str) -> None:
    """So no shelf reaches into a later one, no word uses another, and nothing goes round in a circle."""
    before = {Source.of(FOLDER / other, ROOT).module for other in WRITTEN if place(other) < place(path)}
    used = reached(Source.of(FOLDER / path, ROOT), modules_below(ROOT, "verify")).modules
    assert {name for name in used if name.startswith("verify.")} <= before


@pytest.mark.parametrize("path", WRITTEN)
def test_module_is_about_as_long_as_the_first_page_says(path: str) -> None:
    lines, promised = len((FOLDER / path).read_text(encoding="utf-8").splitlines()), list(LISTED.values())[place(path)]
    assert lines <= promised + max(5, promised // 10)
    assert path not in LISTED or lines >= promised - max(5, promised // 10)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_nothing_else_of_verify_is_loaded() -> None:
    code = "import sys, verify.checker; print([m for m in sys.modules if m.startswith('verify')])"
    loaded = run("-c", code)
    assert loaded.returncode == 0, loaded.stderr
    names = ast.literal_eval(loaded.stdout)
    assert {name for name in names if not name.startswith("verify.checker")} == {"verify"}


@pytest.mark.parametrize("optimise", [[], ["-O"]], ids=["plain", "optimised"])
def test_runs_as_a_module_in_isolation(tmp_path: Path, optimise: list[str]) -> None:
    good, bad, ugly = (tmp_path / f"{name}.json" for name in ("good", "bad", "ugly"))
    good.write_text(json.dumps(mm1_faces()))
    bad.write_text(json.dumps(mm1_faces()).replace('"epsilon": "1/2"', '"epsilon": "1/3"'))
    ugly.write_text("no")
    for path, status, word in ((good, 0, "ACCEPTED: "), (bad, 1, "REJECTED: epsilon: "), (ugly, 2, "MALFORMED: ")):
        found = run(*optimise, "-m", "verify.checker", str(path))
        said, silent = (found.stderr, found.stdout) if status == 2 else (found.stdout, found.stderr)
        assert (found.returncode, silent) == (status, "")
        assert said.startswith(word)
        assert said.count("\n") == (2 if status == 0 else 1)  # what it was compared with
