"""The explicit construction of the test function ([Xie & Jin 2020], section 3; our reconstruction, theory 3.2).

A piece is a choice of a depth d_r in {0, …, |r|} for every route r (0: not dominant).  With m classes that have a dominant
route and n dominant routes in class c, subserver k on route r of class c has the weight

    gamma_m · beta_n · alpha_{d_r}   if its position is at most d_r,   else 0.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from verify.errors import NotWalked
from verify.functions.piecewise import PiecewiseLinear, free_pieces
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, FreePieces, FunctionSpec, RouteNetwork

#: Most pieces of a function (``verify/checker/FORMAT.md``, section 4.2).
MOST_PIECES = 1000


def explicit_function(network: RouteNetwork, template: ExplicitTemplate) -> PiecewiseLinear:
    """All pieces of the template, in lexicographic order of depths (routes in listed order, the last varying fastest).

    Parameters: ``template`` with one alpha for each depth, one beta for each number of routes of a class, one gamma for each
    number of classes.  Returns Π(|r|+1) − 1 pieces, fewer if some are equal.  Raises ``NotWalked`` if these are more than a
    certificate may have, before any is built.
    """
    if (size := piece_count(network)) > MOST_PIECES:
        raise NotWalked(f"an explicit template of {size} pieces; a certificate may have {MOST_PIECES}")
    routes = [(c, route) for c, job_class in enumerate(network.classes) for route in job_class.routes]
    pieces: list[LinearForm] = []
    depths: list[tuple[int, ...]] = []
    seen: set[frozenset[tuple[int, Fraction]]] = set()
    for choice in itertools.product(*(range(len(route) + 1) for _, route in routes)):
        dominant = [
            sum(1 for (c, _), d in zip(routes, choice, strict=True) if d and c == n)
            for n in range(len(network.classes))
        ]
        classes = sum(1 for n in dominant if n)
        if not classes:
            continue
        vector: dict[int, Fraction] = {}
        k = 0
        for (c, route), d in zip(routes, choice, strict=True):
            if d:
                weight = template.gamma[classes - 1] * template.beta[dominant[c] - 1] * template.alpha[d - 1]
                vector.update((k + i, weight) for i in range(d))
            k += len(route)
        key = frozenset(vector.items())
        if key not in seen:
            seen.add(key)
            pieces.append(LinearForm(vector))
            depths.append(choice)
    return PiecewiseLinear(tuple(pieces), tuple(depths))


def piece_count(network: RouteNetwork) -> int:
    """Π(|r|+1) − 1: the choices of a depth for every route, not all 0."""
    return math.prod(len(route) + 1 for job_class in network.classes for route in job_class.routes) - 1


def geometric_template(network: RouteNetwork, alpha: Fraction, beta: Fraction, gamma: Fraction) -> ExplicitTemplate:
    """alpha_d = alpha^(d−1), beta_n = beta^n, gamma_m = gamma^m."""
    longest, most, classes = sizes(network)
    return ExplicitTemplate(
        tuple(alpha ** (d - 1) for d in range(1, longest + 1)),
        tuple(beta**n for n in range(1, most + 1)),
        tuple(gamma**m for m in range(1, classes + 1)),
    )


def sizes(network: RouteNetwork) -> tuple[int, int, int]:
    """(longest route, most routes of a class, number of classes)."""
    longest = max(len(route) for c in network.classes for route in c.routes)
    return longest, max(len(c.routes) for c in network.classes), len(network.classes)


def build(network: RouteNetwork | None, expansion: Expansion, function: FunctionSpec) -> PiecewiseLinear:
    """The function a file describes."""
    if isinstance(function, FreePieces):
        return free_pieces(expansion.names, function.pieces)
    if network is None:
        raise ValueError("the explicit template needs routes")
    return explicit_function(network, function)
