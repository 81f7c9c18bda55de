"""``queueproof bounds``: exit statuses, options that do not go together, certificates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalogue.files import PATHS
from studies.bounds.networks import SERIES

from verify.checker import check_bytes
from verify.cli import main
from verify.methods.bounds import Effort

SHORT = ["--no-simulation", "--effort", "500"]


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A network file in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("line.toml").write_text(SERIES, encoding="utf-8")
    return "line.toml"


def test_bounds_exit_with_the_status_of_what_is_known(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bounds", line, *SHORT]) == 0
    assert main(["bounds", line, "--set", "load=1", *SHORT]) == 10
    assert main(["bounds", str(PATHS["global-rs-3"]), "--time-limit", "1", *SHORT]) == 20
    assert main(["bounds", line, "--over", "load=1/2:1:1/2", *SHORT]) == 0
    capsys.readouterr()


def test_bounds_write_a_certificate_only_when_asked(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bounds", line, "--of", "a.2", *SHORT]) == 0
    assert sorted(path.name for path in Path().iterdir()) == ["line.toml"]
    capsys.readouterr()
    assert main(["bounds", line, "--of", "a.2", "-o", "c.json", "--json", *SHORT]) == 0
    assert json.loads(capsys.readouterr().out)["certificate"] == "c.json"
    assert check_bytes(Path("c.json").read_bytes()).accepted
    assert main(["check", "c.json", line]) == 0
    assert "the mean of 1 a.r.2 in it is 1/2" in capsys.readouterr().out


def test_bounds_to_standard_output_are_the_certificate_alone(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bounds", line, "-o", "-", *SHORT]) == 0
    captured = capsys.readouterr()
    assert check_bytes(captured.out.encode()).accepted
    assert "claim: BOUND: " in captured.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "b.svg"], "--plot: expected to stand beside --over, got no --over"),
        (["--over", "load=1/4:1/2:1/4", "-o", "c.json"], "-o: expected to stand without --over, got --over"),
        (["--over", "load=1/4"], "--over: expected NAME=START:STOP:STEP, got 'load=1/4'"),
        (["--over", "load=1/4:1/2:0"], "--over STEP: expected a number > 0, got 0"),
        (["--over", "lod=1/4:1/2:1/4"], "--over: expected one of the parameters load, got 'lod'"),
        (["--of", "b"], "--of: expected total, a buffer, a class or weights"),
        (["-o", "-", "--json"], "-o: expected a file beside --format json, got standard output"),
        (["--replications", "1"], "replications: expected at least 2"),
    ],
)
def test_bounds_refuse_options_that_cannot_be_used(
    options: list[str], message: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bounds", line, *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert sorted(path.name for path in Path().iterdir()) == ["line.toml"]


def test_bounds_help_has_the_default_of_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bounds", "--help"])
    assert f"(default: {Effort.entries})" in " ".join(capsys.readouterr().out.split())
