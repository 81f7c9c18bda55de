"""Exact expressions in named parameters: how a number is written in a file.

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = { "-" } ( integer | decimal | parameter | "(" sum ")" )

ASCII digits only, no exponent; spaces and tabs may stand between the parts.  Nothing is ever handed to ``eval``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.errors import InputError
from verify.network.inexpressible import inexpressible_word
from verify.network.messages import did_you_mean, listed, shown

MAX_CHARACTERS = 10_000
MAX_NESTING = 50
MAX_DIGITS = 4_000
MAX_BITS = 13_200  # numerator and denominator together; such a number has fewer than 4,000 characters

PARAMETER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOKEN = re.compile(r"[ \t]*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>[-+*/()]))")
_OPERAND = "a number, a parameter or '('"


@dataclass(frozen=True)
class _Token:
    """A number, a parameter name or a sign, and where it starts (from 1); the last one has kind ``end``."""

    kind: str
    text: str
    start: int


def evaluate(text: str, parameters: Mapping[str, Fraction], place: str) -> Fraction:
    """The exact value of an expression.

    Parameters: ``text`` the expression; ``parameters`` the values its names stand for; ``place`` the field it was
    read from, for messages.  Raises ``InputError``: not an expression, unknown parameter, division by zero, more than
    10,000 characters, brackets nested deeper than 50, or a value of more than 4,000 digits.

    >>> evaluate("3/4 * (load + 0.25)", {"load": Fraction(1, 2)}, "classes[0].arrival_rate")
    Fraction(9, 16)
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(place, f"an expression of at most {MAX_CHARACTERS} characters", f"{len(text)} characters")
    if not text.strip(" \t"):
        raise InputError(place, "an exact number", "an empty string")
    parser = _Parser(_tokens(text, place), parameters, place)
    value = parser.sum(0)
    return parser.ended(value)


def bounded(value: Fraction, place: str) -> Fraction:
    """The value itself; ``InputError`` if it is longer than files and certificates hold (about 4,000 digits)."""
    bits = value.numerator.bit_length() + value.denominator.bit_length()
    if bits > MAX_BITS:
        raise InputError(place, f"a number of at most {MAX_DIGITS} digits", f"one of {bits} bits")
    return value


def powers(base: Fraction, exponents: range, place: str) -> tuple[Fraction, ...]:
    """``base`` to each of the consecutive exponents.

    >>> powers(Fraction(3, 4), range(1, 3), "beta")
    (Fraction(3, 4), Fraction(9, 16))
    """
    values = [bounded(base**exponents.start, place)]
    for _ in exponents[1:]:
        values.append(bounded(values[-1] * base, place))
    return tuple(values)


def _tokens(text: str, place: str) -> list[_Token]:
    tokens, end = [], len(text.rstrip(" \t"))
    position = 0
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            rest = text[position:].lstrip(" \t")
            start = len(text) - len(rest) + 1
            raise InputError(
                place,
                "an exact number or expression",
                f"{shown(rest[0])} at character {start}",
                'digits 0-9, + - * / ( ), parameters; as in "1/2" or "0.5"',
            )
        kind = match.lastgroup
        tokens.append(_Token(kind, match[kind], match.start(kind) + 1))
        position = match.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


class _Parser:
    """Recursive descent over the tokens; ``depth`` counts open brackets."""

    def __init__(self, tokens: list[_Token], parameters: Mapping[str, Fraction], place: str) -> None:
        self._tokens, self._parameters, self._place = tokens, parameters, place
        self._next = 0

    def sum(self, depth: int) -> Fraction:
        value = self._product(depth)
        while self._sign("+-"):
            sign, term = self._take().text, self._product(depth)
            value = bounded(value + term if sign == "+" else value - term, self._place)
        return value

    def ended(self, value: Fraction) -> Fraction:
        """The value, if nothing follows it."""
        if self._tokens[self._next].kind != "end":
            raise self._refused("an operator or the end")
        return value

    def _product(self, depth: int) -> Fraction:
        value = self._factor(depth)
        while self._sign("*/"):
            operator = self._take()
            factor = self._factor(depth)
            if operator.text == "/" and factor == 0:
                raise InputError(self._place, f"a divisor other than 0 after character {operator.start}", "0")
            value = bounded(value * factor if operator.text == "*" else value / factor, self._place)
        return value

    def _factor(self, depth: int) -> Fraction:
        negative = False
        while self._sign("-"):
            self._take()
            negative = not negative
        value = self._operand(depth)
        return -value if negative else value

    def _operand(self, depth: int) -> Fraction:
        token = self._tokens[self._next]
        if token.kind == "number":
            return self._number(self._take().text)
        if token.kind == "name":
            return self._parameter(self._take().text)
        if token.text != "(":
            raise self._refused(_OPERAND)
        if depth >= MAX_NESTING:
            raise InputError(self._place, f"brackets nested at most {MAX_NESTING} deep", "deeper ones")
        self._take()
        value = self.sum(depth + 1)
        if not self._sign(")"):
            raise self._refused("an operator or ')'")
        self._take()
        return value

    def _number(self, text: str) -> Fraction:
        whole, _, decimals = text.partition(".")
        if len(whole) + len(decimals) > MAX_DIGITS:
            raise InputError(self._place, f"a number of at most {MAX_DIGITS} digits", f"one of {len(text)} characters")
        return bounded(Fraction(int(whole + decimals), 10 ** len(decimals)), self._place)

    def _parameter(self, name: str) -> Fraction:
        if name in self._parameters:
            return self._parameters[name]
        known = list(self._parameters)
        expected = f"one of the parameters {listed(known)}" if known else "a number, or a parameter of the file"
        cure = did_you_mean(name, known)
        missing = inexpressible_word(name)
        if not cure and missing is not None:
            cure = missing.cure
        elif not known:
            cure = f'write [parameters] and a line like: {name} = "1"'
        raise InputError(self._place, expected, shown(name), cure)

    def _sign(self, signs: str) -> bool:
        token = self._tokens[self._next]
        return token.kind == "sign" and token.text in signs

    def _take(self) -> _Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _refused(self, expected: str) -> InputError:
        token = self._tokens[self._next]
        found = "the end" if token.kind == "end" else shown(token.text)
        return InputError(self._place, f"{expected} at character {token.start}", found)
