"""A decision in words and as JSON (``certify``)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verify.capacity import Capacity, cures
from verify.certificate.words import LETTER, capacity_words, drift_words, function_words
from verify.conditions.evidence import Leaf, Obstacle, leaves
from verify.conditions.tree import Mode
from verify.network.model import ExplicitTemplate, Instance
from verify.search.outcome import Attempt, Criterion, Decision, DriftProof, Given, Verdict

_CRITERION = {Mode.FLUID: Criterion.FLUID, Mode.STRICT: Criterion.STRICT}
#: Longer lists of names are cut in messages for people.
_MOST_NAMES = 8


def claim(instance: Instance, decision: Decision) -> str:
    """What was proved, or that nothing was."""
    if decision.proof is not None:
        return drift_words(decision.proof.walk.instance, decision.proof.mode, decision.proof.epsilon)
    if decision.verdict is Verdict.UNSTABLE:
        return capacity_words(instance, decision.capacity.load)
    return "UNDECIDED: neither a proof of stability nor one of instability was found."


def as_json(instance: Instance, decision: Decision, certificate: str | None, seconds: float) -> dict[str, Any]:
    """The object of ``certify --json`` (design: FORMAT); numbers that decide are strings."""
    proof = decision.proof
    criterion = (
        _CRITERION[proof.mode] if proof else Criterion.CAPACITY if decision.verdict is Verdict.UNSTABLE else None
    )
    return {
        "verdict": decision.verdict.value,
        "method": decision.method.value if decision.method else None,
        "criterion": criterion.value if criterion else None,
        "claim": claim(instance, decision),
        "epsilon": str(proof.epsilon) if proof else None,
        "pieces": len(proof.function) if proof else None,
        "load": str(decision.capacity.load),
        "bottleneck": list(decision.capacity.bottleneck),
        "certificate": certificate,
        "obstacle": obstacle_words(decision.attempts) if decision.verdict is Verdict.UNDECIDED else None,
        "seconds": round(seconds, 3),
    }


def as_text(instance: Instance, decision: Decision, certificate: str | None) -> Iterator[str]:
    """Lines for a person: the verdict word first."""
    yield decision.verdict.value.upper()
    yield f"claim: {claim(instance, decision)}"
    yield load_words(decision.capacity)
    if decision.verdict is Verdict.UNSTABLE:
        yield from _cure_lines(decision.capacity)
    if decision.proof is not None:
        yield from _proof_lines(decision.proof)
    if decision.given is not None:
        yield from _given_lines(decision.given)
    if decision.verdict is Verdict.UNDECIDED:
        yield f"obstacle: {obstacle_words(decision.attempts)}"
        yield from (f"tried {attempt.method}: {attempt.reason}" for attempt in decision.attempts)
    if certificate is not None:
        yield f"certificate: {certificate} (the independent checker: ACCEPTED)"


def load_words(capacity: Capacity) -> str:
    """ρ* with the bottleneck servers and their prices."""
    prices = ", ".join(f"{server} (price {price})" for server, price in capacity.prices.items())
    return f"load: {capacity.load} (about {float(capacity.load):.4g}); bottleneck: {prices}"


def _cure_lines(capacity: Capacity) -> Iterator[str]:
    found = cures(capacity)
    for cure in found:
        if cure.rate is not None:
            yield f"needed: server {cure.server} alone needs a rate above {cure.rate}"
        else:
            yield f"needed: server {cure.server} alone would have to be more than {cure.speed} times as fast"
    if not found:
        yield "needed: no single bottleneck server can cure this, several must be faster"


def _proof_lines(proof: DriftProof) -> Iterator[str]:
    kind = f"{len(proof.faces)} faces" if proof.faces else f"{_bounded(proof)} bounded leaves of case trees"
    yield (
        f"proof: condition {LETTER[proof.mode]} by {_function(proof)}; {kind}; smallest margin epsilon = {proof.epsilon}"
        f" (about {float(proof.epsilon):.4g})"
    )


def _bounded(proof: DriftProof) -> int:
    return sum(1 for tree in proof.trees for leaf in leaves(tree) if isinstance(leaf, Leaf))


def _function(proof: DriftProof) -> str:
    if isinstance(proof.spec, ExplicitTemplate):
        return f"V {function_words(proof.spec)} ({len(proof.function)} pieces)"
    if len(proof.function) > 1:
        return f"V, a maximum of {len(proof.function)} pieces"
    weights, names = proof.function.pieces[0], proof.walk.expansion.names
    if len(weights) == len(names) and set(weights.values()) == {Fraction(1)}:
        return "V = number of jobs"
    return "V = " + " + ".join(f"{weight} {names[k]}" for k, weight in weights.items())


def _given_lines(given: Given) -> Iterator[str]:
    """P, F and S side by side for the V at hand, with what each proves."""
    yield f"{given.what} ({len(given.function)} pieces):"
    if given.paper_worst is not None:
        holds = "holds" if given.paper_holds else "fails"
        yield f"  P {holds}: largest drift of an active piece inside its regime {given.paper_worst} (proves nothing by itself)"
    for evaluation in sorted(given.evaluations, key=lambda e: LETTER[e.mode]):
        letter = LETTER[evaluation.mode]
        if evaluation.holds:
            proves = "stability" if evaluation.mode is Mode.FLUID else "stability with geometric tails"
            yield f"  {letter} holds: epsilon {evaluation.epsilon}, {evaluation.bounded_leaves} bounded leaves (proves {proves})"
        elif evaluation.holds is None:
            yield f"  {letter} not decided: {evaluation.reason}"
        else:
            where = f" {place(evaluation.obstacle)}" if evaluation.obstacle else f" {evaluation.reason}"
            yield f"  {letter} fails:{where}"


def obstacle_words(attempts: tuple[Attempt, ...]) -> str:
    """The first failure that names a place, else the last reason."""
    for attempt in attempts:
        if attempt.obstacle is not None:
            return f"{attempt.reason}: {place(attempt.obstacle)}"
    return attempts[-1].reason if attempts else "nothing was tried"


def place(obstacle: Obstacle) -> str:
    """Piece, face, drift, choices and a state."""
    state = ", ".join(f"{name} = {value}" for name, value in obstacle.state.items())
    face = _shortened(obstacle.face) or "none (interior)"
    return (
        f"piece {obstacle.piece} has drift {obstacle.drift} at state ({state}), others 0; vanishing there: {face}; "
        f"under the choices {_shortened(obstacle.choices)}"
    )


def _shortened(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
