"""Which modules a Python source reaches, however it says so: for the rules on who may import whom.

A name is followed to the module it stands for: ``from verify import checker`` is ``verify.checker``, relative imports
count from the package, ``import verify`` with ``verify.checker.check_bytes`` further down is ``verify.checker``, and a
string that is the name of a module of the house is an import of it (``import_module``, ``python -m``).  What cannot be
followed (a name put together at run time, ``eval``, ``sys.modules``, ``import *`` from the house) is refused.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: What imports a module by its name at run time: followed where the name is written out, refused elsewhere.
BY_NAME = {
    "__import__", "builtins.__import__", "importlib.__import__", "importlib.import_module", "importlib.util.find_spec",
    "pkgutil.resolve_name", "runpy.run_module",
}  # fmt: skip
#: What can reach any module unseen.
HIDDEN = {
    "eval", "exec", "compile", "builtins.eval", "builtins.exec", "builtins.compile", "builtins.__dict__",
    "importlib.reload", "importlib.machinery", "importlib.util", "pkgutil", "runpy", "imp", "sys.modules", "sys.path",
    "sys.meta_path", "sys.path_hooks",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A Python source: its dotted module name, whether it is a package (``__init__.py``), its text."""

    module: str
    package: bool
    text: str

    @classmethod
    def of(cls, path: Path, root: Path) -> Source:
        """The source at ``path``; names count from the folder ``root``."""
        parts = path.relative_to(root).with_suffix("").parts
        package = parts[-1] == "__init__"
        return cls(".".join(parts[:-1] if package else parts), package, path.read_text(encoding="utf-8"))

    def absolute(self, level: int, name: str) -> str | None:
        """The module that ``level`` dots and ``name`` stand for; None beyond the topmost package."""
        if level == 0:
            return name
        parts = self.module.split(".")
        above = parts[: max(0, len(parts) - level + self.package)]
        return ".".join([*above, name] if name else above) if above else None


@dataclass
class Reached:
    """``modules`` a source reaches, ``names`` it takes from modules of the house (module, name), what is ``refused``."""

    modules: set[str] = field(default_factory=set)
    names: set[tuple[str, str]] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)


def modules_below(root: Path, *folders: str) -> frozenset[str]:
    """The names of all modules and packages in ``folders`` of ``root``, counted from ``root``."""
    found: set[str] = set()
    for path in (path for folder in folders for path in (root / folder).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found |= {".".join(parts[: n + 1]) for n in range(len(parts)) if parts[n] != "__init__"}
    return frozenset(found)


def reached(source: Source, house: frozenset[str]) -> Reached:
    """What ``source`` reaches; ``house`` are the names of our own modules."""
    return _Reader(source, house).read()


class _Reader:
    def __init__(self, source: Source, house: frozenset[str]):
        self.source, self.house = source, house
        self.tree = ast.parse(source.text)
        self.found = Reached()
        #: What a name at hand stands for, as a dotted name.  Scopes are not told apart: too much is reached, not too little.
        self.bound: dict[str, str] = {}

    def read(self) -> Reached:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node)
        for full, call in self._chains():
            self._follow(full, call)
        self.found.modules |= {text for text in strings(self.tree) if text in self.house and "." in text}
        return self.found

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.found.modules.add(alias.name)
            top = alias.name.partition(".")[0]
            self.bound[alias.asname or top] = alias.name if alias.asname else top

    def _import_from(self, node: ast.ImportFrom) -> None:
        base = self.source.absolute(node.level, node.module or "")
        if base is None:
            self.found.refused.add("an import from above the topmost package")
            return
        for alias in node.names:
            full = f"{base}.{alias.name}"
            self.bound[alias.asname or alias.name] = full
            if alias.name == "*" and base in self.house:
                self.found.refused.add(f"import * from {base}")
            if full in self.house:
                self.found.modules.add(full)
            else:
                self.found.modules.add(base)
                self.found.names |= {(base, alias.name)} if base in self.house else set()

    def _chains(self) -> Iterator[tuple[str, ast.Call | None]]:
        """Every longest ``name.attribute.attribute`` from a name imported or built in, with its call if it is called."""
        heads = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)}
        calls = {id(node.func): node for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in heads:
                full = self._full(node)
                if full is not None:
                    yield full, calls.get(id(node))

    def _full(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return self.bound.get(node.id, node.id if hasattr(builtins, node.id) else None)
        if isinstance(node, ast.Attribute):
            head = self._full(node.value)
            return None if head is None else f"{head}.{node.attr}"
        return None

    def _follow(self, full: str, call: ast.Call | None) -> None:
        module = full
        while module and module not in self.house:
            module = module.rpartition(".")[0]
        if module:
            name = full[len(module) + 1 :].partition(".")[0]
            self.found.modules.add(module)
            self.found.names.add((module, name))
            if name in ("", "__dict__"):
                self.found.refused.add(f"{module} as a value")
        if full in BY_NAME:
            self._by_name(full, call)
        elif any(full == name or full.startswith(f"{name}.") for name in HIDDEN):
            self.found.refused.add(full)

    def _by_name(self, what: str, call: ast.Call | None) -> None:
        given = [] if call is None else [*call.args, *(keyword.value for keyword in call.keywords)]
        name = given[0].value if given and isinstance(given[0], ast.Constant) else None
        if not isinstance(name, str):
            self.found.refused.add(f"{what} of a name that is not written out")
            return
        if name.startswith("."):
            level = len(name) - len(name.lstrip("."))
            if len(given) != 2 or not (isinstance(given[1], ast.Name) and given[1].id == "__package__"):
                self.found.refused.add(f"{what} of {name!r} from a package other than __package__")
                return
            name = self.source.absolute(level, name[level:]) or name
        self.found.modules.add(name.partition(":")[0])


def strings(tree: ast.AST) -> set[str]:
    """All strings in ``tree`` that are not docstrings or other bare strings."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in bare)
    return {node.value for node in constants if isinstance(node.value, str)}
