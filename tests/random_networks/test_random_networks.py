"""A thousand random networks: never STABLE where the oracles say not, never UNSTABLE where they say stable.

Undecided ones are counted and printed at the end; `python tests/random_networks/run.py` runs longer.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from oracles.brute_force import BruteForce
from oracles.facts import Answer, truth

from verify.network_file.read import read_document

from .families import CHANGES, FAMILIES, TINY, all_rates_times, slow_and_fast_types
from .judge import Table, certify, judge, trials

SEED, PER_FAMILY, SECONDS = 20260101, 53, 1.0
#: Every so many networks the certified claim is decided again by brute force as well.
BRUTE_FORCE_EVERY = 4


@pytest.mark.parametrize("family", FAMILIES)
def test_random_networks_verdict_never_contradicts_the_oracles(family: str, table: Table) -> None:
    for trial in trials(SEED, PER_FAMILY, [family]):
        brute = BruteForce(points=60) if trial.number % BRUTE_FORCE_EVERY == 0 else None
        table.add(judge(trial, SECONDS, brute))
    assert [(found.trial, found.wrong) for found in table.wrong if found.trial.family == family] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_random_networks_other_units_of_time_never_turn_the_verdict(family: str) -> None:
    """All rates times 7/3, 10^-6, 10^6, and slow beside fast types: no verdict becomes its opposite."""
    for number in range(2):
        rng = random.Random(f"units/{family}/{number}")
        found = FAMILIES[family](rng)
        changed = [all_rates_times(found, factor) for factor in (Fraction(7, 3), TINY, 1 / TINY)]
        changed.append(slow_and_fast_types(found, rng))
        verdicts = {certify(network, SECONDS)[0] for network in (found, *changed)}
        assert not verdicts >= {"stable", "unstable"}, found


@pytest.mark.parametrize("family", FAMILIES)
def test_random_networks_change_never_turns_the_truth(family: str) -> None:
    for number in range(20):
        rng = random.Random(f"truth/{family}/{number}")
        found = FAMILIES[family](rng)
        answers = {truth(read_document(change(found, rng))).answer for change in CHANGES.values()}
        assert not answers >= {Answer.STABLE, Answer.NOT_STABLE}, found


def test_random_networks_truth_is_known_and_both_ways() -> None:
    """Oracles that say "open" test nothing: most networks have an answer, and many are not stable."""
    answers = Counter(truth(read_document(trial.document)).answer for trial in trials(SEED, 30))
    assert answers[Answer.OPEN] < sum(answers.values()) / 5
    assert answers[Answer.NOT_STABLE] > sum(answers.values()) / 5
    assert answers[Answer.STABLE] > sum(answers.values()) / 3
