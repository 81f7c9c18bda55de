"""Random networks against the oracles, for longer: a table of decided, undecided and wrong per family.

usage: python tests/random_networks/run.py [--count N] [--seed S] [--seconds S] [--only FAMILY] [--undecided] [--brute-force]
Exit status 1 if a verdict is wrong or a command fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracles.brute_force import BruteForce

from random_networks.families import FAMILIES
from random_networks.judge import Judged, Table, judge, trials


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000, help="networks in all (default 3000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0, help="time limit for one network (default 5)")
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--undecided", action="store_true", help="print the undecided networks whose answer is known")
    parser.add_argument("--brute-force", action="store_true", help="decide every certified claim again by brute force")
    return parser.parse_args()


def show(found: Judged, word: str) -> None:
    trial = found.trial
    print(f"{word}: {trial.family} {trial.number} ({trial.change}): {found.wrong or found.truth.reason}")
    print(f"  {json.dumps(trial.document)}", flush=True)


def main() -> int:
    """Print the table; wrong verdicts as they come."""
    asked = options()
    families = [family for family in FAMILIES if asked.only in family]
    if not families:
        print(f"no family with {asked.only!r} in its name; there are: {', '.join(FAMILIES)}", file=sys.stderr)
        return 2
    table, start = Table(), time.monotonic()
    for trial in trials(asked.seed, -(-asked.count // len(families)), families):
        found = judge(trial, asked.seconds, BruteForce(points=100) if asked.brute_force else None)
        table.add(found)
        if found.wrong:
            show(found, "WRONG")
        elif asked.undecided and found.verdict == "undecided" and found.truth.answer != "open":
            show(found, "undecided")
    print("\n".join(table.lines()))
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if table.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
