"""A decision in words and as JSON (``certify``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.conditions.capacity import Capacity
from verify.conditions.evidence.nodes import Obstacle
from verify.conditions.proof import Proof
from verify.decide import Decision
from verify.methods.given import Given
from verify.methods.method import Attempt, Why
from verify.rational import counted, decimals

#: Longer lists of names are cut in messages for people.
_MOST_NAMES = 8

_NOTHING = "UNDECIDED: neither a proof of stability nor one of instability was found."


def as_json(decision: Decision, certificate: str | None, seconds: float) -> dict[str, Any]:
    """The object of ``certify --json``; numbers that decide are strings."""
    proof, capacity = decision.proof, decision.capacity
    function = proof.function if proof else None
    return {
        "verdict": decision.verdict.value,
        "method": decision.method,
        "criterion": proof.condition.word if proof else None,
        "claim": proof.claim() if proof else _NOTHING,
        "epsilon": str(proof.epsilon) if proof and proof.epsilon is not None else None,
        "pieces": function.size if function else None,
        "load": str(capacity.load) if capacity else None,
        "bottleneck": list(capacity.bottleneck) if capacity else [],
        "certificate": certificate,
        "obstacle": None if proof else obstacle_words(decision.attempts),
        "seconds": round(seconds, 3),
        "critical": capacity.load == 1 if capacity else None,
        "scope": proof.scope.value if proof and proof.scope else None,
        "test_function": function.to_json(proof.names) if proof and function else None,
        "witness": _witness(proof) if proof and proof.orders else None,
        "correction": proof.corrected if proof and function else None,
        "attempts": [_attempt_json(attempt) for attempt in decision.attempts],
    }


def _witness(proof: Proof) -> dict[str, dict[str, list[str]] | None]:
    """What a witness orders."""
    return {
        key: {name: list(order) for name, order in proof.orders[key].items()} if key in proof.orders else None
        for key in ("priority", "server_order")
    }


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    """What was tried, why it did not decide, and where it failed."""
    found = attempt.obstacle
    obstacle = None if found is None else {**face_json(found), "drift": str(found.drift)}
    return {"method": attempt.method, "reason": attempt.reason, "obstacle": obstacle}


def face_json(found: Obstacle) -> dict[str, Any]:
    """Where a condition fails, without the drift there."""
    return {
        "piece": found.piece,
        "state": {name: str(value) for name, value in found.state.items()},
        "vanishing": list(found.face),
        "choices": list(found.choices),
    }


def as_text(decision: Decision, certificate: str | None) -> Iterator[str]:
    """Lines for a person: the verdict word first."""
    proof = decision.proof
    yield decision.verdict.value.upper()
    yield f"claim: {proof.claim() if proof else _NOTHING}"
    if proof and proof.scope:
        yield f"speaks of: {proof.scope}"
    yield load_words(decision.capacity) if decision.capacity else "load: not known, the time was up"
    if proof:
        yield from proof.summary()
    if decision.given is not None:
        yield from _given_lines(decision.given)
    if proof is None:
        yield f"obstacle: {obstacle_words(decision.attempts)}"
        yield from (f"tried {attempt.method}: {attempt.reason}" for attempt in decision.attempts)
    if certificate is not None:
        yield f"certificate: {certificate} (the independent checker: ACCEPTED)"


def load_words(capacity: Capacity) -> str:
    """ρ* with the bottleneck servers and their prices."""
    prices = ", ".join(f"{server} (price {price})" for server, price in capacity.prices.items())
    critical = ", critically loaded" if capacity.load == 1 else ""
    return f"load: {decimals(capacity.load)}{critical}; bottleneck: {prices}"


def _given_lines(given: Given) -> Iterator[str]:
    """P, F and S side by side for the V at hand, with what each proves."""
    yield f"{given.what} ({counted(len(given.function), 'piece')}):"
    if given.paper_worst is not None:
        holds = "holds" if given.paper_holds else "fails"
        yield f"  P {holds}: largest drift of an active piece inside its regime {given.paper_worst} (proves nothing by itself)"
    for evaluation in sorted(given.evaluations, key=lambda e: e.condition.letter):
        letter = evaluation.condition.letter
        if evaluation.holds:
            leaves = f"{evaluation.bounded_leaves} bounded leaves"
            yield f"  {letter} holds: epsilon {evaluation.epsilon}, {leaves} (proves {evaluation.condition.proves})"
        elif evaluation.holds is None:
            yield f"  {letter} not decided: {evaluation.reason}"
        else:
            where = f" {place(evaluation.obstacle)}" if evaluation.obstacle else f" {evaluation.reason}"
            yield f"  {letter} fails:{where}"


def obstacle_words(attempts: tuple[Attempt, ...]) -> str:
    """The time limit if it was reached, what is known of a wider class; else the first failure that names a place, else the last
    reason of what was tried."""
    for attempt in attempts:
        if attempt.why in (Why.TIME, Why.WIDER):
            return attempt.reason
    for attempt in attempts:
        if attempt.obstacle is not None:
            return f"{attempt.reason}: {place(attempt.obstacle)}"
    tried = [attempt for attempt in attempts if attempt.why is not Why.UNFIT] or list(attempts)
    return tried[-1].reason if tried else "nothing was tried"


def place(obstacle: Obstacle) -> str:
    """Piece, face, drift, choices and a state."""
    return f"piece {obstacle.piece} has drift {obstacle.drift} {_where(obstacle)}"


def face_words(obstacle: Obstacle) -> str:
    """The same without the drift."""
    return f"piece {obstacle.piece} {_where(obstacle)}"


def _where(obstacle: Obstacle) -> str:
    state = ", ".join(f"{name} = {value}" for name, value in obstacle.state.items())
    face = _shortened(obstacle.face) or "none (interior)"
    return f"at state ({state}), others 0; vanishing there: {face}; under the choices {_shortened(obstacle.choices)}"


def _shortened(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
