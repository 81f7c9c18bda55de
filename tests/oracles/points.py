"""Many points of many faces: small integer points, extreme rays of faces, and points inside faces, all exact."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, lcm

from .claimed import Form

Point = tuple[int, ...]
IntegerForm = tuple[tuple[int, int], ...]
_MOST_RAYS, _LARGEST = 24, 10**12


def cleared(form: Form) -> IntegerForm:
    """The form times the least common denominator."""
    scale = lcm(*(a.denominator for a in form.values())) if form else 1
    return tuple((k, int(a * scale)) for k, a in form.items())


def value(form: IntegerForm, x: Point) -> int:
    return sum(a * x[k] for k, a in form)


def sample(size: int, forms: Sequence[Form], rng: random.Random, count: int) -> list[Point]:
    """Points on different faces (sign vectors of the forms), as many as found in about ``3·count`` trials, and rays first."""
    rows = [cleared(form) for form in forms]
    kept: dict[tuple[int, ...], Point] = {}
    for trial, x in enumerate(_candidates(size, rows, rng)):
        if any(x):
            values = [value(row, x) for row in rows]
            kept.setdefault(tuple((v > 0) - (v < 0) for v in values), x)
        if len(kept) >= count or trial >= 3 * count:
            break
    return list(kept.values())


def _candidates(size: int, rows: Sequence[IntegerForm], rng: random.Random) -> Iterator[Point]:
    small = list(product(range(4 if size <= 4 else 2), repeat=size)) if size <= 8 else []
    rng.shuffle(small)
    yield from _unit_points(size)
    yield from small[:300]
    while True:
        rays = _face(size, rows, rng)
        yield from rng.sample(rays, min(2, len(rays)))
        inside = _inside(rays, rng)
        yield inside
        yield tuple(1000 * a + rng.choice((0, 0, 1, 3)) for a in inside)
        yield tuple(rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(size))


def _unit_points(size: int) -> list[Point]:
    return [tuple(int(i == k) for i in range(size)) for k in range(size)]


def _face(size: int, rows: Sequence[IntegerForm], rng: random.Random) -> list[Point]:
    """Rays of x ≥ 0 with some of the forms zero: intersect with one random hyperplane after the other."""
    rays = _unit_points(size)
    if size > 2 and rng.random() < 0.5:
        rays = rng.sample(rays, rng.randint(2, size))
    for row in rng.sample(rows, min(len(rows), rng.randint(0, size))):
        cut = _cut(rays, row, rng)
        rays = cut or rays
    return rays


def _cut(rays: Sequence[Point], row: IntegerForm, rng: random.Random) -> list[Point]:
    """The rays on a hyperplane, and the sums of one ray above and one below that lie on it."""
    values = [(value(row, ray), ray) for ray in rays]
    found = {ray for v, ray in values if v == 0}
    for v, above in values:
        for u, below in values:
            if v > 0 > u:
                found.add(_primitive(tuple(v * b - u * a for a, b in zip(above, below, strict=True))))
    usable = sorted(ray for ray in found if max(ray) < _LARGEST)
    return rng.sample(usable, min(len(usable), _MOST_RAYS))


def _inside(rays: Sequence[Point], rng: random.Random) -> Point:
    """A positive sum of some or all rays."""
    chosen = rays if rng.random() < 0.5 else rng.sample(rays, rng.randint(1, len(rays)))
    factors = [rng.randint(1, 3) for _ in chosen]
    return _primitive(
        tuple(sum(f * r for f, r in zip(factors, column, strict=True)) for column in zip(*chosen, strict=True))
    )


def _primitive(x: Point) -> Point:
    common = gcd(*x)
    return tuple(a // common for a in x) if common > 1 else x


def states(size: int, rng: random.Random, count: int) -> list[Point]:
    """Integer states: all small ones in few dimensions, and random ones with many zeros and ties; never 0."""
    found = (
        set(product(range(4), repeat=size))
        if size <= 5
        else set(product(range(2), repeat=size))
        if size <= 9
        else set()
    )
    for _ in range(3 * count):
        if len(found) >= count:
            break
        high = rng.choice((1, 2, 3, 7, 40))
        found.add(tuple(rng.choice((0, 1, rng.randint(0, high))) for _ in range(size)))
    kept = sorted(found - {(0,) * size})
    return kept if len(kept) <= 2 * count else rng.sample(kept, 2 * count)
