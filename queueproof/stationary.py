"""Bounds on stationary means: what is proved, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from queueproof import bridge, html
from queueproof.bridge import InputError, Verdict
from queueproof.exact import file_name, fraction, plain, real, seconds, whole
from queueproof.question import Question, needed
from queueproof.results import Certified
from queueproof.studies import Interval

if TYPE_CHECKING:
    from fractions import Fraction

    from queueproof import Number, Path, Progress


@dataclass(frozen=True, repr=False, eq=False)
class Bounds(Certified):
    """Bounds on the mean of a number of jobs in the stationary law of ``question``.

    ``certificate``: the bytes that the independent checker has accepted, None if nothing was bounded.  Neither true nor false:
    ``bool`` of it is a ``TypeError``.
    """

    _lacking: ClassVar[str] = "no bound"

    question: Question
    certificate: bytes | None = field(default=None)

    @property
    def lower(self) -> Fraction | None:
        """The proved lower bound; equal to ``upper`` where the mean is known exactly."""
        found: Fraction | None = fraction(self._document["lower"])
        return found

    @property
    def upper(self) -> Fraction | None:
        """The proved upper bound."""
        found: Fraction | None = fraction(self._document["upper"])
        return found

    @property
    def claim(self) -> str | None:
        """What is proved, of which network and policies, in one sentence; None if nothing is."""
        return self._words("claim")

    @property
    def reason(self) -> str | None:
        """Why nothing is proved."""
        return self._words("reason")

    @property
    def verdict(self) -> Verdict:
        """Of stability, on which every bound rests."""
        return Verdict(self._document["verdict"])

    @property
    def of(self) -> dict[str, Fraction]:
        """What is bounded: buffer -> weight."""
        return {name: fraction(weight) for name, weight in self._document["of"].items()}

    @property
    def mean_time(self) -> tuple[Fraction | None, Fraction | None] | None:
        """Lower and upper bound on the mean time by Little's law; None where the jobs that are counted have no rate."""
        found = self._document["mean_time"]
        return None if found is None else (fraction(found["lower"]), fraction(found["upper"]))

    @property
    def by_work(self) -> Fraction | None:
        """The lower bound by the work that jobs bring (theory 13.10), without a certificate."""
        found: Fraction | None = fraction(self._document["pathwise"]["value"])
        return found

    @property
    def by_linear_v(self) -> Fraction | None:
        """The upper bound by a linear V (theory 10.9), without a certificate."""
        found: Fraction | None = fraction(self._document["moment"]["value"])
        return found

    @property
    def simulated(self) -> Interval | None:
        """The mean in a simulation: evidence, no bound."""
        found = self._document["simulation"]
        return None if found is None else Interval(found["mean"], found["low"], found["high"])

    @property
    def tails(self) -> tuple[str, ...]:
        """What a proof by condition F, S or H says of tails and times (theory 10), in lines; empty without one."""
        return tuple(self._document["tails"])

    def save(self, path: Path) -> str:
        """Write the certificate, all or nothing, as ``bounds -o`` does; returns the name of the file.  Raises ``InputError``."""
        if self.certificate is None:
            raise InputError("save", "bounds with a certificate", "none, as nothing was bounded")
        inputs = [] if self.question.path is None else [self.question.path]
        return bridge.save("path", file_name("path", path), self.certificate, inputs)

    def __bool__(self) -> NoReturn:
        raise TypeError("bounds are neither true nor false: use bounds.lower and bounds.upper")

    def _headline(self) -> str:
        return self.claim or f"no bound: {self.reason}"

    def _parts(self) -> Iterator[str]:
        yield html.line(f"the mean of {self._document['counts']} in the stationary law", self.question.title)
        rows = [
            ("proved, at least", self.lower),
            ("proved, at most", self.upper),
            ("by work, at least", self.by_work),
            ("by a linear V, at most", self.by_linear_v),
        ]
        simulated = self.simulated
        shown = [(name, str(value), f"{float(value):.6g}") for name, value in rows if value is not None]
        if simulated is not None:
            shown.append(("simulated (evidence, no bound)", "", f"{simulated.low:.4g} to {simulated.high:.4g}"))
        yield html.table(shown, ("", "exact", "about"))
        yield from map(html.line, self.tails)


def bounds(
    question: object,
    of: object,
    limit: object,
    effort: object,
    with_tails: bool,
    plan: Mapping[str, Any] | None,
    progress: Progress | None,
) -> Bounds:
    """See :func:`queueproof.bounds`."""
    asked = needed(question)
    runs = None
    if plan is not None:
        runs = {
            **plan,
            "seed": whole("seed", plan["seed"]),
            "replications": whole("replications", plan["replications"]),
            "jumps": whole("jumps", plan["jumps"]),
            "confidence": real("confidence", plan["confidence"]),
        }
    found = bridge.bounds(
        asked.instance, _text(of), runs, seconds("time_limit", limit), _entries(effort), with_tails, progress
    )
    return Bounds(found.document, found.text, asked, found.certificate)


def _entries(effort: object) -> int | None:
    if effort is None:
        return None
    found = whole("effort", effort)
    if found < 1:
        raise InputError("effort", "a whole number >= 1", str(found))
    return found


def _text(of: object) -> str:
    """A name, or weights buffer -> number, as the command takes them.  Raises ``InputError``, for floats with a cure."""
    if isinstance(of, str):
        return of
    if not isinstance(of, Mapping):
        raise InputError("of", "a name, or a mapping of buffers to exact numbers", type(of).__name__)
    return ",".join(f"{name}={_weight(name, value)}" for name, value in of.items())


def _weight(name: object, value: Number) -> object:
    found = plain(value)
    return found if isinstance(found, str) else bridge.number(f"of: {name}", found)
