"""Are the packages ``verify`` and ``proofs`` that Python finds those of queueproof?

Package indexes know other distributions that install packages of these names, and a folder of a user may hold a ``verify.py``.
Nothing of them is executed here: they are found, and the first line of their ``__init__.py`` is read.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

#: Packages of this distribution beside the front door.
NAMES = ("verify", "proofs")
#: What the first line of their ``__init__.py`` says.
_MARK = b"queueproof"
_HOME = Path(__file__).resolve().parent.parent


def require(*names: str) -> None:
    """Raises ``ImportError`` if one of the packages is another one, is damaged or is missing: it has to lie beside this one."""
    for name in names:
        own = _HOME / name / "__init__.py"
        found = _found(name)
        if not own.is_file():
            raise ImportError(_words(name, own, "is missing", "install queueproof again"), name=name)
        if not _same(own, found):
            what = f"is hidden by {found}, which is another package or a file of yours"
            raise ImportError(_words(name, own, what, _CURE), name=name)
        with own.open("rb") as file:
            if _MARK not in file.readline():
                what = "has been replaced by the file of another distribution"
                raise ImportError(_words(name, own, what, f"{_CURE}; then install queueproof again"), name=name)


_CURE = "rename or uninstall the other one, or use an environment that has queueproof alone"


def _words(name: str, own: Path, what: str, cure: str) -> str:
    return f"queueproof needs its own package {name!r}: {own} {what} ({cure})"


def _found(name: str) -> str:
    """The file that ``import name`` has executed or would execute, or the folder without one."""
    if name in sys.modules:
        module = sys.modules[name]
        file, folders = getattr(module, "__file__", None), getattr(module, "__path__", ())
    else:
        spec = importlib.util.find_spec(name)
        file, folders = (spec.origin, spec.submodule_search_locations or ()) if spec else (None, ())
    return str(file or next(iter(folders), "a module without a file"))


def _same(own: Path, found: str) -> bool:
    try:
        return own.samefile(found)
    except (OSError, ValueError):
        return False
