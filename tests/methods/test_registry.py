"""The list of methods: every name has its method, and the orders speak of the same ones."""

from __future__ import annotations

import subprocess
import sys

import pytest
from catalogue.networks import CASES, case

from verify.methods import registry
from verify.methods.method import Method

ATTACKED = sorted({name for file in CASES for name in registry.order_of_attack(case(file).policy)})


@pytest.mark.parametrize("name", registry.COMPARED)
def test_method_goes_by_the_name_under_which_it_is_listed(name: str) -> None:
    found = registry.method(name)
    assert isinstance(found, Method)
    assert found.name == name
    assert found.missing


def test_every_method_on_offer_is_compared() -> None:
    assert set(registry.OFFERED) <= set(registry.COMPARED)


@pytest.mark.parametrize("name", ["jsq-two-servers", "paper-1-jsr-longest", "lu-kumar-fbfs", "back-pressure-line"])
def test_every_method_on_offer_is_tried_in_turn(name: str) -> None:
    assert set(registry.OFFERED) <= set(registry.order_of_attack(case(name).policy))


@pytest.mark.parametrize("name", ATTACKED)
def test_what_is_tried_in_turn_is_a_method(name: str) -> None:
    assert isinstance(registry.method(name), Method)


def test_registry_costs_nothing_until_a_method_is_asked_for() -> None:
    code = "import sys, verify.methods.registry; print([m for m in ('numpy', 'sympy', 'highspy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
