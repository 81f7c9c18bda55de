"""Methods side by side on one network: does each decide, with how many pieces, with which margin, and up to which load?

For each method: its proof at the rates of the file, and by exact bisection the largest load it certifies.  All arrival rates are
multiplied by t; the load is t·ρ*, which the capacity condition bounds by 1, and the loads tried are thousandths.  A load counts
only if the method returned a proof there and the independent checker accepted its certificate; the bisection supposes that
what is certified at a load is certified below it, so it may miss a higher one, but never claims one.

Where no method decides, instability is tried too: condition N, and for files also condition U, with accepted certificates.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from verify.budget import TimeIsUp, time_limit
from verify.certificate import certificate
from verify.conditions.capacity import Capacity, capacity
from verify.conditions.condition import Verdict
from verify.conditions.proof import Proof
from verify.decide import Decision, Request, decide
from verify.errors import InputError, InternalError, NotWalked, QueueproofError
from verify.files import printable_path, reason
from verify.methods import registry
from verify.methods.method import Method, Problem, Why
from verify.network.model import BufferNetwork
from verify.network_file.read import read_file
from verify.policies.instance import Instance

#: Loads are tried in steps of 1/GRID.
GRID = 1000

_TIME = "time limit"

Report: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """What one method did.  ``reason``: why it does not decide at the rates of the file; ``epsilon``: its margin there;
    ``scale_free``: epsilon / (largest weight · sum of all rates); ``load``: the largest load certified, None for none;
    ``beyond``: why not at the next thousandth ("": that would be capacity)."""

    method: str
    decided: bool
    reason: str = ""
    pieces: int | None = None
    epsilon: Fraction | None = None
    scale_free: Fraction | None = None
    load: Fraction | None = None
    beyond: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """All methods on one network: ``load`` is ρ* at the rates of the file.

    ``unstable``: for whom the network is proved unstable there ("": no such proof).  A file of a folder that cannot be used has
    an ``error``, the exit ``status`` that goes with it, no load and no rows.
    """

    name: str
    title: str
    load: Fraction | None
    rows: tuple[Row, ...]
    unstable: str = ""
    error: str = ""
    status: int = 0

    @property
    def verdict(self) -> Verdict:
        """What the proofs say together, at the rates of the file."""
        if self.unstable:
            return Verdict.UNSTABLE
        return Verdict.STABLE if any(row.decided for row in self.rows) else Verdict.UNDECIDED


def compared() -> tuple[Method, ...]:
    """The methods of the registry, in the order of the rows."""
    return tuple(map(registry.method, registry.COMPARED))


# One network ----------------------------------------------------------------------------------------


def compare(
    instance: Instance,
    name: str = "",
    methods: Sequence[Method] | None = None,
    seconds: float | None = None,
    report: Report = lambda _: None,
    growth: bool = False,
) -> Comparison:
    """All methods on one network, cheapest first.

    Parameters: ``name`` of the network in the table; ``methods`` (None: those of the registry); ``seconds`` that one proof may
    take (None: only the budgets of the searches count, and the result is the same everywhere); ``report`` receives progress;
    ``growth``: is condition U tried where no method decides?  Raises ``InputError`` if nothing arrives.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> found = compare(read_text(line, format="toml"), methods=compared()[:2])
    >>> [(row.method, row.pieces, str(row.scale_free), str(row.load)) for row in found.rows]
    [('linear', 1, '1/2', '999/1000'), ('quadratic', 1, '1/2', '999/1000')]
    """
    alone = dataclasses.replace(instance, test_function=None)
    found = capacity(alone)
    if not found.load:
        raise InputError("buffers", "an arrival rate > 0 somewhere", "none", "the load would be 0 whatever the rates")
    rows = []
    for method in compared() if methods is None else methods:
        progress = _under(report, f"{name}: {method.name}" if name else method.name)
        rows.append(_row(method, alone, found, seconds, progress))
    unstable = ""
    if found.load >= 1 or (growth and not any(row.decided for row in rows)):
        unstable = _unstable(alone, seconds, _under(report, f"{name}: growth" if name else "growth"))
    return Comparison(name, instance.title, found.load, tuple(rows), unstable)


def _unstable(instance: Instance, seconds: float | None, report: Report) -> str:
    """For whom the network is unstable by condition N or U, with an accepted certificate; "" if neither holds."""
    decision = decide(instance, Request(registry.method("growth"), time_limit=seconds), report)
    proof = decision.proof
    if proof is None or proof.scope is None:
        return ""
    try:
        with time_limit(seconds):
            certificate(proof)
    except TimeIsUp:
        return ""
    return f"{proof.scope} (condition {proof.condition.letter})"


def _under(report: Report, label: str) -> Report:
    """Progress of one method."""
    return lambda line: report(f"{label}, {line}")


def _row(method: Method, instance: Instance, found: Capacity, seconds: float | None, report: Report) -> Row:
    start = time.monotonic()
    report("rates of the file")
    try:
        refusal = method.refusal(Problem(instance))
    except NotWalked:
        return Row(method.name, False, "not walked")
    if refusal is not None:
        return Row(method.name, False, refusal.word)
    row = Row(method.name, False, "overloaded")
    if found.load < 1:
        proof = _accepted(method, instance, seconds, polish=True)
        row = Row(method.name, False, proof) if isinstance(proof, str) else _proved(method.name, instance, proof)
    took = time.monotonic() - start
    guess = int(found.load * GRID) if row.decided else 0
    load, beyond = largest_load(method, instance, found.load, guess, seconds, report)
    return dataclasses.replace(row, load=load, beyond=beyond, seconds=took)


def largest_load(
    method: Method, instance: Instance, load: Fraction, guess: int, seconds: float | None, report: Report
) -> tuple[Fraction | None, str]:
    """The largest load k/GRID < 1 that bisection finds certified, and why not (k+1)/GRID.

    Parameters: ``load`` ρ* of the instance; ``guess`` a k to try early.
    """

    def refused(k: int) -> str | None:
        report(f"load {k}/{GRID}")
        proof = _accepted(method, with_arrivals(instance, Fraction(k, GRID) / load), seconds, polish=False)
        return proof if isinstance(proof, str) else None

    low, high, beyond = 0, GRID, ""
    while high - low > 1:
        middle = GRID - 1 if high == GRID else guess if low < guess < high else (low + high) // 2
        reason = refused(middle)
        low, high, beyond = (middle, high, beyond) if reason is None else (low, middle, reason)
    return (Fraction(low, GRID) if low else None), beyond


def _accepted(method: Method, instance: Instance, seconds: float | None, *, polish: bool) -> Proof | str:
    """The proof, after the independent checker has accepted its certificate (else ``InternalError``); or why there is none, in
    one or two words."""
    try:
        with time_limit(seconds):
            decision = decide(instance, Request(method, time_limit=seconds, polish=polish))
            proof = decision.proof
            if proof is None or decision.method != method.name or proof.verdict is not Verdict.STABLE:
                return _shortfall(decision, method)
            certificate(proof)
    except TimeIsUp:
        return _TIME
    return proof


def _shortfall(decision: Decision, method: Method) -> str:
    """Why there is no proof."""
    reasons = {attempt.why for attempt in decision.attempts}
    return _TIME if Why.TIME in reasons else "budget spent" if Why.BUDGET in reasons else method.missing


def _proved(name: str, instance: Instance, proof: Proof) -> Row:
    function, epsilon = proof.function, proof.epsilon
    if function is None or epsilon is None:
        return Row(name, True, epsilon=epsilon)
    scale_free = epsilon / (function.scale * total_rate(instance))
    return Row(name, True, pieces=function.size, epsilon=epsilon, scale_free=scale_free)


def total_rate(instance: Instance) -> Fraction:
    """The sum of all arrival and service rates."""
    expansion = instance.expansion()
    rates = [stream.rate for stream in expansion.streams] + [s.rate for s in expansion.services]
    return sum(rates, Fraction(0))


def with_arrivals(instance: Instance, factor: Fraction) -> Instance:
    """All arrival rates times ``factor``."""
    network = instance.network
    if isinstance(network, BufferNetwork):
        buffers = tuple(dataclasses.replace(b, arrival_rate=b.arrival_rate * factor) for b in network.buffers)
        return dataclasses.replace(instance, network=dataclasses.replace(network, buffers=buffers))
    classes = tuple(dataclasses.replace(c, arrival_rate=c.arrival_rate * factor) for c in network.classes)
    return dataclasses.replace(instance, network=dataclasses.replace(network, classes=classes))


# Files ----------------------------------------------------------------------------------------------


def compare_path(
    path: str | Path,
    settings: Mapping[str, str],
    methods: Sequence[Method] | None = None,
    seconds: float | None = None,
    report: Report = lambda _: None,
    read: Callable[[Path, Mapping[str, str]], Instance] = read_file,
) -> tuple[Comparison, ...]:
    """One network file, or all files ``*.toml`` and ``*.json`` of a folder.

    In a folder a file that cannot be used does not keep the others from being compared.  Parameters: ``read`` reads one file.
    Raises ``InputError`` about a single file, or a folder without any.
    """
    place = Path(path)
    if not os.path.isdir(place):  # unlike Path.is_dir false where a folder above is closed
        return (compare(read(place, settings), place.stem, methods, seconds, report, growth=True),)
    try:
        files = sorted(file for file in place.iterdir() if file.suffix.lower() in (".toml", ".json"))
    except OSError as error:
        raise InputError(printable_path(path), "a folder that can be read", reason(error)) from error
    if not files:
        raise InputError(
            printable_path(path), "a network file, or a folder with *.toml or *.json files", "a folder without any"
        )
    found = []
    for file in files:
        try:
            instance = read(file, settings)
            found.append(compare(instance, file.stem, methods, seconds, report, growth=True))
        except QueueproofError as error:
            words = str(error) if printable_path(file) in str(error) else f"{printable_path(file)}: {error}"
            status = 1 if isinstance(error, InternalError) else 2
            found.append(Comparison(file.stem, "", None, (), error=words, status=status))
    return tuple(found)
