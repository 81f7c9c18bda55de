"""The regimes as table, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest

from verify.conditions.evidence.nodes import Leaf, leaves
from verify.studies.regimes.render import WIDTH, render
from verify.studies.tables import Format

from .cases import report

NAMES = ["paper-1-jsr", "jsr-two-servers", "jsq-trap-max", "priority-two-pieces"]


@pytest.mark.parametrize("name", NAMES)
def test_csv_read_back_has_the_exact_values(name: str) -> None:
    found = report(name)
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert [int(row["regime"]) for row in rows] == [regime.number for regime in found.regimes]
    for row, regime in zip(rows, found.regimes, strict=True):
        assert regime.active is not None
        assert Fraction(row["drift"]) == regime.active.drift
        depths = dict(entry.split("=") for entry in row["depths"].split())
        assert {route: int(depth) for route, depth in depths.items()} == regime.dominant.depths
        assert tuple(row["bottlenecks"].split()) == regime.dominant.bottlenecks
        assert row["group"] == regime.group
        assert bool(row["worst_leaf"]) == (regime.worst is not None)
        assert regime.worst is None or Fraction(row["worst_leaf"]) == regime.worst.bound


@pytest.mark.parametrize("name", NAMES)
def test_json_read_back_has_the_exact_values(name: str) -> None:
    found = report(name)
    document = json.loads(render(found, "json"))
    assert [entry["regime"] for entry in document["regimes"]] == [regime.number for regime in found.regimes]
    for entry, regime in zip(document["regimes"], found.regimes, strict=True):
        assert regime.active is not None
        assert entry["drift"] == str(regime.active.drift)
        assert entry["depths"] == regime.dominant.depths
        assert entry["cell"] == [alternative.name for alternative in regime.active.cell]
        assert regime.worst is None or entry["worst_leaf"]["bound"] == str(regime.worst.bound)
    assert sorted(n for group in document["groups"] for n in group["regimes"]) == list(range(len(found.regimes)))


def test_json_has_no_floats() -> None:
    def refuse(text: str) -> None:
        raise AssertionError(f"a float: {text}")

    json.loads(render(report("paper-1-jsr"), "json"), parse_float=refuse, parse_constant=refuse)


def test_json_states_condition_f_as_evaluated() -> None:
    evaluation = report("paper-1-jsr").question.evaluation
    assert evaluation is not None
    bounds = [leaf.bound for tree in evaluation.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    condition = json.loads(render(report("paper-1-jsr"), "json"))["condition"]
    assert condition["criterion"] == "fluid"
    assert condition["holds"] is True
    assert condition["epsilon"] == str(-max(bounds))


@pytest.mark.parametrize("name", NAMES)
def test_table_lines_fit_the_width_and_name_every_regime(name: str) -> None:
    lines = render(report(name), Format.TABLE).splitlines()
    assert max(map(len, lines)) <= WIDTH
    firsts = [line.split()[0] for line in lines if line.startswith(" ") and line.split()[0].isdigit()]
    assert sorted(map(int, firsts)) == list(range(len(report(name).regimes)))


def test_table_row_of_the_regime_with_the_largest_drift() -> None:
    (row,) = [line for line in render(report("paper-1-jsr")).splitlines() if line.split()[:1] == ["26"]]
    assert row.split()[:6] == ["26", "c1.r1:2", "c2.r3:1", "c2.r4:1", "2", "3"]
    assert "γ²β²(λ_c2 − μ_2 − μ_3)" in row
    assert "-81/1024" in row


def test_table_header_says_which_function_and_what_holds() -> None:
    text = " ".join(render(report("paper-1-jsr")).split())
    assert "test function: V = U, the dominance function of the file; explicit template α = (1, 3/4)" in text
    assert "criterion P holds: largest drift of an active piece -81/1024 (regime 26)" in text
    assert "condition F holds: epsilon = " in text


def test_table_without_f_has_the_obstacle_and_no_column_of_leaves() -> None:
    text = render(report("priority-two-pieces"))
    assert "condition F fails: piece 0 has drift" in text
    assert "worst leaf" not in text


def test_render_of_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="html"):
        render(report("jsr-two-servers"), "html")


def test_render_of_a_format_of_other_studies_is_refused() -> None:
    with pytest.raises(ValueError, match="'markdown' is not one of the formats table, csv, latex, json"):
        render(report("jsr-two-servers"), Format.MARKDOWN)
