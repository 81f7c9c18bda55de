"""Accepted certificates to tamper with: from `queueproof certify`, and the hand-written ones of the corpus."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catalogue.files import PATHS

from verify.checker import check_bytes
from verify.cli import main

TESTS = Path(__file__).resolve().parents[1]
CORPUS = TESTS / "corpus" / "accepted"

#: Networks that certify in a second or so: N, F with faces, F with trees.
QUICK = (
    "back-pressure-tandem-over", "bernoulli-stable", "bernoulli-unbalanced", "global-re121-0", "global-rs-0",
    "global-tandem2-3", "jackson-feedback", "jackson-feedback-over", "jsq-critical", "jsq-dedicated", "jsq-max-below",
    "jsq-recombining-routes", "jsq-two-servers", "jsr-two-servers", "lu-kumar-fbfs", "lu-kumar-lbfs",
    "paper-1-jsr-longest", "paper-1-jsr-over", "paper-2-jsq-as-over", "rybko-stolyar-entry-priority",
    "two-classes-visit-rates", "twice-at-one-server-over",
)  # fmt: skip
#: Larger, or proved by the methods that came later.
MORE = (
    "back-pressure-tandem", "global-br5_12221-0", "global-ps6_121212-0", "jsq-averaging-three", "lu-kumar-bad-priority",
    "paper-1-jsr", "paper-2-jsq-as", "priority-two-pieces", "ring-three-stations-light", "rybko-stolyar-exit-priority",
    "global-lk1221-2", "rybko-stolyar",
)  # fmt: skip


@dataclass(frozen=True)
class Base:
    """A certificate, and the network file it was made from (TOML or JSON; None for those of the corpus)."""

    name: str
    certificate: bytes
    file: bytes | None
    file_format: str = "toml"


def lu_kumar_strict() -> dict[str, object]:
    """Means (3/10, 3/5, 3/10, 1/10), every non-idling policy, under S."""
    means = ["3/10", "3/5", "3/10", "1/10"]
    visits = [{"server": server, "mean": mean} for server, mean in zip("1221", means, strict=True)]
    pieces = [{"a.1": "1", "a.3": "13/200", "a.4": "1/8"}, {"a.1": "99/100", "a.2": "1", "a.3": "13/40"}]
    return {
        "servers": {"1": {}, "2": {}},
        "classes": [{"name": "a", "arrival_rate": "1", "routes": {"r1": visits}}],
        "policy": {"sequencing": "non-idling"},
        "test_function": {"pieces": pieces},
    }


def tandem_strict() -> dict[str, object]:
    """Load 9/10 under S."""
    return {
        "servers": {"1": {"rate": "1"}, "2": {"rate": "1"}},
        "classes": [{"name": "a", "arrival_rate": "9/10", "routes": {"r1": ["1", "2"]}}],
        "policy": {"sequencing": "non-idling"},
        "test_function": {"pieces": [{"a.1": "1"}, {"a.1": "9/10", "a.2": "9/10"}]},
    }


def weighted_route() -> dict[str, object]:
    """Two routes, and a class of its own at one of the servers; 2 x is compared with 3/2 y + z."""
    return {
        "servers": {"1": {"rate": "1"}, "2": {"rate": "3/4"}, "3": {"rate": "1"}},
        "classes": [
            {"name": "a", "arrival_rate": "1", "routes": {"r1": ["1"], "r2": ["2", "3"]}},
            {"name": "b", "arrival_rate": "1/8", "routes": {"r1": ["2"]}},
        ],
        "policy": {
            "routing": "weighted-route",
            "sequencing": "longest-queue",
            "route_weights": {"a.r1.1": "2", "a.r2.1": "3/2"},
        },
    }


def max_weight() -> dict[str, object]:
    """Two servers at one of two buffers; its evidence compares x with 21/4 y."""
    return {
        "servers": {"A": {}, "B": {}},
        "buffers": [{"name": "q1", "arrival_rate": "1"}, {"name": "q2", "arrival_rate": "1/2"}],
        "activities": [
            {"server": "A", "buffer": "q1", "rate": "1", "next": {"q2": "1/2"}},
            {"server": "B", "buffer": "q1", "rate": "3/2", "next": {"q2": "1"}},
            {"server": "A", "buffer": "q2", "rate": "3", "next": {"q1": "1/3"}},
        ],
        "policy": {"sequencing": "max-weight", "buffer_weights": {"q2": "7/4"}},
    }


#: Networks of the catalogue to be proved by condition Q.
QUADRATIC = ("back-pressure-line", "jsq-two-servers", "global-rs-0", "lu-kumar-fbfs", "jackson-feedback")
STRICT = {"lu-kumar-strict": lu_kumar_strict, "tandem-strict": tandem_strict}
#: With weights, which the file states in part.
WEIGHTED = {"weighted-route": weighted_route, "max-weight": max_weight}


def certified(name: str, seconds: float = 20, criterion: str = "") -> Base | None:
    """The base of this name, proved by a criterion if one is asked for; None if the product leaves it undecided."""
    options: list[str] = []
    if name in WEIGHTED:
        text, suffix = json.dumps(WEIGHTED[name]()), "json"
    elif name in STRICT:
        text, suffix, options = json.dumps(STRICT[name]()), "json", ["--criterion", "strict"]
    else:
        text, suffix = PATHS[name].read_text(encoding="utf-8"), "toml"
        options = ["--criterion", criterion] if criterion else []
    with tempfile.TemporaryDirectory() as folder:
        file, target = Path(folder) / f"network.{suffix}", Path(folder) / "certificate.json"
        file.write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(["certify", str(file), "-o", str(target), "--time-limit", str(seconds), *options])
        title = f"{name} by {criterion}" if criterion else name
        return Base(title, target.read_bytes(), text.encode(), suffix) if target.exists() else None


def from_corpus() -> Iterator[Base]:
    """The accepted examples of the checker's own corpus."""
    for path in sorted(CORPUS.glob("*.json")):
        if check_bytes(path.read_bytes()).accepted:
            yield Base(f"corpus/{path.stem}", path.read_bytes(), None)
