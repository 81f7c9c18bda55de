"""`python -m verify.checker CERT [FILE] [--set NAME=VALUE ...] [--json]`

Prints one line, ACCEPTED (exit status 0) or REJECTED (1), and after ACCEPTED one line for each note; with `--json` one object.
MALFORMED (2: a file or the command line is not what it should be) goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.checker.check import Answer, check_bytes
from verify.checker.core.errors import Malformed, show
from verify.checker.network_file.files import explained, read_file

USAGE = "CERT [FILE] [--set NAME=VALUE ...] [--json]"


@dataclass
class Arguments:
    """What the command line says."""

    files: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    json: bool = False


@dataclass(frozen=True)
class Response:
    """Exit status, and the text for standard output (for standard error, if the status is 2)."""

    status: int
    text: str


def parse(argv: Sequence[str]) -> Arguments:
    """The arguments; `--set NAME=VALUE` and `--set=NAME=VALUE` mean the same. Raises: Malformed."""
    found = Arguments()
    rest = list(argv)
    while rest:
        argument = rest.pop(0)
        if argument == "--json":
            found.json = True
        elif argument == "--set" or argument.startswith("--set="):
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


def run(arguments: Arguments) -> Answer:
    """The answer about these files. Raises: Malformed."""
    certificate, *beside = (read_file(path) for path in arguments.files)
    network_format = "json" if arguments.files[-1].lower().endswith(".json") else "toml"
    network_file = beside[0] if beside else None
    try:
        return check_bytes(certificate, network_file, network_format=network_format, settings=arguments.settings)
    except Malformed as error:
        raise explained(error, arguments.files, [certificate, *beside]) from None


def respond(argv: Sequence[str]) -> Response:
    """What to print, and the exit status."""
    try:
        arguments = parse(argv)
        answer = run(arguments)
    except Malformed as error:
        line = f"MALFORMED: {show(error.place)}: expected {show(error.expected)}, found {show(error.found)}"
        return Response(2, line + "\n")
    except MemoryError:
        return Response(2, "MALFORMED: file: expected a file that fits into memory, found a larger one\n")
    notes = (compared(arguments), *answer.notes) if answer.accepted else ()
    text = answer_json(arguments, answer, notes) if arguments.json else "\n".join([answer_line(answer), *notes])
    return Response(0 if answer.accepted else 1, text + "\n")


def compared(arguments: Arguments) -> str:
    """What the certificate was compared with, in words."""
    if len(arguments.files) == 1:
        return "not compared with a network file: the claim is about the network written in the certificate"
    settings = ", ".join(f"{name}={value}" for name, value in arguments.settings.items())
    return f"compared with {show(arguments.files[1])}{f' ({show(settings)})' if settings else ''}: same network, same policy"


def answer_line(answer: Answer) -> str:
    """ACCEPTED with the claim, or REJECTED with the rule, on one line."""
    if answer.accepted:
        return f"ACCEPTED: {answer.words}"
    return f"REJECTED: {answer.rule}: {show(answer.where)}: {answer.left} versus {answer.right}"


def answer_json(arguments: Arguments, answer: Answer, notes: Sequence[str]) -> str:
    """One object with the same keys for either answer; what does not apply is null. `file`: what it was compared with."""
    found: dict[str, object] = {"answer": "accepted" if answer.accepted else "rejected", "words": answer.words or None}
    found |= {"rule": answer.rule or None, "where": answer.where or None}
    found |= {"certificate_has": answer.left or None, "expected": answer.right or None, "notes": list(notes)}
    found |= {"certificate": arguments.files[0], "file": arguments.files[1] if len(arguments.files) == 2 else None}
    return json.dumps({**found, "settings": arguments.settings})


def main(argv: Sequence[str] | None = None) -> int:
    """Check and print; returns the exit status: 130 after an interrupt, 2 if the text cannot be written."""
    try:
        response = respond(sys.argv[1:] if argv is None else argv)
        return response.status if _written(response) else 2
    except KeyboardInterrupt:
        return 130


def _written(response: Response) -> bool:
    """Was the text written? Afterwards nothing is left in a buffer for the interpreter to fail on."""
    stream = sys.stderr if response.status == 2 else sys.stdout
    try:
        if stream is not None:
            stream.write(response.text)
            stream.flush()
        return stream is not None
    except OSError:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        return False


if __name__ == "__main__":
    sys.exit(main())
