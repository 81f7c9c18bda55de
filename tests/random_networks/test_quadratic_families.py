"""Networks near capacity: loads are exact, condition Q proves them, and what it says is right by brute force.

`python tests/random_networks/quadratic.py` runs longer.
"""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import pytest
from oracles.claimed import load as read_claim

from verify.methods.bounds import Effort

from .judge import certify
from .quadratic import Results, Tried, beyond, objection, tried, with_means
from .quadratic_families import LINES, NEAR, QUADRATIC_FAMILIES, VERY_NEAR, at_capacity, load, routes


def drawn(family: str, number: int) -> dict[str, Any]:
    return QUADRATIC_FAMILIES[family](random.Random(f"test/{family}/{number}"))


@pytest.mark.parametrize("family", QUADRATIC_FAMILIES)
def test_families_put_networks_exactly_where_they_are_wanted(family: str) -> None:
    assert {load(drawn(family, number)) for number in range(6)} <= {Fraction(1, 2), *NEAR, VERY_NEAR}
    assert drawn(family, 3) == drawn(family, 3)
    assert drawn(family, 3) != drawn(family, 4)


def test_capacity_is_scaled_also_where_servers_have_a_choice() -> None:
    document = drawn("flexible pools", 0)
    assert load(at_capacity(document, VERY_NEAR)) == VERY_NEAR


@pytest.mark.parametrize("family", QUADRATIC_FAMILIES)
def test_networks_near_capacity_are_proved_and_the_proofs_are_right(family: str) -> None:
    for number in range(3):
        found = tried(family, number, drawn(family, number))
        assert (found.verdict, found.wrong) == ("stable", "")


@pytest.mark.parametrize("shape", LINES)
def test_lines_under_back_pressure_are_proved_at_99_percent(shape: str) -> None:
    line = [{"server": station, "mean": str(Fraction(place % 5 + 1, 7))} for place, station in enumerate(shape)]
    document = at_capacity(routes({"a": line}, {"sequencing": "back-pressure"}), Fraction(99, 100))
    found = tried("lines", 0, document)
    assert (found.verdict, found.wrong) == ("stable", "")


@pytest.mark.parametrize("family", ["reentrant lines", "several hops", "feedback", "flexible pools", "single hops"])
@pytest.mark.parametrize("part", [Fraction(1), Fraction(1000001, 1000000)])
def test_networks_beyond_capacity_are_not_proved(family: str, part: Fraction) -> None:
    assert beyond(family, 0, drawn(family, 0), part).wrong == ""


def test_bounds_on_means_hold_beside_the_truth() -> None:
    two = [document for document in (drawn("flexible pools", n) for n in range(20)) if len(document["buffers"]) == 2]
    shown = list(with_means("flexible pools", 0, two[0], Effort(entries=1000)))
    assert [one.wrong for one, _ in shown if one.wrong] == []
    assert sum("truth" in text for _, text in shown) == 3


def test_changed_certificates_are_found_out() -> None:
    """Of a bound and of a function."""
    _, data = certify(drawn("reentrant lines", 0), None, "quadratic")
    found = read_claim(data)
    assert objection(found) == ""
    sharper, other = copy.deepcopy(found), copy.deepcopy(found)
    sharper["claim"]["bound"] = str(Fraction(found["claim"]["bound"]) / 2)
    other["function"]["square"] = {}
    assert objection(sharper).startswith("drift at")
    assert objection(other).startswith("drift at")


def test_results_count_and_name_failures() -> None:
    every = [
        Tried("grids", 0, {}, "stable", 0.1), Tried("grids", 1, {}, "undecided", 0.1), Tried("grids", 2, {}, "stable", 9.0),
        Tried("ring", 0, {}, "undecided", 0.1), Tried("ring", 1, {}, "stable", 0.1, "no"),
    ]  # fmt: skip
    results = Results(tried=every)
    assert [(one.family, one.number) for one in results.failures()] == [("grids", 1), ("grids", 2), ("ring", 1)]
    table = list(results.lines())
    assert table[1].split() == ["grids", "2", "1", "0", "1"]
    assert table[2].split() == ["ring", "1", "1", "1", "0"]
