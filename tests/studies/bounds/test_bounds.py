"""Bounds with their certificates, and what stands beside them, in every format."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from catalogue.networks import case, read, single_text

from studies.bounds.networks import SERIES, TWO_CLASSES, series
from verify.checker import check_bytes
from verify.errors import InputError
from verify.files import Output
from verify.network.grid import parse_grid
from verify.policies.instance import Instance
from verify.studies.bounds.bounds import Bounds, bounds
from verify.studies.bounds.decimals import down, up
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise
from verify.studies.bounds.plot import plot
from verify.studies.bounds.render import as_json, render, rows
from verify.studies.bounds.series import Series, bounds_over
from verify.studies.bounds.series import render as render_series
from verify.studies.simulation.simulate import Plan

SHORT = Plan(seed=2, jumps=3000, replications=4)


def found(instance: Instance, of: str = "total", plan: Plan | None = None) -> Bounds:
    return bounds(instance, objective(instance, of), plan, effort=500)


@pytest.fixture(scope="module")
def two_classes() -> Bounds:
    return found(read(TWO_CLASSES), "a.r.1=1/2,b.r.1=1", SHORT)


# ---- what is proved ------------------------------------------------------------------------------------------------
def test_bounds_of_networks_with_product_form_are_exact() -> None:
    one = found(series())
    assert (one.lower, one.upper, one.reason) == (Fraction(3, 2), Fraction(3, 2), "")
    assert one.certificate is not None and check_bytes(one.certificate).accepted


def test_bounds_of_the_work_at_one_server_meet(two_classes: Bounds) -> None:
    """Every non-idling policy has the same work: 3/4 (see the tests of the bound by work)."""
    assert (two_classes.lower, two_classes.upper) == (Fraction(3, 4), Fraction(3, 4))
    assert two_classes.certificate is not None and check_bytes(two_classes.certificate).accepted
    simulated = two_classes.simulated
    assert simulated is not None and simulated.low <= Fraction(3, 4) <= simulated.high


@pytest.mark.parametrize("name", ["global-lk1221-0", "global-rs-0", "paper-2-jsq-as", "jsr-two-servers"])
def test_bounds_enclose_what_is_simulated_and_are_no_weaker_than_the_bound_by_work(name: str) -> None:
    one = found(case(name), plan=Plan(seed=1, jumps=20_000, confidence=0.999))
    simulated = one.simulated
    assert one.lower is not None and one.upper is not None and simulated is not None
    assert one.lower <= simulated.high and simulated.low <= one.upper
    assert isinstance(one.pathwise, Pathwise) and one.pathwise.value <= one.lower


def test_bounds_of_an_unstable_network_say_for_whom() -> None:
    over = found(series("1"))
    assert (over.lower, over.upper, over.certificate) == (None, None, None)
    assert over.reason == "the network is unstable under every policy of this routing: there is no stationary mean"
    assert (
        over.simulation == "not asked for" and found(series("1"), plan=SHORT).simulation == "not of an unstable network"
    )
    assert (
        found(case("global-lk1221-5")).reason == "one policy of the class diverges, so no bound holds for all of them"
    )


def test_bounds_without_a_proof_of_stability_name_the_obstacle() -> None:
    one = bounds(case("global-rs-3"), objective(case("global-rs-3")), None, seconds=1)
    assert one.reason.startswith("stability is not proved: ") and one.certificate is None
    assert "policies with a stationary law of finite mean" in render(one)


def test_tails_are_those_of_a_proof_by_s_or_h_if_it_is_looked_for() -> None:
    """M/M/1 is proved stable by condition Q; by S with V = x the tail is the true one, ratio 1/2."""
    instance = read(single_text("1/2"))
    assert found(instance).tails == ()
    one = bounds(instance, objective(instance), None, with_tails=True)
    assert one.tails[0] == "by condition S, V = 1 a.r.1, under every Markov policy of the class:"
    assert "(1/2 (0.5))^(m+1)" in one.tails[1]
    assert "\n\n" + one.tails[0] in render(one) and as_json(one)["tails"] == list(one.tails)
    assert bounds(series("1"), objective(series("1")), None, with_tails=True).tails == ()
    none = bounds(case("lu-kumar-fbfs"), objective(case("lu-kumar-fbfs")), None, with_tails=True, effort=0)
    assert none.tails == ("tails and times: none: no proof by condition S or H was found that says any",)


# ---- what is printed -----------------------------------------------------------------------------------------------
def test_table_has_a_row_for_each_number_and_says_what_was_simulated(two_classes: Bounds) -> None:
    text = render(two_classes)
    assert "claim: BOUND: " in text
    lines = [line.split() for line in text.splitlines()]
    assert ["proved,", "at", "least", "3/4", "0.75"] in [line[:5] for line in lines]
    assert ["proved,", "at", "most", "3/4", "0.75"] in [line[:5] for line in lines]
    assert "free choices: the first listed" in text
    assert "certificate: not written (-o CERT writes it) (the independent checker: ACCEPTED)" in text
    assert "certificate: c.json (the independent checker: ACCEPTED)" in render(two_classes, written="c.json")
    assert "mean time" not in text  # weights have no rate


def test_table_has_the_mean_time_by_littles_law() -> None:
    one = found(series("1/4"))
    assert one.upper == Fraction(1, 3) + Fraction(1, 5)
    line = next(line for line in render(one).splitlines() if "product form)" in line and "exactly" in line)
    assert line.split()[-3:] == ["8/15", "0.533333", "1.06666"]


def test_decimals_of_a_table_are_bounds(two_classes: Bounds) -> None:
    third = dataclasses.replace(two_classes, pathwise=Pathwise(Fraction(2, 3), ("A",)))
    assert (
        [row.decimal for row in rows(third) if row.name.startswith("by work")]
        == [down(Fraction(2, 3))]
        != [up(Fraction(2, 3))]
    )


def test_formats_have_the_same_numbers(two_classes: Bounds) -> None:
    document = json.loads(render(two_classes, "json"))
    assert document == json.loads(json.dumps(as_json(two_classes)))
    table = list(csv.DictReader(io.StringIO(render(two_classes, "csv", name="two"))))
    exact = {row["quantity"]: row["exact"] for row in table}
    assert exact["proved, at least"] == document["lower"] == "3/4"
    assert exact["by work, at least"] == document["pathwise"]["value"]
    assert (
        float(next(row["decimal"] for row in table if row["quantity"] == "simulated low"))
        == document["simulation"]["low"]
    )
    markdown = render(two_classes, "markdown").splitlines()
    assert len({line.count("|") for line in markdown}) == 1
    assert any(line.startswith("| proved, at most | 3/4 |") for line in markdown)


def test_json_without_anything_proved_has_reasons() -> None:
    document: dict[str, Any] = as_json(found(series("1")))
    assert (document["lower"], document["claim"], document["verdict"]) == (None, None, "unstable")
    assert document["pathwise"] == {"value": None, "servers": None, "reason": "some server is at its capacity"}
    assert document["moment"]["reason"] == "it needs a proof of stability"
    assert document["simulation"] is None and document["mean_time"] == {
        "what": "mean time in system", "lower": None, "upper": None
    }  # fmt: skip


# ---- along a parameter ---------------------------------------------------------------------------------------------
def along(text: str, plan: Plan | None = None, settings: dict[str, str] | None = None) -> Series:
    def at(fixed: Any) -> Instance:
        from verify.network_file.read import read_text

        return read_text(SERIES, format="toml", settings=fixed)

    return bounds_over(at, parse_grid(text, "--over"), settings or {}, plan=plan, effort=500)


def test_series_has_the_closed_form_at_every_value_and_stops_at_capacity() -> None:
    series_ = along("load=1/4:1:1/4", SHORT)
    loads = [(value, value * Fraction(2, 3)) for value in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))]
    exact = [first / (1 - first) + second / (1 - second) for first, second in loads]
    assert [one.upper for _, one in series_.points] == [*exact, None]
    table = list(csv.DictReader(io.StringIO(render_series(series_, "csv"))))
    assert [row["load"] for row in table] == ["1/4", "1/2", "3/4", "1"]
    assert [row["verdict"] for row in table] == ["stable"] * 3 + ["unstable"]
    text = render_series(series_)
    assert "load = 1: no bound: the network is unstable" in text and ["1", "unstable"] in [
        line.split() for line in text.splitlines()
    ]
    markdown = [line.count("|") for line in render_series(series_, "markdown").splitlines()]
    assert len(markdown) == 6 and len(set(markdown)) == 1
    document = json.loads(render_series(series_, "json"))
    assert document["parameter"] == "load" and [point["upper"] for point in document["points"]][:2] == ["8/15", "3/2"]


def test_series_refuses_a_parameter_that_is_none_or_is_set() -> None:
    with pytest.raises(InputError, match="--over: expected one of the parameters load, got 'lod'"):
        along("lod=1/4:1/2:1/4")
    with pytest.raises(InputError, match="--over: expected a parameter that --set leaves alone, got 'load'"):
        along("load=1/4:1/2:1/4", settings={"load": "1/3"})


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_plot_is_written_and_has_what_the_series_has(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"bounds{suffix}"
    plot(along("load=1/4:1/2:1/4", SHORT), Output("--plot", str(target), suffixes=(".svg", ".png")))
    data = target.read_bytes()
    assert data.startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")


def test_draw_joins_the_numbers_and_leaves_out_what_is_not_there() -> None:
    from matplotlib.figure import Figure

    from verify.studies.bounds.plot import draw

    figure = Figure()
    axes = figure.subplots()
    draw(axes, along("load=1/4:1:1/4"))
    curves = {line.get_label(): list(map(float, line.get_ydata())) for line in axes.get_lines()}  # type: ignore[arg-type]
    assert curves["proved bounds"][:2] == [pytest.approx(8 / 15), pytest.approx(3 / 2)]
    assert curves["proved bounds"][3] != curves["proved bounds"][3]  # no number at capacity
    assert "simulated" not in axes.get_legend_handles_labels()[1]
    assert axes.get_xlabel() == "load" and axes.get_ylabel() == "mean of the number of jobs"


def test_single_queue_has_one_number_in_three_ways() -> None:
    one = found(read(single_text("1/2")))
    assert isinstance(one.pathwise, Pathwise)
    assert one.lower == one.upper == one.pathwise.value == 1
