"""Condition Q on random networks near capacity: how many are proved, how fast, and are the certificates right?

usage: python tests/random_networks/quadratic.py [--count N] [--seed S] [--only FAMILY] [--means] [--all-words] [--beyond] [--keep FOLDER]
Prints a table of families and the slowest networks.  Exit status 1 if a certificate is wrong, a command fails or a network beyond
its capacity is called stable; networks that are not proved are listed and are no failure.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracles.claimed import Json, load
from oracles.quadratic_claim import justified, tightness
from oracles.stationary import RULES, stationary

from random_networks.families import FAMILIES, Document
from random_networks.judge import certify, refused
from random_networks.quadratic_families import QUADRATIC_FAMILIES, at_capacity
from verify.certificate import certificate
from verify.conditions.quadratic import QuadraticProof
from verify.decide import Request, decide
from verify.linear_form import LinearForm
from verify.methods.bounds import Effort, bound_means
from verify.methods.method import Problem, Settings
from verify.methods.quadratic import QUADRATIC
from verify.network_file.read import read_document

#: States on which the oracle looks at a drift.
STATES = 400
#: Truncations with at most so many states are solved for the truth beside a bound, in buffers -> jobs.
TRUNCATED_AT = {1: 400, 2: 60, 3: 26, 4: 15}
COLUMNS = ("proved", "not proved", "wrong", "slow")
BEYOND = (Fraction(1), Fraction(1000001, 1000000), Fraction(11, 10))


@dataclass(frozen=True)
class Tried:
    """``wrong``: why it is a defect, "" if it is none; ``seconds`` of certifying alone."""

    family: str
    number: int
    document: Document
    verdict: str
    seconds: float
    wrong: str = ""


@dataclass
class Results:
    """All networks of a run."""

    slow: float = 3.0
    tried: list[Tried] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The table, then the slowest."""
        counts: dict[str, Counter[str]] = {}
        for one in self.tried:
            row = counts.setdefault(one.family, Counter())
            row["proved" if one.verdict == "stable" else "not proved"] += 1
            row["wrong"] += bool(one.wrong)
            row["slow"] += one.seconds > self.slow
        yield f"{'family':34}" + "".join(f"{column:>12}" for column in COLUMNS)
        for family, row in counts.items():
            yield f"{family:34}" + "".join(f"{row[column]:>12}" for column in COLUMNS)
        for one in sorted(self.tried, key=lambda one: -one.seconds)[:5]:
            yield f"{one.seconds:6.2f} s  {one.family} {one.number}"

    def failures(self) -> list[Tried]:
        """Wrong, slow or not proved though at home in a family of stable networks."""
        return [
            one for one in self.tried
            if one.wrong or one.seconds > self.slow or (one.family in QUADRATIC_FAMILIES and one.verdict != "stable")
        ]  # fmt: skip


def documents(seed: int, count: int, families: dict[str, object]) -> Iterator[tuple[str, int, Document]]:
    """``count`` networks of each family."""
    every = {**FAMILIES, **QUADRATIC_FAMILIES}
    for family in families:
        for number in range(count):
            yield family, number, every[family](random.Random(f"{seed}/{family}/{number}"))


def tried(family: str, number: int, document: Document, seconds: float = 30.0) -> Tried:
    """Certify by the method, check the bytes alone and beside the file, and look at drifts by brute force."""
    start = time.perf_counter()
    try:
        verdict, data = certify(document, seconds, "quadratic")
    except Exception as error:  # a crash is a defect of this network, reported with it
        return Tried(
            family, number, document, "failed", time.perf_counter() - start, f"{type(error).__name__}: {error}"
        )
    took = time.perf_counter() - start
    wrong = ""
    if verdict != "undecided":
        wrong = refused(data, document, verdict)
    if verdict == "stable":
        wrong = wrong or objection(load(data))
    return Tried(family, number, document, verdict, took, wrong)


def objection(found: Json) -> str:
    """What the oracle has against a certificate ("": nothing)."""
    if found["claim"]["condition"] not in ("quadratic", "mean", "product-form"):
        return f"condition {found['claim']['condition']}"
    return justified(found, most=STATES) or ""


def beyond(family: str, number: int, document: Document, part: Fraction) -> Tried:
    """The same network at or beyond its capacity, condition N left aside: the search must come back with empty hands."""
    document = at_capacity(document, part)
    search = QUADRATIC.search(Problem(read_document(document)), Settings())
    proved = any(isinstance(found, QuadraticProof) for found in search)
    verdict, wrong = ("stable", f"proved at {part} of capacity") if proved else ("undecided", "")
    return Tried(family, number, document, verdict, 0.0, wrong)


def with_means(
    family: str, number: int, document: Document, effort: Effort | None = None
) -> Iterator[tuple[Tried, str]]:
    """Bounds on the mean number of jobs, each with what it says; nothing if there is no proof.

    Where truncated chains give the truth, at half the capacity: nearer to it they do not.
    """
    proof = decide(read_document(document), Request(QUADRATIC), lambda _: None).proof
    if isinstance(proof, QuadraticProof) and len(proof.names) in TRUNCATED_AT:
        document = at_capacity(document, Fraction(1, 2))
        proof = decide(read_document(document), Request(QUADRATIC), lambda _: None).proof
    if not isinstance(proof, QuadraticProof):
        return
    jobs, start = len(proof.names), time.perf_counter()
    found = bound_means(proof, proof.walk, LinearForm.sum_of(range(jobs)), effort or Effort())
    took = time.perf_counter() - start

    def told(text: str, wrong: str) -> tuple[Tried, str]:
        return Tried(f"{family}, means", number, document, "stable", 0.0, wrong), text

    if isinstance(found, str):
        yield told(found, "a network proved by Q has an upper bound")
        return
    data = load(certificate(found))
    yield told(f"{jobs} buffers, {shown(found.lower)} to {shown(found.upper)} in {took:.2f} s", objection(data))
    if data["claim"]["condition"] == "mean":
        loose = {name: float(slack) for name, slack in tightness(data, most=STATES).items()}
        yield told(f"nowhere reached by {loose}", "")
    for text, wrong in _beside_truth(document, jobs, found.lower, found.upper):
        yield told(text, wrong)


def shown(value: Fraction | None) -> str:
    """The number in short, "?" for none."""
    return "?" if value is None else f"{float(value):.5g}"


def _beside_truth(
    document: Document, jobs: int, lower: Fraction | None, upper: Fraction | None
) -> Iterator[tuple[str, str]]:
    """lower <= truth <= upper for one policy after the other, up to what the truncation leaves open."""
    if jobs not in TRUNCATED_AT:
        return
    for rule in RULES:
        law = stationary(read_document(document), TRUNCATED_AT[jobs], rule=rule)
        outside = (upper is not None and law.mean - law.error > upper) or (
            lower is not None and law.mean + law.error < lower
        )
        yield f"truth {law.mean:.5g} ± {law.error:.2g} ({rule})", f"truth {law.mean} outside" if outside else ""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="networks of each family (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--means", action="store_true", help="bounds on the mean number of jobs as well")
    parser.add_argument(
        "--all-words", action="store_true", help="the families of run.py as well: certificates must be right"
    )
    parser.add_argument("--beyond", action="store_true", help="the same networks at and beyond capacity: never stable")
    parser.add_argument("--keep", type=Path, help="folder for the network files of failures")
    return parser.parse_args()


def main() -> int:
    """Print failures as they come, and the table."""
    asked, results = options(), Results()
    chosen = {**QUADRATIC_FAMILIES, **(FAMILIES if asked.all_words else {})}
    families: dict[str, object] = {name: family for name, family in chosen.items() if asked.only in name}
    for family, number, document in documents(asked.seed, asked.count, families):
        trials = [tried(family, number, document)]
        if asked.beyond:
            trials += [beyond(f"{family}, beyond", number, document, BEYOND[number % len(BEYOND)])]
        if asked.means:
            for one, text in with_means(family, number, document):
                print(f"{family} {number}: {text}", flush=True)
                trials.append(one)
        results.tried += trials
        for one in Results(tried=trials).failures():
            print(f"{one.family} {one.number}: {one.verdict} in {one.seconds:.1f} s {one.wrong}", flush=True)
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                name = f"{one.family}-{asked.seed}-{one.number}.json".replace(" ", "-").replace(",", "")
                (asked.keep / name).write_text(json.dumps(one.document, indent=1) + "\n", encoding="utf-8")
    print("\n".join(results.lines()))
    return 1 if any(one.wrong for one in results.tried) else 0


if __name__ == "__main__":
    sys.exit(main())
