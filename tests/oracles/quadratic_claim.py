"""Condition Q, bounds on means and product form again (theory 13): the drift of the function at states, choice by choice.

The evidence is not looked at, only what is claimed: at every state of a box, and at states far out and on the hyperplanes where
guards tie, the drift of f under every choice of the naive step functions is compared with the claimed line.  Sampling cannot prove a
claim; every objection is a definite one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from naive import State

from .cells import corrected_objections
from .chain import build
from .claimed import Json, Unreadable, number, numbers
from .copositive import negative_point
from .drift_claim import claim_objections, evidence_objections, ground_objections, scene, work_objections
from .forms import normals
from .outcomes import Spoken, as_state, choices, spoken
from .points import sample
from .product_form import product_objection
from .quadratic_function import Quadratic, quadratic

#: Where a box has more states, coordinates get fewer values; where that does not do, states are drawn.
MOST = 20_000


@dataclass(frozen=True)
class Line:
    """One claimed inequality: ``sign`` · drift of f <= ``sign`` · (``constant`` + ``slope``·x) at every state under every choice."""

    name: str
    function: Quadratic
    slope: Mapping[str, Fraction]
    constant: Fraction
    sign: int

    def right(self, x: State) -> Fraction:
        """constant + slope·x."""
        return self.constant + sum((a * x[k] for k, a in self.slope.items()), Fraction(0))


def justified(certificate: Json, side: int = 6, most: int = MOST) -> str | None:
    """None if nothing speaks against a claim of kind "quadratic", "mean" or "product-form"; else what does, with the state.

    ``side``: the box is [0, side]^K, or wider at cuts, or smaller if it had more than ``most`` states.
    """
    try:
        return next(_objections(certificate, side, most), None)
    except Unreadable as error:
        return f"unreadable: {error}"
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        return f"not of the form: {type(error).__name__}: {error}"


def tightness(certificate: Json, side: int = 6, most: int = MOST) -> dict[str, Fraction]:
    """For each line ("drift", "upper", "lower") the smallest distance between it and the drift: > 0 where the bound is nowhere
    reached, which hints at a mistake in a right-hand side, though it need not be one."""
    found = spoken(certificate)
    every: dict[str, Fraction] = {}
    for line in lines(certificate, found):
        every[line.name] = min(slack for _, slack in slacks(found, line, states(found, certificate, line, side, most)))
    return every


def _objections(certificate: Json, side: int, most: int) -> Iterator[str]:
    condition = certificate["claim"]["condition"]
    if certificate["claim"]["verdict"] != "stable":
        yield f"verdict {certificate['claim']['verdict']} under {condition}"
    found = spoken(certificate)
    if condition == "product-form":
        wrong = product_objection(found, certificate)
        yield from [wrong] if wrong else []
        return
    if condition == "mean":
        stability = certificate["stability"]
        proof = {**certificate, **stability, "claim": {"verdict": "stable", **stability}}
        yield from (f"stability: {wrong}" for wrong in _stability(proof, side, most))
    elif condition == "quadratic":
        yield from _grounds(certificate, found)
    else:
        yield f"condition {condition}"
        return
    for line in lines(certificate, found):
        for x, slack in slacks(found, line, states(found, certificate, line, side, most)):
            if slack < 0:
                right, word = line.right(x), "at most" if line.sign == 1 else "at least"
                yield f"{line.name} at {_short(x)}: the drift may be {right - line.sign * slack}, claimed {word} {right}"
                break


def _short(x: State) -> str:
    return ", ".join(f"{name} = {jobs}" for name, jobs in x.items() if jobs) or "0"


def lines(certificate: Json, found: Spoken) -> list[Line]:
    """The inequalities that a certificate claims.  Raises ``Unreadable``."""
    claim, names = certificate["claim"], found.names
    if claim["condition"] == "quadratic":
        slope = dict.fromkeys(names, -number(claim["epsilon"]))
        return [Line("drift", quadratic(certificate["function"], names), slope, number(claim["bound"]), 1)]
    of = numbers(claim["of"])
    if not of or not set(of) <= set(names):
        raise Unreadable("the mean of nothing, or of unknown buffers")
    sides = [(name, sign) for name, sign in (("upper", 1), ("lower", -1)) if name in claim]
    if not sides or {name for name, _ in sides} != {"upper", "lower"} & set(certificate):
        raise Unreadable("bounds that are not those of the claim")
    slope = {k: -a for k, a in of.items()}
    return [
        Line(name, quadratic(certificate[name]["function"], names), slope, number(claim[name]), sign)
        for name, sign in sides
    ]


# ---- stability -------------------------------------------------------------------------------------------------------
def _stability(proof: Json, side: int, most: int) -> Iterator[str]:
    """The claim of stability beside a bound."""
    condition = proof["claim"]["condition"]
    if condition == "quadratic":
        yield from _objections(proof, side, most)
        return
    chain, rng = build(proof["network"], proof["policy"]), random.Random(1)
    if condition == "corrected":
        yield from work_objections(chain, proof, rng)
        yield from corrected_objections(chain, proof, rng, 60)
    elif condition in ("fluid", "strict"):
        shown = scene(chain, proof, rng, 60)
        yield from ground_objections(chain, proof, shown.pieces, rng)
        yield from claim_objections(shown, proof, rng)
        yield from evidence_objections(shown, proof, rng)
    else:
        yield f"condition {condition} proves no stability"


def _grounds(certificate: Json, found: Spoken) -> Iterator[str]:
    """ε > 0, a copositive form, and (R)."""
    if number(certificate["claim"]["epsilon"]) <= 0:
        yield f"epsilon {certificate['claim']['epsilon']}"
    function = quadratic(certificate["function"], found.names)
    if function.cuts:
        yield "a function with cuts"
    point = negative_point(function.matrix(found.names))
    if point is not None:
        x = dict(zip(found.names, point, strict=True))
        yield f"not copositive: the form is negative at {_short(x)}"
    yield from work_objections(build(certificate["network"], certificate["policy"]), certificate, random.Random(1), 100)


# ---- states and drifts -----------------------------------------------------------------------------------------------
def slacks(found: Spoken, line: Line, every: Iterator[State]) -> Iterator[tuple[State, Fraction]]:
    """At each state the least distance of the drift from the line, over all choices of all components."""
    for x in every:
        here = line.function.scaled(x)
        worst = Fraction(0)
        for outcomes in choices(found, x).values():
            drifts = [
                sum((rate * (line.function.scaled(target) - here) for rate, target in outcome), Fraction(0))
                for outcome in outcomes
            ]
            worst += max(line.sign * drift for drift in drifts)
        yield x, line.sign * line.right(x) - worst / line.function.scale


def states(found: Spoken, certificate: Json, line: Line, side: int, most: int) -> Iterator[State]:
    """The box, and states on hyperplanes of guards, near them and far out; where the box would be too large, states drawn from it."""
    names, cuts = found.names, line.function.cuts
    tops = [max(side, cuts[name] + 2) if name in cuts else side for name in names]
    while prod(top + 1 for top in tops) > most and max(tops) > 1:
        largest = max(tops)
        tops = [top - 1 if top == largest else top for top in tops]
    rng = random.Random(1)
    if prod(top + 1 for top in tops) <= most:
        for values in product(*(range(top + 1) for top in tops)):
            yield dict(zip(names, values, strict=True))
    else:
        yield dict.fromkeys(names, 0)
        for _ in range(most // 2):
            yield {name: rng.choice((0, 0, 1, 1, 2, side)) for name in names}
    yield from _far(found, certificate, cuts, rng, max(20, most // 20))


def _far(found: Spoken, certificate: Json, cuts: Mapping[str, int], rng: random.Random, count: int) -> Iterator[State]:
    chain = build(certificate["network"], certificate["policy"])
    for point in sample(len(chain.names), normals(chain, []), rng, count):
        times = rng.choice((1, 2, 5, 1000))
        for shake in ((0,), (-1, 0, 0, 1), (0, 0, 1, 2)):
            values = {name: max(0, times * a + rng.choice(shake)) for name, a in zip(chain.names, point, strict=True)}
            yield as_state(found.names, values)
        if cuts:
            near = {name: max(0, cut + rng.choice((-1, 0, 1, 2))) for name, cut in cuts.items() if rng.random() < 0.7}
            yield as_state(found.names, {**values, **near})
