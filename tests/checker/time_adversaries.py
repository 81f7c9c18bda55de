"""Seconds and steps of the checker on inputs made to keep it busy.  Prints; asserts nothing, since machines are shared and noisy.

usage: python tests/checker/time_adversaries.py [SIZE ...]      each family of `adversaries.py` and `quadratic_adversaries.py` at each size
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from checker import adversaries, quadratic_adversaries
from verify.checker import Malformed, check_bytes

FAMILIES = adversaries.FAMILIES | quadratic_adversaries.FAMILIES


def main(sizes: list[int]) -> None:
    """One line for each family and size."""
    print(f"{'family':22} {'size':>6} {'bytes':>9} {'seconds':>8} {'steps':>11} {'peak MB so far':>15}  answer")
    for name, make in FAMILIES.items():
        for size in sizes:
            one = make(size)
            start, steps = time.perf_counter(), 0
            try:
                found = check_bytes(one.certificate, one.beside, network_format=one.network_format)
                answer, steps = "accepted" if found.accepted else found.rule, found.steps
            except Malformed:
                answer = "malformed"
            seconds, peak = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            read = len(one.certificate) + len(one.beside or b"")
            print(f"{name:22} {size:6} {read:9} {seconds:8.2f} {steps:11} {peak:15}  {answer}", flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [10, 100, 1000])
