"""Condition F for all rates again (FORMAT.md, section 24): the claim at many rates, and with the tree at many points.

Prices, potentials and multipliers are not looked at. At each point x the gradient of its leaf is taken, and the drift of what the
naive choices at x do is a form in the rates: it must be negative at sampled rates of the claim, and its largest value over all of
them (in a box, by an exact linear program) too. Every objection is a definite one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

from .chain import Chain, build
from .claimed import Form, Json, Unreadable, added, dot, number, numbers
from .drift_claim import Scene, Spot, ground_objections, scene
from .rate_sets import Rates, RateSet, rate_set, sample, symbols

ZERO = Fraction(0)
Slopes = dict[str, Fraction]


def justified(certificate: Json, samples: int = 200, seed: int = 0, points: int = 150) -> str | None:
    """None if nothing speaks against a claim of kind "all-rates"; else what does, with the point and the rates.

    ``samples``: vectors of rates; ``points``: faces of the orthant.
    """
    try:
        return next(_objections(certificate, samples, seed, points), None)
    except Unreadable as error:
        return f"unreadable: {error}"
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        return f"not of the form: {type(error).__name__}: {error}"


def _objections(certificate: Json, samples: int, seed: int, points: int) -> Iterator[str]:
    rng, limit = random.Random(seed), number(certificate["claim"]["load_at_most"])
    if not 0 < limit <= 1:
        yield f"a load at most {limit}"
    names = set(symbols(certificate["network"]))
    for row in (*certificate["rates"]["at_least_zero"], *certificate["rates"]["zero"]):
        if not row or not set(row) <= names:
            yield f"a row of {sorted(row)}"
            return
    chain = build(certificate["network"], certificate["policy"])
    found = scene(chain, certificate, rng, points)
    if len(certificate["evidence"]["trees"]) != len(found.pieces):
        yield "not a tree for each piece"
        return
    yield from ground_objections(chain, certificate, found.pieces, rng)
    rates, every = sample(certificate, samples, seed), rate_set(certificate)
    seen: set[tuple[tuple[str, Fraction], ...]] = set()
    for spot in found.spots:
        for i in spot.active:
            leaf = _leaf(found, certificate["evidence"]["trees"][i], spot)
            if isinstance(leaf, str):
                yield f"piece {i} at {spot.x}: {leaf}"
                return
            for slopes in slopes_of(chain, spot, added((1, found.pieces[i]), (1, leaf))):
                key = tuple(sorted(slopes.items()))
                if key not in seen:
                    seen.add(key)
                    yield from _at(spot, i, slopes, rates, every)


def _at(spot: Spot, i: int, slopes: Slopes, rates: Sequence[Rates], every: RateSet) -> Iterator[str]:
    """One form in the rates: it must be negative."""
    for found in rates:
        drift = sum((slope * found[s] for s, slope in slopes.items()), ZERO)
        if drift >= 0:
            yield f"piece {i} at {spot.x}: drift {drift} at { ({s: str(r) for s, r in found.items()}) }"
            return
    worst = every.worst(slopes)
    if worst is not None and worst >= 0:
        yield f"piece {i} at {spot.x}: drift {worst} at some rates of the claim"


def _leaf(found: Scene, node: Json, spot: Spot) -> Form | str:
    """Σ η g at the leaf of this point, or what is wrong."""
    while "split" in node:
        value = dot(found.form(node["split"]), spot.x)
        sign = "<" if value < 0 else "=" if value == 0 else ">"
        if sign not in node["children"]:
            return f"no child {sign} of {node['split']}"
        node = node["children"][sign]
    if "empty" in node:
        return "a node called empty holds this point"
    terms = [(y, found.form(name)) for name, y in numbers(node["leaf"]).items()]
    if any(dot(form, spot.x) for _, form in terms):
        return "η on a normal that does not vanish here"
    return added(*terms)


def slopes_of(chain: Chain, spot: Spot, weights: Form) -> list[Slopes]:
    """For each branch that may be followed at the point the largest drift as a form in the rates."""
    busy = [n for n in chain.servers if chain.tasks[n]]
    common: Slopes = {}
    for arrival, component in zip(chain.arrivals, spot.drifts, strict=False):
        common[f"arrival({arrival.name})"] = max(dot(weights, d) for d in component[0][0]) / arrival.rate
    servers = spot.drifts[len(chain.arrivals) :]
    if chain.rule != "dominant":
        servers = [[[part for component in servers for branch in component for part in branch]]]
    (branches,) = servers
    return [
        common | {f"speed({n})": max(dot(weights, d) for d in part) for n, part in zip(busy, branch, strict=True)}
        for branch in branches
    ]
