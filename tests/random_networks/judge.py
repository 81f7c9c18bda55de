"""One network: what the product says, whether the checker accepts its certificate, and whether the oracles object."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from oracles.brute_force import BruteForce
from oracles.facts import Answer, Truth, contradicts, truth

from verify.checker import check_bytes
from verify.cli import main
from verify.network_file.read import read_document

from .families import CHANGES, FAMILIES, Document


@dataclass(frozen=True)
class Trial:
    """Where a network comes from: family, number, change; all of it fixed by the seed."""

    family: str
    number: int
    change: str
    document: Document


@dataclass(frozen=True)
class Judged:
    """A verdict beside the truth; ``wrong`` says why it is a defect ("" if it is none)."""

    trial: Trial
    verdict: str
    truth: Truth
    wrong: str


_COLUMNS = ("stable", "unstable", "undecided", "undecided, truth open", "truth known", "failed", "wrong")
_WIDTH = {column: len(column) + 2 for column in _COLUMNS}


@dataclass
class Table:
    """Counts per family."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[Judged] = field(default_factory=list)

    def add(self, found: Judged) -> None:
        row = self.counts.setdefault(found.trial.family, Counter())
        open_case = found.truth.answer is Answer.OPEN
        row["undecided, truth open" if found.verdict == "undecided" and open_case else found.verdict] += 1
        row["truth known"] += not open_case
        if found.wrong:
            row["wrong"] += 1
            self.wrong.append(found)

    def lines(self) -> Iterator[str]:
        yield f"{'family':32}" + "".join(f"{column:>{_WIDTH[column]}}" for column in _COLUMNS)
        total: Counter[str] = Counter()
        for family, row in self.counts.items():
            total += row
            yield f"{family:32}" + "".join(f"{row[column]:>{_WIDTH[column]}}" for column in _COLUMNS)
        yield f"{'in all':32}" + "".join(f"{total[column]:>{_WIDTH[column]}}" for column in _COLUMNS)


def trials(seed: int, per_family: int, families: Iterable[str] = tuple(FAMILIES)) -> Iterator[Trial]:
    """``per_family`` networks of each family, the changes in turn."""
    names = list(CHANGES)
    for family in families:
        for number in range(per_family):
            rng = random.Random(f"{seed}/{family}/{number}")
            change = names[number % len(names)]
            yield Trial(family, number, change, CHANGES[change](FAMILIES[family](rng), rng))


def certify(found: Document, seconds: float | None = None, method: str = "auto") -> tuple[str, bytes]:
    """`queueproof certify --method METHOD`: the verdict and the bytes of the certificate (none for undecided).

    Raises ``RuntimeError`` if the command fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, target = Path(folder) / "network.json", Path(folder) / "certificate.json"
        file.write_text(json.dumps(found), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        limit = [] if seconds is None else ["--time-limit", str(seconds)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(["certify", str(file), "-o", str(target), "--json", "--method", method, *limit])
        if status not in (0, 10, 20):
            raise RuntimeError(f"certify: exit status {status}: {err.getvalue().strip()}")
        verdict = str(json.loads(out.getvalue())["verdict"])
        return verdict, target.read_bytes() if target.exists() else b""


def judge(trial: Trial, seconds: float | None = 2.0, brute: BruteForce | None = None) -> Judged:
    """Certify, check alone and beside the network file, compare with the oracles, and have the claim decided again by brute
    force if that is given."""
    known = truth(read_document(trial.document))
    try:
        verdict, certificate = certify(trial.document, seconds)
    except Exception as error:  # a crash is a defect of this network, reported with it
        return Judged(trial, "failed", known, f"{type(error).__name__}: {error}")
    wrong = f"{verdict}, but {known.answer}: {known.reason}" if contradicts(verdict, known) else ""
    if verdict != "undecided":
        wrong = wrong or refused(certificate, trial.document, verdict)
        wrong = wrong or "; ".join(brute.objections(certificate) if brute is not None else ())
    return Judged(trial, verdict, known, wrong)


def refused(certificate: bytes, found: Document, verdict: str) -> str:
    """What the checker has against a certificate, alone or beside the network file ("": nothing)."""
    alone = check_bytes(certificate)
    beside = check_bytes(certificate, json.dumps(found).encode(), network_format="json")
    if alone.accepted and beside.accepted and alone.words.startswith(f"{verdict.upper()}: "):
        return ""
    return f"the checker says {alone} alone and {beside} beside the network file"
