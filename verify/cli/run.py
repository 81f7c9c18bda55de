"""From the arguments to one command and its exit status: every fault becomes one line on standard error."""

from __future__ import annotations

import argparse
import dataclasses
import warnings
from collections.abc import Callable, Sequence

from verify.cli import bounds, decide, look, results, streams
from verify.cli.common import EXIT_STATUSES, Parser, inputs_of, named
from verify.errors import InputError, NotWalked, QueueproofError, UnusedSetting
from verify.files import Output, printable_path

_DESCRIPTION = """\
Is this queueing network stable under this policy, and can you prove it?
Verdicts rest on exact rational arithmetic and on certificates that an independent checker has accepted."""


def run(arguments: Sequence[str] | None) -> int:
    """Run one command; returns the exit status."""
    streams.prepare()
    try:
        options = parser().parse_args(arguments)
        return _run(options)
    except streams.OutputLost as lost:
        if str(lost):
            streams.complain(f"queueproof: standard output: {lost}\n")
        return 2


def _run(options: argparse.Namespace) -> int:
    """One command, its outputs checked before it begins."""
    command: Callable[[argparse.Namespace], int] = options.command
    inputs = inputs_of(options)
    try:
        for name, value in list(vars(options).items()):
            if isinstance(value, Output):
                setattr(options, name, output := dataclasses.replace(value, inputs=inputs))
                output.check()
        with warnings.catch_warnings():
            warnings.simplefilter("once", UnusedSetting)
            warnings.showwarning = _noted(warnings.showwarning)
            return command(options)
    except InputError as error:
        return _refused(named(error, inputs), 2)
    except NotWalked as error:
        return _refused(f"{', '.join(map(printable_path, inputs))}: {error}", 2)
    except QueueproofError as error:
        return _refused(f"internal error: {error}", 1)
    except MemoryError:
        return _refused("out of memory", 1)


def _noted(others: Callable[..., None]) -> Callable[..., None]:
    """A warning about the input is a line on standard error; ``others`` shows the rest as Python does."""

    def show(message: Warning | str, category: type[Warning], *where: object) -> None:
        if issubclass(category, UnusedSetting):
            streams.complain(f"queueproof: note: {message}\n")
        else:
            others(message, category, *where)

    return show


def _refused(error: object, status: int) -> int:
    streams.complain(f"queueproof: {error}\n")
    return status


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        streams.emit(f"queueproof {version('queueproof')}\n")
        parser.exit()


def parser() -> Parser:
    """All commands."""
    found = Parser(
        prog="queueproof",
        description=_DESCRIPTION,
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = found.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (
        decide.add_certify,
        decide.add_check,
        look.add_regimes,
        look.add_compare,
        look.add_expand,
        look.add_simulate,
        bounds.add_bounds,
        results.add_equilibria,
        results.add_prove,
    ):
        add(commands)
    return found
