"""``certify --for-all-rates``: text, JSON, statuses, the certificate, and options that do not go together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.cli import main

TANDEM = str(PATHS["tandem-nine-tenths"])
BAD = str(PATHS["lu-kumar-bad-priority"])


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_all_rates_stable_writes_a_certificate_that_check_accepts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", TANDEM, "--for-all-rates", "-o", "c.json"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "STABLE"
    assert shown[1].startswith(
        "claim: STABLE: at all arrival rates and all speeds of servers with load below 1, the network"
    )
    assert shown[-1] == "certificate: c.json (the independent checker: ACCEPTED)"
    assert main(["check", "c.json", TANDEM]) == 0
    assert "ACCEPTED" in capsys.readouterr().out


def test_all_rates_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", TANDEM, "--for-all-rates", "--load-at-most", "9/10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["criterion"], found["load_at_most"]) == ("stable", "all-rates", "9/10")
    assert found["rates"] == {"at_least_zero": [], "zero": []}
    assert found["leaves"] == 2
    certificate = json.loads(Path(found["certificate"]).read_text())
    assert certificate["claim"]["words"] == found["claim"]


def test_all_rates_undecided_gives_counter_rates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", BAD, "--for-all-rates"]) == 20
    shown = capsys.readouterr().out
    assert shown.startswith("UNDECIDED\n")
    assert "counter-rates: arrival(a) = 1, speed(1) = 1, speed(2) = 1 (load 7/10)" in shown
    assert "the network at these rates: UNSTABLE" in shown
    assert main(["certify", BAD, "--for-all-rates", "--json"]) == 20
    (first, *_) = json.loads(capsys.readouterr().out)["attempts"]
    assert first["counter_rates"]["verdict"] == "unstable"
    assert first["counter_rates"]["rates"] == {"arrival(a)": "1", "speed(1)": "1", "speed(2)": "1"}


def test_all_rates_of_the_file_are_asked_and_the_option_goes_before(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(TANDEM).read_text() + '\n[rates]\nload_at_most = "1/2"\nwhere = ["mu.1 <= mu.2"]\n'
    Path("n.toml").write_text(text)
    assert main(["certify", "n.toml", "--for-all-rates", "-o", "c.json"]) == 0
    assert "with load at most 1/2, with " in capsys.readouterr().out
    assert main(["check", "c.json", "n.toml"]) == 0
    assert main(["certify", "n.toml", "--for-all-rates", "--load-at-most", "3/4", "-o", "c.json"]) == 0
    assert "with load at most 3/4, with " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--load-at-most", "1/2"], "--load-at-most: expected to stand beside --for-all-rates"),
        (["--for-all-rates", "--load-at-most", "2"], "--load-at-most: expected a load > 0 and <= 1"),
        (["--for-all-rates", "--load-at-most", "x"], "--load-at-most: expected a number"),
        (["--for-all-rates", "--method", "linear"], "--for-all-rates: expected no --method"),
        (["--for-all-rates", "--criterion", "strict"], "--for-all-rates: expected no --criterion"),
    ],
)
def test_all_rates_options_that_do_not_fit_exit_2(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certify", TANDEM, *options]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err


def test_all_rates_of_a_policy_with_rates_in_its_guards_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", str(PATHS["back-pressure-tandem"]), "--for-all-rates"]) == 2
    assert "depend on rates" in capsys.readouterr().err
