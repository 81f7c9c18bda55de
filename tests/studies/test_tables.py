"""Tables for terminals, CSV, Markdown rows and LaTeX words, whatever stands in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest

from verify.studies.tables import Column, Format, Grid, csv_text, escaped, markdown_row, page, rendered

NAMES = Column("name", folds=True)
NUMBERS = Column("n", number=True)


def test_page_has_no_spaces_at_the_ends_of_lines_and_fits_its_width() -> None:
    long = "abcdefghij" * 6
    text = page([long, "", Grid([NAMES, NUMBERS], [(long, ""), ("b", "22")])], 30)
    assert text.endswith("\n")
    assert all(line == line.rstrip() and len(line) <= 30 for line in text.splitlines())
    assert "".join(text.split()).count("abcdefghij") == 12


def test_page_takes_words_as_they_are() -> None:
    assert page(["[bold]x[/bold] :smile:", Grid([NAMES], [("[red]y",)])], 40).split() == [
        "[bold]x[/bold]", ":smile:", "name", "─" * 8, "[red]y"
    ]  # fmt: skip


def test_numbers_stand_to_the_right_and_the_total_apart() -> None:
    rows = [("a", "1"), ("b", "222"), ("total", "223")]
    apart = page([Grid([NAMES, NUMBERS], rows, total=True)], 40).splitlines()
    assert [line.split() for line in apart if line and "─" not in line] == [["name", "n"], *map(list, rows)]
    assert len(apart[2]) == len(apart[3]) == len(apart[5])
    together = page([Grid([NAMES, NUMBERS], rows)], 40).splitlines()
    assert len(apart) == len(together) + 1
    assert apart[4].strip() in ("", "─" * len(apart[1].strip()))


def test_wide_grid_is_as_wide_as_the_page() -> None:
    grid = Grid([Column("a", folds=True, share=1), Column("b", folds=True, share=3)], [("x", "y")], wide=True)
    assert len(page([grid], 60).splitlines()[1]) == 60


def test_csv_text_is_read_back_as_it_was() -> None:
    rows = [["a,b", 'quoted "word"', "two\nlines", ""], ["é", "1/2", "", "x"]]
    assert list(csv.reader(io.StringIO(csv_text(["p", "q", "r", "s"], rows)))) == [["p", "q", "r", "s"], *rows]


def test_markdown_row_keeps_bars_inside_cells() -> None:
    assert markdown_row(["a|b", "c"]) == r"| a\|b | c |"


def test_escaped_words_have_no_active_characters() -> None:
    assert escaped("a&b#c") == r"a\&b\#c"
    assert escaped("日é") == "?é"


def test_rendered_refuses_formats_that_a_study_does_not_offer() -> None:
    ways: dict[Format, Callable[[str], str]] = {Format.CSV: str, Format.JSON: repr}
    assert rendered("x", "json", ways) == "'x'"
    with pytest.raises(ValueError, match="'table' is not one of the formats csv, json"):
        rendered("x", Format.TABLE, ways)
    with pytest.raises(ValueError, match="html"):
        rendered("x", "html", ways)
