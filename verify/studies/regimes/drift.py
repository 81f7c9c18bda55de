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
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, FunctionSpec

Expression: TypeAlias = Any
"""A ``sympy.Expr``."""


@dataclass(frozen=True, order=True)
class Parameter:
    """A weight parameter: entry ``index`` (from 1) of list ``alpha``, ``beta`` or ``gamma``; 0: the base of a geometric list."""

    letter: str
    index: int = 0

    def __str__(self) -> str:
        return f"{self.letter}_{self.index}" if self.index else self.letter


Monomial: TypeAlias = tuple[tuple[Parameter, int], ...]
"""A product of weight parameters: (parameter, exponent > 0), sorted by parameter."""


@dataclass(frozen=True)
class SymbolicWeight:
    """factor · Π symbol^exponent."""

    factor: Fraction
    powers: Monomial = ()


@dataclass(frozen=True)
class Scale:
    """One parameter list of the explicit template: ``values[n-1]`` belongs to n.

    ``start``: the list is base^(n−1+start), n = 1, 2, …; None: it is not geometric and has a symbol for each n.
    """

    name: str
    values: tuple[Fraction, ...]
    start: int | None

    @property
    def symbols(self) -> Mapping[str, Fraction]:
        """The symbols of this list with their values."""
        if self.start is None:
            return {str(Parameter(self.name, n)): value for n, value in enumerate(self.values, 1)}
        if self.start == 1:
            return {self.name: self.values[0]}
        return {self.name: self.values[1]} if len(self.values) > 1 else {}

    def powers(self, n: int) -> Monomial:
        """Entry n as a monomial.

        >>> scale("alpha", (Fraction(1), Fraction(3, 4)), 0).powers(2), scale("beta", (Fraction(1), Fraction(4, 5)), 1).start
        (((Parameter(letter='alpha', index=0), 1),), 0)
        """
        if self.start is None:
            return ((Parameter(self.name, n), 1),)
        exponent = n - 1 + self.start
        return ((Parameter(self.name), exponent),) if exponent else ()


def scale(name: str, values: tuple[Fraction, ...], usual: int) -> Scale:
    """A parameter list in symbols: as powers of one number if it is geometric (``usual``: the exponent of its first entry in the
    template's default, tried first), else indexed.  A single 1 needs no symbol."""
    if len(values) == 1 and values[0] == 1:
        return Scale(name, values, 0)
    for start in (usual, 1 - usual):
        base = values[0] if start else values[1] if len(values) > 1 else Fraction(1)
        if all(value == base ** (n + start) for n, value in enumerate(values)):
            return Scale(name, values, start)
    return Scale(name, values, None)


def scales(template: ExplicitTemplate) -> tuple[Scale, Scale, Scale]:
    """alpha, beta, gamma; usually alpha^(d−1), beta^n, gamma^m (theory 3.2)."""
    return scale("alpha", template.alpha, 0), scale("beta", template.beta, 1), scale("gamma", template.gamma, 1)


def symbolic_weights(
    expansion: Expansion, function: PiecewiseLinear, spec: FunctionSpec, piece: int
) -> Mapping[int, SymbolicWeight]:
    """The weights of one piece (coordinate -> weight): gamma_m·beta_n·alpha_d for the explicit template, numbers else."""
    if not isinstance(spec, ExplicitTemplate) or not function.depths:
        return {k: SymbolicWeight(weight) for k, weight in function.pieces[piece].items()}
    routes = list(dict.fromkeys((b.class_name, b.route) for b in expansion.buffers))
    depths = dict(zip(routes, function.depths[piece], strict=True))
    classes = [class_name for (class_name, _), depth in depths.items() if depth]
    alpha, beta, gamma = scales(spec)
    result = {}
    for k, buffer in enumerate(expansion.buffers):
        depth = depths[buffer.class_name, buffer.route]
        if buffer.position <= depth:
            parts = (
                gamma.powers(len(set(classes))),
                beta.powers(classes.count(buffer.class_name)),
                alpha.powers(depth),
            )
            result[k] = SymbolicWeight(Fraction(1), tuple(sorted(entry for part in parts for entry in part)))
    return result


@dataclass(frozen=True)
class _Term:
    """factor · weights · rate."""

    rate: str
    powers: Monomial
    factor: Fraction


def symbolic_drift(weights: Mapping[int, SymbolicWeight], cell: Iterable[Alternative]) -> Expression:
    """D = w·b in symbols, gathered as in the paper: the factors all terms share outside, then the terms of each beta.

    Parameters: ``weights`` of the piece; ``cell`` one alternative for each decision.  Returns a sympy expression in the
    rate symbols of the alternatives and the weight symbols.

    >>> from verify.chain.components import Alternative, Jump
    >>> one = Fraction(1)
    >>> w = SymbolicWeight(one, tuple((Parameter(letter), 1) for letter in ("alpha", "beta", "gamma")))
    >>> arrival = Alternative("a", {}, (Jump(one, "lambda_{c}", one, {0: one}),))
    >>> service = Alternative("s", {}, (Jump(one, "mu_{1}", one, {0: -one}),))
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
    total: dict[tuple[str, Monomial], Fraction] = {}
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
    return sympy.Mul(*(symbol(str(parameter)) ** exponent for parameter, exponent in powers))


def symbol(name: str) -> Expression:
    """The sympy symbol of a rate or a weight parameter: positive."""
    return sympy.Symbol(name, positive=True)


def symbol_values(expansion: Expansion, spec: FunctionSpec) -> dict[str, Fraction]:
    """Every rate and weight symbol with its exact value."""
    values = {stream.symbol: stream.rate for stream in expansion.streams}
    by_server = sorted(expansion.services, key=lambda service: expansion.servers.index(service.server))
    values |= {service.symbol: service.rate for service in by_server}
    if isinstance(spec, ExplicitTemplate):
        for one in scales(spec):
            values |= one.symbols
    return values


def value(expression: Expression, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value after all symbols have been replaced.

    >>> value(2 * symbol("lambda_{c}") - symbol("mu_{1}"), {"lambda_{c}": Fraction(1, 2), "mu_{1}": Fraction(1, 3)})
    Fraction(2, 3)
    """
    exact = {s: sympy.Rational(values[s.name].numerator, values[s.name].denominator) for s in expression.free_symbols}
    result = expression.subs(exact)
    return Fraction(int(result.p), int(result.q))


def confirm(expression: Expression, values: Mapping[str, Fraction], drift: Fraction) -> Expression:
    """The expression itself, once its value has been found equal to ``drift``.  Raises ``InternalError``."""
    found = value(expression, values)
    if found != drift:
        raise InternalError(f"symbolic drift {expression} has the value {found}, the exact drift is {drift}")
    return expression
