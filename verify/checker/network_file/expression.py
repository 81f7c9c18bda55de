"""Exact numbers of network files: integers, "p/q", decimals, and expressions in parameters with + - * / ( )."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from verify.checker.core.errors import Malformed, show
from verify.checker.core.work import Work, bits_of, reduction

TOKEN = re.compile(r"[ \t]*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/()]))")
LONGEST = 4000  # characters of an expression
DEEPEST = 50  # parentheses and minus signs within each other
MOST_BITS = 13_300  # of a numerator or denominator, about 4000 digits


def exact(value: object, place: str, parameters: Mapping[str, Fraction], work: Work) -> Fraction:
    """The number that a network file writes at this place (a string or a bare integer, nothing else).

    Raises: Malformed, or Rejected by rule **work**.
    """
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise Malformed(place, 'an exact number (write "1/2" or "0.5")', show(value))
    if isinstance(value, int):
        return bounded(Fraction(value), place)
    return _Parser(value, place, parameters, work).parse()


def bounded(value: Fraction, place: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise Malformed(place, f"a number of at most {MOST_BITS} bits", "a longer one")
    return value


class _Parser:
    """sum = product {(+|-) product}; product = factor {(*|/) factor}; factor = - factor | ( sum ) | number | name."""

    def __init__(self, text: str, place: str, parameters: Mapping[str, Fraction], work: Work) -> None:
        self.text = text
        self.place = place
        self.parameters = parameters
        self.work = work
        self.tokens = self.split()
        self.at = 0
        self.depth = 0

    def split(self) -> list[str]:
        tokens: list[str] = []
        rest, at = self.text.strip(" \t"), 0
        if len(rest) > LONGEST:
            raise self.error(f"at most {LONGEST} characters")
        while at < len(rest):
            match = TOKEN.match(rest, at)
            if match is None:
                raise self.error("an exact number")
            tokens.append(match.group().strip(" \t"))
            at = match.end()
        return tokens

    def error(self, expected: str) -> Malformed:
        return Malformed(self.place, expected, show(self.text))

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next()
        self.at += 1
        return token

    def count(self, value: Fraction, other: Fraction) -> None:
        """The steps of an operation."""
        self.work.spend(reduction(bits_of(value), bits_of(other)), self.place)

    def parse(self) -> Fraction:
        value = self.sum()
        if self.next():
            raise self.error(f"an exact number (not {self.next()} there)")
        return value

    def sum(self) -> Fraction:
        value = self.product()
        while self.next() in ("+", "-"):
            plus, other = self.take() == "+", self.product()
            self.count(value, other)
            value = bounded(value + other if plus else value - other, self.place)
        return value

    def product(self) -> Fraction:
        value = self.factor()
        while self.next() in ("*", "/"):
            times, other = self.take() == "*", self.factor()
            if other == 0 and not times:
                raise self.error("no division by 0")
            self.count(value, other)
            value = bounded(value * other if times else value / other, self.place)
        return value

    def factor(self) -> Fraction:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"nesting of at most {DEEPEST}")
        token = self.take()
        if token == "-":
            value = -self.factor()
        elif token == "(":
            value = self.sum()
            if self.take() != ")":
                raise self.error("a closing parenthesis")
        elif token[:1].isdigit():
            value = self.literal(token)
        elif token in self.parameters:
            value = self.parameters[token]
        else:
            raise self.error(f"a number or parameter (not {token or 'the end'} there)")
        self.depth -= 1
        return value

    def literal(self, token: str) -> Fraction:
        whole, _, decimals = token.partition(".")
        try:
            return bounded(Fraction(int(whole + decimals), 10 ** len(decimals)), self.place)
        except ValueError:  # Python's limit on digits
            raise self.error("a number with fewer digits") from None
