"""`python -m verify.checker CERT [FILE] [--set NAME=VALUE ...]`

Prints one line, ACCEPTED (exit status 0), REJECTED (1) or MALFORMED (2), and after ACCEPTED one line for each note.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.checker.check import Answer, check_bytes
from verify.checker.errors import Malformed, show

USAGE = "CERT [FILE] [--set NAME=VALUE ...]"


@dataclass
class Arguments:
    """What the command line says."""

    files: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)


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
        with open(path, "rb") as stream:
            return stream.read()
    except (OSError, ValueError) as error:
        raise Malformed(show(path), "a readable file", show(str(error))) from None


def run(argv: Sequence[str]) -> Answer:
    """The answer to a command line. Raises: Malformed."""
    arguments = parse(argv)
    certificate, *beside = (read_file(path) for path in arguments.files)
    network_format = "json" if arguments.files[-1].lower().endswith(".json") else "toml"
    network_file = beside[0] if beside else None
    return check_bytes(certificate, network_file, network_format=network_format, settings=arguments.settings)


def main(argv: Sequence[str] | None = None) -> int:
    """Check and print; returns the exit status."""
    try:
        answer = run(sys.argv[1:] if argv is None else argv)
    except Malformed as error:
        print(f"MALFORMED: {show(error.place)}: expected {show(error.expected)}, found {show(error.found)}")
        return 2
    except MemoryError:
        print("MALFORMED: file: expected a file that fits into memory, found a larger one")
        return 2
    if not answer.accepted:
        print(f"REJECTED: {answer.rule}: {show(answer.where)}: {answer.left} versus {answer.right}")
        return 1
    print(f"ACCEPTED: {answer.words}")
    for note in answer.notes:
        print(note)
    return 0


if __name__ == "__main__":
    sys.exit(main())
