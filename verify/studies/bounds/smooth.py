"""Condition S with all its constants: the soft maximum of the pieces, and where its drift is negative (theory 5.4, 10.5)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import Jump, branches_with_alternatives
from verify.chain.guards import Normal
from verify.chain.pieces import maximal_piece
from verify.conditions.drift import DriftProof
from verify.conditions.evidence.nodes import Empty, Exclusion, Node, Split
from verify.studies.bounds.jumps import choices_of, most
from verify.studies.bounds.ladder import Descent, common_unit
from verify.studies.bounds.logarithm import log_above

ZERO = Fraction(0)
#: Shares of ε that may be given to the curvature of f, and to pieces that are far from the maximum.
_CURVATURE = tuple(Fraction(n, 8) for n in range(1, 7))
_FAR = (Fraction(1, 64), Fraction(1, 16), Fraction(1, 8), Fraction(1, 4))
_LEAST_SCALE = Fraction(1, 1024)


@dataclass(frozen=True)
class Gap:
    """What an exclusion in the tree of piece i says of the states where what it excludes happens: κ|x| − ρ <= σ (V(x) − w_i·x).

    ``kappa`` κ > 0, ``sigma`` σ >= 0 (0: |x| <= ρ/κ), ``slack`` ρ >= 0, which is 0 unless several servers share a buffer."""

    kappa: Fraction
    sigma: Fraction
    slack: Fraction


@dataclass(frozen=True)
class Soft:
    """f(x) = s log Σ_i exp(w_i·x/s), so V <= f <= V + ``excess``; its ``descent`` holds for |x| > ``radius`` and so for
    f > level.  ``scale`` is s.  For one piece f = V and the excess is 0."""

    scale: Fraction
    excess: Fraction
    radius: Fraction
    descent: Descent


def soft_maximum(proof: DriftProof) -> Soft:
    """The f of a proof by condition S with the best of some s; exact bounds, as logarithms are rounded up."""
    gaps = list(gaps_of(proof))
    if len(proof.function) == 1:
        return _one_piece(proof, gaps)
    found = [_soft(proof, gaps, a, c) for a, c in itertools.product(_CURVATURE, _FAR) if a + c < 1]
    return min(found, key=lambda soft: soft.descent.mean)


def _one_piece(proof: DriftProof, gaps: list[Gap]) -> Soft:
    """V itself falls wherever no exclusion can be wrong: at every x ≠ 0, but for a few jobs in shared buffers."""
    (weights,) = proof.function.pieces
    radius = max((gap.slack / gap.kappa for gap in gaps), default=ZERO)
    unit = common_unit(list(weights.values()))
    level = radius.__floor__() * proof.function.scale
    return Soft(ZERO, ZERO, radius, _descent(proof, -(-level // unit) * unit, proof.epsilon, unit))


def _soft(proof: DriftProof, gaps: list[Gap], curvature: Fraction, far: Fraction) -> Soft:
    """Drift of f <= −ε + R/(8s) + N (M + ε) exp(−(κ|x| − ρ)/(σs)) <= −ε (1 − curvature − far) for |x| > radius."""
    pieces, epsilon = proof.function.pieces, proof.epsilon
    choices = choices_of(proof.walk.components)
    ranges = most(choices, lambda a: sum((j.rate * _range(proof, j) ** 2 for j in a.jumps), ZERO))
    scale = max(ranges / (8 * curvature * epsilon), _LEAST_SCALE)
    worst = max(ZERO, *(most(choices, lambda a, w=w: w.at(a.mean_drift)) for w in pieces))  # type: ignore[misc]
    needed = log_above(max(Fraction(1), (len(pieces) - 1) * (worst + epsilon) / (far * epsilon)))
    radius = max(((gap.slack + gap.sigma * scale * needed) / gap.kappa for gap in gaps), default=ZERO)
    excess = scale * log_above(Fraction(len(pieces)))
    level = proof.function.scale * radius + excess
    return Soft(scale, excess, radius, _descent(proof, level, epsilon * (1 - curvature - far), ZERO))


def _descent(proof: DriftProof, level: Fraction, drift: Fraction, unit: Fraction) -> Descent:
    """The jumps of f, that of the soft maximum lying between the least and the greatest w_i·e."""
    choices = choices_of(proof.walk.components)
    listed = [j for _, a in branches_with_alternatives(proof.walk.components) for j in a.jumps]
    lows, highs = [_least(proof, j) for j in listed], [_greatest(proof, j) for j in listed]

    def second(jump: Jump, offset: Fraction) -> Fraction:
        return max(u * (u + offset) for u in (_least(proof, jump), _greatest(proof, jump)))

    return Descent(
        level,
        drift,
        rise=max(ZERO, *highs),
        drop=max(ZERO, *(-low for low in lows)),
        climb=most(choices, lambda a: sum((j.rate * max(ZERO, _greatest(proof, j)) for j in a.jumps), ZERO)),
        up_rate=most(choices, lambda a: sum((j.rate for j in a.jumps if _greatest(proof, j) > 0), ZERO)),
        square=most(choices, lambda a: sum((j.rate * second(j, unit) / 2 for j in a.jumps), ZERO)),
        second=most(choices, lambda a: sum((j.rate * second(j, ZERO) for j in a.jumps), ZERO)),
        unit=unit,
    )


def _greatest(proof: DriftProof, jump: Jump) -> Fraction:
    return max(w.at(jump.change) for w in proof.function.pieces)


def _least(proof: DriftProof, jump: Jump) -> Fraction:
    return min(w.at(jump.change) for w in proof.function.pieces)


def _range(proof: DriftProof, jump: Jump) -> Fraction:
    return _greatest(proof, jump) - _least(proof, jump)


def gaps_of(proof: DriftProof) -> Iterator[Gap]:
    """One for every exclusion of the trees.

    Reason: at a state where the excluded thing happens each fact of the exclusion is true but for two kinds: that piece i is
    largest, which fails by V(x) − w_i·x at most, and x_L = 0 where so few jobs may all be with other servers."""
    spare = {a.name: a.spare for _, a in branches_with_alternatives(proof.walk.components)}
    word = proof.walk.word_for(proof.function)
    for piece, tree in enumerate(proof.trees):
        active = maximal_piece(piece, proof.function, proof.walk.normals, word)
        for name, exclusion in _exclusions(tree):
            yield _gap(exclusion, set(active), spare.get(name, {}))


def _gap(exclusion: Exclusion, active: set[Normal], spare: Mapping[Normal, int]) -> Gap:
    sigma = sum((abs(y) for g, y in exclusion.multipliers.items() if g in active), ZERO)
    slack = sum((abs(y) * spare[g] for g, y in exclusion.multipliers.items() if g in spare), ZERO)
    return Gap(exclusion.kappa, sigma, slack)


def _exclusions(node: Node) -> Iterator[tuple[str, Exclusion]]:
    """With the name of the branch or alternative, "" for a node without points."""
    yield from node.exclude.items()
    if isinstance(node, Empty):
        yield "", node.evidence
    elif isinstance(node, Split):
        for child in node.children.values():
            yield from _exclusions(child)
