"""Budgets of searches: counted, so that verdicts are deterministic; a time limit only shortens."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType

#: The moment (``time.monotonic``) at which everything is to stop; None: no limit.
_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)
#: An alarm that nobody has heard rings again after so many seconds.
_AGAIN = 0.25


class BudgetSpent(Exception):
    """The search gave up: nothing is known about what it looked for."""


class Unresolved(BudgetSpent):
    """Floats propose what rationals do not confirm: another target, or another look, may do."""


class TimeIsUp(Exception):
    """The time limit is reached.  No search catches this: it ends whatever is under way, and what that was building is lost."""


@dataclass
class Budget:
    """``steps`` left; a time limit counts besides."""

    steps: int

    def spend(self) -> None:
        """One step.  Raises ``BudgetSpent``, ``TimeIsUp``."""
        self.steps -= 1
        look_at_the_clock()
        if self.steps < 0:
            raise BudgetSpent


def remaining() -> float | None:
    """Seconds left, None without a limit."""
    deadline = _DEADLINE.get()
    return None if deadline is None else deadline - time.monotonic()


def look_at_the_clock() -> None:
    """Raises ``TimeIsUp`` after the deadline: for long loops, which are then stopped in any thread."""
    deadline = _DEADLINE.get()
    if deadline is not None and time.monotonic() > deadline:
        raise TimeIsUp


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Within the block ``TimeIsUp`` is raised after so many seconds (None: never).

    In the main thread an alarm of the system interrupts whatever Python is doing, between two of its instructions; what runs
    in a library of another language is asked to stop by :func:`remaining`.  In other threads, and on systems without such
    alarms, only the loops that look at the clock stop.  Limits nest: the earlier one counts.
    """
    if seconds is None:
        yield
        return
    outer = _DEADLINE.get()
    deadline = time.monotonic() + seconds
    token = _DEADLINE.set(deadline if outer is None else min(outer, deadline))
    try:
        with _alarm(seconds, outer) if outer is None or deadline < outer else contextlib.nullcontext():
            yield
    finally:
        _DEADLINE.reset(token)


@contextlib.contextmanager
def _alarm(seconds: float, outer: float | None) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    armed = True

    def ring(signum: int, frame: FrameType | None) -> None:
        if armed:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3), _AGAIN)
    try:
        yield
    finally:
        armed = False  # first, so that an alarm on the way out is not heard
        if outer is not None:
            timer = max(outer - time.monotonic(), 1e-3), _AGAIN
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)
