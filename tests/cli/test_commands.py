"""The command line: exit statuses, what goes to standard output, and that nothing is half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verify.cli import main

CASES = Path(__file__).resolve().parent.parent / "catalogue" / "cases"


@pytest.mark.parametrize(
    ("case", "status", "verdict"),
    [("jsr-two-servers", 0, "stable"), ("jsq-critical", 10, "unstable"), ("global-rs-3", 20, "undecided")],
)
def test_certify_json_has_all_keys_and_the_status(
    case: str, status: int, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "c.json"
    assert main(["certify", str(CASES / f"{case}.toml"), "-o", str(target), "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    assert list(found) == [
        "verdict", "method", "criterion", "claim", "epsilon", "pieces", "load", "bottleneck", "certificate", "older_file",
        "obstacle", "V", "correction", "witness", "attempts", "seconds",
    ]  # fmt: skip
    assert target.exists() == (verdict != "undecided")
    assert (found["obstacle"] is not None) == (verdict == "undecided")


def test_check_accepts_what_certify_wrote_and_refuses_another_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "c.json")
    main(["certify", str(CASES / "lu-kumar-fbfs.toml"), "-o", target])
    capsys.readouterr()
    assert main(["check", target, str(CASES / "lu-kumar-fbfs.toml")]) == 0
    assert capsys.readouterr().out.startswith("ACCEPTED: STABLE")
    assert main(["check", target, str(CASES / "lu-kumar-lbfs.toml")]) == 1
    assert capsys.readouterr().out.startswith("REJECTED: same-policy")


@pytest.mark.parametrize(
    "arguments",
    [
        ["certify", "no-such-file.toml"],
        ["certify", str(CASES / "jsq-critical.toml"), "--set", "load"],
        ["certify", str(CASES / "jsq-critical.toml"), "--set", "load=1"],
        ["certify", str(CASES / "jsq-critical.toml"), "-o", "no/such/folder/c.json"],
        ["expand", str(CASES / "jsq-critical.toml"), "--plot", "drawing.txt"],
        ["simulate", str(CASES / "jsq-critical.toml"), "--start", "nowhere=1"],
        ["prove", "no.such.claim"],
    ],
)
def test_commands_unusable_input_exits_2_with_empty_output(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert "expected" in captured.err
    assert not list(tmp_path.iterdir())
    assert captured.out == ""


def test_commands_unknown_option_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["certify", "x.toml", "--no-such-option"])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


def test_criterion_paper_never_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "c.json")
    assert main(["certify", str(CASES / "jsq-max-below.toml"), "-o", target, "--criterion", "paper"]) == 20
    assert "P holds" in capsys.readouterr().out


def test_regimes_formats_agree_on_the_number_of_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regimes", str(CASES / "jsq-max-below.toml"), "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["regimes"]) == 2
