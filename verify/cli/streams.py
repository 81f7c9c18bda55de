"""Standard streams that may be closed, broken, full, or unable to print Greek letters."""

from __future__ import annotations

import contextlib
import io
import os
import sys


def prepare() -> None:
    """Closed streams become empty ones; what a terminal cannot show is escaped, so that \u03bc is no traceback."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (as long as the process lives)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush() -> None:
    """What was printed goes out now, while a failure can still be reported.  Raises ``OSError``."""
    sys.stdout.flush()


def stop(message: str, status: int) -> int:
    """End quietly: nothing more can go to standard output.  Returns ``status``."""
    with contextlib.suppress(OSError, ValueError):
        if message:
            print(f"queueproof: {message}", file=sys.stderr, flush=True)
    with contextlib.suppress(OSError, ValueError):  # the interpreter flushes once more at its end
        if message != "interrupted":
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
