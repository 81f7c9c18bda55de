"""Every citation resolves: sections of docs/theory.md ("theory 5.2") and of verify/checker/FORMAT.md ("FORMAT.md, section 4.2"),
entries of docs/references.md ("[Dai 1995]"), files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PACKAGES = ("queueproof", "verify", "proofs")
SOURCES = sorted(path for folder in (*PACKAGES, "tests", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py"))  # fmt: skip
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(p for folder in PACKAGES for p in (ROOT / folder).rglob("*.md"))])  # fmt: skip

NUMBER = r"\d+(?:\.\d+)?"
NUMBERS = rf"{NUMBER}(?:(?:,|,?\s+and|,?\s+or|\s+to)\s+{NUMBER})*"
SECTION = re.compile(rf"^#{{2,3}} ({NUMBER})\.? ", re.MULTILINE)
ENTRY = re.compile(r"^- \[([^\]]+)\]", re.MULTILINE)
#: "theory 5.2", "theory 3.2 and 8", "theory 3 to 5", also across the end of a line.
CITATION = re.compile(rf"\btheory\s+({NUMBERS})")
#: "FORMAT.md section 4.2", "``verify/checker/FORMAT.md``, sections 9 and 13".
RULE_CITATION = re.compile(rf"\bFORMAT\.md`*,?\s+(?:sections?\s+)?({NUMBERS})")
#: In the checker and in FORMAT.md itself a section is one of FORMAT.md; there also alone in parentheses.
HERE = re.compile(rf"\b[Ss]ections?\s+({NUMBERS})")
ALONE = re.compile(rf"(?<!\w)\(({NUMBER}(?:, {NUMBER})*)(?:\)|[,:;] )")
#: "[Dai & Weiss 1996]": a name and a year in square brackets.
KEY = re.compile(r"\[([^\W\d_][^\[\]]*?\s\d{4})\](?!\()")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"[\w./-]+\.md\b")
#: Words of notes that are no part of the project.
FOREIGN = re.compile(r"\b(" + "|".join(("THEO" + "RY", "FAC" + "TS", "NEE" + "DS")) + r")\b")

SECTIONS = frozenset(SECTION.findall((DOCS / "theory.md").read_text(encoding="utf-8")))
FORMAT = ROOT / "verify" / "checker" / "FORMAT.md"
FORMAT_SECTIONS = frozenset(SECTION.findall(FORMAT.read_text(encoding="utf-8")))
ENTRIES = ENTRY.findall((DOCS / "references.md").read_text(encoding="utf-8"))


def numbers(pattern: re.Pattern[str], text: str) -> list[str]:
    """The numbers of all sections that are cited so."""
    return [number for found in pattern.findall(text) for number in re.findall(NUMBER, found)]


def unresolved(text: str) -> list[str]:
    """The citations in a text that lead nowhere."""
    keys = [" ".join(key.split()) for key in KEY.findall(text)]
    return [
        *(f"theory {n}" for n in numbers(CITATION, text) if n not in SECTIONS),
        *(f"FORMAT.md {n}" for n in numbers(RULE_CITATION, text) if n not in FORMAT_SECTIONS),
        *(f"[{key}]" for key in keys if key not in ENTRIES),
    ]


def docstrings(path: Path) -> Iterator[str]:
    """All docstrings of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found = ast.get_docstring(node)
            if found is not None:
                yield found


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual viewers make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("As theory 5.2 says, see [Dai 1995].", []),
        ("theory 5.2,\n 5.99 and 77", ["theory 5.99", "theory 77"]),
        ("FORMAT.md section 4.2 and ``verify/checker/FORMAT.md``,\n sections 9 and 13", []),
        ("FORMAT.md, sections 9 to 77; (verify/checker/FORMAT.md, 2.99)", ["FORMAT.md 77", "FORMAT.md 2.99"]),
        ("by [Dai &\n Weiss 1996] and [Nobody 1900]; a list[int], x[2000]", ["[Nobody 1900]"]),
    ],
)
def test_citations_that_lead_nowhere_are_found(text: str, wrong: list[str]) -> None:
    assert unresolved(text) == wrong


def test_citations_in_docstrings_resolve() -> None:
    found = [(path, text) for folder in PACKAGES for path in sorted((ROOT / folder).rglob("*.py")) for text in docstrings(path)]  # fmt: skip
    assert [(path, bad) for path, text in found if (bad := unresolved(text))] == []
    assert sum(len(CITATION.findall(text)) for _, text in found) >= 40
    assert sum(len(KEY.findall(text)) for _, text in found) >= 5
    assert sum(len(RULE_CITATION.findall(text)) for _, text in found) >= 30


def test_citations_of_the_format_name_its_page() -> None:
    """There is one page of that name; a docstring with the bare word means some other one."""
    found = {path: list(docstrings(path)) for path in SOURCES}
    assert [path for path, texts in found.items() if re.search(r"\bFORMAT\b(?!\.md)", "\n".join(texts))] == []


def test_citations_within_the_checker_resolve() -> None:
    """There a section without more is one of FORMAT.md."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(FORMAT.parent.rglob("*.py"))]
    cited = [number for text in texts for number in numbers(HERE, text)]
    assert set(cited) - FORMAT_SECTIONS == set()
    assert len(cited) >= 40


def test_citations_within_the_format_resolve() -> None:
    text = re.sub(r"^```.*?^```", "", FORMAT.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "", text)
    cited = numbers(HERE, text) + numbers(ALONE, text)
    assert [number for number in cited if number not in FORMAT_SECTIONS] == []
    assert len(cited) >= 50


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_citations_in_sources_resolve(path: Path) -> None:
    """Comments and tests too; and every page that is named is in the repository."""
    text = path.read_text(encoding="utf-8")
    if path != Path(__file__).resolve():  # which has examples of what is not there
        assert unresolved(text) == []
    assert FOREIGN.findall(text) == []
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    pages = {word for word in FILE.findall(text) if word[0].isalnum()}
    assert [word for word in pages if not any(f"/{name}".endswith(f"/{word}") for name in names)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_citations_and_links_of_pages_resolve(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert unresolved(text) == []
    for link in LINK.findall(text):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_citations_of_the_glossary_resolve() -> None:
    """There a section stands alone in parentheses."""
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    cited = re.findall(rf"\(({NUMBER}(?:, {NUMBER})*)\)", text)
    assert {number for found in cited for number in found.split(", ")} <= SECTIONS
    terms = re.findall(r"^- \*\*(.+?)\*\*", text, re.MULTILINE)
    assert terms == sorted(terms, key=str.casefold)
    assert len(cited) > 50


def test_references_have_different_keys_that_are_all_used() -> None:
    assert len(set(ENTRIES)) == len(ENTRIES)
    texts = [page.read_text(encoding="utf-8") for page in PAGES if page.name != "references.md"]
    texts += [path.read_text(encoding="utf-8") for path in SOURCES]
    used = {" ".join(key.split()) for text in texts for key in KEY.findall(text)}
    assert set(ENTRIES) - used == set()
