"""The JSON of a certificate, read by the tests alone: exact numbers, no duplicate keys, pieces of functions written out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

Json = dict[str, Any]
#: Coordinate -> coefficient, zeros left out.
Form = dict[int, Fraction]

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")


class Unreadable(ValueError):
    """Not a certificate that claims anything."""


def load(data: bytes) -> Json:
    """The certificate as it stands.  Raises ``Unreadable``."""

    def once(pairs: list[tuple[str, Any]]) -> Json:
        if len({key for key, _ in pairs}) < len(pairs):
            raise Unreadable("a key twice")
        return dict(pairs)

    def refuse(text: str) -> Any:
        raise Unreadable(f"a bare number: {text}")

    try:
        found = json.loads(
            data.decode("utf-8"), object_pairs_hook=once, parse_float=refuse, parse_int=refuse, parse_constant=refuse
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    if not isinstance(found, dict):
        raise Unreadable("not an object")
    return found


def number(text: Any) -> Fraction:
    """An exact number.  Raises ``Unreadable``."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text) or str(Fraction(text)) != text:
        raise Unreadable(f"not a canonical number: {text!r}")
    return Fraction(text)


def numbers(values: Mapping[str, Any]) -> dict[str, Fraction]:
    """A map of exact numbers."""
    return {name: number(value) for name, value in values.items()}


def dot(form: Mapping[int, Fraction], x: Sequence[int] | Mapping[int, Fraction]) -> Fraction:
    """form · x."""
    if isinstance(x, Mapping):
        return sum((a * x[k] for k, a in form.items() if k in x), Fraction(0))
    return sum((a * x[k] for k, a in form.items()), Fraction(0))


def added(*terms: tuple[Fraction | int, Mapping[int, Fraction]]) -> Form:
    """Σ factor · form."""
    total: Form = {}
    for factor, form in terms:
        for k, a in form.items():
            total[k] = total.get(k, Fraction(0)) + factor * a
    return {k: a for k, a in total.items() if a}


# ---- functions -----------------------------------------------------------------------------------------------------
def pieces(spec: Json, network: Json, place: Mapping[str, int]) -> list[Form]:
    """The pieces of a function: given one by one, or by the parameters of the explicit template (theory 3.2)."""
    if "pieces" in spec:
        return [named(piece, place) for piece in spec["pieces"]]
    return template_pieces(spec, network, place)


def named(weights: Mapping[str, Any], place: Mapping[str, int]) -> Form:
    """A form by names of buffers.  Raises ``Unreadable`` for an unknown buffer."""
    if not set(weights) <= set(place):
        raise Unreadable(f"unknown buffers {sorted(set(weights) - set(place))}")
    return {place[name]: value for name, value in numbers(weights).items() if value}


def template_pieces(spec: Json, network: Json, place: Mapping[str, int]) -> list[Form]:
    """Every choice of a depth for each route, not all 0, the last route varying fastest; repeated pieces once."""
    alpha, beta, gamma = ([number(value) for value in spec[name]] for name in ("alpha", "beta", "gamma"))
    routes = [(c["name"], r["name"], len(r["visits"])) for c in network["classes"] for r in c["routes"]]
    found: list[Form] = []
    for depths in product(*(range(length + 1) for _, _, length in routes)):
        dominant = [name for (name, _, _), depth in zip(routes, depths, strict=True) if depth]
        if not dominant:
            continue
        form: Form = {}
        for (name, route, _), depth in zip(routes, depths, strict=True):
            for position in range(1, depth + 1):
                weight = gamma[len(set(dominant)) - 1] * beta[dominant.count(name) - 1] * alpha[depth - 1]
                form[place[f"{name}.{route}.{position}"]] = weight
        if form not in found:
            found.append(form)
    return found
