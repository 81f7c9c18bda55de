"""What refusals show: short, in the words of the file."""

from __future__ import annotations

import pytest

from verify.network.messages import did_you_mean, float_cure, listed, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (False, "false"),
        ("x" * 100, "'" + "x" * 56 + "..."),
        (1 << 20_000, "an integer of 20001 bits"),
        (("a",), "a list"),
        ({1: 2}, "a table"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_shown_value_is_one_short_line(value: object, text: str) -> None:
    assert shown(value) == text


def test_listed_long_list_is_cut_and_counted() -> None:
    assert listed(str(number) for number in range(50)).endswith("38, 39, ... (50 in all)")
    assert listed([]) == "(none)"


def test_did_you_mean_far_or_overlong_word_suggests_nothing() -> None:
    assert did_you_mean("zzz", ["rate", "mean"]) == ""
    assert did_you_mean("r" * 61, ["r" * 60]) == ""
    assert did_you_mean(3, ["3"]) == ""


@pytest.mark.parametrize(
    ("literal", "cure"),
    [
        ("1.0", 'write "1" or "1.0"'),
        ("+1_0.5", 'write "21/2" or "10.5"'),
        ("-2.5e1", 'write "-25"'),
        ("1e999999999", 'write an integer, or a string like "1/2" or "0.5"'),
        ("inf", 'write an integer, or a string like "1/2" or "0.5"'),
    ],
)
def test_float_cure_names_the_exact_number(literal: str, cure: str) -> None:
    assert float_cure(literal) == cure
