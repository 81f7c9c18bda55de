"""The paper's printed bounds appear beside its example 1, and nowhere else."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import pytest
from catalogue.files import PATHS

from verify.network.model import Instance
from verify.network.read import read_text
from verify.studies.at_hand import question_at_hand
from verify.studies.regimes.published import comparisons, is_example_1
from verify.studies.regimes.regimes import PAPER_CASES, RegimeReport, regimes
from verify.studies.regimes.tables import render

from .cases import case, report, template, with_dominance

F = Fraction


def without_trees(instance: Instance) -> RegimeReport:
    """The report without case trees, which the comparison does not need."""
    question = question_at_hand(instance)
    return RegimeReport(question, regimes(question.walk, question.function, question.spec))


def test_printed_bounds_beside_the_largest_drifts() -> None:
    found = comparisons(report("paper-1-jsr"))
    assert [(one.case, one.group) for one in found] == list(enumerate(PAPER_CASES, 1))
    assert [one.bound for one in found] == [-(F(3, 4) ** 3), -(F(3, 4) ** 3), -(F(3, 4) ** 5)]
    assert [one.largest for one in found] == [F(-27, 256), F(-27, 256), F(-81, 1024)]


def test_printed_bound_fails_where_server_3_is_the_bottleneck() -> None:
    first, second, third = comparisons(report("paper-1-jsr"))
    assert [(e.words, e.drift) for e in first.exceeding] == [
        ("only 3→5 dominant, bottleneck 3", F(-9, 64)),
        ("only 1→3 dominant, bottleneck 3", F(-27, 256)),
    ]
    assert [e.drift for e in second.exceeding] == [F(-27, 256), F(-405, 1024)]
    assert [e.number for e in third.exceeding] == [2, 26, 29, 31, 32]


def test_printed_bounds_reach_table_and_json() -> None:
    text = render(report("paper-1-jsr"))
    assert "regime 23, only 1→3 dominant, bottleneck 3: -27/256 > -27/64" in text
    published = json.loads(render(report("paper-1-jsr"), "json"))["published"]
    assert [one["printed_bound"] for one in published] == ["-27/64", "-27/64", "-243/1024"]


def test_other_names_and_order_are_recognised() -> None:
    text = PATHS["paper-1-jsr"].read_text()
    for old, new in [
        ("c2.r3.1", "z.q.1"),
        ('"c2"', '"z"'),
        ("r3 =", "q ="),
        ('"3"', '"hub"'),
        ("3 = {", "hub = {"),
        ("3 = [", "hub = ["),
    ]:
        assert old in text
        text = text.replace(old, new)
    instance = read_text(text, format="toml")
    found = comparisons(without_trees(instance))
    assert [len(one.exceeding) for one in found] == [2, 2, 5]
    assert "only 1→hub dominant, bottleneck hub" in [e.words for e in found[0].exceeding]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('3 = { rate = "1/4" }', '3 = { rate = "1/3" }'),
        ('arrival_rate = "1"', 'arrival_rate = "9/10"'),
        ('r2 = ["4"]', 'r2 = ["5"]'),
        ('r4 = ["2"]', 'r4 = ["2", "4"]'),
        ('r3 = ["3", "5"]', 'r3 = ["5", "3"]'),
    ],
)
def test_other_networks_are_not_the_example(old: str, new: str) -> None:
    text = PATHS["paper-1-jsr"].read_text()
    assert old in text
    changed = text.replace(old, new, 1).replace("c2.r3.1", "c2.r3.2" if '5", "3' in new else "c2.r3.1")
    assert is_example_1(case("paper-1-jsr"))
    assert not is_example_1(read_text(changed, format="toml"))


def test_other_policies_and_networks_are_not_the_example() -> None:
    assert not is_example_1(case("paper-1-jsr-longest"))
    assert not is_example_1(case("paper-1-jsq"))
    assert not is_example_1(case("paper-2-jsr"))
    assert not is_example_1(case("jackson-feedback"))


def test_other_parameters_have_no_printed_bound() -> None:
    other = with_dominance(case("paper-1-jsr"), template(["1", "3/4"], ["3/4", "1/2"], ["3/4", "9/16"]))
    assert comparisons(without_trees(other)) == ()


def test_formula_in_other_geometric_parameters() -> None:
    other = with_dominance(case("paper-1-jsr"), template(["1", "9/10"], ["9/10", "81/100"], ["9/10", "81/100"]))
    assert [one.bound for one in comparisons(without_trees(other))] == [F(-729, 1000), F(-729, 1000), F(-59049, 100000)]


def test_title_does_not_matter() -> None:
    assert is_example_1(dataclasses.replace(case("paper-1-jsr"), title=""))
