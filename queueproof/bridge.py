"""The only module of the front door that knows ``verify`` and ``proofs``: each study as its JSON and its text.

Everything is imported when it is used.  What comes out is what the commands print: one object as of ``--json``, one text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from queueproof import own

own.require("verify")  # before anything of it is executed

from verify.conditions.condition import Verdict  # noqa: E402
from verify.errors import InputError, InternalError, NotWalked, QueueproofError, UnusedSetting  # noqa: E402

if TYPE_CHECKING:
    from queueproof import Path, Progress
    from verify.policies.instance import Instance as Instance

__all__ = ["InputError", "InternalError", "NotWalked", "QueueproofError", "UnusedSetting", "Verdict"]

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Printed:
    """What a command prints: ``document`` with ``--json``, ``text`` without; ``certificate``: bytes the checker accepted;
    ``other``: what it would print about another V alone."""

    document: Document
    text: str
    certificate: bytes | None = None
    other: Printed | None = None


# Networks -------------------------------------------------------------------------------------------------


@contextmanager
def _settings_of_python() -> Iterator[None]:
    """Faults of settings are not called faults of an option of the command."""
    try:
        yield
    except InputError as error:
        if "--set" not in error.place:
            raise
        place = error.place.replace("--set ", "settings.").replace("--set", "settings")
        raise InputError(place, error.expected, error.found, error.cure) from None


def read_file(path: Path, settings: Mapping[str, str]) -> Instance:
    """The instance in a network file, faults with the name of the file, as the commands have it."""
    from verify.cli.common import read_network

    with _settings_of_python():
        return read_network(os.fspath(path), settings)


def read_text(text: str, format: str, settings: Mapping[str, str]) -> Instance:
    """The instance in a text."""
    from verify.network_file import read

    if not isinstance(text, str):
        raise InputError("text", "the text of a network file", type(text).__name__)
    with _settings_of_python():
        return read.read_text(text, format=format, settings=settings)  # type: ignore[arg-type]


def read_tables(document: Document) -> Instance:
    """The instance in tables of the structure of a network file."""
    from verify.network_file.read import read_document

    return read_document(document)


def tables(instance: Instance) -> Document:
    """The instance in the structure of a network file."""
    from verify.network_file.write import instance_to_file_json

    return instance_to_file_json(instance)


def from_networkx(graph: Any) -> Instance:
    """The instance in a graph."""
    from verify.network_file.importers import networkx_graph

    return networkx_graph.from_networkx(graph)


def to_networkx(instance: Instance) -> Any:
    """The instance as a graph."""
    from verify.network_file.importers import networkx_graph

    return networkx_graph.to_networkx(instance)


def load(instance: Instance) -> Any:
    """ρ*, a ``Fraction``."""
    from verify.conditions.capacity import capacity

    return capacity(instance).load


def number(place: str, value: object) -> object:
    """The exact number.  Raises ``InputError``, for floats with a cure."""
    from verify.network.fields import Field

    return Field(place, value, {}).number()


def choice(place: str, word: object, words: Sequence[str], what: str) -> str:
    """One of the words.  Raises ``InputError`` with the one that may have been meant."""
    from verify.network.fields import Field

    return Field(place, word, {}).choice(words, what)


def save(place: str, path: Path, data: bytes, inputs: Sequence[str], suffixes: Sequence[str] = ()) -> str:
    """Write all or nothing, as ``-o`` of the commands does; the name as it was given.  Raises ``InputError``."""
    from verify.files import STANDARD, Output

    output = Output(place, os.fspath(path), inputs, suffixes)
    if output.written in STANDARD:
        raise InputError(place, "the name of a file", output.written)
    output.save(data)
    return output.written


# Proofs ---------------------------------------------------------------------------------------------------


def certify(instance: Instance, method: str, criterion: str, limit: float | None, progress: Progress | None) -> Printed:
    """``certify``, without a file for the certificate."""
    import time

    from verify.certificate import certify as certified
    from verify.conditions.criterion import Criterion
    from verify.decide import Request
    from verify.methods import registry
    from verify.verdict import as_json, as_text

    start = time.monotonic()
    asked = choice("method", method, [registry.AUTO, *registry.OFFERED], "the methods")
    request = Request(
        None if asked == registry.AUTO else registry.method(asked),
        Criterion(choice("criterion", criterion, [word.value for word in Criterion], "the criteria")),
        limit,
    )
    found = certified(instance, request, progress or _silent)
    document = as_json(found.decision, None, time.monotonic() - start) | {"older_certificate": None}
    return Printed(document, "\n".join(as_text(found.decision, None)), found.data)


def _silent(line: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Sheet:
    """Bytes with the name that they have in messages and, if they come from a file, in JSON."""

    data: bytes
    name: str
    path: str | None = None


def sheet(path: Path) -> Sheet:
    """A file as the checker reads it.  Raises ``InputError``."""
    from verify.checker import Malformed
    from verify.checker.network_file.files import read_file

    name = os.fspath(path)
    try:
        return Sheet(read_file(name), name, name)
    except Malformed as error:
        raise InputError(error.place, error.expected, error.found) from None


def check(certificate: Sheet, beside: Sheet | None, settings: Mapping[str, str]) -> Printed:
    """``check``.  The answer is the checker's, on these bytes."""
    from verify.checker import Malformed, check_bytes
    from verify.checker.__main__ import Arguments, answer_json, answer_line, compared
    from verify.checker.network_file.files import explained

    sheets = [certificate, *([beside] if beside else [])]
    arguments = Arguments([one.name for one in sheets], dict(settings), True)
    if arguments.settings and not (beside and beside.path):
        raise InputError("settings", "a network file whose parameters they override", "none")
    network_format = "json" if beside and (beside.path is None or beside.path.lower().endswith(".json")) else "toml"
    try:
        answer = check_bytes(
            certificate.data,
            beside.data if beside else None,
            network_format=network_format,
            settings=arguments.settings,
        )
    except Malformed as error:
        fault = explained(error, arguments.files, [one.data for one in sheets])
        with _settings_of_python():
            raise InputError(fault.place, fault.expected, fault.found) from None
    notes = (compared(arguments), *answer.notes) if answer.accepted else ()
    document = json.loads(answer_json(arguments, answer, notes))
    document |= {"certificate": certificate.path, "file": beside.path if beside else None}
    return Printed(document, "\n".join([answer_line(answer), *notes]))


# Studies --------------------------------------------------------------------------------------------------


def regimes(instance: Instance, limit: float | None) -> Printed:
    """``regimes``."""
    from verify.studies.regimes.regimes import reports
    from verify.studies.regimes.render import as_json, render, reports_json, reports_text

    found = reports(instance, limit)
    other = None
    if found.certified is not None:
        other = Printed(as_json(found.certified), render(found.certified).removesuffix("\n"))
    return Printed(reports_json(found), reports_text(found).removesuffix("\n"), other=other)


def compare(named: Sequence[tuple[str, Instance]], limit: float | None, progress: Progress | None) -> Printed:
    """``compare``, on instances with names."""
    from verify.studies.comparison.compare import compare
    from verify.studies.comparison.render import render

    report = progress or _silent
    found = [compare(one, name, seconds=limit, report=report, growth=True) for name, one in named]
    return Printed(json.loads(render(found, "json")), render(found).removesuffix("\n"))


def expand(instance: Instance) -> Printed:
    """``expand``."""
    from verify.studies.expansion.text import expansion_json, expansion_lines

    return Printed(expansion_json(instance), "\n".join(expansion_lines(instance)))


def draw_expansion(instance: Instance, path: Path, inputs: Sequence[str]) -> None:
    """``expand --plot``."""
    from verify.files import Output
    from verify.studies.expansion.plot import draw_expansion

    draw_expansion(instance, Output("plot", os.fspath(path), inputs, (".svg", ".png")))


def simulate(instance: Instance, plan: Mapping[str, Any], progress: Progress | None) -> Printed:
    """``simulate``; ``plan`` as the fields of the study's plan."""
    from verify.policies.jumps import Rule
    from verify.studies.simulation.render import render
    from verify.studies.simulation.simulate import Plan, chain_to_run, replicate

    rule = Rule(choice("rule", plan["rule"], [word.value for word in Rule], "the rules"))
    found = replicate(chain_to_run(instance), Plan(**{**plan, "rule": rule}), progress or _silent)
    return Printed(json.loads(render(found, "json")), render(found).removesuffix("\n"))


def bounds(
    instance: Instance,
    of: str,
    plan: Mapping[str, Any] | None,
    limit: float | None,
    effort: int | None,
    with_tails: bool,
    progress: Progress | None,
) -> Printed:
    """``bounds``, without a file for the certificate; ``plan`` as the fields of the plan of a simulation, None for none."""
    from verify.policies.jumps import Rule
    from verify.studies.bounds.bounds import bounds
    from verify.studies.bounds.objective import objective
    from verify.studies.bounds.render import as_json, render
    from verify.studies.simulation.simulate import Plan

    runs = None
    if plan is not None:
        rule = Rule(choice("rule", plan["rule"], [word.value for word in Rule], "the rules"))
        runs = Plan(**{**plan, "rule": rule})
    found = bounds(instance, objective(instance, of, "of"), runs, limit, effort, with_tails, progress or _silent)
    return Printed(as_json(found), render(found).removesuffix("\n"), found.certificate)


def equilibria_of_file(path: Path, settings: Mapping[str, str]) -> Printed:
    """``equilibria``."""
    own.require("proofs")
    from proofs.equilibria.file import read_equilibria_file
    from verify.cli.common import explained

    name = os.fspath(path)
    try:
        with _settings_of_python():
            model = read_equilibria_file(name, settings)
    except InputError as error:
        raise error if "settings" in error.place else explained(error, name, "equilibria") from None
    return _equilibria(model)


def equilibria_of_tables(document: Document) -> Printed:
    """``equilibria`` of tables of the structure of an equilibria file."""
    own.require("proofs")
    from proofs.equilibria.file import read_equilibria_text

    return _equilibria(read_equilibria_text(json.dumps(document), "json"))


def _equilibria(model: Any) -> Printed:
    from proofs.equilibria.report import report
    from proofs.equilibria.text import lines

    found = report(model)
    return Printed(found, "\n".join(lines(found)))
