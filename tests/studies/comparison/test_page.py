"""The table of docs/compare.md says what the methods do (without the seconds); networks that take long are left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue.networks import case

from verify.studies.comparison.compare import compare, compared
from verify.studies.comparison.render import cells

PAGE = Path(__file__).resolve().parents[3] / "docs" / "compare.md"
QUICK = ("linear", "down-meyn", "down-meyn cycles", "down-meyn fitted")


def shown() -> dict[str, dict[str, tuple[str, ...]]]:
    """Network -> method -> the cells of its row but the last."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    name = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| network"):
            first, *rest = (word.strip() for word in line.strip("|").split("|"))
            name = first.partition(", ρ* = ")[0] or name
            found.setdefault(name, {})[rest[0]] = tuple(rest[:-1])
    return found


@pytest.mark.parametrize(
    "name",
    ["tandem-nine-tenths", "lu-kumar-bad-priority", "global-lk1221-2", "global-dh5_12121-2", "ring-three-stations"],
)
def test_page_shows_what_the_methods_do(name: str) -> None:
    chosen = [method for method in compared() if method.name in QUICK]
    for row in compare(case(name), name, chosen).rows:
        assert shown()[name][row.method] == cells(row)[:-1]


def test_page_has_a_row_for_every_method_of_every_network() -> None:
    names = [method.name for method in compared()]
    assert len(shown()) >= 10
    assert all(list(rows) == names for rows in shown().values())
