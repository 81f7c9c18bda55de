"""The examples of README and docs, run as they stand: commands, the files they name, and refusals."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from stated import Holding, Preset, Routing, Sequencing

from verify.cli import main
from verify.errors import InputError
from verify.network_file.read import read_text

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: A file that a page shows: its first line names it.
FILE = re.compile(r"^```toml\n# file: (\S+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: A row (before, after, answer) of the common mistakes.
MISTAKE = re.compile(r"^\| `(.+?)` \| `(.+?)` \| `(.+)` \|$", re.MULTILINE)
NETWORK_FILE = ROOT / "docs" / "network-file.md"


def files(page: str) -> dict[str, str]:
    """The files a page shows, by name."""
    (path,) = [path for path in PAGES if path.name == page]
    return dict(FILE.findall(path.read_text(encoding="utf-8")))


def examples() -> list[tuple[str, str, str]]:
    """(page, command, expected output) of every command on every page."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command, output))
    return found


@pytest.mark.parametrize(("page", "command", "output"), examples())
def test_documents_console_example_prints_what_is_shown(
    page: str, command: str, output: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    folder = tmp_path_factory.getbasetemp() / f"page-{page}"
    folder.mkdir(exist_ok=True)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(ROOT / "examples")
    for name, text in files(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    program, *arguments = shlex.split(command)
    assert program == "queueproof"
    main(arguments)
    pattern = re.escape(output.rstrip("\n")).replace("…", ".*")
    assert re.fullmatch(pattern, capsys.readouterr().out.rstrip("\n"), re.DOTALL)


def test_documents_every_policy_word_has_an_example() -> None:
    shown = "".join(files("network-file.md").values())
    words = {word.value for word in (*Routing, *Sequencing, *Holding, *Preset)}
    implied = {Routing.FIXED.value, Holding.NONE.value}  # what a file says by saying nothing
    assert {word for word in words if f'"{word}"' not in shown} == implied


@pytest.mark.parametrize(("before", "after", "answer"), MISTAKE.findall(NETWORK_FILE.read_text(encoding="utf-8")))
def test_documents_common_mistake_is_answered_as_shown(before: str, after: str, answer: str) -> None:
    text = files("network-file.md")["shop.toml"]
    assert text.count(before) == 1
    read_text(text, format="toml")
    with pytest.raises(InputError) as refusal:
        read_text(text.replace(before, after), format="toml")
    assert str(refusal.value) == answer
