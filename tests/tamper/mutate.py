"""Small changes of a certificate: every number, key, list, node, word; with and without the derived fields put right again."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracles.claimed import Unreadable, number, numbers
from oracles.well_formed import RULES, buffers_of

Json = Any
Path = tuple[str | int, ...]
Change = Callable[[Json], Any]

#: Spellings that are no canonical numbers; {n} the number as it stands.
_SPELLINGS = (
    "{n}.0",
    " {n}",
    "+{n}",
    "{n}/1",
    "0{n}",
    "{n}e0",
    "{n}\n",
    "{n}_0",
    "0x{n}",
    "{n}\u0663",
    "\uff11",
    "-0",
    "NaN",
)
_SPELLING_WORDS = {"removed", "renamed", "twice", "spelled", "bare", "emptied", "with", "word"}
_TINY = Fraction(1, 10**6)


@dataclass(frozen=True)
class Mutant:
    """``label``: what was changed; ``about``: "network", "policy" or another top-level key."""

    label: str
    about: str
    data: bytes


def encode(certificate: Json) -> bytes:
    return json.dumps(certificate, ensure_ascii=True).encode()


def mutants(certificate: Json, rng: random.Random, most: int | None = None) -> Iterator[Mutant]:
    """All single changes of a small certificate, or a sample of ``most``."""
    changes = list(_changes(certificate, rng))
    if most is not None and len(changes) > most:
        changes = _spread(changes, rng, most)
    for path, label, change in changes:
        mutant = copy.deepcopy(certificate)
        result = change(mutant)
        data = result if isinstance(result, bytes) else encode(mutant)
        if data != encode(certificate):
            yield Mutant(f"{'/'.join(map(str, path))}: {label}", str(path[0]) if path else "", data)


def _spread(changes: list[Any], rng: random.Random, most: int) -> list[Any]:
    """A sample in which the small parts (claim, network, policy, …) are not drowned by the evidence, and only a fifth is about
    the spelling of the file."""
    rng.shuffle(changes)
    spelling = [change for change in changes if change[1].split()[0] in _SPELLING_WORDS]
    meaning = [change for change in changes if change[1].split()[0] not in _SPELLING_WORDS]
    return [*_evenly(spelling)[: most // 5], *_evenly(meaning)[: most - most // 5]]


def _evenly(changes: list[Any]) -> list[Any]:
    """The kinds of change in turn."""
    seen: dict[tuple[Any, str], int] = {}
    order: list[tuple[int, int, Any]] = []
    for change in changes:
        key = (change[0][:1], change[1].split()[0])
        seen[key] = seen.get(key, 0) + 1
        order.append((seen[key], len(order), change))
    return [change for _, _, change in sorted(order, key=lambda found: found[:2])]


# ---- places --------------------------------------------------------------------------------------------------------
def _walk(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    yield path, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from _walk(entry, (*path, key))


def at(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def _put(path: Path, new: Json) -> Change:
    def change(certificate: Json) -> None:
        at(certificate, path[:-1])[path[-1]] = copy.deepcopy(new)

    return change


def _is_number(value: Json) -> bool:
    try:
        number(value)
    except Unreadable:
        return False
    return True


def _changes(certificate: Json, rng: random.Random) -> Iterator[tuple[Path, str, Change]]:
    places = list(_walk(certificate))
    for path, value in places:
        if isinstance(value, str):
            yield from _of_string(certificate, path, value, places, rng)
        elif isinstance(value, dict):
            yield from _of_map(path, value)
            yield from _of_node(path, value, places, rng)
        elif isinstance(value, list):
            yield from _of_list(path, value)
    yield from _of_policy(certificate)
    numbers_there = [path for path, value in places if isinstance(value, str) and _is_number(value)]
    for _ in range(len(numbers_there)):
        one, two = rng.choice(numbers_there), rng.choice(numbers_there)
        yield (
            one,
            f"two numbers, also {'/'.join(map(str, two))}",
            _both(one, two, rng.choice(_FACTORS), rng.choice(_FACTORS)),
        )


# ---- numbers and strings -------------------------------------------------------------------------------------------
def _of_string(
    certificate: Json, path: Path, value: str, places: list[tuple[Path, Json]], rng: random.Random
) -> Iterator[tuple[Path, str, Change]]:
    if not _is_number(value):
        alike = sorted(
            {v for p, v in places if isinstance(v, str) and p[:1] == path[:1] and v != value and not _is_number(v)}
        )
        for other in rng.sample(alike, min(3, len(alike))):
            yield path, f"word {other[:40]}", _put(path, other)
        yield path, "word changed", _put(path, f"{value}x")
        yield path, "word of look-alike letters", _put(path, value.replace("a", "\u0430").replace("1", "\u0661"))
        return
    n = number(value)
    others = sorted({v for p, v in places if isinstance(v, str) and _is_number(v) and v != value})
    for label, new in {
        "plus 1": n + 1,
        "minus 1": n - 1,
        "times 2": 2 * n,
        "half": n / 2,
        "zero": Fraction(0),
        "sign": -n,
        "plus a millionth": n + _TINY,
        "minus a millionth": n - _TINY,
        "a little more": n * Fraction(101, 100),
        "a little less": n * Fraction(99, 100),
        "huge": n * 10**40 + 1,
        "inverse": 1 / n if n else Fraction(1),
    }.items():
        if new != n:
            yield path, f"number {label}", _put(path, str(new))
    for other in rng.sample(others, min(2, len(others))):
        yield path, f"number {other} of elsewhere", _put(path, other)
    for spelling in rng.sample(_SPELLINGS, 2):
        yield path, f"spelled {spelling!r}", _put(path, spelling.format(n=value))
    yield path, "bare", _bare(path)


_FACTORS = (Fraction(0), Fraction(1, 2), Fraction(99, 100), Fraction(101, 100), Fraction(2), Fraction(-1))


def _both(one: Path, two: Path, first: Fraction, second: Fraction) -> Change:
    def change(certificate: Json) -> None:
        for path, factor in ((one, first), (two, second)):
            _put(path, str(number(at(certificate, path)) * factor))(certificate)

    return change


def _bare(path: Path) -> Change:
    """The number without its quotes."""

    def change(certificate: Json) -> None:
        n = number(at(certificate, path))
        at(certificate, path[:-1])[path[-1]] = int(n) if n.denominator == 1 else float(n)

    return change


# ---- maps and lists ------------------------------------------------------------------------------------------------
def _of_map(path: Path, value: dict[str, Json]) -> Iterator[tuple[Path, str, Change]]:
    keys = list(value)
    for i, key in enumerate(keys):
        yield (*path, key), "removed", _without(path, key)
        yield (*path, key), "renamed", _renamed(path, key, f"{key}x")
        yield (*path, key), "twice in the text", _twice(path, key)
        other = keys[i - 1]
        if other != key:
            yield (*path, key), f"swapped with {other}", _swapped(path, key, other)
            yield (*path, key), f"over {other}", _put((*path, other), value[key])
    if path:
        yield path, "emptied", _put(path, {})
        yield path, "with an unknown key", _put((*path, "comment"), "1")


def _without(path: Path, key: str | int) -> Change:
    def change(certificate: Json) -> None:
        del at(certificate, path)[key]

    return change


def _renamed(path: Path, key: str, new: str) -> Change:
    def change(certificate: Json) -> None:
        entries = at(certificate, path)
        items = [(new if k == key else k, v) for k, v in entries.items()]
        entries.clear()
        entries.update(items)

    return change


def _swapped(path: Path, one: str | int, two: str | int) -> Change:
    def change(certificate: Json) -> None:
        entries = at(certificate, path)
        entries[one], entries[two] = entries[two], entries[one]

    return change


def _twice(path: Path, key: str) -> Change:
    """The key twice in the text of its object, the second time with what it had (a reader that takes the last sees no change)."""

    def change(certificate: Json) -> bytes:
        entries = at(certificate, path)
        marker = "\ue000key"
        items = [(k, v) for k, v in entries.items()]
        entries.clear()
        for k, v in items:
            if k == key:
                entries[marker] = "0"
            entries[k] = v
        return encode(certificate).replace(json.dumps(marker).encode(), json.dumps(key).encode())

    return change


def _of_list(path: Path, value: list[Json]) -> Iterator[tuple[Path, str, Change]]:
    for i, entry in enumerate(value):
        yield (*path, i), "dropped", _without(path, i)
        yield (*path, i), "repeated", _put(path, [*value[:i], entry, *value[i:]])
        if i and value[i - 1] != entry:
            yield (*path, i), "swapped with the one before", _swapped(path, i, i - 1)
    if value:
        yield path, "reversed", _put(path, value[::-1])
        yield path, "emptied", _put(path, [])


# ---- nodes of trees ------------------------------------------------------------------------------------------------
def _of_node(
    path: Path, value: Json, places: list[tuple[Path, Json]], rng: random.Random
) -> Iterator[tuple[Path, str, Change]]:
    if "split" in value:
        for sign, child in value["children"].items():
            yield path, f"node replaced by its child {sign}", _put(path, child)
        leaf = {"leaf": {}, **({"exclude": value["exclude"]} if "exclude" in value else {})}
        yield path, "node cut to a leaf", _put(path, leaf)
        yield path, "node split by another normal", _put((*path, "split"), _other_normal(value["split"], places, rng))
        for sign in ("<=", ">=", "<", "=", ">"):
            yield (
                path,
                f"child {sign} renamed or added",
                _put((*path, "children", sign), next(iter(value["children"].values()))),
            )
    if {"split", "leaf", "empty"} & set(value):
        nodes = [found for _, found in places if isinstance(found, dict) and {"split", "leaf", "empty"} & set(found)]
        yield path, "node replaced by another node", _put(path, rng.choice(nodes))
        yield path, "node called empty", _put(path, {"empty": {"kappa": "0", "multipliers": {}}})
        yield path, "node called empty with kappa 1", _put(path, {"empty": {"kappa": "1", "multipliers": {}}})
        yield path, "node made a bare leaf", _put(path, {"leaf": {}})
        if "exclude" in value:
            yield path, "exclusions dropped", _without(path, "exclude")
    if "exclude" in value or "leaf" in value or "split" in value:
        names = sorted({n for _, found in places if isinstance(found, dict) for n in found.get("exclude", {})})
        for name in rng.sample(names, min(2, len(names))):
            evidence = rng.choice([v for _, v in places if isinstance(v, dict) and "kappa" in v])
            changed = {**value.get("exclude", {}), name: evidence}
            yield path, f"exclusion of {name} added", _put((*path, "exclude"), changed)


def _other_normal(name: str, places: list[tuple[Path, Json]], rng: random.Random) -> str:
    names = sorted({found["split"] for _, found in places if isinstance(found, dict) and "split" in found} - {name})
    return rng.choice(names) if names else f"{name}x"


def shared_buffers(network: Json) -> dict[str, list[str]]:
    """Buffers with several servers, and these."""
    found: dict[str, list[str]] = {}
    for activity in network.get("activities", []):
        found.setdefault(activity["buffer"], []).append(activity["server"])
    return {k: servers for k, servers in found.items() if len(servers) > 1}


# ---- policies ------------------------------------------------------------------------------------------------------
def _of_policy(certificate: Json) -> Iterator[tuple[Path, str, Change]]:
    policy, network = certificate["policy"], certificate["network"]
    if "preset" in policy:
        for routing in ("jsr", "jsq"):
            plain = {"routing": routing, "sequencing": "longest-queue", "holding": "spillback"}
            yield ("policy",), f"rule {routing} instead of the preset", _put(("policy",), plain)
        return
    for routing in ("fixed", "jsr", "jsq", "bernoulli"):
        yield ("policy",), f"rule routing {routing}", _put(("policy", "routing"), routing)
    for rule in RULES:
        changed = {k: v for k, v in policy.items() if k not in ("priority", "tie_order", "dominance_function")}
        changed["sequencing"] = rule
        if rule == "priority":
            changed["priority"] = {n: names for n, names in buffers_of(network, policy).items() if names}
        if rule == "dominant" and "test_function" in certificate:
            changed["dominance_function"] = certificate["test_function"]
        yield ("policy",), f"rule sequencing {rule}", _put(("policy",), changed)
    yield ("policy",), "rule holding spillback", _put(("policy", "holding"), "spillback")
    yield ("policy",), "rule preset jsq-as", _put(("policy",), {"preset": "jsq-as"})
    for k, servers in shared_buffers(network).items():
        yield ("policy",), f"server order at {k}", _put(("policy", "server_order"), {k: servers})
        yield ("policy",), f"other server order at {k}", _put(("policy", "server_order"), {k: servers[::-1]})
    if "server_order" in policy:
        yield (
            ("policy",),
            "no server order",
            _put(("policy",), {k: v for k, v in policy.items() if k != "server_order"}),
        )
    for key in ("priority", "tie_order", "server_order"):
        for server, order in policy.get(key, {}).items():
            yield ("policy", key, server), "order reversed", _put(("policy", key, server), order[::-1])
            yield ("policy", key, server), "order turned", _put(("policy", key, server), [*order[1:], *order[:1]])
    if "dominance_function" in policy:
        yield (
            ("policy",),
            "function V as U",
            _put(("policy", "dominance_function"), certificate.get("test_function", {})),
        )


# ---- derived fields put right --------------------------------------------------------------------------------------
def repaired(certificate: Json, rule: str, left: str, right: str, sentence: Callable[[Json], str]) -> Json | None:
    """The certificate with the derived field corrected that a rule complains about: words, c, load, ε, d, a mean or a bound on it.
    None: no idea."""
    found = copy.deepcopy(certificate)
    try:
        if rule == "words":
            found["claim"]["words"] = sentence(found)
        elif rule == "zero":
            found["lower_bound"]["c"] = _least(found)
        elif rule in ("epsilon", "N-load"):
            field = "epsilon" if rule == "epsilon" else "load"
            found["claim"][field] = next(v for v in (left, right) if _is_number(v) and v != found["claim"][field])
        elif rule == "Q-sum":
            proof = found.get("stability", found["claim"])
            proof["epsilon" if proof["epsilon"] == left else "bound"] = str(number(right))
        elif rule == "product-mean":
            found["claim"]["mean"] = right
        elif rule == "mean-sum":
            found["claim"]["upper" if right.startswith("<=") else "lower"] = left
        elif rule in ("bound", "H-cell", "U-cell"):
            found["claim"]["epsilon"] = str(number(found["claim"]["epsilon"]) / 10**6)
        else:
            return None
    except (LookupError, StopIteration, ValueError, AttributeError, TypeError):
        return None
    return None if found == certificate else found


def _least(certificate: Json) -> str:
    """c for the given θ and pieces."""
    lower, function = certificate["lower_bound"], certificate["test_function"]
    names = [name for found in buffers_of(certificate["network"], certificate["policy"]).values() for name in found]
    theta = numbers(lower["theta"])
    values = [numbers(function["pieces"][int(i)]) for i in theta]
    mixed = [sum(t * v.get(k, Fraction(0)) for t, v in zip(theta.values(), values, strict=True)) for k in names]
    return str(min(mixed))
