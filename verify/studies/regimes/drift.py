"""The mean drift in symbols (theory 4): linear in the rates λ, μ, polynomial in the weight parameters α, β, γ.

In cell m the drift vector is b = Σ_jumps rate·jump, and the regime drift of piece i is D = w_i·b.  Decisions use its
exact value; the symbols are for reading (the paper writes gamma*beta**3*(lambda − mu − alpha*mu)) and for proofs that
cover all rates.  This is the only module that imports sympy: import it where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from verify.chain.components import Alternative
from verify.errors import InternalError
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, FunctionSpec
from verify.network.symbols import Symbol
from verify.studies.regimes.weights import Monomial, SymbolicWeight, scales

Expression: TypeAlias = Any
"""A ``sympy.Expr``."""


@dataclass(frozen=True)
class _Term:
    """factor · weights · rate."""

    rate: Symbol
    powers: Monomial
    factor: Fraction


def symbolic_drift(weights: Mapping[int, SymbolicWeight], cell: Iterable[Alternative]) -> Expression:
    """D = w·b in symbols, gathered as in the paper: the factors all terms share outside, then the terms of each beta.

    Parameters: ``weights`` of the piece; ``cell`` one alternative for each decision.  Returns a sympy expression in the
    rate symbols of the alternatives and the weight symbols.

    >>> from verify.chain.components import Alternative, Jump
    >>> one = Fraction(1)
    >>> w = SymbolicWeight(one, tuple((Symbol(letter), 1) for letter in ("alpha", "beta", "gamma")))
    >>> arrival = Alternative("a", {}, (Jump(one, Symbol("lambda", "c"), one, {0: one}),))
    >>> service = Alternative("s", {}, (Jump(one, Symbol("mu", "1"), one, {0: -one}),))
    >>> symbolic_drift({0: w}, (arrival, service))
    alpha*beta*gamma*(lambda_{c} - mu_{1})
    """
    terms = _terms(weights, cell)
    if not terms:
        return sympy.Integer(0)
    common, sign = _common(terms), _sign(terms)
    groups: dict[Monomial, list[_Term]] = {}
    for term in terms:
        rest = _divided(term, common, sign)
        beta = tuple(entry for entry in rest.powers if entry[0].letter == "beta")
        groups.setdefault(beta, []).append(rest)
    return sign * _product(common) * sympy.Add(*(_gathered(group) for group in groups.values()))


def _terms(weights: Mapping[int, SymbolicWeight], cell: Iterable[Alternative]) -> list[_Term]:
    total: dict[tuple[Symbol, Monomial], Fraction] = {}
    for alternative in cell:
        for rate, vector in alternative.symbolic_drift.items():
            for k, change in vector.items():
                if k in weights:
                    key = (rate, weights[k].powers)
                    total[key] = total.get(key, Fraction(0)) + change * weights[k].factor
    return [_Term(rate, powers, factor) for (rate, powers), factor in total.items() if factor]


def _gathered(terms: list[_Term]) -> Expression:
    """The terms with their common factor outside; a minus outside too if they all have one."""
    common, sign = _common(terms), _sign(terms)
    inner = [
        sympy.Rational(rest.factor.numerator, rest.factor.denominator) * _product(rest.powers) * symbol(rest.rate)
        for rest in (_divided(term, common, sign) for term in terms)
    ]
    return sign * _product(common) * sympy.Add(*inner)


def _sign(terms: list[_Term]) -> int:
    return -1 if all(term.factor < 0 for term in terms) else 1


def _common(terms: list[_Term]) -> Monomial:
    shared = dict(terms[0].powers)
    for term in terms[1:]:
        powers = dict(term.powers)
        shared = {name: min(exponent, powers[name]) for name, exponent in shared.items() if name in powers}
    return tuple(sorted(shared.items()))


def _divided(term: _Term, by: Monomial, sign: int) -> _Term:
    divisor = dict(by)
    rest = ((name, exponent - divisor.get(name, 0)) for name, exponent in term.powers)
    return _Term(term.rate, tuple((name, exponent) for name, exponent in rest if exponent), sign * term.factor)


def _product(powers: Monomial) -> Expression:
    return sympy.Mul(*(symbol(parameter) ** exponent for parameter, exponent in powers))


def symbol(named: Symbol) -> Expression:
    """The sympy symbol of a rate or a weight parameter: positive."""
    return sympy.Symbol(str(named), positive=True)


def symbol_values(expansion: Expansion, spec: FunctionSpec) -> dict[Symbol, Fraction]:
    """Every rate and weight symbol with its exact value."""
    values = {stream.symbol: stream.rate for stream in expansion.streams}
    by_server = sorted(expansion.services, key=lambda service: expansion.servers.index(service.server))
    values |= {service.symbol: service.rate for service in by_server}
    if isinstance(spec, ExplicitTemplate):
        for one in scales(spec):
            values |= one.symbols
    return values


def value(expression: Expression, values: Mapping[Symbol, Fraction]) -> Fraction:
    """The exact value after all symbols have been replaced.

    >>> arrival, service = Symbol("lambda", "c"), Symbol("mu", "1")
    >>> value(2 * symbol(arrival) - symbol(service), {arrival: Fraction(1, 2), service: Fraction(1, 3)})
    Fraction(2, 3)
    """
    exact = {symbol(named): sympy.Rational(rate.numerator, rate.denominator) for named, rate in values.items()}
    result = expression.subs(exact)
    return Fraction(int(result.p), int(result.q))


def confirm(expression: Expression, values: Mapping[Symbol, Fraction], drift: Fraction) -> Expression:
    """The expression itself, once its value has been found equal to ``drift``.  Raises ``InternalError``."""
    found = value(expression, values)
    if found != drift:
        raise InternalError(f"symbolic drift {expression} has the value {found}, the exact drift is {drift}")
    return expression
