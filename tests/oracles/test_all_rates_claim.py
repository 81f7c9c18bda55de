"""The oracle for all rates: what the corpus accepts passes, with sets of rates that are what they should be; false claims do not."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from .all_rates_claim import justified
from .capacity_claim import graph, least_load
from .claimed import Json
from .rate_sets import NEARLY_ONE, SLOWEST, at_rates, rate_set, sample, symbols

TESTS = Path(__file__).resolve().parents[1]
ACCEPTED = sorted((TESTS / "corpus" / "accepted").glob("all-*.json"))
LIES = sorted((TESTS / "tamper" / "adversarial").glob("all-rates-*.json"))
BELOW = pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)


def read(path: Path) -> Json:
    found: Json = json.loads(path.read_bytes())
    return found


def corpus(name: str) -> Json:
    return read(TESTS / "corpus" / "accepted" / f"{name}.json")


@BELOW
def test_all_rates_accepted_of_the_corpus_is_justified(path: Path) -> None:
    assert justified(read(path), samples=60) is None


@BELOW
def test_all_rates_sampled_rates_are_in_the_set(path: Path) -> None:
    """Rows hold, and the load that a program of its own finds is within the limit."""
    certificate = read(path)
    found = rate_set(certificate)
    rates = sample(certificate, 30, 5)
    assert len(rates) >= 10
    for one in rates:
        load = least_load(at_rates(found.graph, found.names, one))
        assert found.holds(one)
        assert isinstance(load, Fraction)
        assert load <= found.limit
        assert min(one[s] for s in found.names if s.startswith("speed(")) > 0


def test_all_rates_samples_reach_the_limit_of_the_load() -> None:
    found = rate_set(corpus("all-jsr"))
    loads = [least_load(at_rates(found.graph, found.names, one)) for one in sample(corpus("all-jsr"), 60, 1)]
    assert max(load for load in loads if isinstance(load, Fraction)) == NEARLY_ONE
    assert any(one["arrival(a)"] == 0 for one in sample(corpus("all-jsr"), 60, 1))


def test_all_rates_worst_rates_of_one_server_are_what_they_are() -> None:
    """sup of λ - σ at load 1 - 10^-6 is -10^-6 σ at the slowest; of λ alone the fastest at nearly full load."""
    found = rate_set(corpus("all-mm1"))
    assert found.worst({"arrival(a)": Fraction(1), "speed(1)": Fraction(-1)}) == -SLOWEST * (1 - NEARLY_ONE)
    assert found.worst({"arrival(a)": Fraction(1)}) == 10**6 * NEARLY_ONE


def test_all_rates_symbols_are_of_what_is_used() -> None:
    network = corpus("all-feedback")["network"]
    network["servers"].append("C")
    assert symbols(network) == ["arrival(q1)", "speed(A)", "speed(B)", "1"]
    assert len(graph(network, {}).flows) == 2  # one of them without arrivals


@pytest.mark.parametrize("path", LIES, ids=lambda path: path.stem)
def test_all_rates_false_claim_is_not_justified(path: Path) -> None:
    if path.stem == "all-rates-row-not-said":  # true with its row: the sentence lies
        assert justified(read(path), samples=10) is None
    else:
        assert justified(read(path), samples=10) is not None


@pytest.mark.parametrize(
    ("name", "key", "value", "why"),
    [
        ("all-two-classes", "claim|load_at_most", "3/5", "drift"),
        ("all-equal-speeds", "rates|zero", [], "drift"),
        ("all-faster-second", "rates|at_least_zero|0", {"speed(1)": "1"}, "drift"),
        ("all-mm1-bounded", "rates|at_least_zero|0|1", "2", None),
        ("all-mm1-bounded", "test_function|pieces|0|a.r1.1", "2", "c = 1"),
        ("all-jsq-as", "rates|zero", [], "drift"),
        ("all-jsq-as", "claim|load_at_most", "3/5", "drift"),
        ("all-tandem", "evidence|trees|0|children|=|leaf", {}, "drift"),
        ("all-dominant", "policy|tie_order|1", ["a.r1.1", "b.r1.1"], None),
        ("all-lbfs", "policy|sequencing", "fbfs", None),
        ("all-feedback", "network|activities|0|next|q2", "3/4", "drift"),
        ("all-bernoulli", "policy|probabilities|a", {"r1": "1/2", "r2": "1/2"}, None),
    ],
)
def test_all_rates_changed_claim_is_judged_by_what_it_says(name: str, key: str, value: object, why: str | None) -> None:
    """λ <= 2 and load below 1 too is right for one server: an oracle that looked at prices would say no."""
    certificate = copy.deepcopy(corpus(name))
    *path, last = key.split("|")
    inner = certificate
    for step in path:
        inner = inner[int(step) if isinstance(inner, list) else step]
    inner[int(last) if isinstance(inner, list) else last] = value
    found = justified(certificate, samples=20)
    assert (found is None) if why is None else (found is not None and why in found), found


def test_all_rates_prices_are_not_looked_at() -> None:
    certificate = corpus("all-tandem")
    for child in certificate["evidence"]["trees"][0]["children"].values():
        child["branches"] = {}
    assert justified(certificate, samples=20) is None


def test_all_rates_vertex_is_in_the_set() -> None:
    found = rate_set(corpus("all-equal-speeds"))
    vertex = found.vertex(random.Random(1))
    assert vertex is not None
    assert vertex["speed(1)"] == vertex["speed(2)"]
