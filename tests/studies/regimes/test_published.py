"""The paper's printed bounds appear beside its example 1, and nowhere else."""

from __future__ import annotations

import json
from fractions import Fraction

from catalogue.files import PATHS

from verify.network_file.read import read_text
from verify.papers import xie_jin
from verify.policies.instance import Instance
from verify.studies.at_hand import question_at_hand
from verify.studies.regimes.published import comparisons
from verify.studies.regimes.regimes import regimes
from verify.studies.regimes.render import render
from verify.studies.regimes.report import RegimeReport

from .cases import case, report, template, with_dominance

F = Fraction


def without_trees(instance: Instance) -> RegimeReport:
    """The report without case trees, which the comparison does not need."""
    question = question_at_hand(instance)
    return RegimeReport(question, regimes(question.walk, question.function, question.spec))


def test_printed_bounds_beside_the_largest_drifts() -> None:
    found = comparisons(report("paper-1-jsr"))
    assert tuple(one.case for one in found) == xie_jin.CASES
    assert [one.case.number for one in found] == [1, 2, 3]
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


def test_other_parameters_have_no_printed_bound() -> None:
    other = with_dominance(case("paper-1-jsr"), template(["1", "3/4"], ["3/4", "1/2"], ["3/4", "9/16"]))
    assert comparisons(without_trees(other)) == ()


def test_formula_in_other_geometric_parameters() -> None:
    other = with_dominance(case("paper-1-jsr"), template(["1", "9/10"], ["9/10", "81/100"], ["9/10", "81/100"]))
    assert [one.bound for one in comparisons(without_trees(other))] == [F(-729, 1000), F(-729, 1000), F(-59049, 100000)]
