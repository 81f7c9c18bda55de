"""Answers: what ``certify`` proves, and what the independent checker says about a certificate."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from queueproof import bridge, html
from queueproof.bridge import InputError, Verdict
from queueproof.exact import file_name, fraction, seconds, settings_text
from queueproof.question import Question, needed

if TYPE_CHECKING:
    from fractions import Fraction

    from queueproof import Number, Path, Progress


@dataclass(frozen=True, repr=False, eq=False)
class Printed:
    """What a command prints, with names for its parts.  ``str`` of it is the text of the command."""

    _document: Mapping[str, Any]
    _text: str

    def to_dict(self) -> dict[str, Any]:
        """The object that the command prints with ``--json``: exact numbers are texts "p/q"."""
        return copy.deepcopy(dict(self._document))

    def _words(self, key: str) -> str | None:
        """A text of the object, None for null."""
        found = self._document[key]
        return None if found is None else str(found)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._headline()}>"

    def _headline(self) -> str:
        return self._text.partition("\n")[0]

    def _parts(self) -> Iterator[str]:
        """Paragraphs and tables below the first line."""
        yield from ()

    def _repr_html_(self) -> str:
        return html.page(html.line("", self._headline()), *self._parts())


class Certified(Printed):
    """What comes with a certificate, None if there is none; ``_lacking``: what it then is, in words."""

    certificate: bytes | None
    _lacking: ClassVar[str]


#: Longer test functions are not shown in notebooks.
_SHOWN_WEIGHTS = 16


# certify --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Obstacle:
    """Where a method failed: ``piece`` of V, its ``drift`` at a ``state`` (buffer -> number, others 0), what is ``vanishing``
    there, under which ``choices``."""

    piece: int
    drift: Fraction
    state: Mapping[str, Fraction]
    vanishing: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """A method that did not decide, and why."""

    method: str
    reason: str
    obstacle: Obstacle | None


@dataclass(frozen=True)
class Quadratic:
    """V = ½ x'Qx + q·x: ``square`` has Q_kl = Q_lk for the set of k and l (one buffer on the diagonal), ``linear`` has q; zeros
    are left out."""

    square: Mapping[frozenset[str], Fraction]
    linear: Mapping[str, Fraction]

    def words(self) -> str:
        """V, if there is room for it."""
        if len(self.square) + len(self.linear) > _SHOWN_WEIGHTS:
            return f"a quadratic function with {len(self.square)} squares and products"
        terms = [(value / (1 + (len(pair) == 1)), sorted(pair)) for pair, value in self.square.items()]
        squares = [f"{value} {' '.join(pair) if len(pair) > 1 else pair[0] + '²'}" for value, pair in terms]
        return " + ".join([*squares, *(f"{value} {name}" for name, value in self.linear.items())])


@dataclass(frozen=True, repr=False, eq=False)
class Result(Certified):
    """The answer of :func:`queueproof.certify` about ``question``: a verdict, and the sentence that is proved.

    ``certificate``: the bytes that the independent checker has accepted, None for UNDECIDED.  A result is neither true nor false:
    ``bool`` of it is a ``TypeError``, since UNSTABLE and UNDECIDED would both count as true.
    """

    _lacking: ClassVar[str] = "UNDECIDED"

    question: Question
    certificate: bytes | None = field(default=None)

    @property
    def verdict(self) -> Verdict:
        """STABLE, UNSTABLE or UNDECIDED; the last says nothing about the network."""
        return Verdict(self._document["verdict"])

    @property
    def claim(self) -> str:
        """What is proved, of which network and policies, in one sentence; for UNDECIDED that nothing is."""
        return str(self._document["claim"])

    @property
    def scope(self) -> str | None:
        """Of which policies UNSTABLE speaks; None for the others (STABLE speaks of all of the class)."""
        return self._words("scope")

    @property
    def criterion(self) -> str | None:
        """The condition proved: capacity (N), fluid (F), strict (S), corrected (H), growth (U), quadratic (Q)."""
        return self._words("criterion")

    @property
    def method(self) -> str | None:
        """Where the proof comes from."""
        return self._words("method")

    @property
    def epsilon(self) -> Fraction | None:
        """The margin (F, S, H) or the growth rate (U); None for N and UNDECIDED."""
        found: Fraction | None = fraction(self._document["epsilon"])
        return found

    @property
    def load(self) -> Fraction | None:
        """ρ*; None if the time was up before it was known."""
        found: Fraction | None = fraction(self._document["load"])
        return found

    @property
    def bottleneck(self) -> tuple[str, ...]:
        """Servers with a positive price in one dual optimum."""
        return tuple(self._document["bottleneck"])

    @property
    def test_function(self) -> tuple[dict[str, Fraction], ...] | None:
        """The linear pieces of V, buffer -> weight (0 if left out); None for N, for UNDECIDED, and for a quadratic V."""
        pieces = self._document["test_function"]
        if pieces is None or isinstance(pieces, Mapping):
            return None
        return tuple({k: fraction(w) for k, w in piece.items()} for piece in pieces)

    @property
    def quadratic_function(self) -> Quadratic | None:
        """V = ½ x'Qx + q·x of condition Q; None for all others."""
        found = self._document["test_function"]
        if not isinstance(found, Mapping):
            return None
        square = {frozenset((k, j)): fraction(value) for k, row in found["square"].items() for j, value in row.items()}
        return Quadratic(square, {k: fraction(value) for k, value in found["linear"].items()})

    @property
    def witness(self) -> dict[str, dict[str, list[str]] | None] | None:
        """The one policy that is proved unstable, if ``scope`` is one: ``priority`` by server, ``server_order`` by buffer."""
        found: dict[str, dict[str, list[str]] | None] | None = copy.deepcopy(self._document["witness"])
        return found

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """What was tried and did not decide."""
        return tuple(_attempt(entry) for entry in self._document["attempts"])

    def save(self, path: Path) -> str:
        """Write the certificate, all or nothing, as ``certify -o`` does; returns the name of the file.

        Raises ``InputError``: UNDECIDED has no certificate, or no file can be written there.
        """
        if self.certificate is None:
            raise InputError("save", "a verdict with a certificate", "UNDECIDED, which has none")
        return bridge.save(
            "path",
            file_name("path", path),
            self.certificate,
            [] if self.question.path is None else [self.question.path],
        )

    def __bool__(self) -> NoReturn:
        raise TypeError("a result is neither true nor false: compare result.verdict with queueproof.Verdict.STABLE")

    def _headline(self) -> str:
        return self.claim

    def _parts(self) -> Iterator[str]:
        found = self._document
        rows: list[tuple[str, object]] = [
            ("speaks of", self.scope),
            ("load", self.load),
            ("bottleneck", ", ".join(self.bottleneck)),
            ("condition", self.criterion),
            ("by", self.method),
            ("V", self._function_words()),
            ("epsilon", self.epsilon),
            ("obstacle", found["obstacle"]),
            *((f"tried {attempt.method}", attempt.reason) for attempt in self.attempts),
        ]
        if self.certificate is not None:
            rows.append(("certificate", f"{len(self.certificate)} bytes (the independent checker: ACCEPTED)"))
        yield html.table([row for row in rows if row[1] not in (None, "")])

    def _function_words(self) -> str | None:
        """V, if there is room for it."""
        if self.quadratic_function is not None:
            return self.quadratic_function.words()
        pieces = self.test_function
        if pieces is None or sum(map(len, pieces)) > _SHOWN_WEIGHTS:
            return None if pieces is None else f"a maximum of {len(pieces)} pieces"
        words = [" + ".join(f"{weight} {name}" for name, weight in piece.items()) for piece in pieces]
        return f"max({', '.join(words)})" if len(words) > 1 else words[0]

    def _repr_html_(self) -> str:
        word, colon, rest = self.claim.partition(":")
        return html.page(html.line(colon + rest, word), *self._parts())


def _attempt(entry: Mapping[str, Any]) -> Attempt:
    found = entry["obstacle"]
    if found is None:
        return Attempt(entry["method"], entry["reason"], None)
    state = {name: fraction(value) for name, value in found["state"].items()}
    lists = tuple(found["vanishing"]), tuple(found["choices"])
    return Attempt(entry["method"], entry["reason"], Obstacle(found["piece"], fraction(found["drift"]), state, *lists))


def certify(question: object, method: str, criterion: str, limit: object, progress: Progress | None) -> Result:
    """See :func:`queueproof.certify`."""
    asked = needed(question)
    found = bridge.certify(asked.instance, method, criterion, seconds("time_limit", limit), progress)
    return Result(found.document, found.text, asked, found.certificate)


# check ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False, eq=False)
class Answer(Printed):
    """What the independent checker says: ACCEPTED with the claim, or REJECTED with the rule, the place and both sides.

    ``bool`` of it is a ``TypeError``: a rejected certificate would count as true.
    """

    @property
    def accepted(self) -> bool:
        """ACCEPTED?"""
        return bool(self._document["answer"] == "accepted")

    @property
    def claim(self) -> str | None:
        """What the certificate proves; None if it was rejected."""
        return self._words("words")

    @property
    def rule(self) -> str | None:
        """The rule of verify/checker/FORMAT.md that does not hold; None if accepted."""
        return self._words("rule")

    @property
    def where(self) -> str | None:
        """The place in the certificate where it does not hold."""
        return self._words("where")

    @property
    def notes(self) -> tuple[str, ...]:
        """What it was compared with, and what was taken from the certificate."""
        return tuple(self._document["notes"])

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is neither true nor false: use answer.accepted")

    def _parts(self) -> Iterator[str]:
        yield from map(html.line, self.notes)

    def _repr_html_(self) -> str:
        word, colon, rest = self._headline().partition(":")
        return html.page(html.line(colon + rest, word), *self._parts())


def check(certificate: object, file: object, settings: Mapping[str, Number]) -> Answer:
    """See :func:`queueproof.check`."""
    found = bridge.check(_certificate(certificate), _beside(file), settings_text(settings))
    return Answer(found.document, found.text)


def _certificate(value: object) -> bridge.Sheet:
    if isinstance(value, Certified):
        if value.certificate is None:
            raise InputError("certificate", "an answer with a certificate", f"{value._lacking}, which has none")
        return bridge.Sheet(value.certificate, "the certificate")
    if isinstance(value, bytes):
        return bridge.Sheet(value, "the certificate")
    if isinstance(value, (str, os.PathLike)):
        return bridge.sheet(value)
    raise InputError("certificate", "bytes, the name of a file, or a result", type(value).__name__)


def _beside(value: object) -> bridge.Sheet | None:
    if isinstance(value, Question):
        return bridge.Sheet(json.dumps(value.to_dict()).encode(), "the question")
    if value is None or isinstance(value, (str, os.PathLike)):
        return None if value is None else bridge.sheet(value)
    raise InputError("file", "the name of a network file, or a question", type(value).__name__)
