"""Every command of the parser with files and streams that are not what they should be: no traceback, nothing lost.

Commands, the files they read and the files they write are found in the parser, so that a new one is included by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from alarm import within

from verify.cli import main
from verify.cli.common import InputFile, OutputFile
from verify.cli.run import parser

ROOT = Path(__file__).resolve().parents[2]
NETWORK = """
parameters = { load = "1/2" }
servers = { A = { rate = 1 } }
classes = [{ name = "a", arrival_rate = "load", routes = { r = ["A"] } }]
test_function = { pieces = [{ "a.r.1" = "1" }] }
"""
EQUILIBRIA = """
parameters = { mu = "2" }
arrival_rate = "1"
queues = [{ type = "M/M/1", service_rate = "mu" }, { type = "M/M/1", service_rate = "3" }]
"""
#: What makes a command quick, or lets it write its file; a new command needs nothing here unless it is slow.
_SHORT = ["--jumps", "200", "--replications", "2"]
QUICK: Mapping[str, list[str]] = {"prove": ["--list"], "simulate": _SHORT, "bounds": _SHORT}
FOR_OUTPUT: Mapping[str, list[str]] = {
    "equilibria --plot": ["--sweep", "mu=2:5/2:1/2"],
    "bounds --plot": ["--over", "load=1/2:3/4:1/4"],
}


@dataclass(frozen=True)
class Command:
    """One command as the parser has it."""

    name: str
    inputs: tuple[InputFile, ...]
    outputs: tuple[OutputFile, ...]


def commands() -> Iterator[Command]:
    (choices,) = (a.choices for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for name, one in choices.items():
        inputs = tuple(a for a in one._actions if isinstance(a, InputFile))
        yield Command(name, inputs, tuple(a for a in one._actions if isinstance(a, OutputFile)))


COMMANDS = tuple(commands())
INPUTS = [(command, k) for command in COMMANDS for k in range(len(command.inputs))]
OUTPUTS = [(command, action) for command in COMMANDS for action in command.outputs]
every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
every_input = pytest.mark.parametrize(("command", "k"), INPUTS, ids=[f"{c.name}-{c.inputs[k].dest}" for c, k in INPUTS])
every_output = pytest.mark.parametrize(("command", "action"), OUTPUTS, ids=[f"{c.name}-{a.dest}" for c, a in OUTPUTS])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder, the current one, with a good file of every kind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "network.toml").write_text(NETWORK, encoding="utf-8")
    (tmp_path / "equilibria.toml").write_text(EQUILIBRIA, encoding="utf-8")
    assert main(["certify", "network.toml", "-o", "certificate.json"]) == 0
    capsys.readouterr()
    return tmp_path


GOOD = {
    "network": "network.toml",
    "network or folder": "network.toml",
    "equilibria": "equilibria.toml",
    "certificate": "certificate.json",
}


def arguments(command: Command, changed: Mapping[int, str] | None = None) -> list[str]:
    """A good call, some of whose inputs are changed."""
    names = [(changed or {}).get(k, GOOD[action.kind]) for k, action in enumerate(command.inputs)]
    return [command.name, *names, *QUICK.get(command.name, [])]


def to_write(command: Command, action: OutputFile) -> list[str]:
    """What a call needs so that it writes this output, up to the name of the file."""
    option = action.option_strings[0]
    return [*FOR_OUTPUT.get(f"{command.name} {option}", []), option]


def snapshot(folder: Path) -> dict[str, object]:
    """Everything below a folder: kinds, rights and contents."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        content: object = os.readlink(path) if path.is_symlink() else path.read_bytes() if stat.S_ISREG(mode) else None
        found[str(path.relative_to(folder))] = (mode, content)
    return found


# ---- the parser and the page ---------------------------------------------------------------------------------------
def test_every_command_is_in_the_readme_and_every_one_there_exists() -> None:
    table = re.findall(r"^\| `queueproof ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert table == [command.name for command in COMMANDS]


@every_command
def test_every_command_prints_json(command: Command, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (listed,) = re.findall(rf"^\| `{command.name}` \| (`.*) \|$", page, re.MULTILINE)
    keys = re.findall(r"`([a-zA-Z_]+)`", re.sub(r"\(.*?\)", "", listed))
    for option in (["--json"], ["--format", "json"]):
        assert main([*arguments(command), *option]) == 0
        assert list(json.loads(capsys.readouterr().out)) == keys


@every_command
def test_every_file_argument_of_a_command_is_declared_as_read_or_written(command: Command) -> None:
    """By its metavar an argument that names a file is one of the two kinds that are checked."""
    (choices,) = (a.choices for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for action in choices[command.name]._actions:
        if re.search("FILE|FOLDER|CERT|OUT", str(action.metavar)):
            assert isinstance(action, (InputFile, OutputFile)), action.dest


# ---- inputs --------------------------------------------------------------------------------------------------------
BAD_INPUTS: Mapping[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "folder": lambda path: path.mkdir(),
    "empty": lambda path: path.write_bytes(b""),
    "binary": lambda path: path.write_bytes(b"\x00\xff\xfe"),
    "blanks": lambda path: path.write_bytes(b"\n \n"),
    "yaml": lambda path: path.write_text("servers:\n  A: {rate: 1}\nclasses:\n  - name: a\n", encoding="utf-8"),
    "csv": lambda path: path.write_text("server,rate\nA,1\nB,2\n", encoding="utf-8"),
    "xml": lambda path: path.write_text("<?xml version='1.0'?>\n<sim/>\n", encoding="utf-8"),
    "loop": lambda path: path.symlink_to(path),
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "memory": lambda path: path.symlink_to("/proc/self/mem"),
    "closed folder": lambda path: path.symlink_to("/proc/1/fd/0/none"),
}


@every_input
@pytest.mark.parametrize("kind", BAD_INPUTS)
def test_every_command_names_an_input_that_it_cannot_use(
    command: Command, k: int, kind: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    BAD_INPUTS[kind](place / "bad")
    before = snapshot(place)
    with within(60):
        status = main(arguments(command, {k: "bad"}))
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert len(captured.err.splitlines()) == 1
    assert re.match(r"(queueproof|MALFORMED): bad: ", captured.err), captured.err
    assert "Errno" not in captured.err
    assert snapshot(place) == before
    if kind in ("yaml", "csv"):
        assert kind.upper() in captured.err


@every_input
def test_every_command_names_a_good_file_of_another_kind(
    command: Command, k: int, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = command.inputs[k].kind.split()[0]
    for kind, words in (
        ("network", "a network file"),
        ("equilibria", "an equilibria file"),
        ("certificate", "a certificate"),
    ):
        if kind != right:
            assert main(arguments(command, {k: GOOD[kind]})) == 2
            captured = capsys.readouterr()
            assert captured.out == ""
            assert re.search(rf"{GOOD[kind]}: expected an? .*, (got|found) {words}", captured.err), captured.err


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.inputs], ids=lambda c: c.name)
def test_every_command_that_needs_a_file_says_so(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command.name])
    captured = capsys.readouterr()
    assert (stopped.value.code, captured.out) == (2, "")
    assert "the following arguments are required" in captured.err


# ---- outputs -------------------------------------------------------------------------------------------------------
def read_only(path: Path) -> None:
    path.write_bytes(b"precious")
    path.chmod(0o444)


def link_elsewhere(path: Path) -> None:
    (path.parent / "thesis").write_bytes(b"x")
    path.symlink_to("thesis")


BAD_OUTPUTS: Mapping[str, Callable[[Path], object]] = {
    "the input": lambda path: os.rename("input", path),
    "a link to the input": lambda path: path.symlink_to("input"),
    "another name of the input": lambda path: path.hardlink_to("input"),
    "a folder": lambda path: path.mkdir(),
    "a device": lambda path: path.symlink_to("/dev/null"),
    "a full device": lambda path: path.symlink_to("/dev/full"),
    "a pipe": os.mkfifo,
    "a read-only file": read_only,
    "a link into no folder": lambda path: path.symlink_to("none/such"),
    "a loop": lambda path: path.symlink_to(path),
    "a link to something else": link_elsewhere,
}


@every_output
@pytest.mark.parametrize("kind", BAD_OUTPUTS)
def test_every_output_that_must_not_be_replaced_is_refused(
    command: Command, action: OutputFile, kind: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "input").write_bytes((place / GOOD[command.inputs[0].kind]).read_bytes())
    name = f"output{action.suffixes[0] if action.suffixes else ''}"
    BAD_OUTPUTS[kind](place / name)
    before = snapshot(place)
    own = name if kind == "the input" else "input"
    given = [*arguments(command, {0: own}), *to_write(command, action), name]
    assert main(given) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"queueproof: {action.option_strings[0]}: expected ")
    assert len(captured.err.splitlines()) == 1
    assert snapshot(place) == before


@every_output
def test_every_output_through_a_link_keeps_it_and_leaves_nothing_else(
    command: Command, action: OutputFile, place: Path
) -> None:
    name = f"output{action.suffixes[0] if action.suffixes else ''}"
    given = [*arguments(command), *to_write(command, action), name]
    assert main(given) == 0
    os.rename(place / name, place / "real")
    with (place / "real").open("ab") as file:
        file.write(b"older")
    (place / name).symlink_to("real")
    before = snapshot(place)
    assert main(given) == 0
    after = snapshot(place)
    assert after.keys() == before.keys()
    assert [key for key in after if after[key] != before[key]] == ["real"]


@every_output
def test_every_output_on_a_full_disk_leaves_the_old_file(command: Command, action: OutputFile, place: Path) -> None:
    """A limit on the size of files does what a full disk does: a write fails half-way."""
    name = f"output{action.suffixes[0] if action.suffixes else ''}"
    (place / name).write_bytes(b"old")
    before = snapshot(place)
    given = [*arguments(command), *to_write(command, action), name]
    done = run(given, place, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith(f"{name}: file too large")
    assert "Traceback" not in done.stderr
    assert snapshot(place) == before


# ---- streams -------------------------------------------------------------------------------------------------------
START = "import sys; from verify.cli import main; sys.exit(main())"


def run(
    given: list[str], place: Path, code: str = START, before: Callable[[], object] | None = None, shell: str = ""
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with the redirections of ``shell``."""
    words = [sys.executable, "-c", code, *given]
    if shell:
        words = ["sh", "-c", f'"$@" {shell}', "sh", *words]
    return subprocess.run(
        words, cwd=place, capture_output=True, text=True, timeout=120, check=False, preexec_fn=before,
        stdin=subprocess.DEVNULL, env={**os.environ, "MPLCONFIGDIR": str(place.parent)},
    )  # fmt: skip


def calls() -> list[list[str]]:
    """A good call of every command, and what argparse answers itself."""
    helps = [["--help"], ["--version"], *([command.name, "--help"] for command in COMMANDS)]
    return [*(arguments(command) for command in COMMANDS), *helps]


@pytest.mark.parametrize("given", calls(), ids=" ".join)
@pytest.mark.parametrize("shell", [">&-", ">/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full", ">&- <&-"])
def test_every_command_with_an_output_that_takes_nothing_exits_2(given: list[str], shell: str, place: Path) -> None:
    done = run(given, place, shell=shell)
    assert (done.returncode, done.stdout) == (2, "")
    if "2>" not in shell:
        why = "closed" if ">&-" in shell else "no space left on device"
        assert done.stderr == f"queueproof: standard output: {why}\n"


@pytest.mark.parametrize("given", calls(), ids=" ".join)
def test_every_command_whose_reader_has_gone_is_silent(given: list[str], place: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", START, *given], cwd=place, stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False
        )  # fmt: skip
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


@every_command
@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full"])
def test_every_command_without_standard_error_answers_as_ever(command: Command, shell: str, place: Path) -> None:
    done = run(arguments(command), place, shell=shell)
    assert done.returncode == 0
    assert done.stdout
    wrong = [[command.name, "--no-such-option"], *([[command.name, "missing"]] if command.inputs else [])]
    for given in wrong:
        done = run(given, place, shell=shell)
        assert (done.returncode, done.stdout) == (2, "")


# ---- interrupts ----------------------------------------------------------------------------------------------------
#: Ctrl-C, some time after the command has taken over interrupts (while it imports, and later).
INTERRUPTED = """
import os, signal, sys
def alarm(number, frame):
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
    else:
        os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGALRM, alarm)
signal.setitimer(signal.ITIMER_REAL, float(sys.argv.pop(1)))
from verify.cli import main
sys.exit(main())
"""


@every_command
def test_every_command_interrupted_exits_130_with_one_line(command: Command, place: Path) -> None:
    before = snapshot(place)
    for delay in (0.001, 0.05, 0.1, 0.2, 0.4):
        given = [str(delay), *arguments(command)]
        done = run(given, place, INTERRUPTED, before=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        if delay == 0.001 or done.stderr:
            assert (done.returncode, done.stderr) == (130, "queueproof: interrupted\n")
        else:  # it has come to its end, or the alarm came when no handler was left
            assert done.returncode in (0, -signal.SIGALRM)
        left = snapshot(place)
        left.pop("network.certificate.json", None)  # certify came to its end
        assert left == before


@every_command
def test_every_command_interrupted_as_a_library_returns_130(
    command: Command, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def write(self, text: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdout", Interrupted())
    assert main(arguments(command)) == 130
