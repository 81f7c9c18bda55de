"""User equilibria and social optimum of parallel queues, exactly."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from queueproof import bridge, html
from queueproof.bridge import InputError
from queueproof.exact import plain, settings_text
from queueproof.results import Printed

if TYPE_CHECKING:
    from fractions import Fraction

    from queueproof import Number


@dataclass(frozen=True)
class Exact:
    """A real algebraic number (or infinite): ``text`` in radicals where there are such, ``near`` a float beside it; beyond degree
    2 the integer polynomial it is a root of, and which of its real roots it is, counted from 0."""

    text: str
    near: float | None
    polynomial: str | None = None
    index: int | None = None

    @property
    def rational(self) -> Fraction | None:
        """The number, if it is rational."""
        from fractions import Fraction

        try:
            return Fraction(self.text)
        except ValueError:
            return None


@dataclass(frozen=True)
class Equilibrium:
    """``shares`` of the customers who choose, by queue, and the ``delays`` there; ``stable``: None if it is degenerate."""

    kind: str
    stable: bool | None
    shares: tuple[Exact, ...]
    delays: tuple[Exact, ...]
    proof: str


@dataclass(frozen=True)
class Optimum:
    """The social optimum: shares by queue, and the mean transit time there."""

    shares: tuple[Exact, ...]
    value: Exact


@dataclass(frozen=True, repr=False, eq=False)
class Equilibria(Printed):
    """All user equilibria of parallel queues, and the social optimum."""

    @property
    def equilibria(self) -> tuple[Equilibrium, ...]:
        """The isolated ones."""
        return tuple(
            Equilibrium(one["kind"], one["stable"], _list(one, "shares"), _list(one, "delays"), one["proof"])
            for one in self._document["equilibria"]
        )

    @property
    def social(self) -> Optimum | None:
        """The social optimum; None if there is none, or none is shown (``social_obstacle``)."""
        found = self._document["social"]
        return None if found is None else Optimum(_list(found, "shares"), _one(found, "value"))

    @property
    def social_obstacle(self) -> str | None:
        """Why no social optimum is shown."""
        return self._words("social_obstacle")

    def _headline(self) -> str:
        return f"User equilibria{': ' if self._document['title'] else ''}{self._document['title']}"

    def _parts(self) -> Iterator[str]:
        yield from map(html.line, self._text.split("\n"))


def _list(entry: Mapping[str, Any], key: str) -> tuple[Exact, ...]:
    rows = zip(entry[key], entry[f"{key}_float"], entry[f"{key}_root"], strict=True)
    return tuple(_number(*row) for row in rows)


def _one(entry: Mapping[str, Any], key: str) -> Exact:
    return _number(entry[key], entry[f"{key}_float"], entry[f"{key}_root"])


def _number(text: str, near: float | None, root: Mapping[str, Any] | None) -> Exact:
    return Exact(text, near) if root is None else Exact(text, near, root["polynomial"], root["index"])


def equilibria(source: object, settings: Mapping[str, Number]) -> Equilibria:
    """See :func:`queueproof.equilibria`."""
    if isinstance(source, Mapping):
        if settings:
            raise InputError("settings", "a file whose parameters they override", "tables stated in Python")
        found = bridge.equilibria_of_tables(plain(source))
    elif isinstance(source, (str, os.PathLike)):
        found = bridge.equilibria_of_file(source, settings_text(settings))
    else:
        raise InputError("source", "the name of an equilibria file, or its tables", type(source).__name__)
    return Equilibria(found.document, found.text)
