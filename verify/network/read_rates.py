"""The table ``[rates]`` of a file: for which rates a proof is wanted.

    [rates]
    load_at_most = "99/100"
    where = ["mu.3 <= mu.1", "1/5 <= mu.3", "lambda.c1 = lambda.c2"]

``lambda.NAME`` is the arrival rate of a class or buffer; ``mu.SERVER`` the rate that the file states at the server, times its
speed; where it states none the speed itself (1 at the rates of the file).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.network.expression import MAX_CHARACTERS, MAX_NESTING, bounded, evaluate
from verify.network.fields import Field, Table
from verify.network.messages import did_you_mean, listed, shown
from verify.network.model import Network
from verify.network.rates import ONE, RateSet, Row, arrival, arrivals, busy_servers, speed

_KEYS = ("load_at_most", "where")
_EXAMPLE = 'a row like "mu.3 <= mu.1"'
_COMPARISON = re.compile(r"<=|>=|==|<|>|=")
_LETTER = re.compile(r"(lambda|mu)\.")
_INSIDE = re.compile(r"[A-Za-z0-9_]")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_rates(field: Field, network: Network, servers: Mapping[str, Fraction]) -> RateSet:
    """The set of rates.

    Parameters: ``servers`` the rates that the file states for whole servers.  Raises ``InputError``.
    """
    table = field.table(_KEYS, "a table with load_at_most and where")
    return RateSet(*_rows(table, network, servers), load_at_most=_load(table))


def read_load(field: Field) -> Fraction:
    """A bound on the load: 0 < load <= 1.  Raises ``InputError``."""
    load = field.positive()
    if load > 1:
        raise field.refused("a load > 0 and <= 1 (1: below 1)", "no network is stable at a load of 1 or more")
    return load


def _load(table: Table) -> Fraction:
    return read_load(table.get("load_at_most", 1))


def _rows(table: Table, network: Network, servers: Mapping[str, Fraction]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Those that are at least zero, and those that are zero."""
    if "where" not in table:
        return (), ()
    names = {"lambda": {name: (arrival(name), Fraction(1)) for name in arrivals(network)}}
    names["mu"] = {name: (speed(name), servers.get(name, Fraction(1))) for name in busy_servers(network)}
    positive: list[Row] = []
    zero: list[Row] = []
    for entry in table.entries["where"].items("a list of rows, at least one"):
        (zero if (found := _row(entry, names)).equality else positive).append(found.row)
    return tuple(positive), tuple(zero)


@dataclass(frozen=True)
class _Found:
    row: Row
    equality: bool


_Names = Mapping[str, Mapping[str, tuple[str, Fraction]]]


def _row(field: Field, names: _Names) -> _Found:
    """left <= right, left >= right or left = right."""
    text = field.text(_EXAMPLE)
    if len(text) > MAX_CHARACTERS:
        raise field.refused(f"a row of at most {MAX_CHARACTERS} characters", found=f"{len(text)} characters")
    signs = list(_COMPARISON.finditer(text))
    if len(signs) != 1 or signs[0].group() not in ("<=", ">=", "="):
        cure = "write <= in place of <" if any(s.group() in "<>" for s in signs) else "one row for each comparison"
        raise field.refused("one of <=, >= and = between two sides", cure)
    sign = signs[0]
    left, right = (_Side(side, field, names).value() for side in (text[: sign.start()], text[sign.end() :]))
    if sign.group() == "<=":
        left, right = right, left
    row = {s: a for s in {**left, **right} if (a := left.get(s, Fraction(0)) - right.get(s, Fraction(0)))}
    if not row or set(row) == {ONE}:
        raise field.refused("a row in which rates remain", "lambda.NAME is an arrival rate, mu.SERVER a service rate")
    return _Found(row, sign.group() == "=")


class _Side:
    """A linear expression: numbers, parameters, ``lambda.NAME``, ``mu.SERVER``, + - * / ( )."""

    def __init__(self, text: str, field: Field, names: _Names):
        self._text, self._field, self._names, self._at = text, field, names, 0

    def value(self) -> dict[str, Fraction]:
        """Symbol -> number."""
        found = self._sum(0)
        if self._peek():
            raise self._refused("an operator or the end of the side")
        return found

    def _refused(self, expected: str, cure: str = "") -> Exception:
        rest = self._text[self._at :].strip()
        return self._field.refused(expected, cure, f"{shown(rest[:20]) if rest else 'nothing'} in {shown(self._text)}")

    def _peek(self) -> str:
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _take(self, signs: str) -> str:
        sign = self._peek()
        if sign and sign in signs:
            self._at += 1
            return sign
        return ""

    def _sum(self, depth: int) -> dict[str, Fraction]:
        total = self._product(depth)
        while sign := self._take("+-"):
            for symbol, a in self._product(depth).items():
                total[symbol] = self._bounded(total.get(symbol, Fraction(0)) + (a if sign == "+" else -a))
        return total

    def _product(self, depth: int) -> dict[str, Fraction]:
        total = self._factor(depth)
        while sign := self._take("*/"):
            factor = self._factor(depth)
            if sign == "*" and set(total) <= {ONE}:
                total, factor = factor, total
            if not set(factor) <= {ONE}:
                raise self._field.refused("a linear row", "no products of rates, and no division by one")
            number = factor.get(ONE, Fraction(0))
            if sign == "/" and not number:
                raise self._field.refused("a divisor other than 0", found="0")
            total = {s: self._bounded(a * number if sign == "*" else a / number) for s, a in total.items()}
        return total

    def _factor(self, depth: int) -> dict[str, Fraction]:
        negative = False
        while self._take("-"):
            negative = not negative
        found = self._operand(depth)
        return {symbol: -a for symbol, a in found.items()} if negative else found

    def _operand(self, depth: int) -> dict[str, Fraction]:
        if self._take("("):
            if depth >= MAX_NESTING:
                raise self._field.refused(f"brackets nested at most {MAX_NESTING} deep", found="deeper ones")
            found = self._sum(depth + 1)
            if not self._take(")"):
                raise self._refused("an operator or ')'")
            return found
        self._peek()
        if letter := _LETTER.match(self._text, self._at):
            return self._rate(letter[1], letter.end())
        token = _NUMBER.match(self._text, self._at) or _PARAMETER.match(self._text, self._at)
        if token is None:
            raise self._refused("a number, a parameter, lambda.NAME, mu.SERVER or '('")
        self._at = token.end()
        return {ONE: evaluate(token.group(), self._field.parameters, self._field.place)}

    def _rate(self, letter: str, start: int) -> dict[str, Fraction]:
        """The longest name that stands there: names may contain a minus sign."""
        names = self._names[letter]
        fitting = [
            name
            for name in names
            if self._text.startswith(name, start) and not _INSIDE.match(self._text, start + len(name))
        ]
        if not fitting:
            word = re.match(r"[A-Za-z0-9_-]*", self._text[start:])
            wrong = word.group() if word else ""
            what = "classes or buffers with arrivals" if letter == "lambda" else "servers with jobs"
            found = shown(f"{letter}.{wrong}")
            raise self._field.refused(f"one of the {what} {listed(names)}", did_you_mean(wrong, list(names)), found)
        name = max(fitting, key=len)
        self._at = start + len(name)
        symbol, factor = names[name]
        return {symbol: factor}

    def _bounded(self, number: Fraction) -> Fraction:
        return bounded(number, self._field.place)


def rows_to_json(rates: RateSet) -> dict[str, object]:
    """The table of a file in which servers have no rates of their own."""

    def term(symbol: str, a: Fraction) -> str:
        inside = symbol[symbol.find("(") + 1 : -1]
        name = "" if symbol == ONE else f" * {'lambda' if symbol.startswith('arrival') else 'mu'}.{inside}"
        return f"({a}){name}"

    where = [
        f"{' + '.join(term(s, a) for s, a in row.items())} {'=' if zero else '>='} 0" for _, row, zero in rates.rows()
    ]
    return {"load_at_most": str(rates.load_at_most), **({"where": where} if where else {})}


def own_rates(file: Table) -> dict[str, Fraction]:
    """Server -> the rate that the file states for it as a whole."""
    servers: Sequence[tuple[str, Field]] = tuple(file.entries["servers"].entries().items())
    stated = ((name, entry.entries().get("rate")) for name, entry in servers)
    return {name: rate.positive() for name, rate in stated if rate is not None}
