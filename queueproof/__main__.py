"""The command ``queueproof``, also as ``python -m queueproof``.  As little as possible before interrupts are dealt with."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command of this process; returns the exit status."""
    try:
        from verify.cli import main as run
    except ImportError:
        return _explained()
    return run()


def _explained() -> int:
    """Another package ``verify`` in the way is named in one line; any other fault stays what it is."""
    from queueproof import own

    try:
        own.require(*own.NAMES)
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    raise


if __name__ == "__main__":
    sys.exit(main())
