"""Other packages named ``verify`` or ``proofs`` are named, not executed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from front_door.asked import ROOT
from queueproof import own


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with queueproof and what is behind it, as an installation has it."""
    for name in ("queueproof", *own.NAMES):
        shutil.copytree(ROOT / name, tmp_path / "site" / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "site"


def python(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python that finds this installation, run in a folder."""
    code = f"import sys; sys.path.insert(0, {str(site)!r}); sys.path.insert(0, {str(folder)!r}); " + arguments[0]
    return subprocess.run([sys.executable, "-c", code, *arguments[1:]], capture_output=True, text=True, cwd=folder)


USE = "import queueproof; queueproof.equilibria('none.toml')"


@pytest.mark.parametrize("file", ["verify.py", "proofs/__init__.py"])
def test_foreign_package_in_the_way_is_named_and_not_executed(site: Path, tmp_path: Path, file: str) -> None:
    other = tmp_path / "work" / file
    other.parent.mkdir(parents=True)
    other.write_text("print('executed')")
    done = python(site, tmp_path / "work", USE)
    name = file.partition("/")[0].removesuffix(".py")
    assert done.stdout == ""
    assert (
        f"ImportError: queueproof needs its own package '{name}': {site / name / '__init__.py'} is hidden by {other}"
        in done.stderr
    )


def test_package_imported_before_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    code = "import types; sys.modules['verify'] = types.ModuleType('verify'); " + USE
    done = python(site, tmp_path / "work", code)
    assert "ImportError: queueproof needs its own package 'verify'" in done.stderr
    assert "is hidden by a module without a file" in done.stderr


def test_folder_of_the_same_name_without_python_files_is_no_obstacle(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work" / "proofs").mkdir(parents=True)
    done = python(site, tmp_path / "work", "import queueproof; print(queueproof.Verdict.STABLE)")
    assert done.stdout == "stable\n", done.stderr


def test_package_overwritten_by_another_distribution_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (site / "verify" / "__init__.py").write_text('"""Verify things."""\nprint("executed")\n')
    done = python(site, tmp_path / "work", USE)
    assert "has been replaced by the file of another distribution" in done.stderr
    assert done.stdout == ""


def test_package_that_was_uninstalled_with_another_one_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (site / "verify" / "__init__.py").unlink()
    assert "__init__.py is missing (install queueproof again)" in python(site, tmp_path / "work", USE).stderr


def test_command_says_in_one_line_what_is_in_its_way(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "verify.py").write_text("")
    done = python(site, tmp_path / "work", "from queueproof.__main__ import main; sys.exit(main())", "--version")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("queueproof needs its own package 'verify'")


def test_command_of_the_module_runs() -> None:
    done = subprocess.run([sys.executable, "-m", "queueproof", "--version"], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("queueproof ")
