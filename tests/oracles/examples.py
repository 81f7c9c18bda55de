"""Small networks by their shape."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from verify.network.model import JobClass, Route, RouteNetwork, Visit


def fixed_routes(*types: tuple[str, Sequence[Fraction]], rate: Fraction = Fraction(1)) -> RouteNetwork:
    """One class per type: (servers in order, one letter each; mean service times)."""
    classes = []
    for name, (servers, means) in zip("abcdefgh", types, strict=False):
        visits = tuple(Visit(server, 1 / mean) for server, mean in zip(servers, means, strict=True))
        classes.append(JobClass(name, rate, (Route("r1", visits),)))
    return RouteNetwork(tuple(sorted({server for servers, _ in types for server in servers})), tuple(classes))


def random_means(rng: random.Random, shape: str, load: Fraction) -> list[Fraction]:
    """Random means that load every server of the shape to between 3/4 and 1 times ``load`` at arrival rate 1, unevenly."""
    shares = {server: rng.randint(45, 60) for server in sorted(set(shape))}
    parts = [rng.choice((1, 2, 5, 12, 30)) for _ in shape]
    sums = {server: sum(p for s, p in zip(shape, parts, strict=True) if s == server) for server in shares}
    return [load * shares[s] / 60 * Fraction(p, sums[s]) for s, p in zip(shape, parts, strict=True)]
