"""Exact expressions: values, and one refusal for each kind of mistake."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.errors import InputError
from verify.network.expression import evaluate, powers

PARAMETERS = {"load": Fraction(9, 10), "mu_1": Fraction(2)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)),
        ("007", Fraction(7)),
        ("6/8", Fraction(3, 4)),
        ("0.45", Fraction(9, 20)),
        ("-1/2", Fraction(-1, 2)),
        ("--2", Fraction(2)),
        ("2*-3", Fraction(-6)),
        ("1/2/3", Fraction(1, 6)),
        ("1 - 1/2 - 1/4", Fraction(1, 4)),
        ("1+2*3", Fraction(7)),
        ("(1+2)*3", Fraction(9)),
        ("\t( load / mu_1 ) ", Fraction(9, 20)),
        ("1 - load", Fraction(1, 10)),
        ("(" * 50 + "1" + ")" * 50, Fraction(1)),
        ("9" * 3970, Fraction(10**3970 - 1)),
    ],
)
def test_expression_valid_gives_exact_value(text: str, value: Fraction) -> None:
    assert evaluate(text, PARAMETERS, "here") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "here: expected an exact number, got an empty string"),
        (" \t", "here: expected an exact number, got an empty string"),
        ("1/0", "here: expected a divisor other than 0 after character 2, got 0"),
        ("1/(load - 0.9)", "here: expected a divisor other than 0 after character 2, got 0"),
        ("laod", "here: expected one of the parameters load, mu_1, got 'laod' (did you mean 'load'?)"),
        ("1e5", "here: expected an operator or the end at character 2, got 'e5'"),
        ("1_000", "here: expected an operator or the end at character 2, got '_000'"),
        ("2 3", "here: expected an operator or the end at character 3, got '3'"),
        ("1 +", "here: expected a number, a parameter or '(' at character 4, got the end"),
        ("*2", "here: expected a number, a parameter or '(' at character 1, got '*'"),
        ("+2", "here: expected a number, a parameter or '(' at character 1, got '+'"),
        ("(1", "here: expected an operator or ')' at character 3, got the end"),
        ("1)", "here: expected an operator or the end at character 2, got ')'"),
        ("2**3", "here: expected a number, a parameter or '(' at character 3, got '*'"),
        ("(" * 51 + "1" + ")" * 51, "here: expected brackets nested at most 50 deep, got deeper ones"),
        ("1" * 10_001, "here: expected an expression of at most 10000 characters, got 10001 characters"),
        ("1" * 4_001, "here: expected a number of at most 4000 digits, got one of 4001 characters"),
        (f"{'9' * 3000}*{'9' * 3000}", "here: expected a number of at most 4000 digits, got one of 19933 bits"),
    ],
)
def test_expression_mistake_is_refused_with_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        evaluate(text, PARAMETERS, "here")
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("text", "character"), [(".5", "'.'"), ("5.", "'.'"), ("٣", "'٣'"), ("1\n", r"'\n'"), ("½", "'½'")]
)
def test_expression_foreign_character_is_refused(text: str, character: str) -> None:
    with pytest.raises(InputError) as refusal:
        evaluate(text, PARAMETERS, "here")
    assert refusal.value.found.startswith(character)
    assert refusal.value.expected == "an exact number or expression"


def test_expression_unknown_parameter_without_parameters_is_refused() -> None:
    with pytest.raises(InputError) as refusal:
        evaluate("load", {}, "here")
    assert str(refusal.value) == (
        "here: expected a number, or a parameter of the file, got 'load' "
        '(write [parameters] and a line like: load = "1")'
    )


def test_powers_beyond_the_longest_number_are_refused() -> None:
    with pytest.raises(InputError, match="at most 4000 digits"):
        powers(Fraction(10**1000, 3), range(6), "alpha")


@given(st.recursive(st.integers(0, 99).map(str), lambda e: st.tuples(e, st.sampled_from("+-*"), e).map(
    lambda parts: f"({parts[0]}{parts[1]}-{parts[2]})")))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_expression_of_integers_agrees_with_python(text: str) -> None:
    assert evaluate(text, {}, "here") == eval(text)  # the text holds digits, + - * ( ) only


@given(st.text(alphabet="0123456789.+-*/() abc_e\t\n٣", max_size=40))
@settings(max_examples=500, deadline=None)
def test_expression_any_text_gives_number_or_refusal(text: str) -> None:
    try:
        value = evaluate(text, {"a": Fraction(1, 2)}, "here")
    except InputError as error:
        assert error.place == "here"
    else:
        assert isinstance(value, Fraction)
