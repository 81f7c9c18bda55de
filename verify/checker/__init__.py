"""The independent certificate checker: standard library only, nothing of the rest of `verify` (see FORMAT.md)."""

from verify.checker.check import Answer, check_bytes
from verify.checker.core.errors import Malformed

__all__ = ["Answer", "Malformed", "check_bytes"]
