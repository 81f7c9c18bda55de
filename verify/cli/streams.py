"""Standard output and standard error, also when they are closed, full, or a pipe whose reader has gone.

Everything that commands say goes through ``emit`` and ``complain``, which flush at once: nothing is left for the interpreter to
fail on when it ends.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import IO, NoReturn

from verify.files import reason


class OutputLost(Exception):
    """Standard output takes no more.  The text says why; it is empty where the reader of a pipe has gone, which is no fault."""


def prepare() -> None:
    """Make closed standard streams open and unusable, so that no file is opened in their place, and every letter printable."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # the lowest free number is this one
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", write_through=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an ASCII terminal shows μ as \\u03bc, not a traceback


def emit(text: str) -> None:
    """Write to standard output.  Raises ``OutputLost``."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _lost("")
    except (OSError, ValueError) as error:
        closed = isinstance(error, OSError) and error.errno == errno.EBADF
        _lost("closed" if closed else reason(error))


def _lost(why: str) -> NoReturn:
    _abandon(sys.stdout)
    raise OutputLost(why)


def complain(text: str) -> None:
    """Write to standard error, if it takes anything."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        _abandon(sys.stderr)


def _abandon(stream: IO[str]) -> None:
    """Send what is still in the buffer of a stream nowhere."""
    with contextlib.suppress(OSError, ValueError):
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
        stream.flush()
