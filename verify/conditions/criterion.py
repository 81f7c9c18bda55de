"""Which conditions a proof may be by (``certify --criterion``); light, since the command line lists them at every start."""

from __future__ import annotations

from enum import StrEnum


class Criterion(StrEnum):
    """A choice of conditions of stability; what each allows stands in :mod:`verify.methods.method`."""

    AUTO = "auto"
    FLUID = "fluid"
    STRICT = "strict"
    CORRECTED = "corrected"
    QUADRATIC = "quadratic"
    PAPER = "paper"
