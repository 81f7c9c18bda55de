"""`python -m verify.checker CERT [FILE] [--set NAME=VALUE ...] [--json]`

Prints one line, ACCEPTED (exit status 0), REJECTED (1) or MALFORMED (2), and after ACCEPTED one line for each note; with
--json one JSON object.
"""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import stat as status_of

from verify.checker.check import Answer, check_bytes
from verify.checker.errors import Malformed, show

USAGE = "CERT [FILE] [--set NAME=VALUE ...] [--json]"
MOST_BYTES = 64_000_000
MARK = b'"queueproof-certificate-'


@dataclass
class Arguments:
    """What the command line says."""

    files: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    json: bool = False


def parse(argv: Sequence[str]) -> Arguments:
    """The arguments; `--set NAME=VALUE` and `--set=NAME=VALUE` mean the same. Raises: Malformed."""
    found = Arguments()
    rest = list(argv)
    while rest:
        argument = rest.pop(0)
        if argument == "--set" or argument.startswith("--set="):
            setting = argument.removeprefix("--set=") if argument != "--set" else rest.pop(0) if rest else ""
            key, equals, value = setting.partition("=")
            if not equals or key in found.settings:
                raise Malformed("--set", "NAME=VALUE, each name once", show(setting))
            found.settings[key] = value
        elif argument == "--json":
            found.json = True
        elif argument.startswith("-") and argument != "-":
            raise Malformed("arguments", USAGE, show(argument))
        else:
            found.files.append(argument)
    if not 1 <= len(found.files) <= 2 or (found.settings and len(found.files) == 1):
        raise Malformed("arguments", USAGE, show(" ".join(argv)))
    return found


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises: Malformed."""
    try:
        mode = status_of(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise Malformed(show(path), "a file", "a folder" if stat.S_ISDIR(mode) else "a device")
        with open(path, "rb") as stream:
            found = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Malformed(show(path), "a readable file", (error.strerror or "an error").lower()) from None
    except ValueError:
        raise Malformed(show(path), "a readable file", "a name that no file can have") from None
    if len(found) > MOST_BYTES:
        raise Malformed(show(path), f"a file of at most {MOST_BYTES} bytes", "a larger one")
    return found


def run(arguments: Arguments) -> Answer:
    """The answer to a command line. Raises: Malformed."""
    certificate, *beside = (read_file(path) for path in arguments.files)
    network_format = "json" if arguments.files[-1].lower().endswith(".json") else "toml"
    network_file = beside[0] if beside else None
    if MARK not in certificate[:200]:
        if network_file is not None and MARK in network_file[:200]:
            raise Malformed("arguments", "the certificate first, then the network file", "them the other way round")
        if arguments.files[0].lower().endswith(".toml"):
            raise Malformed(show(arguments.files[0]), "a certificate (JSON)", "a TOML file, perhaps a network file")
    return check_bytes(certificate, network_file, network_format=network_format, settings=arguments.settings)


def compared(arguments: Arguments) -> str:
    """What the certificate was compared with, in words."""
    if len(arguments.files) == 1:
        return "not compared with a network file: the claim is about the network written in the certificate"
    settings = ", ".join(f"{name}={value}" for name, value in arguments.settings.items())
    return f"compared with {show(arguments.files[1])}{f' ({show(settings)})' if settings else ''}: same network, same policy"


def main(argv: Sequence[str] | None = None) -> int:
    """Check and print; returns the exit status."""
    listed = list(sys.argv[1:] if argv is None else argv)
    arguments = Arguments(json="--json" in listed)
    try:
        arguments = parse(listed)
        answer = run(arguments)
    except Malformed as error:
        return malformed(arguments, show(error.place), show(error.expected), show(error.found))
    except MemoryError:
        return malformed(arguments, "file", "a file that fits into memory", "a larger one")
    notes = (compared(arguments), *answer.notes) if answer.accepted else ()
    if arguments.json:
        found = {"answer": "accepted" if answer.accepted else "rejected", "words": answer.words, "rule": answer.rule}
        found |= {"where": answer.where, "certificate_has": answer.left, "expected": answer.right}
        print(json.dumps({**found, "notes": list(notes)}))
    elif answer.accepted:
        print(f"ACCEPTED: {answer.words}", *notes, sep="\n")
    else:
        print(f"REJECTED: {answer.rule}: {show(answer.where)}: {answer.left} versus {answer.right}")
    return 0 if answer.accepted else 1


def malformed(arguments: Arguments, place: str, expected: str, found: str) -> int:
    """Say what is not of its form; returns the exit status."""
    if arguments.json:
        print(json.dumps({"answer": "malformed", "where": place, "expected": expected, "found": found}))
    else:
        print(f"MALFORMED: {place}: expected {expected}, found {found}")
    return 2


if __name__ == "__main__":
    sys.exit(main())
