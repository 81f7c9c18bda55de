"""Reading the two files, and what to say about one that is not what it should be."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from verify.checker.core.errors import Malformed, show
from verify.checker.network_file.kinds import CERTIFICATE, CSV, EQUILIBRIA, NETWORK, XML, YAML, is_json, kind

MOST_BYTES = 64_000_000


def read_file(path: str) -> bytes:
    """The bytes of a file, or of a pipe that somebody writes to. Raises: Malformed.

    A device may never end, and opening a pipe without a writer would wait for one: both are refused.
    """
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise Malformed(show(path), "a readable file", "a folder" if stat.S_ISDIR(mode) else "a device")
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as stream:
            os.set_blocking(handle, True)
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Malformed(show(path), "a readable file", (error.strerror or "an error").lower()) from None
    except ValueError:
        raise Malformed(show(path), "a readable file", "a name that no file can have") from None
    if len(data) > MOST_BYTES:
        raise Malformed(show(path), f"at most {MOST_BYTES} bytes", "a longer file")
    if not data and stat.S_ISFIFO(mode):
        raise Malformed(show(path), "a readable file", "a pipe that nobody writes to")
    return data


def explained(error: Malformed, paths: Sequence[str], contents: Sequence[bytes]) -> Malformed:
    """The fault with the name of its file; if that is a file of another kind altogether, that is the fault."""
    kinds = [kind(content) for content in contents]
    names = [show(path) for path in paths]
    if len(kinds) == 2 and kinds[0] == NETWORK and kinds[1] == CERTIFICATE:
        found = f"the network file {names[0]} before the certificate {names[1]}"
        return Malformed("arguments", "the certificate first, then the network file (CERT FILE)", found)
    which = int(error.beside)
    wanted, found = ("a network file (TOML or JSON)", kinds[1]) if error.beside else (CERTIFICATE, kinds[0])
    others = {CERTIFICATE, NETWORK, EQUILIBRIA, YAML, CSV, XML} - {NETWORK if error.beside else CERTIFICATE}
    if found in others:
        return Malformed(names[which], wanted, found)
    if error.beside and is_json(contents[1]) and not paths[1].lower().endswith(".json"):
        return Malformed(names[which], "TOML, or JSON in a file whose name ends in .json", "JSON")
    place = names[which] if error.place in ("file", "FILE") else f"{names[which]}: {error.place}"
    return Malformed(place, error.expected, error.found)
