"""Down-Meyn programs of random re-entrant lines: seconds for the exactly checked answer beside HiGHS on the same program.

For each size and load, medians over some networks, rates as given, of
  HiGHS      the faster of simplex and interior point on the program (the solver's own time, without handing it over);
  exact      from the same program to a checked answer: where γ > 0, weights in integers with strict domination and a
             positive margin; where γ* = 0, row multipliers in rationals whose dual value is 0;
  ratio      the median of exact / HiGHS;
  whole      from the network to case trees, as `certify` needs them (γ > 0 only).
Prints; asserts nothing.  "?" counts programs for which neither answer was found.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from fractions import Fraction

import highspy

from verify.lp.approx import highs_lp
from verify.methods.programs.stations import NoMargin, StationProgram, positive_margin, station_function, uniform
from verify.network.model import JobClass, Route, RouteNetwork, Visit
from verify.policies.compose import walk
from verify.policies.composed import ComposedPolicy
from verify.policies.instance import Instance

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
    return Instance(network, ComposedPolicy())


def highs_seconds(program: StationProgram) -> float:
    """The faster of simplex and interior point; the second one is stopped when it has taken longer than the first."""
    best = float("inf")
    for solver in ("ipm", "simplex"):
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)  # as the product does; HiGHS keeps one scheduler for all solvers
        highs.setOptionValue("solver", solver)
        if best < float("inf"):
            highs.setOptionValue("time_limit", best)
        highs.passModel(highs_lp(program.program))
        start = time.perf_counter()
        highs.run()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print one line per size and load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5, help="networks per line (default 5)")
    parser.add_argument("--most", type=int, default=400, help="skip networks with more buffers (default 400)")
    options = parser.parse_args()
    print("stations buffers  load   γ>0   γ*=0      ?   HiGHS s   exact s   ratio   whole s")
    for stations, buffers in SIZES:
        for load in LOADS:
            if buffers <= options.most:
                report(stations, buffers, load, options.count)


def report(stations: int, buffers: int, load: Fraction, count: int) -> None:
    """Medians over ``count`` networks."""
    exact, highs, whole, answers = [], [], [], Counter[str]()
    for seed in range(count):
        chain = walk(random_line(stations, buffers, load, seed))
        program = StationProgram(chain, uniform(stations))
        highs.append(highs_seconds(program))
        start = time.perf_counter()
        found = positive_margin(program)
        exact.append(time.perf_counter() - start)
        if isinstance(found, NoMargin):
            answers["zero" if found.proved else "unknown"] += 1
            continue
        answers["positive"] += 1
        start = time.perf_counter()
        station_function(chain, [uniform(stations)])
        whole.append(time.perf_counter() - start)
    ratio = statistics.median(a / b for a, b in zip(exact, highs, strict=True))
    print(
        f"{stations:8} {buffers:7} {load!s:>5} {answers['positive']:5} {answers['zero']:6} {answers['unknown']:6}"
        f" {statistics.median(highs):9.4f} {statistics.median(exact):9.4f} {ratio:7.2f}"
        f" {statistics.median(whole) if whole else float('nan'):9.4f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
