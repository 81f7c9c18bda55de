"""A decision in words and as JSON (``certify``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from verify.capacity import Capacity, cures
from verify.certificate.words import (
    LETTER,
    capacity_words,
    corrected_words,
    drift_words,
    function_words,
    growth_words,
    witness_words,
)
from verify.conditions.evidence import Leaf, Mode, Obstacle, leaves
from verify.conditions.growth import Growth
from verify.network.model import ExplicitTemplate, Instance
from verify.policy.compose import Walk
from verify.search.outcome import Attempt, CorrectedProof, Criterion, Decision, DriftProof, Given, Method, Verdict

_CRITERION = {Mode.FLUID: Criterion.FLUID, Mode.STRICT: Criterion.STRICT}
#: Longer lists of names are cut in messages for people.
_MOST_NAMES = 8
#: So many weights of several pieces are shown; the certificate has all of them.
_SHOWN_WEIGHTS = 16


def claim(instance: Instance, decision: Decision) -> str:
    """What was proved, or that nothing was."""
    proof = decision.proof
    if isinstance(proof, DriftProof):
        return drift_words(proof.walk.instance, proof.mode, proof.epsilon, corrected=proof.corrected)
    if isinstance(proof, CorrectedProof):
        return corrected_words(instance, proof.found.epsilon)
    if isinstance(proof, Growth):
        return growth_words(instance, proof)
    if decision.verdict is Verdict.UNSTABLE and decision.capacity is not None:
        return capacity_words(instance, decision.capacity.load)
    return "UNDECIDED: neither a proof of stability nor one of instability was found."


def criterion(decision: Decision) -> Criterion | None:
    """The condition that was proved."""
    proof = decision.proof
    if isinstance(proof, DriftProof):
        return _CRITERION[proof.mode]
    if isinstance(proof, CorrectedProof):
        return Criterion.CORRECTED
    if isinstance(proof, Growth):
        return Criterion.GROWTH
    return Criterion.CAPACITY if decision.verdict is Verdict.UNSTABLE else None


def _epsilon(decision: Decision) -> Fraction | None:
    proof = decision.proof
    return proof.found.epsilon if isinstance(proof, CorrectedProof) else proof.epsilon if proof else None


def as_json(instance: Instance, decision: Decision, certificate: str | None, seconds: float) -> dict[str, Any]:
    """The object of ``certify --json``; numbers that decide are strings."""
    proved, epsilon, proof = criterion(decision), _epsilon(decision), decision.proof
    capacity = decision.capacity
    return {
        "verdict": decision.verdict.value,
        "method": decision.method.value if decision.method else None,
        "criterion": proved.value if proved else None,
        "claim": claim(instance, decision),
        "epsilon": str(epsilon) if epsilon is not None else None,
        "pieces": len(proof.function) if isinstance(proof, DriftProof) else 1 if proof else None,
        "load": str(capacity.load) if capacity else None,
        "bottleneck": list(capacity.bottleneck) if capacity else [],
        "certificate": certificate,
        "obstacle": obstacle_words(decision.attempts) if decision.verdict is Verdict.UNDECIDED else None,
        "seconds": round(seconds, 3),
        "critical": capacity.load == 1 if capacity else None,
        "scope": scope(decision),
        "test_function": _weights(decision),
        "witness": _witness(decision),
        "correction": _has_correction(proof) if proof else None,
        "attempts": [_attempt_json(attempt) for attempt in decision.attempts],
    }


def _has_correction(proof: DriftProof | CorrectedProof | Growth) -> bool:
    """Is a bounded function of a pattern added to V, on a leaf or everywhere?  The certificate has it."""
    if isinstance(proof, DriftProof):
        bounded = (leaf for tree in proof.trees for leaf in leaves(tree))
        return any(isinstance(leaf, Leaf) and leaf.corrector is not None for leaf in bounded)
    return bool(proof.h if isinstance(proof, Growth) else proof.found.corrector.h)


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    """What was tried, why it did not decide, and where it failed."""
    found = attempt.obstacle
    entry: dict[str, Any] = {"method": attempt.method.value, "reason": attempt.reason, "obstacle": None}
    if found is not None:
        entry["obstacle"] = {
            "piece": found.piece,
            "drift": str(found.drift),
            "state": {name: str(value) for name, value in found.state.items()},
            "vanishing": list(found.face),
            "choices": list(found.choices),
        }
    return entry


def scope(decision: Decision) -> str | None:
    """Of which policies UNSTABLE speaks; None for other verdicts."""
    if decision.verdict is not Verdict.UNSTABLE:
        return None
    proof = decision.proof
    if not isinstance(proof, Growth):
        return "every policy of this routing"
    one = proof.witness is not None or proof.server_order is not None
    return "one witness policy" if one else "every policy of the class"


def _weights(decision: Decision) -> list[dict[str, str]] | None:
    """The pieces of V by buffer; a corrector h, if there is one, is in the certificate."""
    proof = decision.proof
    if proof is None:
        return None
    if isinstance(proof, DriftProof):
        pieces: tuple[Mapping[int, Fraction], ...] = tuple(proof.function.pieces)
    else:
        pieces = (proof.found.weights,) if isinstance(proof, CorrectedProof) else (proof.weights,)
    names = proof.walk.expansion.names
    return [{names[k]: str(weight) for k, weight in piece.items()} for piece in pieces]


def _witness(decision: Decision) -> dict[str, Any] | None:
    """What a witness orders: ``priority`` by server, ``server_order`` by buffer."""
    proof = decision.proof
    if not isinstance(proof, Growth) or scope(decision) != "one witness policy":
        return None
    orders = {"priority": proof.witness, "server_order": proof.server_order}
    return {
        key: {name: list(listed) for name, listed in (order or {}).items()} or None for key, order in orders.items()
    }


def as_text(instance: Instance, decision: Decision, certificate: str | None) -> Iterator[str]:
    """Lines for a person: the verdict word first."""
    yield decision.verdict.value.upper()
    yield f"claim: {claim(instance, decision)}"
    if decision.verdict is Verdict.UNSTABLE:
        yield f"speaks of: {scope(decision)}"
    yield load_words(decision.capacity) if decision.capacity else "load: not known, the time was up"
    proof = decision.proof
    if decision.method is Method.CAPACITY and decision.capacity:
        yield from _cure_lines(decision.capacity)
    elif isinstance(proof, DriftProof):
        yield from _proof_lines(proof)
    elif isinstance(proof, CorrectedProof):
        cells = len(proof.found.corrector.h)
        form = _form(proof.found.weights, proof.walk)
        yield f"proof: condition H by V = {form} + h(x), h on {cells} cells; epsilon = {_number(proof.found.epsilon)}"
    elif isinstance(proof, Growth):
        yield from _growth_lines(instance, proof)
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
    critical = ", critically loaded" if capacity.load == 1 else ""
    return f"load: {_number(capacity.load)}{critical}; bottleneck: {prices}"


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
    bounded = [leaf for tree in proof.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    faces = sum(map(len, proof.faces))
    kind = (
        counted(faces, "face") if faces else f"{counted(len(bounded), 'bounded leaf', 'bounded leaves')} of case trees"
    )
    corrected = sum(1 for leaf in bounded if leaf.corrector is not None)
    if corrected:
        kind += f" ({corrected} with a corrector)"
    yield (
        f"proof: condition {LETTER[proof.mode]} by {_function(proof)}; {kind}; smallest margin epsilon = {_number(proof.epsilon)}"
    )


def _growth_lines(instance: Instance, proof: Growth) -> Iterator[str]:
    corrector = f" + h(x), h on {len(proof.h)} cells" if proof.h else ""
    yield f"proof: condition U by V = {_form(proof.weights, proof.walk)}{corrector}; growth rate >= {_number(proof.epsilon)}"
    witness = witness_words(instance, proof)
    if witness:
        yield f"witness: one policy of the class diverges, {witness}; others may be stable"


def counted(number: int, word: str, plural: str = "") -> str:
    """A number of things in words.

    >>> counted(1, "face"), counted(2, "leaf", "leaves")
    ('1 face', '2 leaves')
    """
    return f"{number} {word if number == 1 else plural or word + 's'}"


def _number(value: Fraction) -> str:
    """With decimals, if it is not an integer; close to 1, on which side of it.

    >>> _number(Fraction(7, 10)), _number(Fraction(2, 3)), _number(Fraction(10**12 - 1, 10**12))
    ('7/10 (0.7)', '2/3 (about 0.6667)', '999999999999/1000000000000 (about 1 - 1e-12)')
    """
    if value.denominator == 1:
        return f"{value}"
    gap = value - 1
    if abs(gap) < Fraction(1, 1000):
        return f"{value} (about 1 {'+' if gap > 0 else '-'} {abs(float(gap)):.2g})"
    near = f"{float(value):.4g}"
    return f"{value} ({near})" if Fraction(near) == value else f"{value} (about {near})"


def _form(weights: Mapping[int, Fraction], chain: Walk) -> str:
    names = chain.expansion.names
    return " + ".join(f"{weight} {names[k]}" for k, weight in weights.items())


def _function(proof: DriftProof) -> str:
    if isinstance(proof.spec, ExplicitTemplate):
        return f"V {function_words(proof.spec, proof.walk.instance)} ({counted(len(proof.function), 'piece')})"
    names = proof.walk.expansion.names
    if len(proof.function) > 1:
        few = len(proof.function) * len(names) <= _SHOWN_WEIGHTS
        shown = f" {', '.join(_form(piece, proof.walk) for piece in proof.function.pieces)}" if few else ""
        return f"V, a maximum of {len(proof.function)} pieces{shown and ':'}{shown}"
    weights = proof.function.pieces[0]
    if len(weights) == len(names) and set(weights.values()) == {Fraction(1)}:
        return "V = number of jobs"
    return f"V = {_form(weights, proof.walk)}"


def _given_lines(given: Given) -> Iterator[str]:
    """P, F and S side by side for the V at hand, with what each proves."""
    yield f"{given.what} ({counted(len(given.function), 'piece')}):"
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
    """The time limit if it was reached; else the first failure that names a place, else the last reason of what was tried."""
    if attempts and attempts[0].reason.startswith("the time limit"):
        return attempts[0].reason
    for attempt in attempts:
        if attempt.reason.startswith("fifo itself is open"):
            return attempt.reason
    for attempt in attempts:
        if attempt.obstacle is not None:
            return f"{attempt.reason}: {place(attempt.obstacle)}"
    tried = [attempt for attempt in attempts if attempt.applies] or list(attempts)
    return tried[-1].reason if tried else "nothing was tried"


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
