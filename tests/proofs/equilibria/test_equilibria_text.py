"""What people read of equilibria: every exact number with decimals, none as a bare ``CRootOf``."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy

from proofs.equilibria.file import read_equilibria_text
from proofs.equilibria.report import equilibria_from_file, report
from proofs.equilibria.text import lines
from verify.cli import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "equilibria"
TAXI = EXAMPLES / "taxi-and-shuttle.toml"
LEVEL = """
arrival_rate = "1"
[[queues]]
type = "M/M/1"
service_rate = "11/10"
[[queues]]
type = "batch"
batch_size = 3
service_rate = "inf"
dedicated_rate = "1/10"
"""


def test_text_of_roots_of_high_degree_has_decimals_and_their_own_polynomial() -> None:
    (best,) = (line for line in lines(equilibria_from_file(TAXI)) if line.startswith("social optimum"))
    assert best == (
        "social optimum: shares about 0.0418726 (real root 1 of 100*x**4 - 420*x**3 + 571*x**2 - 262*x + 10), about 0.958127 "
        "(real root 4 of 100*x**4 + 20*x**3 - 89*x**2 - 20*x - 1); mean transit time about 1.90732 (real root 4 of "
        "100*x**4 + 2220*x**3 + 7981*x**2 - 8178*x - 30163)"
    )


def test_roots_in_json_are_the_numbers_that_the_exact_texts_denote() -> None:
    best = equilibria_from_file(TAXI)["social"]
    texts = [*best["shares"], best["value"]]
    x = sympy.Symbol("x")
    for text, root in zip(texts, [*best["shares_root"], best["value_root"]], strict=True):
        polynomial = sympy.Poly(sympy.sympify(root["polynomial"]), x)
        assert sympy.minimal_polynomial(sympy.sympify(text), x) == polynomial.as_expr()
        named = sympy.CRootOf(polynomial, root["index"])
        assert sympy.N(sympy.sympify(text) - named, 40, chop=True) == 0


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_text_shows_decimals_beside_everything_that_is_no_integer(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["equilibria", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "CRootOf" not in printed
    assert "{" not in printed
    for line in printed.splitlines():
        numbers = line.partition("shares ")[2].partition(":")[0].replace("; delays ", ", ").split(", ")
        shown = [number for number in numbers if number and not number.partition("; ")[0].lstrip("-").isdigit()]
        assert [number for number in shown if "about" not in number] == []


def test_text_of_an_infinite_delay_a_continuum_and_no_optimum() -> None:
    table = report(read_equilibria_text(LEVEL))
    (continuum,) = (line for line in lines(table) if line.startswith("equilibria without end"))
    assert continuum.startswith("equilibria without end: every division from 0, 1 to 1, 0: ")
    slow = 'arrival_rate = "1"\n' + '[[queues]]\ntype = "M/M/1"\nservice_rate = "1/4"\n' * 2
    assert list(lines(report(read_equilibria_text(slow))))[:2] == [
        "no equilibrium",
        "social optimum: none shown: every division of the customers overloads a queue that is used",
    ]
