"""Reading and writing files: nothing hangs, nothing is destroyed, nothing is there by halves.

Every command reads its files by ``read_bytes`` and writes by ``Output``.  A file is written beside its target and renamed, so
that a full disk or an interrupt leaves what was there.  Never replaced: a file that is read in the same run (under any name),
a folder, a device, a pipe, a read-only file, and the file that standard output or standard error goes to.  A symbolic link
stays one: what it points at is replaced, if that is empty or an older file of the same kind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.errors import InputError

#: Longer files are not read: no network has so many servers.
LONGEST = 2**26
#: Names of standard output.
STANDARD = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
#: How a file begins that may be replaced through a symbolic link: an older one of the same kind.
_BEGINNINGS = {
    "": (b'{\n "format": "queueproof-certificate-',),
    ".toml": (b"# Written by queueproof.",),
    ".svg": (b"<?xml", b"<svg"),
    ".png": (b"\x89PNG",),
    ".pdf": (b"%PDF",),
}
#: A file system without it says one of these to fsync.
_NO_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


def printable_path(path: str | Path) -> str:
    """A file name for a message: as it is, escaped if it cannot be printed."""
    text = str(path) or "(no name)"
    return text if text.isprintable() else ascii(text)


def reason(error: OSError | ValueError) -> str:
    """Why the system refuses, without numbers and names: "no such file or directory"."""
    if isinstance(error, OSError):
        return (error.strerror or "an error").lower()
    return "a name that no file can have"


# Reading --------------------------------------------------------------------------------------------


def read_bytes(path: str | Path) -> bytes:
    """What a file holds, or a pipe that somebody writes to (``/dev/stdin``, ``<(...)``).

    Raises ``InputError``: no such file, a folder, a device (which may never end), a named pipe without a writer (waiting for one
    might never end), more than ``LONGEST`` bytes.
    """
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError(printable_path(path), "a readable file", _kind(mode))
        data = _read(path)
    except (OSError, ValueError) as error:
        raise InputError(printable_path(path), "a readable file", reason(error)) from error
    if len(data) > LONGEST:
        raise InputError(printable_path(path), f"at most {LONGEST} bytes", "a longer file")
    if not data and stat.S_ISFIFO(mode):
        raise InputError(printable_path(path), "a readable file", "a pipe that nobody writes to")
    return data


def _read(path: str | Path) -> bytes:
    """Opening a pipe that has no writer would wait for one; this does not."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        os.set_blocking(handle, True)
        return file.read(LONGEST + 1)


def _kind(mode: int) -> str:
    """What stands where a file should be."""
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


# Writing --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """Where to write.

    Parameters: ``option`` that named it (``-o``), ``written`` the name as the user wrote it, ``inputs`` the files that the same
    run reads, ``suffixes`` allowed (empty: all; then "-" is standard output).
    """

    option: str
    written: str
    inputs: Sequence[str | Path] = ()
    suffixes: Sequence[str] = ()

    @property
    def standard(self) -> bool:
        """Is it standard output?"""
        return not self.suffixes and self.written in STANDARD

    @property
    def suffix(self) -> str:
        """The end of the name, ``.svg``, in small letters."""
        return Path(self.written).suffix.lower()

    def check(self) -> None:
        """Refuse before the work what would be refused after it.  Raises ``InputError``."""
        if not self.standard:
            self._target()

    def save(self, data: bytes) -> None:
        """Write the whole or nothing; checks again, since time has passed.  Raises ``InputError``."""
        path = self._target()
        try:
            write_whole(path, data)
        except OSError as error:
            raise self._refused(
                "a file that can be written", f"{printable_path(self.written)}: {reason(error)}"
            ) from error

    def older(self) -> str | None:
        """The name, if something lies there already."""
        return printable_path(self.written) if not self.standard and os.path.lexists(self.written) else None

    def _refused(self, expected: str, found: str, cure: str = "") -> InputError:
        return InputError(self.option, expected, found, cure)

    def _target(self) -> Path:
        """The file itself, behind symbolic links."""
        if self.suffixes and self.suffix not in self.suffixes:
            raise self._refused(f"a file name that ends in {' or '.join(self.suffixes)}", printable_path(self.written))
        try:
            path = Path(os.path.realpath(self.written))
            if not path.parent.is_dir() or not os.path.basename(self.written):
                raise self._refused("a file in an existing folder", printable_path(self.written))
            old = _stat_or_none(self.written)
            if old is not None:
                self._check_old(path, old)
        except (OSError, ValueError) as error:
            raise self._refused(
                "a file that can be written", f"{printable_path(self.written)}: {reason(error)}"
            ) from error
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise self._refused("a folder that can be written to", f"{printable_path(path.parent)} (read-only)")
        return path

    def _check_old(self, path: Path, old: os.stat_result) -> None:
        """May what lies there be replaced?"""
        if not stat.S_ISREG(old.st_mode) or not os.path.samestat(old, os.stat(path)):
            found = _kind(old.st_mode) if not stat.S_ISREG(old.st_mode) else "a file without a name"
            cure = "" if self.suffixes else "-o - writes to standard output"
            expected = "a file in an existing folder" if stat.S_ISDIR(old.st_mode) else "an ordinary file"
            raise self._refused(expected, f"{printable_path(self.written)}, {found}", cure)
        for name in self.inputs:
            with contextlib.suppress(OSError, ValueError):
                if os.path.samestat(old, os.stat(name)):
                    same = "is read" if str(name) == self.written else f"is {printable_path(name)}, which is read"
                    raise self._refused(
                        "a file that is not read in the same run", f"{printable_path(self.written)} {same}"
                    )
        for number, stream in ((1, "standard output"), (2, "standard error")):
            with contextlib.suppress(OSError):
                if os.path.samestat(old, os.fstat(number)):
                    raise self._refused("another file than the one that the messages go to",
                                        f"{printable_path(self.written)} is {stream}")  # fmt: skip
        if os.path.islink(self.written) and old.st_size and not self._same_kind(path):
            raise self._refused(
                "a file of its own", f"{printable_path(self.written)}, a link to a file of another kind"
            )
        if not old.st_mode & 0o222 or not os.access(path, os.W_OK):
            raise self._refused("a file that can be written", f"{printable_path(self.written)} is read-only")

    def _same_kind(self, path: Path) -> bool:
        beginnings = _BEGINNINGS[self.suffix if self.suffixes else ""]
        with open(path, "rb") as file:
            return file.read(max(map(len, beginnings))).startswith(beginnings)


def _stat_or_none(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def write_whole(path: Path, data: bytes) -> None:
    """Write beside the target and rename: the file is there whole, or as it was.  It keeps its rights.  Raises ``OSError``."""
    with _uninterrupted():
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".queueproof-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                _sync(file.fileno())
            _give_rights(path, temporary)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def _sync(handle: int) -> None:
    """A disk may notice only now that it is full."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def _give_rights(path: Path, temporary: str) -> None:
    """Those of the file that is replaced, or those of a new one."""
    try:
        old = os.stat(path)
    except FileNotFoundError:
        os.chmod(temporary, 0o666 & ~_umask())
        return
    if os.name == "posix":
        with contextlib.suppress(OSError):  # only the administrator may give files away
            os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode) & 0o777)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Interrupts wait, so that no half of a file stays beside its target."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    numbers = [signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in numbers}
    for number in before:
        signal.signal(number, lambda found, frame: waiting.append(found))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for found in waiting:
            signal.raise_signal(found)
