"""At least ten thousand mutants of some thirty certificates: prints what became of them.

usage: python tests/tamper/run.py [--mutants N] [--seed S] [--only SUBSTRING] [--corpus]
Exit status 1 if an accepted mutant is not justified, a changed network goes unnoticed, or the checker crashes.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import ceil
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracles.brute_force import BruteForce

from tamper.bases import MORE, QUADRATIC, QUICK, STRICT, WEIGHTED, certified, from_corpus
from tamper.judge import Tally, tamper


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=10000, help="at least so many in all (default 10000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="bases whose name contains this")
    parser.add_argument("--corpus", action="store_true", help="the hand-written certificates of tests/corpus as well")
    return parser.parse_args()


def main() -> int:
    """Print a line per certificate, the rules that stopped mutants, and every defect."""
    asked, total, start = options(), Tally(), time.monotonic()
    bases = [certified(name) for name in (*QUICK, *STRICT, *WEIGHTED, *MORE) if asked.only in name]
    bases += [certified(name, criterion="quadratic") for name in QUADRATIC if asked.only in name]
    bases += [base for base in from_corpus() if asked.corpus and asked.only in base.name]
    found = [base for base in bases if base is not None]
    if not found:
        print("no certificate of that name", file=sys.stderr)
        return 2
    for base in found:
        brute = BruteForce(points=150, seed=asked.seed)
        for objection in brute.objections(base.certificate):
            print(f"UNJUSTIFIED {base.name} itself: {objection}")
        tally = tamper(base, asked.seed, ceil(asked.mutants / len(found)), brute)
        total.merge(tally)
        print(f"{base.name}: {tally.line()}", flush=True)
        for defect in tally.defects:
            print(f"  {defect}")
    print(f"{len(found)} certificates: {total.line()}; {time.monotonic() - start:.0f} s")
    print("stopped by: " + ", ".join(f"{rule} {count}" for rule, count in total.rules.most_common()))
    return 1 if total.defects else 0


if __name__ == "__main__":
    sys.exit(main())
