"""``certify`` and ``check``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from verify.cli.common import (
    add_file,
    add_input,
    add_output,
    add_set,
    command,
    emit_json,
    inputs_of,
    progress,
    read_network,
    seconds,
    settings,
)
from verify.cli.streams import complain, emit
from verify.conditions.criterion import Criterion
from verify.errors import InputError
from verify.files import Output
from verify.methods import registry

if TYPE_CHECKING:
    from verify.cli.common import Commands

EXIT = {"stable": 0, "unstable": 10, "undecided": 20}


# certify -------------------------------------------------------------------------------------------


def add_certify(commands: Commands) -> None:
    parser = command(
        commands,
        "certify",
        _certify,
        "decide stability and write a certificate",
        "First the capacity condition N, then the test function of the file, then the searches of the method.\n"
        "A certificate is written only after the independent checker has accepted its bytes.\n\n"
        "STABLE speaks of every policy of the class in the file (all ways of breaking ties, all free choices).\n"
        "UNSTABLE speaks, as the line after it says, of one of three:\n"
        "  every policy of this routing: overloaded or critically loaded, whatever the servers do (condition N)\n"
        "  every policy of the class: the network grows under each of them (condition U)\n"
        "  one witness policy: one policy of the class diverges, others may be stable: not globally stable (condition U)\n"
        "UNDECIDED says what was tried and where it failed; it is never evidence for the other side.",
    )
    add_file(parser)
    add_output(
        parser,
        "-o",
        "--output",
        metavar="CERT",
        help="certificate file (default: STEM.certificate.json here; -: standard output, the verdict then to standard error)",
    )
    parser.add_argument(
        "--method",
        default="auto",
        choices=[registry.AUTO, *registry.OFFERED],
        help="linear: face program; explicit: the template with explicit parameters; auto: all of them in turn",
    )
    parser.add_argument(
        "--criterion",
        default="auto",
        choices=[criterion.value for criterion in Criterion],
        help="condition to prove: fluid (F), strict (S); paper: report P, which proves nothing by itself",
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds, help="stop searching earlier than the budgets do"
    )


def _certify(options: argparse.Namespace) -> int:
    from verify.certificate import certify
    from verify.decide import Request
    from verify.verdict import as_json, as_text

    start = time.monotonic()
    default = Output("-o", f"{Path(options.file).stem}.certificate.json", inputs_of(options))
    output: Output = options.output or default
    output.check()
    if output.standard and options.format == "json":
        cure = "two documents would stand on standard output"
        raise InputError("-o", "a file beside --json", "standard output", cure)
    instance = read_network(options.file, settings(options))
    method = None if options.method == registry.AUTO else registry.method(options.method)
    request = Request(method, Criterion(options.criterion), options.time_limit)
    found = certify(instance, request, progress())
    decision, data = found.decision, found.data
    written = None if data is None else deliver(output, data)
    older = output.older() if data is None else None
    if options.format == "json":
        entries = as_json(decision, written, time.monotonic() - start)
        emit_json({**entries, "older_certificate": older})
    else:
        lines = [*as_text(decision, written)]
        if older is not None:
            lines.append(f"note: an older file lies at {older}; it is not of this run, and stays as it is")
        (complain if output.standard else emit)("\n".join([*lines, ""]))
    return EXIT[decision.verdict.value]


def deliver(output: Output, data: bytes) -> str:
    """The certificate goes where it shall; returns the name of that place."""
    if output.standard:
        emit(data.decode("ascii"))
        return "standard output"
    output.save(data)
    return output.written


# check ---------------------------------------------------------------------------------------------


def add_check(commands: Commands) -> None:
    parser = command(
        commands,
        "check",
        _check,
        "check a certificate with the independent checker",
        "ACCEPTED, or REJECTED with the rule, the place and both sides.  With FILE also: does the certificate speak of\n"
        "exactly this network and policy?  Nothing of the prover runs.",
    )
    add_input(parser, "certificate", "certificate", "certificate file", metavar="CERT")
    add_input(parser, "file", "network", "network file, TOML or JSON", metavar="FILE", nargs="?")
    add_set(parser)


def _check(options: argparse.Namespace) -> int:
    from verify.checker.__main__ import respond

    files = [options.certificate, *([options.file] if options.file else [])]
    files = [f"./{name}" if name.startswith("-") else name for name in files]
    words = [word for text in options.settings for word in ("--set", text)]
    response = respond([*files, *words, *(["--json"] if options.format == "json" else [])])
    (complain if response.status == 2 else emit)(response.text)
    return response.status
