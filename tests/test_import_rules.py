"""Who may import whom (CONTRIBUTING, "The house")."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = [
    "errors", "files", "rational", "budget", "lp", "network", "functions", "chain", "policies", "capacity", "conditions", "proof", "methods",
    "verdict", "certificate", "drawing", "studies", "cli",
]  # fmt: skip
#: Modules that only some rooms may import, because they are slow to load.
HEAVY = {
    "sympy": {"studies"},
    "matplotlib": {"studies", "drawing"},
    "networkx": {"network"},
    "rich": {"studies"},
    "highspy": {"lp"},
    "flint": {"lp"},
}
SOURCES = sorted((ROOT / "verify").rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(ROOT / "verify").with_suffix("").parts[0]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_up_the_list_of_rooms(path: Path) -> None:
    here = room(path)
    used = {name.split(".")[1] for name in imports(path) if name.startswith("verify.")}
    if here == "checker":
        assert used <= {"checker"}
        return
    if here == "__init__":
        assert not imports(path)
        return
    if "checker" in used:
        assert here in ("certificate", "cli")
        used.discard("checker")
    late = {name for name in used if ROOMS.index(name) > ROOMS.index(here)}
    assert not late
    assert not any(name.startswith("proofs") for name in imports(path) if here != "cli")


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_of_heavy_packages_stay_in_their_room(path: Path) -> None:
    for name in imports(path):
        allowed = HEAVY.get(name.split(".")[0])
        assert allowed is None or room(path) in allowed, name


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_assert_outside_tests(path: Path) -> None:
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


#: What reads or writes a file or a standard stream, and who may: ``files``, ``cli/streams`` and the checker's own.
BARE = {"open", "print"}
METHODS = {"open", "write_text", "write_bytes", "read_text", "read_bytes", "fdopen", "rename", "unlink"}
MAY_TOUCH = {"files.py", "cli/streams.py", "checker/network_file/files.py", "checker/__main__.py", "lp/approx.py"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_streams_are_touched_in_one_place_only(path: Path) -> None:
    """Elsewhere a device might be read without end, a file destroyed, a closed stream met with a traceback."""
    calls = [n.func for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    found = {call.id for call in calls if isinstance(call, ast.Name)} & BARE
    found |= {call.attr for call in calls if isinstance(call, ast.Attribute)} & METHODS
    if path.relative_to(ROOT / "verify").as_posix() not in MAY_TOUCH:
        assert not found


def test_command_line_starts_without_heavy_packages() -> None:
    import subprocess

    code = "import sys, verify.cli; print([m for m in ('sympy', 'numpy', 'cvxpy', 'matplotlib', 'networkx', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# proofs ---------------------------------------------------------------------------------------------

#: The rooms of ``proofs`` in order; the equilibria are a library, usable without the claims.
PROOF_ROOMS = [
    *(f"equilibria.{room}" for room in (
        "roots", "algebraic", "downs_thomson", "state_dependent", "retrial", "file", "report", "sweep", "text", "plot",
        "figures", "progress",
    )),
    *(f"claims.{room}" for room in ("claim", "downs_thomson", "state_dependent", "retrial", "registry")),
]  # fmt: skip
#: What ``proofs`` may use of ``verify``: errors, files, and the reading of numbers and tables.
LENT = {"verify.errors", "verify.files", *(f"verify.network.{module}" for module in ("decode", "expression", "fields", "messages", "parameters"))}  # fmt: skip
PROOF_SOURCES = sorted((ROOT / "proofs").rglob("*.py"))


def modules(path: Path) -> set[str]:
    """Every module that a file of ours imports, also as ``from package import module``."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inner if is_module(name)} or {node.module or ""}
    return found


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or place.is_dir()


@pytest.mark.parametrize("path", PROOF_SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_proofs_import_up_their_rooms_and_little_of_verify(path: Path) -> None:
    here = ".".join(path.relative_to(ROOT / "proofs").with_suffix("").parts[:2])
    ours = {name for name in modules(path) if name.split(".")[0] == "proofs"}
    assert {name for name in modules(path) if name.split(".")[0] == "verify"} <= LENT
    if path.name == "__init__.py":
        assert not ours
        return
    used = {".".join(name.split(".")[1:3]) for name in ours}
    assert {room for room in used if PROOF_ROOMS.index(room) > PROOF_ROOMS.index(here)} == set()
