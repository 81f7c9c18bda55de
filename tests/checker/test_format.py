"""The page of the certificate: sections in order, short lines, each rule defined once, examples that are accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import verify.checker
from verify.checker import check_bytes

from . import cell_examples, examples, quadratic_examples
from .test_corpus import RULES

PAGE = (Path(verify.checker.__file__).parent / "FORMAT.md").read_text(encoding="utf-8")
JSON_BLOCK = re.compile(r"^```json\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXAMPLES = JSON_BLOCK.findall(PAGE)
TEXT = JSON_BLOCK.sub("", PAGE)
MOST = 160
#: The sentence of an example: JSON has no way to break it.
SENTENCE = re.compile(r' +"words": "[^"]*"\},')
HEADING = re.compile(r"^(##+) (\d+)(?:\.(\d+)|\.) ", re.MULTILINE)
DEFINITION = re.compile(r"^- \*\*([\w-]+)\*\*: ", re.MULTILINE)
#: An example after each part: what it shows, and the certificate it is.
SHOWN = [
    ("14.1 F by a tree", examples.jsr_jobs),
    ("14.2 F by faces", examples.tandem_faces),
    ("19.1 F with a corrected leaf", cell_examples.f_jsq_corrected),
    ("19.2 U", cell_examples.u_crossed),
    ("23.1 Example of condition Q", quadratic_examples.q_tandem),
    ("23.2 Example of a mean with a cut", quadratic_examples.mean_cut),
]


def test_format_lines_are_short() -> None:
    long = [line for line in PAGE.splitlines() if len(line) > MOST]
    assert [line for line in long if SENTENCE.fullmatch(line) is None] == []
    assert len(long) == len(EXAMPLES)


def test_format_sections_are_numbered_in_order() -> None:
    found = HEADING.findall(PAGE)
    assert len(found) == len(re.findall(r"^##", PAGE, re.MULTILINE))
    last, inner = 0, 0
    for marks, section, part in found:
        expected = (last, inner + 1) if part else (last + 1, 0)
        assert (int(section), int(part or 0)) == expected
        assert len(marks) == (3 if part else 2)
        last, inner = expected


def test_format_defines_every_rule_once() -> None:
    assert sorted(DEFINITION.findall(PAGE)) == sorted(RULES)


def test_format_has_nothing_else_in_bold() -> None:
    """But the one word that says what bold means, and the one that guards are closed."""
    others = re.findall(r"\*\*(.+?)\*\*", DEFINITION.sub("", TEXT))
    assert others == ["bold", "closed"]


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_format_examples_are_accepted(text: str) -> None:
    answer = check_bytes(text.encode())
    assert answer.accepted, (answer.rule, answer.where, answer.left, answer.right)


def test_format_examples_are_what_their_sections_say() -> None:
    titles = [re.findall(r"^### (.+)$", PAGE[: PAGE.index(text)], re.MULTILINE)[-1] for text in EXAMPLES]
    assert titles == [title for title, _ in SHOWN]
    assert [json.loads(text) for text in EXAMPLES] == [make() for _, make in SHOWN]
