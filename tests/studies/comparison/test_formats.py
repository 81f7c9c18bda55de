"""The comparison in its formats: everything exact comes back."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from catalogue.networks import case

from verify.studies.comparison.compare import Comparison, Row, compare, compared
from verify.studies.comparison.render import COLUMNS, render
from verify.studies.tables import Format

ROOT = Path(__file__).resolve().parents[3]
MADE = (
    Comparison(
        "a_b", "100 % of {x} & #1, ρ", Fraction(2, 3),
        (
            Row("linear", True, "", 1, Fraction(1, 7), Fraction(1, 70), Fraction(999, 1000), "", 0.125),
            Row("lp", False, "no pieces", load=Fraction(583, 1000), beyond="no pieces", seconds=1.5),
            Row("explicit", False, "no routes"),
        ),
    ),
    Comparison("c", "c", Fraction(3, 2), (Row("linear", False, "overloaded", seconds=2.0),), "everybody (condition N)"),
    Comparison("d", "", None, (), error="d.toml: expected | got {x}", status=2),
)  # fmt: skip


def exact(word: str | None) -> Fraction | None:
    return Fraction(word) if word else None


def test_render_json_gives_the_comparisons_back() -> None:
    found = tuple(
        Comparison(
            network["network"], network["title"], exact(network["load"]),
            tuple(
                Row(
                    m["method"], m["decided"], m["reason"], m["pieces"], exact(m["epsilon"]),
                    exact(m["scale_free_epsilon"]), exact(m["largest_load"]), m["beyond"], m["seconds"],
                )
                for m in network["methods"]
            ),
            network["unstable_for"] or "", network["error"] or "", 2 if network["error"] else 0,
        )
        for network in json.loads(render(MADE, "json"))["networks"]
    )  # fmt: skip
    assert found == MADE


def test_render_csv_gives_the_rows_back() -> None:
    *lines, last = csv.DictReader(io.StringIO(render(MADE, "csv")))
    assert (last["network"], last["error"], last["load"], last["verdict"]) == ("d", MADE[-1].error, "", "")
    assert [line["verdict"] for line in lines] == [*["stable"] * 3, "unstable"]
    found = [
        Row(
            line["method"], line["decided"] == "yes", line["reason"], int(line["pieces"]) if line["pieces"] else None,
            exact(line["epsilon"]), exact(line["scale_free_epsilon"]), exact(line["largest_load"]),
            line["beyond"], float(line["seconds"]),
        )
        for line in lines
    ]  # fmt: skip
    assert found == [row for comparison in MADE for row in comparison.rows]
    assert [(line["network"], Fraction(line["load"])) for line in lines] == [
        *[("a_b", Fraction(2, 3))] * 3,
        ("c", Fraction(3, 2)),
    ]
    assert MADE[0].load is not None
    assert Fraction(lines[0]["factor"]) * MADE[0].load == Fraction(999, 1000)


@pytest.mark.parametrize("format", Format)
def test_render_of_a_real_comparison_names_every_method_and_ends_with_a_newline(format: Format) -> None:
    text = render([compare(case("tandem-nine-tenths"), "tandem", compared()[:3])], format)
    assert text.endswith("\n")
    assert "Traceback" not in text
    for method in compared()[:3]:
        assert method.name.replace("-", "") in text.replace("-", "").replace(r"\allowbreak{}", "")


def test_render_markdown_has_one_row_for_each_method() -> None:
    lines = render(MADE, "markdown").splitlines()
    assert len(lines) == 2 + 5
    assert {line.replace(r"\|", "").count("|") for line in lines} == {len(COLUMNS) + 2}


@pytest.mark.parametrize("format", Format)
def test_render_shows_what_is_unstable_and_what_was_not_compared(format: Format) -> None:
    text = render(MADE, format).replace("\n", " ")
    assert "condition N" in text
    assert "d.toml" in text


def test_render_latex_is_balanced_and_every_row_has_all_cells() -> None:
    text = render(MADE, "latex")
    assert text.isascii()
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    rows = [line for line in text.splitlines() if line.endswith(r" \\") and "multicolumn" not in line]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(COLUMNS) - 1}
    assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_render_latex_compiles(tmp_path: Path) -> None:
    body = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}" + render(MADE, "latex") + "\\end{document}"
    (tmp_path / "t.tex").write_text(body, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-600:]
