"""Drift formulas as text: arrivals before services, weight parameters before rates, as the paper writes them.

The expressions come from :mod:`verify.studies.regimes.drift`; they are walked here without importing sympy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.network.symbols import Symbol

_ORDER = ("gamma", "beta", "alpha", "lambda", "mu")
_GREEK = dict(zip(_ORDER, "γβαλμ", strict=True))
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LATEX_ESCAPES = {"_": r"\_", "-": "-", "@": "@", ".": ".", ",": ","}


@dataclass(frozen=True)
class Style:
    """How symbols, powers, products, fractions and minus signs look; ``symbol`` gets letter and subscript ("" if none)."""

    symbol: Callable[[str, str], str]
    power: Callable[[str, int], str]
    times: str
    minus: str
    fraction: Callable[[int, int], str]


def _plain_symbol(letter: str, subscript: str) -> str:
    return letter if not subscript else f"{letter}_{subscript}" if subscript.isalnum() else f"{letter}_{{{subscript}}}"


def _greek_symbol(letter: str, subscript: str) -> str:
    return f"{_GREEK[letter]}_{subscript}" if subscript else _GREEK[letter]


def _latex_symbol(letter: str, subscript: str) -> str:
    if not subscript:
        return f"\\{letter} "
    inner = "".join(_LATEX_ESCAPES.get(c, c) for c in subscript)
    return f"\\{letter}_{{{inner}}}" if inner.isdigit() else f"\\{letter}_{{\\mathrm{{{inner}}}}}"


PLAIN = Style(_plain_symbol, lambda base, n: f"{base}**{n}", "*", "-", lambda p, q: f"{p}/{q}")
UNICODE = Style(_greek_symbol, lambda base, n: base + str(n).translate(_DIGITS), "", "−", lambda p, q: f"{p}/{q} ")
LATEX = Style(_latex_symbol, lambda base, n: f"{base.rstrip()}^{{{n}}}", "", "-", lambda p, q: f"\\tfrac{{{p}}}{{{q}}}")


@dataclass(frozen=True)
class Writer:
    """Writes expressions in a ``style``; ``names``: the symbols that may occur, by the names that sympy knows."""

    style: Style
    names: Mapping[str, Symbol]

    @classmethod
    def of(cls, style: Style, symbols: Iterable[Symbol]) -> Writer:
        """A writer of expressions in these symbols."""
        return cls(style, {str(symbol): symbol for symbol in symbols})

    def formula(self, expression: Any) -> str:
        """A sympy expression of rates and weight parameters as text.

        >>> from verify.studies.regimes.drift import symbol
        >>> letters = [Symbol("gamma"), Symbol("beta"), Symbol("alpha")]
        >>> rates = [Symbol("lambda", "c"), Symbol("mu", "4"), Symbol("mu", "3")]
        >>> g, b, a, arrival, mu4, mu3 = map(symbol, letters + rates)
        >>> drift = g * b**2 * (arrival - mu4 - a * mu3)
        >>> [Writer.of(style, letters + rates).formula(drift) for style in (PLAIN, UNICODE)]
        ['gamma*beta**2*(lambda_c - mu_4 - alpha*mu_3)', 'γβ²(λ_c − μ_4 − αμ_3)']
        """
        if not expression.is_Add:
            return self._term(expression, first=True)
        terms = sorted(expression.args, key=self._term_order)
        return "".join(self._term(term, first=n == 0) for n, term in enumerate(terms))

    def _term(self, expression: Any, first: bool) -> str:
        factors = list(expression.args) if expression.is_Mul else [expression]
        numerator, denominator, rest = 1, 1, []
        for one in factors:
            if one.is_Rational:
                numerator, denominator = numerator * int(one.p), denominator * int(one.q)
            else:
                rest.append(one)
        sign = self.style.minus if numerator < 0 else ""
        lead = sign if first else f" {sign or '+'} "
        return lead + self._magnitude(abs(numerator), denominator, sorted(rest, key=self._factor_order))

    def _magnitude(self, numerator: int, denominator: int, factors: list[Any]) -> str:
        words = [self._factor(one) for one in factors]
        if denominator != 1:
            words.insert(0, self.style.fraction(numerator, denominator))
        elif numerator != 1 or not words:
            words.insert(0, str(numerator))
        return self.style.times.join(words).rstrip() if self.style is not LATEX else "".join(words)

    def _factor(self, expression: Any) -> str:
        if expression.is_Pow:
            return self.style.power(self._factor(expression.base), int(expression.exp))
        if expression.is_Symbol:
            named = self.names[expression.name]
            return self.style.symbol(named.letter, named.subscript)
        return f"({self.formula(expression)})"

    def _factor_order(self, expression: Any) -> tuple[int, str]:
        if expression.is_Add:
            return len(_ORDER), str(expression)
        named = self.names[(expression.base if expression.is_Pow else expression).name]
        return _ORDER.index(named.letter), named.subscript

    def _term_order(self, expression: Any) -> tuple[bool, int, tuple[tuple[int, str], ...]]:
        """Terms with an arrival rate first, then those with fewer weight parameters."""
        parts = [self.names[s.name] for s in expression.free_symbols]
        weights = sum(1 for named in parts if _ORDER.index(named.letter) < _ORDER.index("lambda"))
        rates = sorted((_ORDER.index(named.letter), named.subscript.zfill(6)) for named in parts)
        return all(named.letter != "lambda" for named in parts), weights, tuple(rates)


def symbol_text(named: Symbol, style: Style) -> str:
    """One symbol in a style.

    >>> symbol_text(Symbol("mu", "a.r1.2"), UNICODE), symbol_text(Symbol("beta", "2"), LATEX)
    ('μ_a.r1.2', '\\\\beta_{2}')
    """
    return style.symbol(named.letter, named.subscript).rstrip()
