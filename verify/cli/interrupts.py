"""Ctrl-C: exit status 130 and one line, whatever the process is doing.  Imports next to nothing, to be there first."""

from __future__ import annotations

import os
import signal
from types import FrameType

#: Exit status after an interrupt, as shells have it.
STATUS = 130


def install() -> None:
    """From now on an interrupt ends the process at once, also while modules are imported and while the interpreter ends, where
    an exception would be swallowed or shown with a traceback.  Files are safe: ``verify.files`` holds interrupts back.

    A process that ignores interrupts (in the background of a shell script) goes on ignoring them.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    say()
    os._exit(STATUS)


def say() -> int:
    """The one line; returns the exit status.  Not through ``sys.stderr``, which may be in the middle of a line."""
    try:
        os.write(2, b"queueproof: interrupted\n")
    except OSError:
        return STATUS
    return STATUS
