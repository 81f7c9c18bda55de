"""The command ``queueproof``.  Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version

from verify.cli import decide, look, results, streams
from verify.cli.common import EXIT_STATUSES
from verify.errors import InputError, QueueproofError
from verify.files import reason

_DESCRIPTION = """\
Is this queueing network stable under this policy, and can you prove it?
Verdicts rest on exact rational arithmetic and on certificates that an independent checker has accepted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.  Streams that are closed, broken or full, and interrupts, are no tracebacks."""
    streams.prepare()
    try:
        status = _run(arguments)
        streams.flush()
        return status
    except KeyboardInterrupt:
        return streams.stop("interrupted", 130)
    except BrokenPipeError:
        return streams.stop("", 1)
    except OSError as error:
        return streams.stop(f"output: {reason(error)}", 1)
    except MemoryError:
        return streams.stop("out of memory", 1)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit:
        streams.flush()  # of help and usage
        raise
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except InputError as error:
        print(f"queueproof: {error}", file=sys.stderr)
        return 2
    except QueueproofError as error:
        print(f"queueproof: internal error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="queueproof",
        description=_DESCRIPTION,
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"queueproof {version('queueproof')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (
        decide.add_certify,
        decide.add_check,
        look.add_regimes,
        look.add_compare,
        look.add_expand,
        look.add_simulate,
        results.add_equilibria,
        results.add_prove,
    ):
        add(commands)
    return parser
