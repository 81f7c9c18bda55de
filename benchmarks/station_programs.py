"""Down-Meyn programs of random re-entrant lines: seconds for the exactly checked answer beside HiGHS on the same program.

For each size and load: the faster of HiGHS's simplex and interior point (rates as given), and the whole way to an answer that
has been checked in rationals: weights, perturbation and evidence where γ > 0.  Where γ = 0 the answer would be an exact
multiplier; it is attempted for small programs only.  Prints; asserts nothing.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from fractions import Fraction

import highspy

from verify.lp.approx import _highs_lp
from verify.network.model import Holding, Instance, JobClass, Policy, Route, RouteNetwork, Routing, Sequencing, Visit
from verify.policy.compose import walk
from verify.search.down_meyn import StationProgram, optimum, station_function, uniform

SIZES = ((2, 40), (2, 100), (5, 100), (5, 400), (10, 400))
LOADS = (Fraction(1, 10), Fraction(1, 5), Fraction(4, 5))


def random_line(stations: int, buffers: int, load: Fraction, seed: int) -> Instance:
    """A re-entrant line with random stations and means; the busiest station has exactly this load."""
    rng = random.Random(seed)
    stops = [i % stations for i in range(buffers)]
    rng.shuffle(stops)
    means = [Fraction(rng.randint(1, 20)) for _ in stops]
    top = max(sum((m for m, s in zip(means, stops, strict=True) if s == n), Fraction(0)) for n in range(stations))
    visits = tuple(Visit(str(s), top / (m * load)) for s, m in zip(stops, means, strict=True))
    network = RouteNetwork(tuple(map(str, range(stations))), (JobClass("a", Fraction(1), (Route("r1", visits),)),))
    return Instance(network, Policy(Routing.FIXED, Sequencing.NON_IDLING, Holding.NONE))


def highs_seconds(program: StationProgram) -> float:
    """The faster of simplex and interior point."""
    best = float("inf")
    for solver in ("simplex", "ipm"):
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)  # as the product does; HiGHS keeps one scheduler for all solvers
        highs.setOptionValue("solver", solver)
        highs.passModel(_highs_lp(program.program))
        start = time.perf_counter()
        highs.run()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print one line per size and load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3, help="networks per line")
    parser.add_argument("--most", type=int, default=400, help="skip larger networks")
    options = parser.parse_args()
    print(f"{'stations':>8} {'buffers':>7} {'load':>5} {'gamma > 0':>9} {'exact s':>8} {'HiGHS s':>8} {'ratio':>6}")
    for stations, buffers in SIZES:
        for load in LOADS:
            if buffers <= options.most:
                report(stations, buffers, load, options.count)


def report(stations: int, buffers: int, load: Fraction, count: int) -> None:
    """Medians over ``count`` networks."""
    ours, theirs, feasible = [], [], 0
    for seed in range(count):
        chain = walk(random_line(stations, buffers, load, seed))
        theirs.append(highs_seconds(StationProgram(chain, uniform(stations))))
        start = time.perf_counter()
        found = station_function(chain, [uniform(stations)])
        if found is None and buffers <= 40:
            optimum(chain, uniform(stations))
        ours.append(time.perf_counter() - start)
        feasible += found is not None
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(
        f"{stations:8} {buffers:7} {load!s:>5} {feasible:5} of {count} {statistics.median(ours):8.3f}"
        f" {statistics.median(theirs):8.3f} {ratio:6.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
