"""The two ways in which a certificate can fail, and how values are shown in messages (always one ASCII line)."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

LONGEST = 600  # characters of one value in a message


class Malformed(Exception):
    """A file is not of the form that FORMAT.md describes.

    Parameters: `place` in the file, what was `expected` there, what was `found`; `beside`: it is the network file beside the
    certificate, not the certificate.
    """

    def __init__(self, place: str, expected: str, found: str, beside: bool = False) -> None:
        super().__init__(f"{'network file, ' if beside else ''}{place}: expected {expected}, found {found}")
        self.place = place
        self.expected = expected
        self.found = found
        self.beside = beside


class Rejected(Exception):
    """A rule of FORMAT.md is violated: its name, where, and the two sides that should agree (left: what was found)."""

    def __init__(self, rule: str, where: str, left: object, right: object) -> None:
        self.rule = rule
        self.where = where
        self.left = show(left)
        self.right = show(right)
        super().__init__(f"{rule}: {where}: {self.left} versus {self.right}")


def require(condition: bool, rule: str, where: str, left: object, right: object) -> None:
    """Raise `Rejected` unless the condition holds."""
    if not condition:
        raise Rejected(rule, where, left, right)


def show(value: object) -> str:
    """A value for a message: one line, ASCII, not endless, for any value whatever."""
    if isinstance(value, (set, frozenset)):
        text = "{" + ", ".join(sorted(show(item) for item in value)) + "}"
    elif isinstance(value, (tuple, list)):
        text = "(" + ", ".join(show(item) for item in value) + ")"
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{show(key)}: {show(item)}" for key, item in value.items()) + "}"
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = (f"{field.name}: {show(getattr(value, field.name))}" for field in dataclasses.fields(value))
        text = "{" + ", ".join(parts) + "}"
    elif value is None:
        text = "none"
    elif isinstance(value, (Fraction, int)) and abs(value.numerator) + value.denominator >= 2**2000:
        text = f"a number of {value.numerator.bit_length()} / {value.denominator.bit_length()} bits"
    else:
        text = str(value)
    line = ascii(text)[1:-1] if not (text.isascii() and text.isprintable()) else text
    return line if len(line) <= LONGEST else line[:LONGEST] + "..."
