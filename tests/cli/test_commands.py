"""The command line: exit statuses, what goes to standard output, and that nothing is half-written."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.checker import check_bytes
from verify.checker.core.data import DriftProof
from verify.checker.core.forms import function_pieces
from verify.checker.read import read_certificate
from verify.cli import main


@pytest.mark.parametrize(
    ("case", "status", "verdict"),
    [("jsr-two-servers", 0, "stable"), ("jsq-critical", 10, "unstable"), ("global-rs-3", 20, "undecided")],
)
def test_certify_json_has_all_keys_and_the_status(
    case: str, status: int, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "c.json"
    assert main(["certify", str(PATHS[case]), "-o", str(target), "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    assert list(found) == [
        "verdict", "method", "criterion", "claim", "epsilon", "pieces", "load", "bottleneck", "certificate",
        "obstacle", "seconds", "critical", "scope", "test_function", "witness", "correction", "attempts",
        "older_certificate",
    ]  # fmt: skip
    assert target.exists() == (verdict != "undecided")
    assert (found["obstacle"] is not None) == (verdict == "undecided")


def test_check_accepts_what_certify_wrote_and_refuses_another_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "c.json")
    main(["certify", str(PATHS["lu-kumar-fbfs"]), "-o", target])
    capsys.readouterr()
    assert main(["check", target, str(PATHS["lu-kumar-fbfs"])]) == 0
    assert capsys.readouterr().out.startswith("ACCEPTED: STABLE")
    assert main(["check", target, str(PATHS["lu-kumar-lbfs"])]) == 1
    assert capsys.readouterr().out.startswith("REJECTED: same-policy")


@pytest.mark.parametrize(
    "arguments",
    [
        ["certify", "no-such-file.toml"],
        ["certify", str(PATHS["jsq-critical"]), "--set", "load"],
        ["certify", str(PATHS["jsq-critical"]), "--set", "load=1"],
        ["certify", str(PATHS["jsq-critical"]), "-o", "no/such/folder/c.json"],
        ["expand", str(PATHS["jsq-critical"]), "--plot", "drawing.txt"],
        ["simulate", str(PATHS["jsq-critical"]), "--start", "nowhere=1"],
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


def test_certify_undecided_leaves_an_older_certificate_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file, default = str(PATHS["global-rs-3"]), Path("global-rs-3.certificate.json")
    assert main(["certify", file]) == 20
    assert "older" not in capsys.readouterr().out
    assert main(["certify", file, "--json"]) == 20
    assert json.loads(capsys.readouterr().out)["older_certificate"] is None
    for target, options in ((default, []), (Path("c.json"), ["-o", "c.json"])):
        target.write_text("old")
        assert main(["certify", file, *options]) == 20
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == (f"note: an older file lies at {target}; it is not of this run, and stays as it is")
        assert main(["certify", file, *options, "--json"]) == 20
        found = json.loads(capsys.readouterr().out)
        assert (found["certificate"], found["older_certificate"]) == (None, str(target))
        assert target.read_text() == "old"


def test_certify_to_standard_output_is_the_certificate_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(PATHS["lu-kumar-fbfs"])
    for name in ("-", "/dev/stdout"):
        assert main(["certify", file, "-o", name]) == 0
        captured = capsys.readouterr()
        assert check_bytes(captured.out.encode()).accepted
        assert captured.err.startswith("STABLE\nclaim: ")
    assert main(["certify", str(PATHS["global-rs-3"]), "-o", "-"]) == 20
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("UNDECIDED\n")
    assert main(["certify", file, "-o", "-", "--json"]) == 2
    assert capsys.readouterr().out == ""
    assert not list(tmp_path.iterdir())


def test_certify_json_has_a_quadratic_function_as_in_the_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "c.json"
    assert main(["certify", str(PATHS["lu-kumar-fbfs"]), "-o", str(target), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["method"], found["criterion"], found["pieces"]) == ("quadratic", "quadratic", 1)
    assert found["test_function"] == json.loads(target.read_text(encoding="utf-8"))["function"]


@pytest.mark.parametrize("case", ["lu-kumar-fbfs", "jsr-two-servers", "paper-1-jsr", "lu-kumar-bad-priority"])
def test_certify_json_has_v_by_buffer_names_as_in_the_certificate(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "c.json"
    main(["certify", str(PATHS[case]), "--criterion", "fluid", "-o", str(target), "--json"])
    found = json.loads(capsys.readouterr().out)
    written = json.loads(target.read_text(encoding="utf-8"))
    assert len(found["test_function"]) == found["pieces"]
    function = written.get("test_function", written)
    if "pieces" in function:
        assert found["test_function"] == function["pieces"]
    else:
        read = read_certificate(target.read_bytes())
        state = read.policy.state(read.network, read.claim.condition)
        assert isinstance(read.proof, DriftProof)
        pieces = function_pieces(read.proof.test_function, state, "V")
        assert [{name: Fraction(w) for name, w in piece.items()} for piece in found["test_function"]] == [
            {state.names[k]: Fraction(w, piece.denominator) for k, w in piece.entries.items()} for piece in pieces
        ]


def test_certify_json_names_the_witness_and_what_was_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "c.json"
    file = tmp_path / "n.toml"
    text = PATHS["lu-kumar-bad-priority"].read_text(encoding="utf-8")
    file.write_text(re.sub(r"sequencing = .*", 'sequencing = "non-idling"', text.partition("[policy.priority]")[0]))
    assert main(["certify", str(file), "-o", str(target), "--json"]) == 10
    found = json.loads(capsys.readouterr().out)
    assert found["witness"]["priority"] == json.loads(target.read_text())["witness"]
    assert found["scope"] == "one witness policy"
    assert found["correction"] in (True, False)
    assert [attempt["method"] for attempt in found["attempts"]] == ["quadratic", "linear", "down-meyn", "lp"]
    assert found["attempts"][1]["obstacle"].keys() == {"piece", "drift", "state", "vanishing", "choices"}


def test_check_names_what_is_wrong_with_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = str(PATHS["lu-kumar-fbfs"])
    main(["certify", file, "-o", "c.json"])
    capsys.readouterr()
    assert main(["check", file, "c.json"]) == 2
    assert capsys.readouterr().err == (
        "MALFORMED: arguments: expected the certificate first, then the network file (CERT FILE), "
        f"found the network file {file} before the certificate c.json\n"
    )
    assert main(["check", file]) == 2
    assert capsys.readouterr().err == f"MALFORMED: {file}: expected a certificate, found a network file\n"
    assert main(["check", "c.json", str(PATHS["ring-three-stations"])]) == 1
    assert not re.search(r"[A-Z][a-z]+[A-Z]\w+", capsys.readouterr().out)


def test_check_json_is_one_object_with_the_same_keys_for_both_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, file = str(tmp_path / "c.json"), str(PATHS["lu-kumar-fbfs"])
    main(["certify", file, "-o", target])
    capsys.readouterr()
    assert main(["check", target, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main(["check", target, file, "--json"]) == 0
    good = json.loads(capsys.readouterr().out)
    assert main(["check", target, str(PATHS["lu-kumar-lbfs"]), "--json"]) == 1
    bad = json.loads(capsys.readouterr().out)
    assert alone.keys() == good.keys() == bad.keys()
    assert [one["answer"] for one in (alone, good, bad)] == ["accepted", "accepted", "rejected"]
    assert (alone["file"], good["file"], bad["rule"]) == (None, file, "same-policy")


def test_compare_folder_with_a_bad_file_exits_2_after_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.toml").write_text("nonsense", encoding="utf-8")
    (tmp_path / "b.toml").write_text(PATHS["tandem-nine-tenths"].read_text(encoding="utf-8"))
    assert main(["compare", str(tmp_path), "--json"]) == 2
    captured = capsys.readouterr()
    bad, good = json.loads(captured.out)["networks"]
    assert (bad["methods"], bad["verdict"], good["error"], good["verdict"]) == ([], None, None, "stable")
    assert str(tmp_path / "a.toml") in bad["error"]
    assert captured.err == f"queueproof: {bad['error']}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["certify", "n.toml"],
        ["certify", "n.toml", "--set", "no=1"],
        ["compare", "n.toml"],
        ["regimes", "n.toml"],
        ["simulate", "n.toml"],
    ],
)
def test_errors_of_a_file_name_it(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("n.toml").write_text('servers = {A = {}}\nbuffers = [{name = "q"}]\nactivities = []\n', encoding="utf-8")
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("queueproof: n.toml: ")


def test_commands_unknown_option_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["certify", "x.toml", "--no-such-option"])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


def test_criterion_paper_never_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "c.json")
    assert main(["certify", str(PATHS["jsq-max-below"]), "-o", target, "--criterion", "paper"]) == 20
    assert "P holds" in capsys.readouterr().out


def test_regimes_formats_agree_on_the_number_of_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regimes", str(PATHS["jsq-max-below"]), "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["regimes"]) == 2
