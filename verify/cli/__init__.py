"""The command ``queueproof``.  Next to nothing is imported before interrupts are dealt with."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.

    Parameters: ``arguments`` (None: those of the process, which then ends at once at an interrupt).
    """
    try:
        from verify.cli import interrupts

        if arguments is None:
            interrupts.install()
        from verify.cli.run import run

        return run(arguments)
    except KeyboardInterrupt:
        from verify.cli import interrupts

        return interrupts.say()
