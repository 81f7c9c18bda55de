"""Medians of whole commands: seconds (wall) and peak memory.  Prints; asserts nothing, since machines are shared and noisy."""

from __future__ import annotations

import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [shutil.which("queueproof", path=str(Path(sys.executable).parent)) or "queueproof"]
RUNS = 5


def priority_line(buffers: int, servers: int, seed: int = 5) -> str:
    """A re-entrant line under last buffer first served, loads about 3/4, as a network file."""
    rng = random.Random(seed)
    stops = [str(i % servers + 1) for i in range(buffers)]
    rng.shuffle(stops)
    visits = [f'{{ server = "{s}", mean = "{rng.randint(5, 9)}/{10 * stops.count(s)}" }}' for s in stops]
    lines = [
        "[servers]",
        *(f"{s + 1} = {{}}" for s in range(servers)),
        "[[classes]]",
        'name = "a"',
        'arrival_rate = "1"',
    ]
    lines += ["[classes.routes]", f"r1 = [{', '.join(visits)}]", "[policy]", 'sequencing = "lbfs"']
    return "\n".join(lines)


def pressure_line(buffers: int, servers: int) -> str:
    """A re-entrant line under back-pressure that visits all servers in turn, load 9/10 at each, as a network file."""
    visits = [f'{{ server = "{i % servers + 1}", mean = "{servers}/{buffers}" }}' for i in range(buffers)]
    lines = [
        "[servers]",
        *(f"{s + 1} = {{}}" for s in range(servers)),
        "[[classes]]",
        'name = "a"',
        'arrival_rate = "9/10"',
    ]
    lines += ["[classes.routes]", f"r1 = [{', '.join(visits)}]", "[policy]", 'sequencing = "back-pressure"']
    return "\n".join(lines)


def measure(*arguments: str) -> tuple[float, float]:
    """(median seconds, peak MB) of a command, after one warm-up."""
    seconds = []
    for run in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run([*COMMAND, *arguments], stdout=subprocess.DEVNULL, check=False)
        if run:
            seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return statistics.median(seconds), peak


def main() -> None:
    """Print one line per command."""
    with tempfile.TemporaryDirectory() as folder:
        line, certificate = Path(folder) / "line.toml", str(Path(folder) / "c.json")
        line.write_text(priority_line(24, 4), encoding="utf-8")
        pressure = Path(folder) / "pressure.toml"
        pressure.write_text(pressure_line(100, 25), encoding="utf-8")
        fbfs = str(ROOT / "examples" / "lu-kumar-fbfs.toml")
        paper = str(ROOT / "examples" / "paper-1-jsr.toml")
        rows = [
            ("--help", ["--help"], 0.3),
            ("certify paper example 1", ["certify", paper, "--method", "explicit", "-o", certificate], 2.0),
            ("check paper example 1", ["check", certificate, paper], 0.5),
            ("certify line, 24 buffers on 4 servers", ["certify", str(line), "-o", certificate], 3.0),
            ("check that line", ["check", certificate, str(line)], None),
            ("certify back-pressure, 100 buffers", ["certify", str(pressure), "-o", certificate], 60.0),
            ("check that line", ["check", certificate, str(pressure)], None),
            ("bounds Lu-Kumar, no simulation", ["bounds", fbfs, "--no-simulation"], None),
        ]
        print(f"{'command':40} {'median s':>9} {'aim s':>6} {'peak MB so far':>15}")
        for name, arguments, aim in rows:
            seconds, peak = measure(*arguments)
            print(f"{name:40} {seconds:9.3f} {aim if aim is not None else '':>6} {peak:15.0f}")


if __name__ == "__main__":
    main()
