"""Reading and writing files so that nothing is lost and nothing is half-written."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from verify.errors import InputError

#: Largest input file, in bytes.
MOST_BYTES = 64_000_000
#: Names of standard output.
_STANDARD_OUTPUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_CERTIFICATE = b'{\n "format": "queueproof-certificate-'


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, or of a pipe.  Raises ``InputError``: none, a folder, a device, not readable, too large."""
    shown = printable_path(path)
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise InputError(shown, "a file", "a folder")
        if stat.S_ISBLK(mode) or (
            stat.S_ISCHR(mode) and not os.path.realpath(path).startswith(("/dev/pts", "/dev/tty"))
        ):
            raise InputError(shown, "a file", "a device")
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(shown, "a readable file", reason(error)) from error
    if len(data) > MOST_BYTES:
        raise InputError(shown, f"a file of at most {MOST_BYTES} bytes", "a larger one")
    return data


@dataclass(frozen=True)
class Target:
    """Where a result goes: standard output, or a file (``path`` behind all symbolic links; ``name`` as it was given)."""

    name: str
    path: Path | None

    @property
    def is_standard_output(self) -> bool:
        """Goes to standard output."""
        return self.path is None

    @property
    def exists(self) -> bool:
        """Is there something already?"""
        return self.path is not None and self.path.exists()

    def write(self, data: bytes) -> None:
        """The whole data, or nothing: written beside the target, then renamed.  Raises ``InputError``."""
        if self.path is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
            return
        try:
            _replace(self.path, data)
        except OSError as error:
            raise InputError(self.name, "a file that can be written", reason(error)) from error


def target(name: str | Path, inputs: Iterable[str | Path] = (), option: str = "-o") -> Target:
    """Look at a target before any work is done.

    Refused: a folder, a device or pipe, a file that is read-only (whoever asks), a file in a folder that is not there, one of
    ``inputs`` under whatever name, and through a symbolic link anything but an older certificate or an empty file.  "-" and
    /dev/stdout are standard output.  Raises ``InputError``.
    """
    text = str(name)
    if text in _STANDARD_OUTPUT:
        return Target(text, None)
    shown = f"{option} {printable_path(text)}"
    try:
        path = Path(os.path.realpath(text))
        if not path.parent.is_dir():
            raise InputError(shown, "a file in an existing folder", f"no folder {printable_path(path.parent)}")
        found = path.stat() if path.exists() else None
        if found is not None:
            _check_existing(shown, path, found, linked=os.path.islink(text), inputs=inputs)
        if not os.access(path.parent, os.W_OK):
            raise InputError(shown, "a file in a folder that can be written", "a read-only folder")
    except (OSError, ValueError) as error:
        raise InputError(shown, "a file that can be written", reason(error)) from error
    return Target(printable_path(text), path)


def _check_existing(
    shown: str, path: Path, found: os.stat_result, *, linked: bool, inputs: Iterable[str | Path]
) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise InputError(shown, "a file", "a folder")
    if not stat.S_ISREG(found.st_mode):
        raise InputError(shown, "a regular file", "a device or pipe")
    if any(os.path.exists(source) and os.path.samefile(source, path) for source in inputs):
        raise InputError(shown, "another file than the input", "the input file itself")
    if not found.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise InputError(shown, "a file that can be written", "a read-only file")
    if linked and found.st_size:
        with path.open("rb") as file:
            if not file.read(len(_CERTIFICATE)).startswith(_CERTIFICATE):
                raise InputError(
                    shown, "a file of its own", "a symbolic link to a file of another kind", "remove the link"
                )


def _replace(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def reason(error: OSError | ValueError) -> str:
    """Why, in words and without numbers of the system."""
    if isinstance(error, OSError):
        return (error.strerror or "an error").lower()
    return "a name that no file can have"


def printable_path(path: str | Path) -> str:
    """A file name for a message: as it is, escaped if it cannot be printed."""
    text = str(path) or "(no name)"
    return text if text.isprintable() else ascii(text)
