"""One root for everything this project raises on purpose."""

from __future__ import annotations


class QueueproofError(Exception):
    """Root of the project's exceptions."""


class InputError(QueueproofError):
    """Unusable input or options (exit status 2).

    Parameters: ``place`` the path to the field (``classes[1].routes.r1[0].server``), ``expected`` and ``found`` what
    should and does stand there, ``cure`` what to do about it, if there is something short to say.
    """

    def __init__(self, place: str, expected: str, found: str, cure: str = "") -> None:
        self.place, self.expected, self.found, self.cure = place, expected, found, cure
        super().__init__(f"{place}: expected {expected}, got {found}" + (f" ({cure})" if cure else ""))


class NotWalked(QueueproofError):
    """The policy is understood, but its guards are not built on this network: UNDECIDED unless condition N decides."""


class InternalError(QueueproofError):
    """A contradiction inside the program (exit status 1)."""


class UnusedSetting(UserWarning):
    """A parameter was set that nothing in the file depends on: the answer is the same as without."""
