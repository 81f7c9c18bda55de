"""Jumps per second of the simulator on small networks: medians.  Prints; asserts nothing, since machines are shared and noisy."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from verify.network_file.read import read_file
from verify.policies.compose import Walk
from verify.policies.integers import IntegerChain
from verify.policies.jumps import Rule, Table
from verify.studies.simulation.simulate import chain_to_run, simulate

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
#: One network for each kind of policy.
NAMES = (
    "catalogue/tandem-nine-tenths",
    "jackson-feedback",
    "lu-kumar-bad-priority",
    "catalogue/global-ps6_121212-2",
    "catalogue/back-pressure-tandem",
    "jsq-two-servers",
    "catalogue/jsq-averaging-three",
    "paper-1-jsr",
    "paper-1-jsr-longest",
    "catalogue/paper-2-jsq-as",
)
RUNS, JUMPS = 3, 200_000


def speed(chain: Walk, rule: Rule) -> tuple[float, int]:
    """(median jumps per second, sign patterns seen), the preparation of a fresh table included."""
    rates = []
    for seed in range(RUNS):
        start = time.perf_counter()
        table = Table(IntegerChain(chain), rule)
        simulate(chain, seed=seed, jumps=JUMPS, rule=rule, table=table)
        rates.append(JUMPS / (time.perf_counter() - start))
    return statistics.median(rates), len(table.entries)


def main() -> None:
    """Print one line per network and rule."""
    print(f"{'network':38} {'buffers':>7} {'rule':>7} {'jumps/s':>9} {'patterns':>8}")
    for name in NAMES:
        chain = chain_to_run(read_file(EXAMPLES / f"{name}.toml"))
        for rule in (Rule.FIRST, Rule.RANDOM):
            rate, patterns = speed(chain, rule)
            print(f"{name:38} {len(chain.expansion.names):7} {rule:>7} {rate:9,.0f} {patterns:8}")


if __name__ == "__main__":
    main()
