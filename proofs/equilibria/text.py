"""What ``queueproof equilibria`` prints for people: exact numbers with decimals beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

_STABLE = {True: "stable", False: "unstable", None: "degenerate"}


def lines(found: dict[str, Any]) -> Iterator[str]:
    """One line for each equilibrium and continuum, the social optimum or why there is none, and one for each dropped root.

    Parameters: ``found`` as :func:`proofs.equilibria.report.report` returns it.
    """
    for entry in found["equilibria"]:
        shares, delays = numbers(entry, "shares"), numbers(entry, "delays")
        yield f"{_STABLE[entry['stable']]} {entry['kind']} equilibrium: shares {shares}; delays {delays}"
    for entry in found["continua"]:
        ends = " to ".join(", ".join(entry[end]) for end in ("from", "to"))
        yield f"equilibria without end: every division from {ends}: {entry['reason']}"
    if not found["equilibria"] and not found["continua"]:
        yield "no equilibrium"
    best = found["social"]
    if best is None:
        yield f"social optimum: none shown: {found['social_obstacle']}"
    else:
        value = number(best["value"], best["value_float"], best["value_root"])
        yield f"social optimum: shares {numbers(best, 'shares')}; mean transit time {value}"
    for entry in found["dropped"]:
        yield f"dropped: shares {numbers(entry, 'shares')}: {entry['reason']}"


def numbers(entry: dict[str, Any], key: str) -> str:
    """The numbers of a list that has decimals and roots beside it."""
    rows: Sequence[tuple[str, float | None, dict[str, Any] | None]] = list(
        zip(entry[key], entry[f"{key}_float"], entry[f"{key}_root"], strict=True)
    )
    return ", ".join(number(*row) for row in rows)


def number(exact: str, near: float | None, root: dict[str, Any] | None) -> str:
    """One number: a rational or radicals with decimals; beyond degree 2 decimals and the polynomial it is a root of.

    >>> number("3", 3.0, None), number("1/3", 1 / 3, None), number("oo", None, None)
    ('3', '1/3 (about 0.333333)', 'infinite')
    >>> number("CRootOf(x**3 - x - 1, 0)", 1.3247179572447, {"polynomial": "x**3 - x - 1", "index": 0})
    'about 1.32472 (real root 1 of x**3 - x - 1)'
    """
    if near is None:
        return "infinite"
    if root is not None:
        return f"about {near:.6g} (real root {root['index'] + 1} of {root['polynomial']})"
    return exact if exact.lstrip("-").isdigit() else f"{exact} (about {near:.6g})"
