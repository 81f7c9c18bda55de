"""Names of numbers in formulas: rates of a network, parameters of a test function."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Symbol:
    """A Greek ``letter`` with a ``subscript`` ("" if it needs none).

    "lambda": an arrival rate, "mu": a service rate; "alpha", "beta", "gamma": parameters of the explicit template (theory 3.2).

    >>> str(Symbol("mu", "a.r1.2")), str(Symbol("alpha"))
    ('mu_{a.r1.2}', 'alpha')
    """

    letter: str
    subscript: str = ""

    def __str__(self) -> str:
        return f"{self.letter}_{{{self.subscript}}}" if self.subscript else self.letter
