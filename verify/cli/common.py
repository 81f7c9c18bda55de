"""What all commands share: their help, their files, --set, --json, and progress.

A command declares each file it reads by ``add_input`` (or ``add_file``) and each one it writes by ``add_output``.  By that
alone an output that is an input, a device or read-only is refused before the work begins (``verify.files``).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from verify.cli.streams import complain, emit
from verify.errors import InputError
from verify.files import Output, printable_path, read_bytes

if TYPE_CHECKING:
    from verify.policies.instance import Instance

    Commands: TypeAlias = argparse._SubParsersAction["Parser"]

EXIT_STATUSES = """\
exit status: 0 STABLE / ACCEPTED / done, 10 UNSTABLE, 20 UNDECIDED, 130 interrupted,
             1 internal error, REJECTED or a claim that fails, 2 unusable input, options or output"""


class Parser(argparse.ArgumentParser):
    """Help and complaints of argparse, also where the streams are closed or full."""

    def _print_message(self, message: str, file: Any = None) -> None:
        (emit if file is sys.stdout else complain)(message)


def command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    summary: str,
    details: str,
    formats: Sequence[str] = ("text", "json"),
) -> argparse.ArgumentParser:
    """A new command; ``formats`` of its output, the first is the default."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary}\n\n{details}",
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=run)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--format", default=formats[0], choices=formats, help=f"default: {formats[0]}")
    group.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    return parser


# Files ----------------------------------------------------------------------------------------------


class InputFile(argparse.Action):
    """A file, of some ``kind``, that the command reads."""

    def __init__(self, *arguments: Any, kind: str, **keywords: Any):
        super().__init__(*arguments, **keywords)
        self.kind = kind

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        setattr(namespace, self.dest, values)
        if values is not None:
            namespace.inputs = (*inputs_of(namespace), values)


class OutputFile(argparse.Action):
    """A file that the command writes, with one of some ``suffixes`` (none: any name, and "-" for standard output)."""

    def __init__(self, *arguments: Any, suffixes: Sequence[str] = (), **keywords: Any):
        super().__init__(*arguments, **keywords)
        self.suffixes = suffixes

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        setattr(namespace, self.dest, Output(option or self.option_strings[0], values, suffixes=self.suffixes))


def inputs_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The files that the command reads, as the user named them."""
    found: tuple[str, ...] = getattr(options, "inputs", ())
    return found


def add_input(parser: argparse.ArgumentParser, name: str, kind: str, help: str, **keywords: Any) -> None:
    """A file that is read."""
    parser.add_argument(name, action=InputFile, kind=kind, help=help, **keywords)


def add_output(parser: argparse.ArgumentParser, *names: str, help: str, **keywords: Any) -> None:
    """A file that is written."""
    parser.add_argument(*names, action=OutputFile, help=help, **keywords)


def add_file(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "file", "network", "network file, TOML or JSON", metavar="FILE")
    add_set(parser)


def named(error: InputError, inputs: Sequence[str]) -> InputError:
    """The error with the file that it is about; faults of options are about none."""
    of_an_option = error.place.startswith("-") and error.place.split()[0] != "--set"
    if not inputs or of_an_option or any(printable_path(name) in str(error) for name in inputs):
        return error
    return InputError(f"{printable_path(inputs[0])}: {error.place}", error.expected, error.found, error.cure)


def read_network(path: str | Path, settings: Mapping[str, str]) -> Instance:
    """The network in a file.  Raises ``InputError`` that names the file; if it is no network file at all, that is the fault."""
    from verify.network_file.read import read_file

    try:
        return read_file(path, settings)
    except InputError as error:
        raise explained(error, path, "network") from error


#: What to do with a file of another kind.
_CURES = {
    "a certificate": "queueproof check reads certificates",
    "a network file": "queueproof certify, regimes, compare, expand and simulate read network files",
    "an equilibria file": "queueproof equilibria reads it",
    "YAML": 'write it as TOML: "key: value" becomes key = "value"; docs/network-file.md shows how',
    "CSV": "a network file lists servers, classes and a policy; docs/network-file.md shows how",
    "XML": "queueproof does not read the models of other tools",
}


def explained(error: InputError, path: str | Path, kind: str) -> InputError:
    """The fault with the name of its file, which should have been of a ``kind``, "network" or "equilibria"."""
    from verify.checker.network_file import kinds

    try:
        data = read_bytes(path)
    except InputError:
        return named(error, [str(path)])
    found = kinds.kind(data)
    own = {"network": kinds.NETWORK, "equilibria": kinds.EQUILIBRIA}[kind]
    if found != own and found in _CURES:
        return InputError(printable_path(path), f"{own} (TOML or JSON)", found, _CURES[found])
    syntaxes = ("TOML", "JSON")
    expected = syntaxes[str(path).lower().endswith(".json")]
    written = syntaxes[kinds.is_json(data)]
    if found == own and written != expected:
        return InputError(
            printable_path(path), expected, written, "only files whose names end in .json are read as JSON"
        )
    return named(error, [str(path)])


# Options --------------------------------------------------------------------------------------------


def add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="override a parameter of the file (exact: 9/10, 0.9)",
    )


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


# Output ---------------------------------------------------------------------------------------------


def emit_json(document: object) -> None:
    """One JSON object on one line of standard output."""
    emit(json.dumps(document) + "\n")


def progress() -> Callable[[str], None]:
    """Progress goes to standard error, and only to a person."""
    if sys.stderr.isatty():
        return lambda line: complain(f"queueproof: {line}\n")
    return lambda line: None
