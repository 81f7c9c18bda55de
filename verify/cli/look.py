"""``regimes``, ``expand``, ``simulate`` and ``compare``: ways of looking at a network."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from verify.cli.common import (
    add_file,
    add_input,
    add_output,
    add_set,
    command,
    emit_json,
    progress,
    read_network,
    seconds,
    settings,
)
from verify.cli.streams import complain, emit
from verify.errors import InputError

if TYPE_CHECKING:
    from verify.cli.common import Commands


# regimes -------------------------------------------------------------------------------------------


def add_regimes(commands: Commands) -> None:
    parser = command(
        commands,
        "regimes",
        _regimes,
        "the regimes of the test function with their mean drifts",
        "Dominant classes, routes and bottlenecks, symbolic drift, its value in the worst cell, and the bound of condition F.\n"
        "V is the test function of the file, else U under dominant, else the first explicit template; where condition F fails\n"
        "for it and certify proves stability by another V, that one is shown too (tables and JSON).",
        formats=("table", "csv", "latex", "json"),
    )
    add_file(parser)
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds, default=20.0, help="for finding that other V (default: 20)"
    )


def _regimes(options: argparse.Namespace) -> int:
    from verify.studies.regimes.regimes import reports
    from verify.studies.regimes.render import render, reports_json, reports_text

    instance = read_network(options.file, settings(options))
    found = reports(instance, options.time_limit, certified=options.format in ("table", "json"))
    if options.format == "json":
        emit(json.dumps(reports_json(found), indent=2, ensure_ascii=False) + "\n")
    else:
        emit(reports_text(found) if options.format == "table" else render(found.report, options.format))
    return 0


# expand --------------------------------------------------------------------------------------------


def add_expand(commands: Commands) -> None:
    parser = command(
        commands,
        "expand",
        _expand,
        "the route expansion: subservers, duplicates, imaginary transitions",
        "In words, and with --plot as a drawing beside the original network.",
    )
    add_file(parser)
    add_output(
        parser, "--plot", suffixes=(".svg", ".png"), metavar="FILE", help="write a drawing, FILE.svg or FILE.png"
    )


def _expand(options: argparse.Namespace) -> int:
    from verify.studies.expansion.text import expansion_json, expansion_lines

    instance = read_network(options.file, settings(options))
    if options.plot:
        from verify.studies.expansion.plot import draw_expansion

        draw_expansion(instance, options.plot)
    if options.format == "json":
        emit_json(expansion_json(instance))
    else:
        emit("\n".join([*expansion_lines(instance), ""]))
    return 0


# simulate --------------------------------------------------------------------------------------------


def add_simulate(commands: Commands) -> None:
    parser = command(
        commands,
        "simulate",
        _simulate,
        "simulate the chain: evidence, never a verdict",
        "Independent replications from one seed, with confidence intervals and growth rates.  Free choices of the policy\n"
        "follow --rule, so that every run is one policy of the class.",
        formats=("table", "json"),
    )
    add_file(parser)
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--replications", type=int, default=10, help="at least 2, default: 10")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--horizon", type=seconds, metavar="TIME", help="end of each run in the network's unit of time")
    length.add_argument("--jumps", type=int, metavar="N", help="jumps of each run (default: 20000)")
    parser.add_argument(
        "--warm-up", type=float, default=0.2, metavar="PART", help="part of a run left out of the means"
    )
    parser.add_argument(
        "--start", metavar="BUFFER=JOBS", action="append", default=[], help="jobs at time 0 (default: none)"
    )
    parser.add_argument(
        "--rule", choices=["first", "last", "random"], default="first", help="how free choices are made"
    )
    parser.add_argument("--confidence", type=float, default=0.95, help="of all intervals, default: 0.95")


def _simulate(options: argparse.Namespace) -> int:
    from verify.policies.jumps import Rule
    from verify.studies.simulation.render import render
    from verify.studies.simulation.simulate import Plan, chain_to_run, replicate

    jumps = 20000 if options.jumps is None and options.horizon is None else options.jumps
    plan = Plan(
        options.seed, options.replications, options.horizon, jumps, options.warm_up, _start(options.start),
        Rule(options.rule), options.confidence,
    )  # fmt: skip
    chain = chain_to_run(read_network(options.file, settings(options)))
    emit(render(replicate(chain, plan, progress()), options.format))
    return 0


def _start(texts: list[str]) -> dict[str, int]:
    found = {}
    for text in texts:
        name, equals, jobs = text.partition("=")
        if not equals or not (jobs.isascii() and jobs.isdigit()):
            raise InputError("--start", "BUFFER=JOBS", repr(text), "for example --start a.r1.1=100")
        found[name] = int(jobs)
    return found


# compare -------------------------------------------------------------------------------------------------


def add_compare(commands: Commands) -> None:
    parser = command(
        commands,
        "compare",
        _compare,
        "all methods side by side: pieces, scale-free epsilon, largest certified load, seconds",
        "For one network file, or for all of a folder.  Loads are bisected exactly, in thousandths of the capacity, with an\n"
        "accepted certificate at every step.  Where no method decides, instability is tried (condition U).  A file of a folder\n"
        "that cannot be used is listed with its error; the exit status is then 2 (1: an internal error).",
        formats=("table", "csv", "latex", "json", "markdown"),
    )
    add_input(parser, "file", "network or folder", "network file, or a folder of them", metavar="FILE|FOLDER")
    add_set(parser)
    parser.add_argument("--time-limit", metavar="SECONDS", type=seconds, help="for each single proof")


def _compare(options: argparse.Namespace) -> int:
    from verify.studies.comparison.compare import compare_path
    from verify.studies.comparison.render import render

    found = compare_path(
        options.file, settings(options), seconds=options.time_limit, report=progress(), read=read_network
    )
    emit(render(found, options.format))
    for one in found:
        if one.error:
            complain(f"queueproof: {one.error}\n")
    return min((one.status for one in found if one.status), default=0)
