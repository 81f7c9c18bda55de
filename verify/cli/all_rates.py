"""``certify --for-all-rates``: options, text and JSON."""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verify.cli.common import emit_json, progress, read_network, settings
from verify.cli.streams import complain, emit
from verify.errors import InputError
from verify.files import Output

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from verify.all_rates import CounterRates, RatesAttempt, RatesDecision

_NOTHING = "UNDECIDED: no proof for all these rates was found, which says nothing of the network at any of them."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those that only this question has."""
    parser.add_argument(
        "--for-all-rates",
        action="store_true",
        help="prove stability for all arrival rates and speeds in [rates] of the file (default: all with load < 1)",
    )
    parser.add_argument(
        "--load-at-most",
        metavar="P/Q",
        help="with --for-all-rates: only for loads up to this one (in place of the file's)",
    )


def asked_for(options: argparse.Namespace) -> bool:
    """Is it this question?  Raises ``InputError`` for options that do not go together."""
    if not options.for_all_rates:
        if options.load_at_most is not None:
            raise InputError("--load-at-most", "to stand beside --for-all-rates", "no --for-all-rates")
        return False
    for name in ("method", "criterion"):
        if getattr(options, name) != "auto":
            found = f"--{name} {getattr(options, name)}"
            raise InputError("--for-all-rates", f"no --{name}: the condition is F for all rates", found)
    return True


def certify(options: argparse.Namespace, output: Output, deliver: Callable[[Output, bytes], str]) -> RatesDecision:
    """Decide, have the proof checked, print.  ``deliver`` writes the certificate."""
    from verify.all_rates import decide_for_all_rates
    from verify.certificate import certificate
    from verify.network.rates import RateSet

    start = time.monotonic()
    instance = read_network(options.file, settings(options))
    rates = instance.rates or RateSet()
    if options.load_at_most is not None:
        rates = dataclasses.replace(rates, load_at_most=_load(options.load_at_most))
    decision = decide_for_all_rates(instance, rates, options.time_limit, progress())
    written = None if decision.proof is None else deliver(output, certificate(decision.proof))
    older = output.older() if written is None else None
    if options.format == "json":
        emit_json({**as_json(decision, written, time.monotonic() - start), "older_certificate": older})
    else:
        lines = [*as_text(decision, written)]
        if older is not None:
            lines.append(f"note: an older file lies at {older}; it is not of this run, and stays as it is")
        (complain if output.standard else emit)("\n".join([*lines, ""]))
    return decision


def _load(text: str) -> Fraction:
    from verify.network.fields import Field
    from verify.network.read_rates import read_load

    return read_load(Field("--load-at-most", text, {}))


def as_text(decision: RatesDecision, certificate: str | None) -> Iterator[str]:
    """Lines for a person: the verdict word first."""
    yield decision.verdict.value.upper()
    from verify.verdict import face_words

    proof = decision.proof
    yield f"claim: {proof.claim() if proof else _NOTHING}"
    if proof is not None:
        yield from proof.summary()
    for attempt in decision.attempts:
        where = f" for {face_words(attempt.obstacle)}" if attempt.obstacle else ""
        yield f"tried {attempt.what}: {attempt.reason}{where}"
        if attempt.counter is not None:
            yield from _counter_lines(attempt.counter)
    if certificate is not None:
        yield f"certificate: {certificate} (the independent checker: ACCEPTED)"


def _counter_lines(counter: CounterRates) -> Iterator[str]:
    from verify.verdict import face_words

    shown = ", ".join(f"{symbol} = {value}" for symbol, value in counter.rates.items())
    yield f"  counter-rates: {shown} (load {counter.load}); condition F fails for this V there:"
    yield f"    drift {counter.obstacle.drift} for {face_words(counter.obstacle)}"
    yield f"  the network at these rates: {counter.claim or counter.verdict.value.upper()}"


def as_json(decision: RatesDecision, certificate: str | None, seconds: float) -> dict[str, Any]:
    """The object of ``certify --for-all-rates --json``; numbers that decide are strings."""
    proof = decision.proof
    return {
        "verdict": decision.verdict.value,
        "method": "all rates" if proof else None,
        "criterion": proof.condition.word if proof else None,
        "claim": proof.claim() if proof else _NOTHING,
        "load_at_most": str(decision.rates.load_at_most),
        "rates": decision.rates.to_json(),
        "pieces": proof.function.size if proof else None,
        "leaves": len(proof.bounded) if proof else None,
        "test_function": proof.function.to_json(proof.names) if proof else None,
        "policy": proof.instance.policy.to_json() if proof else None,
        "certificate": certificate,
        "attempts": [_attempt(attempt) for attempt in decision.attempts],
        "seconds": round(seconds, 3),
    }


def _attempt(attempt: RatesAttempt) -> dict[str, Any]:
    from verify.verdict import face_json

    found = attempt.counter
    counter: Mapping[str, Any] | None = None
    if found is not None:
        counter = {
            "rates": {symbol: str(value) for symbol, value in found.rates.items()},
            "load": str(found.load),
            "obstacle": {**face_json(found.obstacle), "drift": str(found.obstacle.drift)},
            "verdict": found.verdict.value,
            "claim": found.claim or None,
        }
    obstacle = face_json(attempt.obstacle) if attempt.obstacle else None
    return {"test_function": attempt.what, "reason": attempt.reason, "obstacle": obstacle, "counter_rates": counter}
