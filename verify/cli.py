"""The command ``queueproof``.  Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from verify.errors import InputError, QueueproofError

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]

EXIT = {"stable": 0, "unstable": 10, "undecided": 20}

_DESCRIPTION = """\
Is this queueing network stable under this policy, and can you prove it?
Verdicts rest on exact rational arithmetic and on certificates that an independent checker has accepted."""

_EXIT_STATUSES = """\
exit status: 0 STABLE / ACCEPTED / done, 10 UNSTABLE, 20 UNDECIDED,
             1 internal error or REJECTED, 2 unusable input or options"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an ASCII terminal shows μ as \\u03bc, not a traceback
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except InputError as error:
        print(f"queueproof: {error}", file=sys.stderr)
        return 2
    except QueueproofError as error:
        print(f"queueproof: internal error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        print("queueproof: interrupted", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="queueproof",
        description=_DESCRIPTION,
        epilog=_EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"queueproof {version('queueproof')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_certify(commands)
    _add_check(commands)
    _add_regimes(commands)
    _add_expand(commands)
    return parser


def _command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    summary: str,
    details: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary}\n\n{details}",
        epilog=_EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=run)
    return parser


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="network file, TOML or JSON")
    _add_set(parser)


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="override a parameter of the file (exact: 9/10, 0.9)",
    )


def _settings(options: argparse.Namespace) -> dict[str, str]:
    settings = {}
    for text in options.settings:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError("--set", "NAME=VALUE", repr(text), "for example --set load=9/10")
        settings[name] = value
    return settings


# certify -------------------------------------------------------------------------------------------


def _add_certify(commands: Commands) -> None:
    parser = _command(
        commands,
        "certify",
        _certify,
        "decide stability and write a certificate",
        "First the capacity condition N, then the test function of the file, then the searches of the method.\n"
        "A certificate is written only after the independent checker has accepted its bytes.",
    )
    _add_file(parser)
    parser.add_argument("-o", "--output", metavar="CERT", help="certificate file (default: STEM.certificate.json here)")
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
        "--time-limit", metavar="SECONDS", type=_seconds, help="stop searching earlier than the budgets do"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("a positive number of seconds")
    return value


def _certify(options: argparse.Namespace) -> int:
    from verify.certificate.write import certificate, write_whole
    from verify.network.read import read_file
    from verify.report.verdict import as_json, as_text
    from verify.search.decide import Request, decide
    from verify.search.outcome import Criterion, Method

    start = time.monotonic()
    instance = read_file(options.file, _settings(options))
    target = Path(options.output or f"{Path(options.file).stem}.certificate.json")
    if not target.parent.is_dir() or target.is_dir():
        raise InputError("-o", "a file in an existing folder", str(target))
    request = Request(Method(options.method), Criterion(options.criterion), options.time_limit)
    decision = decide(instance, request, _progress())
    data = certificate(instance, decision)
    if data is not None:
        try:
            write_whole(target, data)
        except OSError as error:
            raise InputError(
                "-o", "a file that can be written", f"{target}: {(error.strerror or 'error').lower()}"
            ) from error
    written = None if data is None else str(target)
    if options.json:
        print(json.dumps(as_json(instance, decision, written, time.monotonic() - start)))
    else:
        print("\n".join(as_text(instance, decision, written)))
    return EXIT[decision.verdict.value]


def _progress() -> Callable[[str], None]:
    """Progress goes to standard error, and only to a person."""
    if sys.stderr.isatty():
        return lambda line: print(f"queueproof: {line}", file=sys.stderr)
    return lambda line: None


# check ---------------------------------------------------------------------------------------------


def _add_check(commands: Commands) -> None:
    parser = _command(
        commands,
        "check",
        _check,
        "check a certificate with the independent checker",
        "ACCEPTED, or REJECTED with the rule, the place and both sides.  With FILE also: does the certificate speak of\n"
        "exactly this network and policy?  Nothing of the prover runs.",
    )
    parser.add_argument("certificate", metavar="CERT", help="certificate file")
    parser.add_argument("file", metavar="FILE", nargs="?", help="network file, TOML or JSON")
    _add_set(parser)


def _check(options: argparse.Namespace) -> int:
    from verify.checker.__main__ import main as check

    settings = [word for text in options.settings for word in ("--set", text)]
    return check([options.certificate, *([options.file] if options.file else []), *settings])


# regimes -------------------------------------------------------------------------------------------


def _add_regimes(commands: Commands) -> None:
    parser = _command(
        commands,
        "regimes",
        _regimes,
        "the regimes of the test function with their mean drifts",
        "Dominant classes, routes and bottlenecks, symbolic drift, its value in the worst cell, and the bound of condition F.",
    )
    _add_file(parser)
    parser.add_argument("--format", default="table", choices=["table", "csv", "latex", "json"], help="default: table")


def _regimes(options: argparse.Namespace) -> int:
    from verify.network.read import read_file
    from verify.regimes import regime_report
    from verify.report.tables import render

    print(render(regime_report(read_file(options.file, _settings(options))), options.format), end="")
    return 0


# expand --------------------------------------------------------------------------------------------


def _add_expand(commands: Commands) -> None:
    parser = _command(
        commands,
        "expand",
        _expand,
        "the route expansion: subservers, duplicates, imaginary transitions",
        "In words, and with --plot as a drawing beside the original network.",
    )
    _add_file(parser)
    parser.add_argument("--plot", metavar="FILE", help="write a drawing, FILE.svg or FILE.png")


def _expand(options: argparse.Namespace) -> int:
    from verify.network.read import read_file
    from verify.report.expansion_plot import draw_expansion
    from verify.report.expansion_text import expansion_lines

    instance = read_file(options.file, _settings(options))
    print("\n".join(expansion_lines(instance)))
    if options.plot:
        draw_expansion(instance, Path(options.plot))
    return 0
