"""``import queueproof`` costs nothing, and one module knows what is behind it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from imports import Source, modules_below, reached

import queueproof
from front_door.asked import ROOT
from queueproof import own

FRONT = sorted((ROOT / "queueproof").glob("*.py"))


def test_import_loads_no_other_module() -> None:
    code = "import sys; before = set(sys.modules); import queueproof; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "['queueproof']"


def test_errors_are_caught_without_heavy_packages() -> None:
    heavy = "('sympy', 'numpy', 'highspy', 'networkx', 'matplotlib', 'rich', 'flint')"
    code = f"import sys, queueproof; queueproof.InputError; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_public_names_are_all_there_and_no_others() -> None:
    assert all(getattr(queueproof, name) is not None for name in queueproof.__all__)
    assert set(queueproof.__all__) <= set(dir(queueproof))
    with pytest.raises(AttributeError, match="'certfy'"):
        queueproof.certfy  # type: ignore[attr-defined] # noqa: B018


def test_only_the_bridge_and_the_command_reach_the_packages_behind() -> None:
    house = modules_below(ROOT, "queueproof", *own.NAMES)
    behind = {path.name: reached(Source.of(path, ROOT), house).modules for path in FRONT}
    found = {name for name, modules in behind.items() if any(one.partition(".")[0] in own.NAMES for one in modules)}
    assert found == {"bridge.py", "__main__.py"}
