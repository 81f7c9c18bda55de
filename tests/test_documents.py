"""The console examples of README and docs, run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from verify.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


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
    monkeypatch.chdir(folder)
    program, *arguments = shlex.split(command)
    assert program == "queueproof"
    main(arguments)
    pattern = re.escape(output.rstrip("\n")).replace("…", ".*")
    assert re.fullmatch(pattern, capsys.readouterr().out.rstrip("\n"), re.DOTALL)
