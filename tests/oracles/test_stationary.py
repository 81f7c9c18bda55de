"""Stationary means of networks whose means are known."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from naive import State, components

from verify.network_file.read import read_document

from .stationary import Stationary, stationary


def parallel(rates: list[str], arrivals: str, routing: str) -> dict[str, Any]:
    """One class with a choice of servers."""
    return {
        "servers": {str(n): {"rate": rate} for n, rate in enumerate(rates)},
        "classes": [
            {"name": "a", "arrival_rate": arrivals, "routes": {f"r{n}": [str(n)] for n, _ in enumerate(rates)}}
        ],
        "policy": {"routing": routing, "sequencing": "non-idling"},
    }


def series(*rates: str) -> dict[str, Any]:
    """Queues in series, λ = 1."""
    servers = {str(n): {"rate": rate} for n, rate in enumerate(rates)}
    return {
        "servers": servers,
        "classes": [{"name": "a", "arrival_rate": "1", "routes": {"r": list(servers)}}],
        "policy": {"sequencing": "non-idling"},
    }


def two_servers(arrival: str = "1") -> dict[str, Any]:
    """M/M/2 with rates 1."""
    return {
        "servers": {"A": {}, "B": {}},
        "buffers": [{"name": "k", "arrival_rate": arrival}],
        "activities": [{"server": n, "buffer": "k", "rate": "1"} for n in "AB"],
        "policy": {"sequencing": "non-idling"},
    }


def preferred(first: str, second: str) -> dict[str, Any]:
    """Classes a and b, λ = 1 and 1/2, at one server; a goes first."""
    return {
        "servers": {"1": {}},
        "buffers": [{"name": "a", "arrival_rate": "1"}, {"name": "b", "arrival_rate": "1/2"}],
        "activities": [{"server": "1", "buffer": k, "rate": rate} for k, rate in (("a", first), ("b", second))],
        "policy": {"sequencing": "priority", "priority": {"1": ["a", "b"]}},
    }


def lu_kumar(*means: str) -> dict[str, Any]:
    """1 → 2 → 2 → 1 with priority to the second visit of server 2 … 1 as in [Lu & Kumar 1991]."""
    visits = [{"server": server, "mean": mean} for server, mean in zip("1221", means, strict=True)]
    return {
        "servers": {"1": {}, "2": {}},
        "classes": [{"name": "a", "arrival_rate": "1", "routes": {"r": visits}}],
        "policy": {"sequencing": "priority", "priority": {"1": ["a.4", "a.1"], "2": ["a.2", "a.3"]}},
    }


def solved(document: dict[str, Any], jobs: int, **more: Any) -> Stationary:
    return stationary(read_document(document), jobs, **more)


@pytest.mark.parametrize(
    ("document", "jobs", "mean"),
    [
        (series("2"), 60, 1.0),
        (series("5/4"), 200, 4.0),
        (two_servers(), 60, 4 / 3),
        (two_servers("3/2"), 150, 1.5 / (1 - (3 / 4) ** 2)),
        (series("2", "3"), 50, 1.5),
        (series("2", "2", "3"), 40, 2.5),
        # Preemptive-resume with priority: E N_b = λ_b (1/μ_b + (λ_a/μ_a² + λ_b/μ_b²) / (1 − ρ)) / (1 − ρ_a), and M/M/1 for a.
        (preferred("2", "2"), 120, 3.0),
        (preferred("4", "1"), 120, 1 / 3 + 0.5 * (1 + (1 / 16 + 1 / 2) / 0.25) / 0.75),
    ],
)
def test_stationary_mean_is_that_of_the_formula(document: dict[str, Any], jobs: int, mean: float) -> None:
    found = solved(document, jobs)
    assert found.error < 1e-3
    assert abs(found.mean - mean) <= found.error + 1e-9


def test_stationary_error_tells_a_truncation_that_is_too_small() -> None:
    found = solved(series("10/9"), 12)
    assert found.error > 0.5
    assert abs(found.mean - 9) > 0.5


@pytest.mark.parametrize(("rate", "jobs"), [("101/100", 30), ("51/50", 60), ("10/9", 30)])
def test_stationary_error_holds_near_capacity(rate: str, jobs: int) -> None:
    """Where both truncations are far from the truth they may be near each other."""
    found = solved(series(rate), jobs)
    assert abs(found.mean - 1 / (float(Fraction(rate)) - 1)) <= found.error


def test_stationary_error_is_infinite_where_the_law_does_not_fall() -> None:
    assert solved(series("1"), 30).error == float("inf")
    assert solved(series("9/10"), 30).error == float("inf")


def test_stationary_weights_pick_a_buffer() -> None:
    assert solved(series("2", "3"), 50, of={"a.r.2": 1.0}).mean == pytest.approx(1 / 2, abs=1e-4)


def shorter_queue(arrival: float, top: int) -> float:
    """E|X| of join-the-shorter-queue at two servers of rate 1, both shorter than ``top``, on the pairs (shorter, longer): a chain
    written by hand, its law by powers of the uniformised matrix."""
    places = {pair: i for i, pair in enumerate((s, lo) for lo in range(top) for s in range(lo + 1))}
    matrix = np.zeros((len(places), len(places)))
    total = arrival + 2
    for (s, lo), i in places.items():
        steps = [
            (arrival, (s + 1, lo) if s < lo else (s, lo + 1)),
            (1.0, (s - 1, lo)),
            (1.0, (min(s, lo - 1), max(s, lo - 1))),
        ]
        for rate, to in steps:
            matrix[i, places.get((min(to), max(to)) if min(to) >= 0 else (s, lo), i)] += rate / total
    law = np.linalg.matrix_power(matrix, 2**14)[0]
    return float(sum(law[i] * (s + lo) for (s, lo), i in places.items()))


@pytest.mark.parametrize(("arrival", "text"), [(1.0, "1"), (1.6, "8/5")])
def test_stationary_mean_of_the_shorter_queue(arrival: float, text: str) -> None:
    found = solved(parallel(["1", "1"], text, "jsq"), 60)
    assert found.error < 1e-2
    assert found.mean == pytest.approx(shorter_queue(arrival, 40), abs=found.error)
    pooled = arrival / (1 - (arrival / 2) ** 2)
    separate = 2 * (arrival / 2) / (1 - arrival / 2)
    assert pooled < found.mean < separate


def test_stationary_lu_kumar_is_busy_as_its_load_says() -> None:
    document = lu_kumar("1/10", "3/10", "1/5", "1/5")
    found = solved(document, 20)
    busy = [lambda x: float(x["a.r.1"] + x["a.r.4"] > 0), lambda x: float(x["a.r.2"] + x["a.r.3"] > 0)]
    assert [found.expected(one) for one in busy] == pytest.approx([3 / 10, 1 / 2], abs=2e-3)
    last = solved({**document, "policy": {"sequencing": "lbfs"}}, 20)
    assert found.error < 0.05
    assert last.mean < found.mean - found.error


def test_stationary_rule_settles_free_choices() -> None:
    """K at A only, L at A and B: A first at L leaves K waiting longer than A first at K."""
    document = {
        "servers": {"A": {}, "B": {}},
        "buffers": [{"name": "K", "arrival_rate": "1/2"}, {"name": "L", "arrival_rate": "1"}],
        "activities": [
            {"server": n, "buffer": k, "rate": "1"} for n, k in (("A", "K"), ("A", "L"), ("B", "L"))
        ],
        "policy": {"sequencing": "non-idling"},
    }  # fmt: skip
    instance = read_document(document)

    def at(buffer: str) -> Any:
        def rule(state: State, key: str, outcomes: list[Any]) -> list[Any]:
            def lost(outcome: list[Any]) -> int:
                return sum(target[buffer] < state[buffer] for _, target in outcome)

            best = max(map(lost, outcomes))
            return [outcome for outcome in outcomes if lost(outcome) == best]

        return rule

    assert len(components(instance, {"K": 1, "L": 2})["servers"]) > 1
    kind, unkind = (stationary(instance, 40, {"K": 1.0}, at(buffer)) for buffer in "KL")
    assert kind.mean == pytest.approx(1.0, abs=1e-4)
    assert unkind.mean > kind.mean + 0.1
    assert kind.mean + 0.02 < stationary(instance, 40, {"K": 1.0}, "uniform").mean < unkind.mean - 0.02


def test_stationary_rules_first_and_last_take_one_choice() -> None:
    """Longest queue, a served at rate 2, b at rate 4: a tie goes to one of them, and by chance to both."""
    document = {**preferred("2", "4"), "policy": {"sequencing": "longest-queue"}}
    first, uniform, last = (
        solved(document, 40, of={"a": 1.0}, rule=rule).mean for rule in ("first", "uniform", "last")
    )
    assert first < uniform - 0.01
    assert uniform < last - 0.01
