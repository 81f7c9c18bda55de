"""Every fact applies where it should, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from catalogue.files import PATHS
from made import made
from stated import Holding, Routing, Sequencing

from verify.network.model import RouteNetwork
from verify.network_file.read import read_document, read_file
from verify.policies.composed import composed
from verify.policies.instance import Instance
from verify.policies.spillback import Spillback

from .examples import fixed_routes
from .facts import Answer, contradicts, traffic, truth

HALF = [Fraction(1, 3)] * 3


def under(network: RouteNetwork, sequencing: Sequencing, **details: Any) -> Instance:
    """Fixed routing, no holding."""
    return Instance(network, made(Routing.FIXED, sequencing, Holding.NONE, **details))


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_facts_catalogue_case_agrees_with_its_answer(path: Path) -> None:
    expected = path.read_text().split("\n", 1)[0].split(":", 1)[1].strip()
    found = truth(read_file(path))
    allowed = {
        "stable": {Answer.STABLE, Answer.OPEN},
        "not-unstable": {Answer.STABLE, Answer.OPEN},
        "unstable": {Answer.NOT_STABLE, Answer.OPEN},
        "not-stable": {Answer.NOT_STABLE, Answer.OPEN},
    }
    assert found.answer in allowed[expected], found


def test_facts_catalogue_is_mostly_covered() -> None:
    assert sum(truth(read_file(path)).answer is not Answer.OPEN for path in PATHS.values()) >= 55


@pytest.mark.parametrize(
    ("instance", "answer", "reason"),
    [
        (under(fixed_routes(("123", HALF), ("13", HALF[:2])), Sequencing.FIFO), Answer.STABLE, "feed-forward"),
        (under(fixed_routes(("12", HALF[:2]), ("23", HALF[:2]), ("31", HALF[:2])), Sequencing.NON_IDLING), Answer.STABLE, "ring"),
        (under(fixed_routes(("132", HALF)), Sequencing.LONGEST_QUEUE), Answer.STABLE, "feed-forward"),
        (under(fixed_routes(("1232", [Fraction(1, 3)] * 4)), Sequencing.FBFS), Answer.STABLE, "fbfs"),
        (under(fixed_routes(("1232", [Fraction(1, 3)] * 4)), Sequencing.NON_IDLING), Answer.OPEN, "no fact"),
        (under(fixed_routes(("1213", [Fraction(1, 2)] * 4)), Sequencing.NON_IDLING), Answer.NOT_STABLE, "load"),
        (under(fixed_routes(("1213", [Fraction(1, 3)] * 4)), Sequencing.BACK_PRESSURE), Answer.STABLE, "back-pressure"),
    ],
    ids=["feed-forward", "ring", "line", "fbfs", "open", "load", "back-pressure"],
)  # fmt: skip
def test_facts_fixed_routes_name_their_reason(instance: Instance, answer: Answer, reason: str) -> None:
    found = truth(instance)
    assert found.answer is answer
    assert reason in found.reason


def test_facts_with_spillback_work_conserving_facts_do_not_apply() -> None:
    instance = under(fixed_routes(("123", HALF)), Sequencing.NON_IDLING)
    held = replace(instance, policy=replace(composed(instance.policy), holding=Spillback()))
    assert truth(held).answer is Answer.OPEN


@pytest.mark.parametrize(("mean", "answer"), [("1/2", Answer.NOT_STABLE), ("2/5", Answer.STABLE)])
def test_facts_bad_priorities_follow_m2_plus_m4(mean: str, answer: Answer) -> None:
    visits = [Fraction(1, 10), Fraction(11, 20), Fraction(1, 10), Fraction(mean)]
    line = fixed_routes(("1221", visits))
    bad = {"1": ("a.r1.4", "a.r1.1"), "2": ("a.r1.2", "a.r1.3")}
    assert truth(under(line, Sequencing.PRIORITY, priority=bad)).answer is answer
    crossing = fixed_routes(("12", visits[:2]), ("21", visits[2:]))
    exits = {"1": ("b.r1.2", "a.r1.1"), "2": ("a.r1.2", "b.r1.1")}
    assert truth(under(crossing, Sequencing.PRIORITY, priority=exits)).answer is answer
    entries = {server: order[::-1] for server, order in exits.items()}
    assert truth(under(crossing, Sequencing.PRIORITY, priority=entries)).answer in (answer, Answer.OPEN)


def parallel(dedicated: str, common: str) -> Instance:
    return read_document(
        {
            "servers": {"1": {"rate": "1"}, "2": {"rate": "1/2"}},
            "classes": [
                {"name": "d", "arrival_rate": dedicated, "routes": {"r1": ["2"]}},
                {"name": "s", "arrival_rate": common, "routes": {"r1": ["1"], "r2": ["2"]}},
            ],
            "policy": {"routing": "jsq", "sequencing": "non-idling"},
        }
    )


@pytest.mark.parametrize(
    ("dedicated", "common", "answer"),
    [
        ("1/4", "1", Answer.STABLE),
        ("1/2", "1/4", Answer.NOT_STABLE),
        ("1/4", "5/4", Answer.NOT_STABLE),
        ("1/4", "1249999/1000000", Answer.STABLE),
    ],
)
def test_facts_jsq_with_dedicated_streams_needs_every_subset(dedicated: str, common: str, answer: Answer) -> None:
    assert truth(parallel(dedicated, common)).answer is answer


def test_facts_bernoulli_is_judged_server_by_server() -> None:
    instance = parallel("1/4", "1")
    shares = {"d": {"r1": Fraction(1)}, "s": {"r1": Fraction(1, 2), "r2": Fraction(1, 2)}}
    policy = made(Routing.BERNOULLI, Sequencing.NON_IDLING, Holding.NONE, probabilities=shares)
    assert truth(replace(instance, policy=policy)).answer is Answer.NOT_STABLE
    shares = {"d": {"r1": Fraction(1)}, "s": {"r1": Fraction(9, 10), "r2": Fraction(1, 10)}}
    assert (
        truth(
            replace(instance, policy=made(Routing.BERNOULLI, Sequencing.NON_IDLING, Holding.NONE, probabilities=shares))
        ).answer
        is Answer.STABLE
    )


def test_facts_jackson_traffic_is_exact() -> None:
    instance = read_document(
        {
            "servers": {"A": {}, "B": {}},
            "buffers": [{"name": "p", "arrival_rate": "1"}, {"name": "q"}],
            "activities": [
                {"server": "A", "buffer": "p", "rate": "3/2", "next": {"q": "1/2"}},
                {"server": "B", "buffer": "q", "rate": "1/2", "next": {"p": "1/2"}},
            ],
        }
    )
    assert traffic(instance.network) == {"p": Fraction(4, 3), "q": Fraction(2, 3)}  # type: ignore[arg-type]
    assert truth(instance).answer is Answer.NOT_STABLE
    assert "4/3" in truth(instance).reason


@pytest.mark.parametrize(
    ("rate", "order", "answer"),
    [
        ("3/4", True, Answer.NOT_STABLE),
        ("2/5", True, Answer.STABLE),
        ("3/4", False, Answer.OPEN),
        ("1", False, Answer.NOT_STABLE),
    ],
)
def test_facts_cross_trained_pair_follows_its_priority(rate: str, order: bool, answer: Answer) -> None:
    cross = {"1": ["q2", "q1"], "2": ["q1", "q2"]}
    own = {server: names[::-1] for server, names in cross.items()}
    pairs = [("1", "q1", "1"), ("2", "q2", "1"), ("1", "q2", "1/2"), ("2", "q1", "1/2")]
    instance = read_document(
        {
            "servers": {"1": {}, "2": {}},
            "buffers": [{"name": "q1", "arrival_rate": rate}, {"name": "q2", "arrival_rate": rate}],
            "activities": [{"server": s, "buffer": k, "rate": mu} for s, k, mu in pairs],
            "policy": {"sequencing": "priority", "priority": cross if order else own},
        }
    )
    assert truth(instance).answer is answer


def test_facts_only_opposite_verdicts_contradict() -> None:
    stable, load = parallel("1/4", "1"), parallel("1/2", "1")
    assert contradicts("unstable", truth(stable))
    assert contradicts("stable", truth(load))
    assert not contradicts("undecided", truth(load))
    assert not contradicts("stable", truth(stable))


@pytest.mark.parametrize(("rate", "answer"), [("5/4", Answer.NOT_STABLE), ("1249999/1000000", Answer.OPEN)])
@pytest.mark.parametrize("routing", ["jsr", "jsq"])
def test_facts_recombining_routes_are_limited_by_their_least_cut(rate: str, answer: Answer, routing: str) -> None:
    """Servers 1 and 2 (3/4 each) before 3 (1) and 4 (1/4): the least cut is 5/4."""
    rates = {"1": "3/4", "2": "3/4", "3": "1", "4": "1/4"}
    routes = {f"r{a}{b}": [a, b] for a in "12" for b in "34"}
    instance = read_document(
        {
            "servers": {server: {"rate": mu} for server, mu in rates.items()},
            "classes": [{"name": "a", "arrival_rate": rate, "routes": routes}],
            "policy": {"routing": routing, "sequencing": "non-idling"},
        }
    )
    assert truth(instance).answer is answer


def test_facts_routes_that_may_not_be_recombined_have_no_cut() -> None:
    """Under jsr the routes 1-3-5 and 2-3-4 do not make 1-3-4."""
    document = {
        "servers": {server: {"rate": "1"} for server in "12345"},
        "classes": [{"name": "a", "arrival_rate": "3", "routes": {"r1": ["1", "3", "5"], "r2": ["2", "3", "4"]}}],
        "policy": {"routing": "jsr", "sequencing": "non-idling"},
    }
    assert truth(read_document(document)).answer is Answer.OPEN
