"""Random networks that are certified stable, handed to the search for growth: it must come back empty from all of them.

Prints how many were stable, and every network for which condition U was "proved" (there must be none).
"""

from __future__ import annotations

import argparse
import random
from fractions import Fraction

from verify.budget import Budget
from verify.conditions.condition import Verdict
from verify.decide import Request, decide
from verify.methods.programs.destabilise import destabilise
from verify.network.model import Holding, Instance, JobClass, Policy, Route, RouteNetwork, Routing, Sequencing, Visit


def random_network(rng: random.Random) -> Instance:
    """One or two types on two or three stations, three to five buffers, loads around 3/4, a random static priority."""
    stations = rng.choice((2, 2, 3))
    lengths = rng.choice(([3], [4], [5], [2, 2], [2, 3]))
    stops = [[rng.randrange(stations) for _ in range(length)] for length in lengths]
    work = [Fraction(rng.randint(1, 20), 20) for length in lengths for _ in range(length)]
    flat = [s for route in stops for s in route]
    loads = [sum((m for m, s in zip(work, flat, strict=True) if s == n), Fraction(0)) for n in range(stations)]
    target = Fraction(rng.randint(10, 19), 20)
    means = iter([m * target / loads[s] for m, s in zip(work, flat, strict=True)])
    classes = tuple(
        JobClass(f"c{i}", Fraction(1), (Route("r", tuple(Visit(str(s), 1 / next(means)) for s in route)),))
        for i, route in enumerate(stops)
    )
    names: dict[str, list[str]] = {}
    for i, route in enumerate(stops):
        for position, s in enumerate(route, start=1):
            names.setdefault(str(s), []).append(f"c{i}.r.{position}")
    priority = {server: tuple(rng.sample(listed, len(listed))) for server, listed in names.items()}
    policy = Policy(Routing.FIXED, Sequencing.PRIORITY, Holding.NONE, priority=priority)
    return Instance(RouteNetwork(tuple(str(n) for n in range(stations)), classes), policy)


def main() -> None:
    """Run until ``--count`` stable networks have been tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, stable, wrong, tried = random.Random(options.seed), 0, 0, 0
    while stable < options.count:
        instance = random_network(rng)
        tried += 1
        if decide(instance, Request()).verdict is Verdict.STABLE:
            stable += 1
            if destabilise(instance, Budget(100)) is not None:
                wrong += 1
                print("WRONG:", instance)
    print(f"{tried} networks, {stable} certified stable, condition U found for {wrong} of them")


if __name__ == "__main__":
    main()
