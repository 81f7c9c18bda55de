"""What all commands share: their help, their FILE, --set, and progress."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from verify.errors import InputError

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]

EXIT_STATUSES = """\
exit status: 0 STABLE / ACCEPTED / done, 10 UNSTABLE, 20 UNDECIDED,
             1 internal error, REJECTED or a claim that fails, 2 unusable input or options"""


def command(
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
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=run)
    return parser


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="network file, TOML or JSON")
    add_set(parser)


def add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="override a parameter of the file (exact: 9/10, 0.9)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def add_format(parser: argparse.ArgumentParser, formats: list[str]) -> None:
    """``--format``, and ``--json`` for ``--format json``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--format", default="table", choices=formats, help="default: table")
    group.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")


def settings(options: argparse.Namespace) -> dict[str, str]:
    found = {}
    for text in options.settings:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError("--set", "NAME=VALUE", repr(text), "for example --set load=9/10")
        found[name] = value
    return found


def seconds(text: str) -> float:
    """A positive number (for argparse)."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("expected a positive number")
    return value


def progress() -> Callable[[str], None]:
    """Progress goes to standard error, and only to a person."""
    if sys.stderr.isatty():
        return lambda line: print(f"queueproof: {line}", file=sys.stderr)
    return lambda line: None
