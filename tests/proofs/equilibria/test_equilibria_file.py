"""Equilibria files: the tables of docs/equilibria.md, refusals with field, expected and found, sweeps and plots."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
import sympy

from proofs.equilibria.file import read_equilibria_text
from proofs.equilibria.plot import branches, plot, steps
from proofs.equilibria.report import equilibria_from_file, report
from proofs.equilibria.sweep import sweep, sweep_report
from verify.errors import InputError
from verify.network.grid import parse_grid

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "equilibria"
TAXI = EXAMPLES / "taxi-and-shuttle.toml"
GOOD = """
arrival_rate = "1"
[parameters]
mu1 = "1"
[[queues]]
type = "M/M/1"
service_rate = "mu1"
[[queues]]
type = "batch"
batch_size = 3
service_rate = "1"
dedicated_rate = "1/10"
"""


def test_file_report_has_the_fields_of_the_format() -> None:
    table = equilibria_from_file(TAXI)
    (only,) = table["equilibria"]
    assert only["shares"] == ["21/20 - sqrt(41)/20", "-1/20 + sqrt(41)/20"]
    assert only["shares_float"] == [0.7298437881283576, 0.27015621187164246]
    assert only["delays"] == ["1/2 + sqrt(41)/2"] * 2
    assert (only["kind"], only["stable"]) == ("mixed", True)
    assert table["social"]["value_float"] == 1.9073233606122724
    assert [root["reason"] for root in table["dropped"]] == ["the share of queue 1 is above 1"]
    assert json.loads(json.dumps(table)) == table


def test_file_texts_are_read_by_sympy_and_sum_to_one() -> None:
    table = equilibria_from_file(TAXI, {"mu1": "1/3"})
    for shares in [e["shares"] for e in table["equilibria"]] + [table["social"]["shares"]]:
        assert sympy.simplify(sum(map(sympy.sympify, shares))) == 1
    quartic = equilibria_from_file(TAXI)["social"]["shares"]
    assert abs(float(sympy.sympify(quartic[0])) - 0.0418725732468628) < 1e-15


def test_file_infinite_delay_is_oo_and_null() -> None:
    text = GOOD.replace('"mu1"', '"1/2"').replace('type = "M/M/1"', 'type = "M/M/1"\ndedicated_rate = "1/2"')
    (only,) = report(read_equilibria_text(text))["equilibria"]
    assert (only["shares"], only["kind"]) == (["0", "1"], "corner")
    assert (only["delays"][0], only["delays_float"][0]) == ("oo", None)


def test_file_settings_replace_parameters() -> None:
    (only,) = equilibria_from_file(TAXI, {"mu1": "21/20"})["equilibria"]
    assert (only["shares"][0], only["delays"][0]) == ("17/20", "5")


def test_file_service_rate_inf_is_no_service_time() -> None:
    table = report(read_equilibria_text(GOOD.replace('service_rate = "1"', 'service_rate = "inf"')))
    assert [(e["shares"], e["delays"]) for e in table["equilibria"]] == [(["0", "1"], ["1", "10/11"])]


def test_file_approximation_is_named() -> None:
    text = GOOD.replace('type = "M/M/1"', 'type = "M/G/c"\nservers = 2\nscv = "1/2"')
    assert "Lee-Longton approximation" in report(read_equilibria_text(text))["queues"][0]["approximation"]
    exact = GOOD.replace('type = "M/M/1"', 'type = "M/G/c"\nservers = 1\nscv = "1/2"')
    assert report(read_equilibria_text(exact))["queues"][0]["approximation"] is None


def test_file_continuum_is_listed_with_degenerate_ends() -> None:
    text = GOOD.replace('"mu1"', '"11/10"').replace('service_rate = "1"', 'service_rate = "inf"')
    table = report(read_equilibria_text(text))
    assert [e["stable"] for e in table["equilibria"]] == [None, None]
    assert [(c["from"], c["to"]) for c in table["continua"]] == [(["0", "1"], ["1", "0"])]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('arrival_rate = "1"', "", "arrival_rate: expected the rate of the customers who choose, a number > 0, got nothing"),
        ('arrival_rate = "1"', 'arrival_rate = "0"', "arrival_rate: expected a number > 0, got 0"),
        ('arrival_rate = "1"', "arrival_rate = 0.5",
         'arrival_rate: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
        ('type = "M/M/1"', 'type = "MM1"', "queues[0].type: expected one of the types M/M/1, M/G/1, M/M/c, M/G/c, "
         "M/M/1-retrial, batch, got 'MM1' (did you mean 'M/M/1'?)"),
        ('type = "M/M/1"', 'type = "M/M/1"\nscv = 1', "queues[0].scv: expected no key scv for the type M/M/1, got one"),
        ('type = "M/M/1"', 'type = "M/G/1"', "queues[0].scv: expected the squared coefficient of variation of the service "
         "time, >= 0, got nothing"),
        ('type = "M/M/1"', 'type = "M/M/c"', "queues[0].servers: expected how many servers, an integer, got nothing"),
        ('type = "M/M/1"', 'type = "M/M/c"\nservers = "3/2"',
         "queues[0].servers: expected how many servers, an integer from 1 to 30, got '3/2'"),
        ('type = "M/M/1"', 'type = "M/M/1-retrial"', "queues[0].retrial_rate: expected the retrial rate nu > 0 of each "
         "customer in orbit, got nothing"),
        ("batch_size = 3", "", "queues[1].batch_size: expected the batch size, an integer, got nothing"),
        ('service_rate = "mu1"', 'service_rate = "mu2"',
         "queues[0].service_rate: expected one of the parameters mu1, got 'mu2' (did you mean 'mu1'?)"),
        ('service_rate = "mu1"', "", 'queues[0].service_rate: expected a number > 0, or "inf", got nothing'),
        ("batch_size = 3", "batchsize = 3", "queues[1].batchsize: expected one of the keys type, service_rate, "
         "dedicated_rate, scv, servers, approximation, retrial_rate, batch_size, got 'batchsize' (did you mean "
         "'batch_size'?)"),
        ('dedicated_rate = "1/10"', 'dedicated_rate = "-1/10"',
         "queues[1].dedicated_rate: expected a number >= 0, got -1/10"),
    ],
)  # fmt: skip
def test_file_mistake_is_refused_with_field_expected_and_found(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_equilibria_text(GOOD.replace(old, new, 1))
    assert str(refusal.value) == message


def test_file_one_queue_is_refused() -> None:
    with pytest.raises(InputError, match="queues: expected from 2 to 12 queues, got 1"):
        read_equilibria_text(GOOD[: GOOD.index('[[queues]]\ntype = "batch"')])


def test_file_unsolvable_queues_are_refused_as_input() -> None:
    servers = [f'{{ type = "M/M/c", servers = {c}, service_rate = "1" }}' for c in (2, 3, 4)]
    text = f'arrival_rate = "7"\nqueues = [{", ".join(servers)}]'
    with pytest.raises(InputError, match="queues: expected queues whose equilibria can be solved exactly"):
        report(read_equilibria_text(text))


def test_file_missing_is_refused() -> None:
    with pytest.raises(InputError, match="expected a readable file"):
        equilibria_from_file("no-such-file.toml")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda p: p.stem)
def test_file_examples_are_solved(path: Path) -> None:
    assert equilibria_from_file(path)["equilibria"]


class TestSweep:
    """Grids of one parameter."""

    def test_sweep_of_an_unknown_parameter_is_a_fault_of_sweep(self) -> None:
        for run in (sweep, sweep_report):
            with pytest.raises(InputError, match="--sweep: expected one of the parameters mu1"):
                run(TAXI, parse_grid("mu=1/2:1:1/10"))

    def test_sweep_finds_the_ends_of_the_paradox(self) -> None:
        points = sweep(TAXI, parse_grid("mu1=1/2:6/5:1/100"))
        assert len(points) == 71
        assert steps(points) == [Fraction(53, 100), Fraction(11, 10)]

    def test_sweep_delay_rises_with_capacity_on_the_mixed_branch(self) -> None:
        points = sweep(TAXI, parse_grid("mu1=53/100:109/100:4/100"))
        delays = [point.equilibria[0].delay for point in points]
        assert all(earlier < later for earlier, later in pairwise(delays))

    def test_sweep_branches_join_equilibria_of_one_kind(self) -> None:
        points = sweep(TAXI, parse_grid("mu1=1/2:6/5:1/10"))
        assert [(b.kind, len(b.values)) for b in branches(points)] == [("corner", 1), ("mixed", 5), ("corner", 2)]

    def test_sweep_report_has_a_table_per_value(self) -> None:
        table = sweep_report(TAXI, parse_grid("mu1=1:21/20:1/20"))
        assert [point["value"] for point in table["points"]] == ["1", "21/20"]
        assert table["points"][1]["equilibria"][0]["shares"][0] == "17/20"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("mu1", "--sweep: expected NAME=START:STOP:STEP, got 'mu1'"),
            ("mu1=1:2:0", "--sweep STEP: expected a number > 0, got 0"),
            ("mu1=2:1:1", "--sweep STOP: expected a number >= START = 2, got 1"),
            ("mu1=0:1:1/100000", "--sweep: expected at most 10000 values, got 100001"),
        ],
    )
    def test_sweep_grid_mistake_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(InputError) as refusal:
            parse_grid(text)
        assert str(refusal.value) == message

    def test_sweep_unknown_parameter_is_refused(self) -> None:
        with pytest.raises(InputError, match="expected one of the parameters mu1, got 'mu'"):
            sweep(TAXI, parse_grid("mu=1:2:1"))

    def test_sweep_parameter_that_is_set_is_refused(self) -> None:
        with pytest.raises(InputError, match="--sweep: expected a parameter that --set leaves alone"):
            sweep(TAXI, parse_grid("mu1=1:2:1"), {"mu1": "1"})

    def test_plot_writes_the_file_it_was_told(self, tmp_path: Path) -> None:
        target = tmp_path / "plot.png"
        points = plot(TAXI, parse_grid("mu1=1/2:6/5:1/20"), target)
        assert len(points) == 15
        assert target.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
