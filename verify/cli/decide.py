"""``certify`` and ``check``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from verify.cli.common import add_file, add_set, command, progress, seconds, settings
from verify.errors import InputError
from verify.files import target

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
    parser.add_argument(
        "-o",
        "--output",
        metavar="CERT",
        help="certificate file (default: STEM.certificate.json here), or - for standard output; then the rest goes to "
        "standard error.  The input file, devices and read-only files are never replaced",
    )
    parser.add_argument(
        "--method",
        default="auto",
        choices=["auto", "linear", "explicit", "lp", "down-meyn", "corrected"],
        help="linear: face program; explicit: the template with explicit parameters; auto: all of them in turn",
    )
    parser.add_argument(
        "--criterion",
        default="auto",
        choices=["auto", "fluid", "strict", "corrected", "paper"],
        help="condition to prove: fluid (F), strict (S); paper: report P, which proves nothing by itself",
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds, help="stop searching earlier than the budgets do"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _certify(options: argparse.Namespace) -> int:
    from verify.certificate.write import certificate
    from verify.network.read import read_file
    from verify.report.verdict import as_json, as_text
    from verify.search.decide import Request, decide
    from verify.search.outcome import Criterion, Method

    start = time.monotonic()
    instance = read_file(options.file, settings(options))
    place = target(options.output or f"{Path(options.file).stem}.certificate.json", [options.file])
    if place.is_standard_output and options.json:
        raise InputError("-o", "a file", "standard output", "with --json it holds the JSON object")
    request = Request(Method(options.method), Criterion(options.criterion), options.time_limit)
    decision = decide(instance, request, progress())
    data = certificate(instance, decision)
    older = data is None and place.exists
    if data is not None:
        place.write(data)
    written = None if data is None else place.name
    if options.json:
        found = as_json(instance, decision, written, time.monotonic() - start)
        print(json.dumps({**found, "older_certificate": place.name if older else None}))
    else:
        lines = [*as_text(instance, decision, written)]
        if older:
            lines.append(f"note: {place.name} is there from before; it is not of this run")
        print("\n".join(lines), file=sys.stderr if place.is_standard_output else sys.stdout)
    return EXIT[decision.verdict.value]


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
    parser.add_argument("certificate", metavar="CERT", help="certificate file")
    parser.add_argument("file", metavar="FILE", nargs="?", help="network file, TOML or JSON")
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _check(options: argparse.Namespace) -> int:
    from verify.checker.__main__ import main as check

    settings = [word for text in options.settings for word in ("--set", text)]
    as_json = ["--json"] if options.json else []
    return check([options.certificate, *([options.file] if options.file else []), *settings, *as_json])
