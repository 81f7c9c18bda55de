"""The regimes as a LaTeX document: structure always, pages where pdflatex is installed."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from verify.network_file.read import read_text
from verify.studies.regimes.regimes import regime_report
from verify.studies.regimes.render import render
from verify.studies.regimes.report import RegimeReport

from .cases import report

LONG = """
title = "100 % of {a_b} & #1 ~ ^ \\\\ $x$, ünïcode, 日本 \\" < > |"
[servers]
a_very_long_name_of_a_server-with-parts = {}
b = { rate = "3" }
[[classes]]
name = "a_class_with_a_name_that_nobody_would_type"
arrival_rate = "1"
[classes.routes]
route_with_a_long_name = [{ server = "a_very_long_name_of_a_server-with-parts", mean = "271828/1000000" }, "b"]
abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz = ["b"]
[policy]
routing = "jsr"
sequencing = "non-idling"
"""


def balanced(text: str) -> bool:
    """Do braces and environments close, and do all rows of the table have as many cells?"""
    bare = re.sub(r"\\[{}]", "", text)
    opened = re.findall(r"\\begin\{(\w+)\}", text)
    closed = re.findall(r"\\end\{(\w+)\}", text)
    rows = [line for line in text.splitlines() if line.endswith(r" \\") and "multicolumn" not in line]
    cells = {len(re.findall(r"(?<!\\)&", row)) for row in rows}
    return bare.count("{") == bare.count("}") and sorted(opened) == sorted(closed) and len(cells) == 1


@pytest.mark.parametrize("name", ["paper-1-jsr", "jsr-two-servers", "jsq-trap-max", "priority-two-pieces"])
def test_latex_is_balanced_and_has_a_row_for_every_regime(name: str) -> None:
    text = render(report(name), "latex")
    assert text.isascii()
    assert balanced(text)
    rows = [line for line in text.splitlines() if re.match(r"\d+ & ", line)]
    assert len(rows) == len(report(name).regimes)


def test_latex_formula_of_the_regime_with_the_largest_drift() -> None:
    (row,) = [line for line in render(report("paper-1-jsr"), "latex").splitlines() if line.startswith("26 & ")]
    assert r"\(\gamma^{2}\beta^{2}(\lambda_{\mathrm{c2}} - \mu_{2} - \mu_{3})\)" in row
    assert r"\(-81/1024\)" in row


def compiled(found: RegimeReport, folder: Path) -> str:
    """The log of the second run of pdflatex."""
    (folder / "regimes.tex").write_text(render(found, "latex"), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "regimes.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return (folder / "regimes.log").read_text(errors="replace")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["paper-1-jsr", "jsq-trap-max", "priority-two-pieces", "long names"])
def test_latex_compiles_and_fits_the_page(name: str, tmp_path: Path) -> None:
    found = regime_report(read_text(LONG, format="toml")) if name == "long names" else report(name)
    log = compiled(found, tmp_path)
    assert "Overfull" not in log
    assert "Table widths have changed" not in log


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_without_regimes_of_a_group_still_compiles(tmp_path: Path) -> None:
    found = report("jsr-two-servers")
    compiled(dataclasses.replace(found, regimes=found.regimes[:1]), tmp_path)
