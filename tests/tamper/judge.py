"""One certificate with all its mutants: what the checker says of each, and whether an accepted one is justified."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from oracles.brute_force import BruteForce
from oracles.claimed import Unreadable, load
from oracles.spoken import sentence

from verify.checker import Malformed, check_bytes

from .bases import Base
from .mutate import Mutant, encode, mutants, repaired

_REPAIRS = 4


@dataclass
class Tally:
    """Counts of verdicts and rules; ``unjustified``: accepted although brute force objects; ``unnoticed``: a changed network
    or policy that `check CERT FILE` lets pass; ``crashed``: anything but an answer or ``Malformed``."""

    counts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    unjustified: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    unnoticed: list[tuple[str, bytes]] = field(default_factory=list)
    crashed: list[tuple[str, str, bytes]] = field(default_factory=list)

    @property
    def defects(self) -> list[str]:
        found = [f"UNJUSTIFIED {label}: {why}" for label, why, _ in self.unjustified]
        found += [f"UNNOTICED {label}" for label, _ in self.unnoticed]
        return found + [f"CRASHED {label}: {error}" for label, error, _ in self.crashed]

    def merge(self, other: Tally) -> None:
        self.counts += other.counts
        self.rules += other.rules
        self.unjustified += other.unjustified
        self.unnoticed += other.unnoticed
        self.crashed += other.crashed

    def line(self) -> str:
        return ", ".join(f"{key} {self.counts[key]}" for key in _KEYS)


_KEYS = (
    "mutants",
    "malformed",
    "rejected",
    "accepted",
    "justified",
    "unjustified",
    "beside file refused",
    "unnoticed",
    "crashed",
)


def tamper(base: Base, seed: int, most: int | None, brute: BruteForce) -> Tally:
    """Judge mutants of one certificate, and those with derived fields put right."""
    rng, tally = random.Random(f"{seed}/{base.name}"), Tally()
    certificate = json.loads(base.certificate)
    for mutant in mutants(certificate, rng, most):
        for attempt in _with_repairs(base, mutant, tally):
            _judge(base, certificate, attempt, brute, tally)
    return tally


def _with_repairs(base: Base, mutant: Mutant, tally: Tally) -> Iterator[Mutant]:
    """The mutant, and after a refusal for a derived field, the mutant with that field put right."""
    for _ in range(_REPAIRS + 1):
        yield mutant
        try:
            answer = check_bytes(mutant.data)
            fixed = (
                None
                if answer.accepted
                else repaired(load(mutant.data), answer.rule, answer.left, answer.right, sentence)
            )
        except (Malformed, Unreadable):
            return
        except Exception:  # counted where it is judged
            return
        if fixed is None:
            return
        mutant = Mutant(f"{mutant.label}; {answer.rule} put right", mutant.about, encode(fixed))


def _judge(base: Base, original: Any, mutant: Mutant, brute: BruteForce, tally: Tally) -> None:
    tally.counts["mutants"] += 1
    label = f"{base.name}: {mutant.label}"
    try:
        answer = check_bytes(mutant.data)
    except Malformed:
        tally.counts["malformed"] += 1
        return
    except Exception as error:  # the checker promises Malformed and nothing else
        tally.counts["crashed"] += 1
        tally.crashed.append((label, f"{type(error).__name__}: {error}", mutant.data))
        return
    if not answer.accepted:
        tally.counts["rejected"] += 1
        tally.rules[answer.rule] += 1
        return
    tally.counts["accepted"] += 1
    why = brute.objections(mutant.data)
    tally.counts["unjustified" if why else "justified"] += 1
    if why:
        tally.unjustified.append((label, why, mutant.data))
    if base.file is not None and _speaks_of_another(original, json.loads(mutant.data), base):
        _beside_the_file(base, mutant, label, tally)


def _speaks_of_another(original: Any, mutant: Any, base: Base) -> bool:
    """Is the network or policy another one?  (The order of keys says nothing, and `json` compares maps without it.)

    If the file leaves the dominance function open, any is the tool's choice, and named; likewise its tie order."""
    here, there = ({key: found[key] for key in ("network", "policy")} for found in (original, mutant))
    if b"dominance_function" not in (base.file or b""):
        for found in (here, there):
            found["policy"] = {k: v for k, v in found["policy"].items() if k not in ("dominance_function", "tie_order")}
    return bool(here != there)


def _beside_the_file(base: Base, mutant: Mutant, label: str, tally: Tally) -> None:
    answer = check_bytes(mutant.data, base.file, network_format=base.file_format)
    if answer.accepted or answer.rule not in ("same-network", "same-policy"):
        tally.counts["unnoticed"] += 1
        tally.unnoticed.append((label, mutant.data))
    else:
        tally.counts["beside file refused"] += 1
