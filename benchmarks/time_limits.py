"""How long `certify --time-limit 5` takes on networks that are hard for it: seconds (wall), peak memory, verdict.

usage: python benchmarks/time_limits.py [SECONDS]
Prints; asserts nothing.  What is asked for: the command ends within twice the limit.
"""

from __future__ import annotations

import itertools
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COMMAND = shutil.which("queueproof", path=str(Path(sys.executable).parent)) or "queueproof"


def servers(names: Iterator[str] | list[str]) -> str:
    """Servers of rate 1."""
    return "servers = { " + ", ".join(f'"{name}" = {{ rate = 1 }}' for name in names) + " }\n"


def job_class(name: str, rate: str, routes: list[list[str]]) -> str:
    """One class with named routes."""
    listed = ", ".join(f"r{k} = {route}" for k, route in enumerate(routes))
    return f'[[classes]]\nname = "{name}"\narrival_rate = "{rate}"\nroutes = {{ {listed} }}\n'.replace("'", '"')


def policy(sequencing: str, routing: str = "") -> str:
    """The policy table."""
    return f'[policy]\nsequencing = "{sequencing}"\n' + (f'routing = "{routing}"\n' if routing else "")


def grid(side: int, sequencing: str, routing: str) -> str:
    """All shortest paths through a square grid, from corner to corner."""
    routes = []
    for steps in sorted(set(itertools.permutations("rd" * (side - 1)))):
        place, path = [0, 0], ["00"]
        for step in steps:
            place[step == "d"] += 1
            path.append(f"{place[0]}{place[1]}")
        routes.append(path)
    names = [f"{i}{j}" for i in range(side) for j in range(side)]
    return servers(names) + job_class("c", "1/2", routes) + policy(sequencing, routing)


def line(stations: int, visits: int, load: str, sequencing: str) -> str:
    """A re-entrant line that visits all stations in turn, several times."""
    stops = ", ".join(
        f'{{ server = "s{s}", mean = "{load}/{visits}" }}' for _ in range(visits) for s in range(stations)
    )
    head = "servers = { " + ", ".join(f"s{s} = {{}}" for s in range(stations)) + " }\n"
    body = f'[[classes]]\nname = "c"\narrival_rate = 1\n[classes.routes]\nr = [{stops}]\n'
    return head + body.replace(f"{load}/{visits}", f"{load} / {visits}") + policy(sequencing)


def many_queues(number: int) -> str:
    """Independent M/M/1 queues."""
    classes = "".join(job_class(f"c{k}", f"{k % 9 + 1}/10", [[f"s{k}"]]) for k in range(number))
    return servers([f"s{k}" for k in range(number)]) + classes + policy("non-idling")


def two_choices(number: int) -> str:
    """Join the shorter queue of each pair of servers, load 9/10."""
    pairs = list(itertools.combinations(range(number), 2))
    classes = [job_class(f"p{a}-{b}", f"{9 * number}/{10 * len(pairs)}", [[f"s{a}"], [f"s{b}"]]) for a, b in pairs]
    return servers([f"s{k}" for k in range(number)]) + "".join(classes) + policy("non-idling", "jsq")


def shared(classes: int, sequencing: str) -> str:
    """Classes with two routes of two visits on shared servers, load about 5/8."""
    routes = [[[f"s{c}", f"s{(c + 1) % 6}"], [f"s{(c + 2) % 6}", f"s{(c + 3) % 6}"]] for c in range(classes)]
    listed = "".join(job_class(f"c{c}", "5/8", routes[c]) for c in range(classes))
    return servers([f"s{k}" for k in range(6)]) + listed + policy(sequencing, "jsr")


def networks() -> dict[str, str]:
    """The hardest we know, by name."""
    return {
        "grid 3x3, jsr, dominant": grid(3, "dominant", "jsr"),
        "grid 3x3, jsr, longest duplicate": grid(3, "longest-duplicate", "jsr"),
        "grid 4x4, jsr, dominant": grid(4, "dominant", "jsr"),
        "grid 4x4, jsr, longest duplicate": grid(4, "longest-duplicate", "jsr"),
        "2000 independent queues": many_queues(2000),
        "line of 10 stations, 3 visits, lbfs": line(10, 3, "4/5", "lbfs"),
        "line of 12 stations, 5 visits, lbfs": line(12, 5, "4/5", "lbfs"),
        "line of 24 stations, 3 visits, lbfs": line(24, 3, "4/5", "lbfs"),
        "line of 3 stations, 33 visits, non-idling": line(3, 33, "9/10", "non-idling"),
        "line of 6 stations, 4 visits, longest queue": line(6, 4, "9/10", "longest-queue"),
        "line of 4 stations, 4 visits, back-pressure": line(4, 4, "9/10", "back-pressure"),
        "two choices among 6": two_choices(6),
        "4 classes on shared servers, longest duplicate": shared(4, "longest-duplicate"),
        "4 classes on shared servers, dominant": shared(4, "dominant"),
    }


def main() -> None:
    """One line per network."""
    limit = sys.argv[1] if len(sys.argv) > 1 else "5"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.toml"
        for name, text in networks().items():
            file.write_text(text, encoding="utf-8")
            start = time.perf_counter()
            call = [COMMAND, "certify", str(file), "--time-limit", limit, "-o", str(Path(folder) / "c.json")]
            done = subprocess.run(call, capture_output=True, text=True, check=False)
            seconds, peak = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(f"{name:48} {seconds:6.1f} s {peak:6.0f} MB  {done.stdout.partition(chr(10))[0]}{done.stderr[:60]}")


if __name__ == "__main__":
    main()
