"""Progress of long work: a bar on standard error, and only when that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def tracked(items: Sequence[Item], description: str) -> Iterable[Item]:
    """``items``, with a bar that counts finished ones; unchanged if standard error is not a terminal."""
    if not sys.stderr.isatty():
        return items
    return _with_bar(items, description)


def _with_bar(items: Sequence[Item], description: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=description, console=Console(stderr=True), transient=True)
