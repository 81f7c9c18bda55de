"""The corpus: every example is accepted, every changed one is rejected by exactly the rule its name says."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.checker import Malformed, check_bytes
from verify.checker.__main__ import main

from .examples import CORPUS, corpus

# fmt: off
RULES = {
    "network", "policy", "function", "exclusion", "exclusion-strict", "exclusion-multiplier",
    "normal", "children", "eta", "bound", "exclude-name", "no-alternative", "N-prices", "N-activity",
    "N-load", "zero", "R-potential", "R-work", "trees", "epsilon", "faces-policy", "faces-complete", "words",
    "same-network", "same-policy",
    "size", "work", "features", "H-weights", "H-features", "H-cell", "U-witness", "U-cells", "U-pieces", "U-cell", "U-path",
    "shared-buffer",
    "function-quadratic", "Q-component", "Q-form", "Q-multiplier", "Q-alternative", "Q-parts", "Q-copositive", "Q-sum",
    "mean-of", "mean-places", "mean-sum", "product-form", "product-traffic", "product-load", "product-mean",
}
# fmt: on


def files(folder: str) -> list[Path]:
    return sorted((CORPUS / folder).glob("*.json"))


def arguments(path: Path) -> list[str]:
    beside = path.with_suffix(".toml")
    return [str(path), str(beside)] if beside.exists() else [str(path)]


def name(path: Path) -> str:
    return path.stem


def test_corpus_files_are_the_examples() -> None:
    found = {str(path.relative_to(CORPUS)): path.read_bytes() for path in CORPUS.glob("*/*")}
    assert found == corpus()


@pytest.mark.parametrize("path", files("accepted"), ids=name)
def test_corpus_accepted_is_accepted(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(arguments(path))
    lines = capsys.readouterr().out.splitlines()
    assert status == 0, lines
    beside = len(arguments(path)) > 1
    assert len(lines) == 2
    assert lines[1].startswith("compared with " if beside else "not compared with a network file: ")
    assert lines[0].startswith(("ACCEPTED: STABLE: ", "ACCEPTED: UNSTABLE: ", "ACCEPTED: BOUND: "))


@pytest.mark.parametrize("path", files("rejected"), ids=name)
def test_corpus_rejected_fails_the_rule_of_its_name(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(arguments(path))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"REJECTED: {path.stem.partition('--')[0]}: "), lines
    assert " versus " in lines[0]
    assert status == 1


def test_corpus_rejected_has_every_rule() -> None:
    assert {path.stem for path in files("rejected") if "--" not in path.stem} == RULES


@pytest.mark.parametrize("path", files("malformed"), ids=name)
def test_corpus_malformed_is_malformed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(arguments(path))
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert captured.out == ""
    assert len(lines) == 1
    assert lines[0].startswith("MALFORMED: ")
    assert ": expected " in lines[0]
    assert ", found " in lines[0]
    assert status == 2
    with pytest.raises(Malformed):
        check_bytes(path.read_bytes())
