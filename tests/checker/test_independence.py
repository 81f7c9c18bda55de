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
#: Each file of the order with the lines that the page promises.
ORDER = {
    path: int(lines)
    for path, lines in re.findall(r"^ {4}(\S+\.py) +(\d+)\b", verify.checker.__doc__ or "", re.MULTILINE)
}
SHELVES = ["core", "policies", "cells", "network_file", "."]


def module(path: str) -> str:
    return "verify.checker." + path.removesuffix(".py").replace("/", ".")


def test_reading_order_lists_every_file_once_shelf_by_shelf() -> None:
    written = {str(path.relative_to(FOLDER)) for path in MODULES if path.name != "__init__.py"}
    assert set(ORDER) == written
    assert (verify.checker.__doc__ or "").count(".py  ") == len(ORDER)
    shelves = [SHELVES.index(str(Path(path).parent)) for path in ORDER]
    assert shelves == sorted(shelves)


@pytest.mark.parametrize("path", ORDER)
def test_module_uses_only_what_is_read_before_it(path: str) -> None:
    """So no shelf reaches into a later one, and nothing goes round in a circle."""
    before = {module(earlier) for earlier in list(ORDER)[: list(ORDER).index(path)]}
    used = reached(Source.of(FOLDER / path, ROOT), modules_below(ROOT, "verify")).modules
    assert {name for name in used if name.startswith("verify.")} <= before


@pytest.mark.parametrize("path", ORDER)
def test_module_is_about_as_long_as_the_first_page_says(path: str) -> None:
    lines = len((FOLDER / path).read_text(encoding="utf-8").splitlines())
    assert abs(lines - ORDER[path]) <= max(5, ORDER[path] // 10)


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
