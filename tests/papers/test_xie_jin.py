"""Example 1 of Xie & Jin is recognised by its structure: under other names too, and nothing else is."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from catalogue.networks import case, case_text

from verify.functions.explicit import geometric_template
from verify.network.model import RouteNetwork
from verify.network_file.read import read_text
from verify.papers import xie_jin
from verify.papers.xie_jin import case_of, is_example_1, recognise

F = Fraction


def test_case_of_a_regime_by_its_dominant_routes_and_classes() -> None:
    network = case("paper-1-jsr").network
    found = [case_of(network, routes, classes) for routes, classes in [(1, 1), (2, 2), (2, 1), (3, 2), (4, 2)]]
    assert found == [xie_jin.CASES[n] for n in (0, 1, 2, 2, 2)]


def test_case_of_networks_of_another_shape_is_none() -> None:
    assert case_of(case("paper-2-jsr").network, 1, 1) is None
    assert case_of(case("jackson-feedback").network, 1, 1) is None


def test_recognise_gives_the_bounds_at_the_parameters_of_the_template() -> None:
    instance = case("paper-1-jsr")
    assert isinstance(instance.network, RouteNetwork)
    found = recognise(instance, geometric_template(instance.network, F(9, 10), F(9, 10), F(9, 10)))
    assert found is not None
    assert [bound for _, bound in found.bounds] == [F(-729, 1000), F(-729, 1000), F(-59049, 100000)]
    assert recognise(instance, geometric_template(instance.network, F(1, 2), F(9, 10), F(9, 10))) is None
    assert (
        recognise(case("paper-1-jsr-longest"), geometric_template(instance.network, F(1, 2), F(1, 2), F(1, 2))) is None
    )


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
    text = case_text("paper-1-jsr")
    assert old in text
    changed = text.replace(old, new, 1).replace("c2.r3.1", "c2.r3.2" if '5", "3' in new else "c2.r3.1")
    assert is_example_1(case("paper-1-jsr"))
    assert not is_example_1(read_text(changed, format="toml"))


def test_other_policies_and_networks_are_not_the_example() -> None:
    assert not is_example_1(case("paper-1-jsr-longest"))
    assert not is_example_1(case("paper-1-jsq"))
    assert not is_example_1(case("paper-2-jsr"))
    assert not is_example_1(case("jackson-feedback"))


def test_title_does_not_matter() -> None:
    assert is_example_1(dataclasses.replace(case("paper-1-jsr"), title=""))
