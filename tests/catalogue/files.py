"""Where the networks of the catalogue stand, each once: ``examples/`` and ``examples/catalogue/``."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
#: Name -> file.  The first line of each states the answer (``networks.expected``).
PATHS = {
    path.stem: path
    for path in sorted(EXAMPLES.rglob("*.toml"), key=lambda path: path.stem)
    if path.parent.stem != "equilibria"
}
