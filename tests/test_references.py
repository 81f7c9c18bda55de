"""Every module, name and file that docstrings, comments and pages speak of is there: ``verify.chain.guards.Signs``,
``verify/chain/guards.py``, roles as in :mod:`verify.chain`, ``guards.py`` beside the file that names it."""

from __future__ import annotations

import ast
import importlib
import io
import pkgutil
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_citations import PACKAGES, PAGES, ROOT, SOURCES

TOP = (*PACKAGES, "tests", "docs", "examples", "benchmarks")
#: "verify.chain.guards.Signs"; what ends in ".py" is a file.
DOTTED = re.compile(rf"(?<![\w./-])(?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+(?![\w/])")
#: "verify/chain/guards.py", "tests/naive/", also with * for any name.
FROM_THE_TOP = re.compile(rf"(?<![\w./-])(?:{'|'.join(TOP)})/[\w./*-]*")
#: In backquotes: "guards.py", "importers/", "core/words.py"; from the folder of the file that names it, or one around it.
FROM_HERE = re.compile(r"`((?:[\w-]+/)*(?:[\w-]+\.py|[\w-]+/))`")
ROLE = re.compile(r":(?:mod|func|class|meth|data|attr|exc):`~?([\w.]+)`")
#: A row of the table of rooms: its folders, and what is said of them.
ROOM = re.compile(r"^\| ((?:`[\w/]+/`(?:, )?)+) \| (.*) \|$", re.MULTILINE)
WORD = re.compile(r"`([a-z_]+)/?`")

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
#: Files of others, and files of which there are many.
FOREIGN = {"verify.py", "__init__.py"}


def there(name: str) -> bool:
    """Is it a module, or something in one?"""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def found_below(folder: Path, path: str) -> bool:
    """Is there such a file or folder, or a module of that name?"""
    name = path.rstrip("./") or path
    return any(True for end in ("", ".py", ".md") for _ in folder.glob(name + end))


def around(path: Path) -> list[Path]:
    """The folder of a file, and all folders around it within the repository."""
    return [folder for folder in path.parents if folder.is_relative_to(ROOT)]


def lost(text: str, path: Path) -> list[str]:
    """The names and files in a text that are not there.  Parameters: ``path`` of the file that the text is from."""
    dotted = [name for name in DOTTED.findall(text) if not name.endswith(".py")]
    here = [name for name in FROM_HERE.findall(text) if name not in FOREIGN and name.partition("/")[0] not in TOP]
    return [
        *(name for name in dotted if not there(name)),
        *(name for name in FROM_THE_TOP.findall(text) if not found_below(ROOT, name)),
        *(name for name in here if not any(found_below(folder, name) for folder in around(path))),
    ]


def docstrings(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """All docstrings of a module, each with the classes around it."""
    waiting: list[tuple[tuple[str, ...], ast.AST]] = [((), ast.parse(path.read_text(encoding="utf-8")))]
    while waiting:
        classes, node = waiting.pop()
        inside = (*classes, node.name) if isinstance(node, ast.ClassDef) else classes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text is not None:
                yield inside, text
        waiting += [(inside, child) for child in ast.iter_child_nodes(node)]


def comments(path: Path) -> Iterator[str]:
    """All comments of a module."""
    with io.StringIO(path.read_text(encoding="utf-8")) as text:
        yield from (token.string for token in tokenize.generate_tokens(text.readline) if token.type == tokenize.COMMENT)


def lost_role(target: str, module: str, classes: tuple[str, ...]) -> bool:
    """Does a role lead nowhere: not to a module, nor to a name of this module or of a class around it?"""
    homes = [".".join((module, *classes[:n])) for n in range(len(classes) + 1)]
    return not any(there(name) for name in (target, *(f"{home}.{target}" for home in homes)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("``verify.chain.guards.Signs``, verify/chain/guards.py and verify/decide, tests/naive/.", []),
        ("``verify.sim.run`` and verify.chain.guards.Sings.", ["verify.sim.run", "verify.chain.guards.Sings"]),
        ("``verify/search/`` and verify/errors/all.py", ["verify/search/", "verify/errors/all.py"]),
        ("``guards.py``, `numeric.py`, ``policies/registry.py``, ``lp/``; M/M/1, ``p/q``", []),
        ("``printed.py``, ``search/``, `policies/integer.py`", ["printed.py", "search/", "policies/integer.py"]),
    ],
)
def test_references_that_lead_nowhere_are_found(text: str, wrong: list[str]) -> None:
    assert lost(text, ROOT / "verify" / "chain" / "cells.py") == wrong


@pytest.mark.parametrize(
    ("target", "lost"),
    [("Signs", False), ("verify.chain.guards", False), ("at", False), ("at_hand", True), ("Normal.on", True)],
)
def test_roles_that_lead_nowhere_are_found(target: str, lost: bool) -> None:
    assert lost_role(target, "verify.chain.guards", ("Normal",)) == lost


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_references_in_docstrings_and_comments_are_there(path: Path) -> None:
    if path == Path(__file__).resolve():  # which has examples of what is not there
        return
    assert [name for _, text in docstrings(path) for name in lost(text, path)] == []
    assert lost("\n".join(comments(path)), path) == []


def test_roles_in_docstrings_resolve() -> None:
    roles = []
    for path in SOURCES:
        folder, *_ = path.relative_to(ROOT).parts
        if folder in PACKAGES:
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            roles += [(target, module, classes) for classes, text in docstrings(path) for target in ROLE.findall(text)]
    assert [role for role in roles if lost_role(*role)] == []
    assert len(roles) >= 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_references_of_pages_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [name for name in DOTTED.findall(text) if not name.endswith(".py") and not there(name)] == []
    assert [name for name in FROM_THE_TOP.findall(text) if not found_below(ROOT, name)] == []
    assert [
        name for name in FROM_HERE.findall(text) if name not in FOREIGN and not found_below(ROOT, f"**/{name}")
    ] == []


def test_modules_in_the_table_of_rooms_are_there() -> None:
    """A word there is a module of the room or a function in it, or a command of README."""
    commands = re.findall(r"`queueproof (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    rows = ROOM.findall(CONTRIBUTING.read_text(encoding="utf-8"))
    for rooms, said in rows:
        folders = [ROOT / room for room in re.findall(r"`([\w/]+)`", rooms)]
        code = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py"))
        words = {word for word in WORD.findall(said) if word not in commands and f"\ndef {word}(" not in code}
        assert {word for word in words if not any(found_below(folder, f"**/{word}") for folder in folders)} == set(), (
            rooms
        )
    assert len(rows) >= 15


def test_all_modules_can_be_loaded() -> None:
    """Or a name that is not there would be one whose module cannot be loaded."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
