"""Drift formulas as text: arrivals before services, weight parameters before rates, as the paper writes them.

The expressions come from :mod:`verify.studies.regimes.drift`; they are walked here without importing sympy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ORDER = ("gamma", "beta", "alpha", "lambda", "mu")
_GREEK = dict(zip(_ORDER, "γβαλμ", strict=True))
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LATEX_ESCAPES = {"_": r"\_", "-": "-", "@": "@", ".": ".", ",": ","}
_NAME = re.compile(r"([a-z]+)(?:_\{(.*)\}|_(\d+))?\Z")


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


def formula(expression: Any, style: Style) -> str:
    """A sympy expression of rates and weight parameters as text.

    >>> from verify.studies.regimes.drift import symbol
    >>> drift = symbol("lambda_{c}") - symbol("mu_{4}") - symbol("alpha") * symbol("mu_{3}")
    >>> drift *= symbol("gamma") * symbol("beta")**2
    >>> formula(drift, PLAIN), formula(drift, UNICODE)
    ('gamma*beta**2*(lambda_c - mu_4 - alpha*mu_3)', 'γβ²(λ_c − μ_4 − αμ_3)')
    """
    if not expression.is_Add:
        return _term(expression, style, first=True)
    terms = sorted(expression.args, key=_term_order)
    return "".join(_term(term, style, first=n == 0) for n, term in enumerate(terms))


def _term(expression: Any, style: Style, first: bool) -> str:
    factors = list(expression.args) if expression.is_Mul else [expression]
    numerator, denominator, rest = 1, 1, []
    for one in factors:
        if one.is_Rational:
            numerator, denominator = numerator * int(one.p), denominator * int(one.q)
        else:
            rest.append(one)
    sign = style.minus if numerator < 0 else ""
    lead = sign if first else f" {sign or '+'} "
    return lead + _magnitude(abs(numerator), denominator, sorted(rest, key=_factor_order), style)


def _magnitude(numerator: int, denominator: int, factors: list[Any], style: Style) -> str:
    words = [_factor(one, style) for one in factors]
    if denominator != 1:
        words.insert(0, style.fraction(numerator, denominator))
    elif numerator != 1 or not words:
        words.insert(0, str(numerator))
    return style.times.join(words).rstrip() if style is not LATEX else "".join(words)


def _factor(expression: Any, style: Style) -> str:
    if expression.is_Pow:
        return style.power(_factor(expression.base, style), int(expression.exp))
    if expression.is_Symbol:
        return style.symbol(*symbol_parts(expression.name))
    return f"({formula(expression, style)})"


def symbol_parts(name: str) -> tuple[str, str]:
    """Letter and subscript of a symbol.

    >>> symbol_parts("mu_{a.r1.2}"), symbol_parts("beta_2"), symbol_parts("alpha")
    (('mu', 'a.r1.2'), ('beta', '2'), ('alpha', ''))
    """
    found = _NAME.match(name)
    if found is None or found.group(1) not in _GREEK:
        raise ValueError(f"not a symbol of a drift formula: {name}")
    return found.group(1), found.group(2) or found.group(3) or ""


def symbol_text(name: str, style: Style) -> str:
    """One symbol in a style.

    >>> symbol_text("mu_{a.r1.2}", UNICODE), symbol_text("beta_2", LATEX)
    ('μ_a.r1.2', '\\\\beta_{2}')
    """
    return style.symbol(*symbol_parts(name)).rstrip()


def _factor_order(expression: Any) -> tuple[int, str]:
    if expression.is_Add:
        return len(_ORDER), str(expression)
    letter, subscript = symbol_parts((expression.base if expression.is_Pow else expression).name)
    return _ORDER.index(letter), subscript


def _term_order(expression: Any) -> tuple[bool, int, tuple[tuple[int, str], ...]]:
    """Terms with an arrival rate first, then those with fewer weight parameters."""
    parts = [symbol_parts(s.name) for s in expression.free_symbols]
    weights = sum(1 for letter, _ in parts if _ORDER.index(letter) < _ORDER.index("lambda"))
    rates = sorted((_ORDER.index(letter), subscript.zfill(6)) for letter, subscript in parts)
    return all(letter != "lambda" for letter, _ in parts), weights, tuple(rates)
