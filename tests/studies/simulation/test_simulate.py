"""Runs as such: seeds, snapshots, starts, refusals, reports."""

from __future__ import annotations

import ast
import dataclasses
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from catalogue.networks import case, read, scaled, single_text

from verify.errors import InputError
from verify.policies.composed import composed
from verify.policies.dominant import Dominant
from verify.policies.integers import IntegerChain
from verify.policies.jumps import Rule, Table
from verify.studies.simulation.intervals import student_quantile
from verify.studies.simulation.render import render
from verify.studies.simulation.simulate import LABEL, Plan, chain_to_run, replicate, simulate
from verify.studies.simulation.simulate import Path as Run

ROOT = Path(__file__).resolve().parents[3]
#: One case for each kind of walk.
VARIOUS = (
    "jackson-feedback",
    "jsq-averaging-three",
    "paper-1-jsr",
    "paper-2-jsq-as",
    "back-pressure-tandem",
    "global-ps6_121212-2",
    "bernoulli-stable",
)


def run(name: str, **options: Any) -> Run:
    return simulate(chain_to_run(case(name)), **{"seed": 7, "jumps": 3000, "warm_up": 0.25, **options})


@pytest.mark.parametrize("name", VARIOUS)
def test_simulate_same_seed_gives_the_same_run_and_another_seed_another_one(name: str) -> None:
    first = run(name, rule=Rule.RANDOM)
    assert run(name, rule=Rule.RANDOM) == first
    assert run(name, rule=Rule.RANDOM, seed=8) != first


def test_simulate_sharing_a_table_changes_nothing() -> None:
    chain = chain_to_run(case("paper-2-jsq-as"))
    table = Table(IntegerChain(chain), Rule.RANDOM)
    together = [simulate(chain, seed=seed, jumps=2000, table=table, rule=Rule.RANDOM) for seed in (1, 2)]
    assert together == [simulate(chain, seed=seed, jumps=2000, rule=Rule.RANDOM) for seed in (1, 2)]


def test_simulate_seed_fixes_the_states_on_every_machine() -> None:
    """They depend on integers and PCG64 alone; this pins them."""
    assert run("lu-kumar-bad-priority", jumps=20_000).end.state == (0, 446, 476, 0)
    assert run("global-ps6_121212-2", jumps=20_000, rule=Rule.RANDOM).end.state == (1, 0, 0, 0, 0, 7)


@pytest.mark.parametrize("name", VARIOUS)
def test_simulate_another_unit_of_time_changes_the_clock_only(name: str) -> None:
    chain, faster = case(name), scaled(case(name), Fraction(7, 3))
    slow = simulate(chain_to_run(chain), seed=2, jumps=3000)
    fast = simulate(chain_to_run(faster), seed=2, jumps=3000)
    assert fast.end.state == slow.end.state
    assert fast.end.time == pytest.approx(slow.end.time * 3 / 7)


def test_simulate_snapshots_are_where_they_should_be() -> None:
    by_time = run("jackson-feedback", jumps=None, horizon=400.0)
    assert (by_time.warm.time, by_time.half.time, by_time.end.time) == (100.0, 200.0, 400.0)
    by_jumps = run("jackson-feedback", jumps=10_001)
    assert (by_jumps.warm.jumps, by_jumps.half.jumps, by_jumps.end.jumps) == (2500, 5000, 10_001)


def test_simulate_parts_of_a_run_are_the_run_without_them() -> None:
    """What the means leave out changes no state."""
    ends = {run("jackson-feedback", warm_up=part).end.state for part in (0.0, 0.25, 0.5, 0.75)}
    assert len(ends) == 1


def test_simulate_areas_add_up_to_jobs_times_time_when_nothing_moves() -> None:
    """10^6 jobs, a short time: the mean is the start, up to a handful of jobs."""
    path = run("jackson-feedback", start={"q1": 10**6}, jumps=10)
    assert path.means[0] == pytest.approx(10**6, rel=1e-4)
    assert path.empty_fraction == 0
    assert path.largest >= 10**6


def test_simulate_start_accepts_every_name_of_a_buffer() -> None:
    assert run("lu-kumar-fbfs", start={"a.1": 5}) == run("lu-kumar-fbfs", start={"a.r1.1": 5})


def test_simulate_dominant_without_its_function_runs_the_choice_of_the_tool() -> None:
    instance = case("paper-1-jsr")
    left_open = dataclasses.replace(composed(instance.policy), sequencing=Dominant())
    chain = chain_to_run(dataclasses.replace(instance, policy=left_open))
    assert chain.instance.policy.dominance_function is not None
    assert simulate(chain, seed=1, jumps=500).end.jumps == 500


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"horizon": 5.0}, "horizon, jumps"),
        ({"jumps": None}, "horizon, jumps"),
        ({"jumps": 1}, "jumps"),
        ({"jumps": None, "horizon": 0.0}, "horizon"),
        ({"jumps": None, "horizon": float("nan")}, "horizon"),
        ({"warm_up": 1.0}, "warm-up"),
        ({"seed": -1}, "seed"),
        ({"start": {"nowhere": 1}}, "start"),
        ({"start": {"q1": -1}}, "start: q1"),
    ],
)
def test_simulate_refuses_with_the_place(options: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as refusal:
        run("jackson-feedback", **options)
    assert refusal.value.place == place


def test_simulate_refuses_fifo_whose_state_is_more_than_numbers_of_jobs() -> None:
    with pytest.raises(InputError, match="fifo"):
        simulate(chain_to_run(read(single_text("1/2") + 'policy = { sequencing = "fifo" }\n')), seed=1, jumps=10)


@pytest.mark.parametrize(("replications", "confidence"), [(1, 0.95), (5, 1.0), (5, 0.1)])
def test_replicate_refuses_plans_without_intervals(replications: int, confidence: float) -> None:
    with pytest.raises(InputError):
        replicate(chain_to_run(case("jackson-feedback")), Plan(1, replications, jumps=10, confidence=confidence))


def test_replicate_runs_differ_and_are_reported() -> None:
    lines: list[str] = []
    found = replicate(chain_to_run(case("jackson-feedback")), Plan(replications=4, jumps=1000), lines.append)
    assert len({path.end for path in found.paths}) == 4
    assert lines == [f"replication {n} of 4" for n in (1, 2, 3, 4)]


#: (confidence, degrees of freedom): quantile, from printed tables.
QUANTILES = {
    (0.95, 1): 12.706,
    (0.95, 2): 4.303,
    (0.95, 9): 2.262,
    (0.99, 10): 3.169,
    (0.999, 19): 3.883,
    (0.9, 30): 1.697,
}


@pytest.mark.parametrize(("confidence", "freedom"), QUANTILES)
def test_student_quantile_is_the_printed_one(confidence: float, freedom: int) -> None:
    assert student_quantile(confidence, freedom) == pytest.approx(QUANTILES[confidence, freedom], abs=5e-4)


def test_render_says_first_that_a_simulation_proves_nothing() -> None:
    found = replicate(chain_to_run(case("lu-kumar-bad-priority")), Plan(replications=3, jumps=2000))
    text, document = render(found, "table"), json.loads(render(found, "json"))
    assert text.startswith(LABEL + "\n")
    assert next(iter(document.items())) == ("label", LABEL)
    assert list(document["buffers"]) == list(found.names)
    assert document["total"]["mean_jobs"]["mean"] == found.jobs().mean
    assert document["empty_fraction"]["high"] == found.empty().high
    assert "STABLE" not in text
    assert "only certify decides" in text


@pytest.mark.parametrize("room", ["conditions", "search", "walk", "certificate", "checker"])
def test_rooms_that_decide_do_not_import_the_simulation(room: str) -> None:
    for path in (ROOT / "verify" / room).glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not names & {
            "verify.studies.simulation.simulate",
            "verify.studies.simulation.intervals",
            "verify.policies.jumps",
        }, path.name
