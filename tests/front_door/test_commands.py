"""What comes out is what the commands print."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

import queueproof
from front_door.asked import EVERY, EXAMPLES, QUICK, command, single_server, timeless


@pytest.mark.parametrize("name", QUICK)
def test_certify_is_the_command(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, target = EXAMPLES / f"{name}.toml", tmp_path / "found.json"
    printed = json.loads(command(capsys, "certify", file, "-o", target, "--json"))
    result = queueproof.certify(queueproof.read(file))
    assert timeless(result.to_dict()) == timeless({**printed, "certificate": None})
    assert result.certificate == target.read_bytes()
    result.save(target)
    text = command(capsys, "certify", file, "-o", target)
    assert text == f"{result}\ncertificate: {target} (the independent checker: ACCEPTED)\n"


def test_certify_overloaded_by_a_setting_is_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = EXAMPLES / "jackson-feedback.toml"
    printed = json.loads(command(capsys, "certify", file, "--set", "load=23/20", "-o", tmp_path / "c", "--json"))
    for load in ("23/20", "1.15", Fraction(23, 20), sympy.Rational(23, 20)):
        result = queueproof.certify(queueproof.read(file, {"load": load}))
        assert timeless(result.to_dict()) == timeless({**printed, "certificate": None})
    assert (result.verdict, result.load, result.scope) == ("unstable", Fraction(46, 45), "every policy of this routing")


def test_check_is_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, other = EXAMPLES / "lu-kumar-fbfs.toml", EXAMPLES / "rybko-stolyar.toml"
    question = queueproof.read(file)
    result = queueproof.certify(question)
    certificate = tmp_path / "found.json"
    result.save(certificate)
    for beside in ((), (file,), (other,)):
        answer = queueproof.check(certificate, *beside)
        assert answer.to_dict() == json.loads(command(capsys, "check", certificate, *beside, "--json"))
        assert f"{answer}\n" == command(capsys, "check", certificate, *beside)
        assert answer.accepted == (beside != (other,))
    assert (
        queueproof.check(result, question).claim
        == queueproof.check(certificate.read_bytes(), file).claim
        == result.claim
    )
    refused = queueproof.check(result, queueproof.read(other))
    assert (refused.accepted, refused.rule, refused.claim) == (False, "same-network", None)


@pytest.mark.parametrize("name", ["lu-kumar-fbfs", "jackson-feedback", "paper-1-jsr-longest"])
def test_regimes_are_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    found = queueproof.regimes(queueproof.read(file))
    printed = json.loads(command(capsys, "regimes", file, "--json"))
    assert found.to_dict() == printed
    assert f"{found}\n" == command(capsys, "regimes", file)
    assert [row.drift for row in found.rows] == [r["drift"] and Fraction(r["drift"]) for r in printed["regimes"]]
    assert (found.certified is None) == (printed["certified"] is None)
    if found.certified is not None:
        assert found.certified.to_dict() == printed["certified"]
        assert found.certified.holds and str(found).endswith(str(found.certified))


@pytest.mark.parametrize("name", ["rybko-stolyar", "jackson-feedback"])
def test_compare_is_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    found = queueproof.compare(queueproof.read(file))
    printed = json.loads(command(capsys, "compare", file, "--json"))
    assert timeless(found.to_dict()) == timeless(printed)
    loads = [entry["largest_load"] for entry in printed["networks"][0]["methods"]]
    assert [row.largest_load for row in found.rows] == [None if load is None else Fraction(load) for load in loads]
    assert f"{found}".splitlines()[0] == command(capsys, "compare", file).splitlines()[0]
    assert found.loads == (queueproof.read(file).load,)
    assert found.unstable_for == (printed["networks"][0]["unstable_for"],)


def test_compare_of_two_questions_has_the_rows_of_both() -> None:
    one, two = single_server(), single_server(servers={"A": 2})
    found = queueproof.compare(one, two)
    assert found.loads == (Fraction(1, 2), Fraction(1, 4))
    assert [row.largest_load for row in found.rows if row.method == "linear"] == [Fraction(999, 1000)] * 2


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_expand_is_the_command(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = queueproof.expand(queueproof.read(path))
    assert found.to_dict() == json.loads(command(capsys, "expand", path, "--json"))
    assert f"{found}\n" == command(capsys, "expand", path)


@pytest.mark.parametrize("name", QUICK)
def test_simulate_is_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    options = ("--seed", 5, "--replications", 3, "--jumps", 300, "--warm-up", 0.1, "--rule", "random")
    found = queueproof.simulate(queueproof.read(file), seed=5, replications=3, jumps=300, warm_up=0.1, rule="random")
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, *options, "--json"))
    assert f"{found}\n" == command(capsys, "simulate", file, *options)
    assert found.label == str(found).split("\n")[0] == "simulation: evidence, never a verdict"


def test_simulate_has_the_defaults_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "jsq-two-servers.toml"
    found = queueproof.simulate(queueproof.read(file), replications=2)
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, "--replications", 2, "--json"))


def test_simulate_until_a_horizon_from_a_start_is_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "lu-kumar-fbfs.toml"
    options = ("--horizon", 20, "--start", "a.r1.2=7", "--confidence", 0.9)
    found = queueproof.simulate(queueproof.read(file), horizon=20, start={"a.r1.2": 7}, confidence=0.9)
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, *options, "--json"))


@pytest.mark.parametrize("name", ["jackson-feedback", "lu-kumar-fbfs", "lu-kumar-bad-priority"])
def test_bounds_are_the_command(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, target = EXAMPLES / f"{name}.toml", tmp_path / "found.json"
    options = ("--effort", 500, "--jumps", 300, "--replications", 3, "--seed", 4, "--rule", "last")
    found = queueproof.bounds(queueproof.read(file), effort=500, jumps=300, replications=3, seed=4, rule="last")
    printed = json.loads(command(capsys, "bounds", file, *options, "-o", target, "--json"))
    assert timeless(found.to_dict()) == timeless({**printed, "certificate": None})
    assert f"{found}\n" == command(capsys, "bounds", file, *options)
    assert (found.lower, found.upper) == tuple(printed[key] and Fraction(printed[key]) for key in ("lower", "upper"))
    if found.certificate is None:
        assert found.reason == printed["reason"] and not target.exists()
        return
    assert found.certificate == target.read_bytes() and found.claim == printed["claim"]
    assert queueproof.check(found, queueproof.read(file)).accepted
    simulated = found.simulated
    assert simulated is not None and simulated.low < simulated.mean < simulated.high


def test_bounds_of_weights_and_of_names_are_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "jackson-feedback.toml"
    question = queueproof.read(file)
    asked: list[tuple[Any, str]] = [({"q1": 2, "q2": Fraction(-1, 3)}, "q1=2,q2=-1/3"), ("q2", "q2")]
    for of, text in asked:
        found = queueproof.bounds(question, of, simulation=False)
        assert timeless(found.to_dict()) == timeless(
            json.loads(command(capsys, "bounds", file, "--of", text, "--no-simulation", "--json"))
        )
    tailed = queueproof.bounds(single_server(), simulation=False, tails=True)
    assert len(tailed.tails) >= 3 and all(line in str(tailed) for line in tailed.tails)
    assert found.mean_time is not None and found.mean_time[0] == found.mean_time[1]


def test_bounds_refuse_floats_and_what_is_no_weight() -> None:
    question = queueproof.read(EXAMPLES / "jackson-feedback.toml")
    wrong: list[tuple[Any, str]] = [({"q1": 0.5}, "of: q1"), ({"q3": 1}, "of"), (3, "of"), ("q3", "of")]
    for of, place in wrong:
        with pytest.raises(queueproof.InputError) as refusal:
            queueproof.bounds(question, of, simulation=False)
        assert refusal.value.place == place
    with pytest.raises(queueproof.InputError, match="effort: expected a whole number >= 1"):
        queueproof.bounds(question, effort=0)


@pytest.mark.parametrize("name", ["taxi-and-shuttle", "retrials-and-shuttle", "two-single-servers"])
def test_equilibria_are_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "equilibria" / f"{name}.toml"
    found = queueproof.equilibria(file)
    printed = json.loads(command(capsys, "equilibria", file, "--json"))
    assert found.to_dict() == printed
    assert f"{found}\n" == command(capsys, "equilibria", file)
    assert [[share.text for share in e.shares] for e in found.equilibria] == [
        e["shares"] for e in printed["equilibria"]
    ]
