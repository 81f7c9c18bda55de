"""The table [rates]: rows in speeds, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from verify.errors import InputError
from verify.network.rates import RateSet
from verify.network_file.read import read_document, read_text
from verify.network_file.write import instance_to_file_json

from .examples import BUFFERS, ROUTES

F = Fraction


def rates(rows: str, text: str = ROUTES) -> RateSet:
    found = read_text(f"{text}\n[rates]\n{rows}\n", format="toml").rates
    assert found is not None
    return found


def test_rates_missing_are_none() -> None:
    assert read_text(ROUTES, format="toml").rates is None


def test_rates_empty_table_means_every_load_below_one() -> None:
    assert rates("") == RateSet((), (), F(1))


def test_rates_load_may_use_parameters() -> None:
    assert rates('load_at_most = "load"').load_at_most == F(9, 10)


def test_rates_rows_are_in_speeds() -> None:
    """Servers 1 and 2 have the rates 1 and 2, server 3 has none of its own."""
    found = rates(
        'where = ["mu.2 <= 3 * mu.1", "lambda.a >= (1 + load) * lambda.b / 2", "mu.3 = 2 - mu.1", "1/5 <= mu.2"]'
    )
    assert found.at_least_zero == (
        {"speed(1)": F(3), "speed(2)": F(-2)},
        {"arrival(a)": F(1), "arrival(b)": F(-19, 20)},
        {"speed(2)": F(2), "1": F(-1, 5)},
    )
    assert found.zero == ({"speed(3)": F(1), "speed(1)": F(1), "1": F(-2)},)
    assert [name for name, _, _ in found.rows()] == [
        "at_least_zero[0]", "at_least_zero[1]", "at_least_zero[2]", "zero[0]",
    ]  # fmt: skip


def test_rates_of_buffer_networks() -> None:
    found = rates('where = ["lambda.q1 <= mu.A - -mu.B"]', BUFFERS)
    assert found.at_least_zero == ({"speed(A)": F(1), "speed(B)": F(1), "arrival(q1)": F(-1)},)


def test_rates_names_with_a_minus_sign_are_read_as_long_as_possible() -> None:
    text = """
servers = { a = { rate = 1 }, a-1 = { rate = 1 } }
classes = [{ name = "c", arrival_rate = 1, routes = { r = ["a", "a-1"] } }]
rates = { where = ["mu.a-1 >= 0", "mu.a - 1 >= 0", "mu.a-2 >= 0"] }
"""
    found = read_text(text, format="toml").rates
    assert found is not None
    assert found.at_least_zero == ({"speed(a-1)": F(1)}, {"speed(a)": F(1), "1": F(-1)}, {"speed(a)": F(1), "1": F(-2)})


def test_rates_are_written_and_read_again() -> None:
    text = f'{ROUTES}\n[rates]\nload_at_most = "3/4"\nwhere = ["mu.2 <= 3 * mu.1", "lambda.a = lambda.b - 1/7"]\n'
    instance = read_text(text, format="toml")
    document = json.loads(json.dumps(instance_to_file_json(instance)))
    assert read_document(document).rates == instance.rates


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('load = "1/2"', "one of the keys load_at_most, where"),
        ("load_at_most = 0", "a number > 0"),
        ('load_at_most = "3/2"', "a load > 0 and <= 1"),
        ("where = []", "a list of rows, at least one"),
        ("where = [1]", "a row like"),
        ('where = ["mu.1"]', "one of <=, >= and ="),
        ('where = ["mu.1 < mu.2"]', "write <= in place of <"),
        ('where = ["1/5 <= mu.1 <= 2"]', "one row for each comparison"),
        ('where = ["mu.4 >= 1"]', "one of the servers with jobs 1, 2, 3, got 'mu.4'"),
        ('where = ["lambda.aa >= 1"]', "one of the classes or buffers with arrivals a, b, got 'lambda.aa'"),
        ('where = ["mu.1 * mu.2 >= 1"]', "a linear row"),
        ('where = ["1 / mu.2 >= 1"]', "a linear row"),
        ('where = ["mu.1 / (1 - 1) >= 1"]', "a divisor other than 0"),
        ('where = ["mu.1 + >= 1"]', "a number, a parameter, lambda.NAME, mu.SERVER or '('"),
        ('where = ["(mu.1 >= 1"]', "')'"),
        ('where = ["mu.1 mu.2 >= 1"]', "an operator or the end"),
        ('where = ["nu >= mu.1"]', "one of the parameters load, got 'nu'"),
        ('where = ["1 <= 2"]', "a row in which rates remain"),
        ('where = ["mu.1 >= mu.1"]', "a row in which rates remain"),
    ],
)
def test_rates_mistakes_are_refused_with_the_place(rows: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        rates(rows)
    assert said in str(error.value)
    assert error.value.place.startswith("rates.")
