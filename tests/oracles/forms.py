"""The normals of condition F (theory 5.2): coordinates, rows of guards, differences of pieces, and their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from .chain import Chain
from .choices import compared_forms, pressure, targets_of, weighted
from .claimed import Form, Unreadable, added, numbers

_NAME = r"[A-Za-z0-9_.@-]+"
ONE = Fraction(1)


def normals(chain: Chain, pieces: Sequence[Form]) -> list[Form]:
    """Each normal once, up to its factor."""
    found: list[Form] = [{k: ONE} for k in range(len(chain.names))]
    decisions = [arrival.options for arrival in chain.arrivals]
    decisions += [task.options for tasks in chain.tasks.values() for task in tasks]
    for options in decisions:
        found += differences([dict(option.compared) for option in options])
    for n, tasks in chain.tasks.items():
        values = compared_forms(chain, tasks)
        found += differences(values)
        if chain.rule == "back-pressure":
            found += values
        if chain.policy.get("preset") == "jsq-as":
            found += _jsq_as_rows(chain, n)
    if chain.spillback:
        found += [_hold(chain, k) for k in range(len(chain.names)) if chain.successor(k) is not None]
    found += differences(chain.dominance) + differences(pieces)
    return [dict(form) for form in dict.fromkeys(map(_normalised, found)) if form]


def differences(forms: Sequence[Form]) -> list[Form]:
    return [added((1, a), (-1, b)) for a, b in combinations(forms, 2)]


def _normalised(form: Form) -> tuple[tuple[int, Fraction], ...]:
    items = sorted(form.items())
    return tuple((k, a / items[0][1]) for k, a in items)


def _hold(chain: Chain, k: int) -> Form:
    after = chain.successor(k)
    return added((1, {k: ONE}), (-1, {} if after is None else {after: ONE}))


def _jsq_as_rows(chain: Chain, server: str) -> list[Form]:
    sources = targets_of(chain, server)
    here = [task.buffer for task in chain.tasks[server]]
    pairs = [*combinations(here, 2), *combinations(sources, 2)]
    pairs += [(k, j) for j, found in sources.items() for k in found]
    unit: dict[int | None, Form] = {None: Form(), **{k: {k: ONE} for k in range(len(chain.names))}}
    return [added((1, unit[a]), (-1, unit[b])) for a, b in pairs]


# ---- names ---------------------------------------------------------------------------------------------------------
def by_name(chain: Chain, pieces: Sequence[Form], name: str) -> Form:
    """The normal of this name.  Raises ``Unreadable``."""
    kind, bracket, rest = name.partition("(")
    if not bracket or not rest.endswith(")"):
        raise Unreadable(f"normal {name}")
    inner = rest[:-1]
    try:
        return _named(chain, pieces, kind, inner)
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise Unreadable(f"normal {name}: {error}") from error


def _named(chain: Chain, pieces: Sequence[Form], kind: str, inner: str) -> Form:
    place = chain.place
    if kind == "x":
        return {place[inner]: ONE}
    if kind == "hold":
        return _hold(chain, place[inner])
    if kind == "combination":
        return _combination(chain, inner)
    if kind == "pressure" and " - " not in inner:
        server, buffer = inner.split(": ")
        return pressure(_task(chain, server, place[buffer]))
    left, right = inner.split(" - ")
    if kind in ("length", "difference"):
        return added((1, {place[left]: ONE}), (-1, {place[right]: ONE}))
    if kind in ("piece", "dominance"):
        spoken = pieces if kind == "piece" else chain.dominance
        return added((1, spoken[_index(left)]), (-1, spoken[_index(right)]))
    if kind == "queue":
        return added((1, _queue(chain, left)), (-1, _queue(chain, right)))
    group, left = left.split(": ") if ": " in left else left.split(":")
    if kind == "route":
        return added((1, _route(chain, group, left)), (-1, _route(chain, group, right)))
    if kind == "work":
        weights = _coprime(chain, group)
        return added(*((sign, weights[route]) for sign, route in ((1, left), (-1, right))))
    if kind in ("weight", "pressure"):
        tasks = [_task(chain, group, place[name]) for name in (left, right)]
        values = list(map(weighted(chain, "max-weight") if kind == "weight" else pressure, tasks))
        return added((1, values[0]), (-1, values[1]))
    raise Unreadable(f"normal {kind}")


def _index(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]*", text):
        raise Unreadable(f"piece {text}")
    return int(text)


def _task(chain: Chain, server: str, k: int):  # type: ignore[no-untyped-def]
    return next(task for task in chain.tasks[server] if task.buffer == k)


def _queue(chain: Chain, server: str) -> Form:
    return {task.buffer: ONE for task in chain.tasks[server]}


def _route(chain: Chain, name: str, route: str) -> Form:
    found = {k: ONE for buffer, k in chain.place.items() if buffer.rsplit(".", 1)[0] == f"{name}.{route}"}
    if not found:
        raise Unreadable(f"route {name}:{route}")
    return found


def _coprime(chain: Chain, name: str) -> dict[str, Form]:
    """Route -> Σ a_k x_k, all weights of the class times the one number that makes them coprime integers."""
    given = numbers(chain.policy["route_weights"])
    mine = {buffer: given[buffer] for buffer in chain.names if buffer.split(".")[0] == name}
    factor = Fraction(lcm(*(a.denominator for a in mine.values())), gcd(*(a.numerator for a in mine.values())))
    found: dict[str, Form] = {}
    for buffer, weight in mine.items():
        found.setdefault(buffer.split(".")[1], Form())[chain.place[buffer]] = factor * weight
    return found


def _combination(chain: Chain, inner: str) -> Form:
    terms = re.findall(rf"(?:^| ([+-]) )(-?[0-9]+) ({_NAME})", inner)
    return added(*((-1 if sign == "-" else 1, {chain.place[k]: Fraction(a)}) for sign, a, k in terms))
