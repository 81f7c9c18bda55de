"""What the comments of the examples say is what comes out."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from verify.conditions.capacity import capacity
from verify.decide import Request, decide
from verify.network.read import read_file

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
QUICK = sorted(path for path in EXAMPLES.glob("*.toml") if not path.stem.startswith("paper-"))


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_verdict_words_in_the_comment_of_an_example_are_its_verdict(path: Path) -> None:
    comment = " ".join(line for line in path.read_text().splitlines() if line.startswith("#"))
    said = [word for word in ("UNSTABLE", "STABLE", "UNDECIDED") if word in comment.replace(":", " ").split()]
    found = decide(read_file(path), Request())
    assert said in ([], [found.verdict.value.upper()])
    if "UNSTABLE as a class" in comment:
        assert found.proof is not None and found.proof.scope == "one witness policy"


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("jackson-feedback", Fraction(8, 9)),
        ("jsq-two-servers", Fraction(29, 30)),
        ("jsq-trap-max", Fraction(5, 4)),
        ("lu-kumar-bad-priority", Fraction(7, 10)),
        ("lu-kumar-fbfs", Fraction(7, 10)),
        ("rybko-stolyar", Fraction(7, 10)),
        ("paper-1-jsr-longest", Fraction(28, 25) / Fraction(9, 8)),
    ],
)
def test_loads_named_in_the_comments_of_examples(name: str, load: Fraction) -> None:
    assert capacity(read_file(EXAMPLES / f"{name}.toml")).load == load
