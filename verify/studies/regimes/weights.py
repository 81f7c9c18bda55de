"""The weights of the pieces of a test function in symbols: powers of α, β, γ for the explicit template (theory 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, FunctionSpec
from verify.network.symbols import Symbol

Monomial: TypeAlias = tuple[tuple[Symbol, int], ...]
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
    def symbols(self) -> Mapping[Symbol, Fraction]:
        """The symbols of this list with their values."""
        if self.start is None:
            return {Symbol(self.name, str(n)): value for n, value in enumerate(self.values, 1)}
        if self.start == 1:
            return {Symbol(self.name): self.values[0]}
        return {Symbol(self.name): self.values[1]} if len(self.values) > 1 else {}

    def powers(self, n: int) -> Monomial:
        """Entry n as a monomial.

        >>> scale("alpha", (Fraction(1), Fraction(3, 4)), 0).powers(2), scale("beta", (Fraction(1), Fraction(4, 5)), 1).start
        (((Symbol(letter='alpha', subscript=''), 1),), 0)
        """
        if self.start is None:
            return ((Symbol(self.name, str(n)), 1),)
        exponent = n - 1 + self.start
        return ((Symbol(self.name), exponent),) if exponent else ()


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
