"""``bounds``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verify.cli.common import add_file, add_output, command, progress, read_network, seconds, settings
from verify.cli.decide import EXIT, deliver
from verify.cli.streams import complain, emit
from verify.errors import InputError

if TYPE_CHECKING:
    from verify.cli.common import Commands
    from verify.files import Output
    from verify.studies.bounds.bounds import Bounds
    from verify.studies.simulation.simulate import Plan


def add_bounds(commands: Commands) -> None:
    """``bounds FILE``."""
    parser = command(
        commands,
        "bounds",
        _bounds,
        "bounds on stationary means, exact, with a certificate",
        "Proves stability as certify does, then the least upper and the largest lower bound on the mean number of jobs that\n"
        "it finds; by Little's law also bounds on the mean time in system.  Beside them: the bound by work, the bound by a\n"
        "linear V, and a simulation of one policy of the class (evidence, no bound).\n"
        "Exit status 0 with a bound, 10 for an unstable network, 20 if nothing was proved; with --over always 0.",
        formats=("table", "csv", "markdown", "json"),
    )
    add_file(parser)
    parser.add_argument(
        "--of",
        metavar="WHAT",
        default="total",
        help="total (default), a buffer, a class, or weights of buffers: a.r.1=1,a.r.2=1/2",
    )
    add_output(
        parser,
        "-o",
        "--output",
        metavar="CERT",
        help="write the certificate (-: standard output, the rest to standard error)",
    )
    parser.add_argument("--time-limit", metavar="SECONDS", type=seconds, help="for the proofs, at each value of --over")
    parser.add_argument(
        "--effort",
        metavar="ENTRIES",
        type=_entries,
        help="of the largest linear program: more gives finer functions and takes longer (default: 8000)",
    )
    parser.add_argument(
        "--tails",
        action="store_true",
        help="look for a proof by condition S or H, for tails and times (without --over)",
    )
    parser.add_argument("--over", metavar="NAME=START:STOP:STEP", help="the bounds at every value of a parameter")
    add_output(
        parser, "--plot", suffixes=(".svg", ".png"), metavar="FILE", help="with --over: draw them, FILE.svg or FILE.png"
    )
    runs = parser.add_argument_group("the simulation beside the bounds")
    runs.add_argument("--no-simulation", action="store_true", help="none")
    runs.add_argument("--seed", type=int, default=1, help="default: 1")
    runs.add_argument("--replications", type=int, default=10, help="at least 2, default: 10")
    runs.add_argument("--jumps", type=int, default=50_000, metavar="N", help="jumps of each run (default: 50000)")
    runs.add_argument("--rule", choices=["first", "last", "random"], default="first", help="how free choices are made")
    runs.add_argument("--confidence", type=float, default=0.95, help="of the interval, default: 0.95")


def _entries(text: str) -> int:
    """A whole number, at least 1 (for argparse)."""
    if (value := int(text)) < 1:
        raise argparse.ArgumentTypeError("expected a whole number >= 1")
    return value


def _bounds(options: argparse.Namespace) -> int:
    if options.over:
        return _over(options)
    from verify.studies.bounds.bounds import bounds
    from verify.studies.bounds.objective import objective
    from verify.studies.bounds.render import render

    if options.plot:
        raise InputError("--plot", "to stand beside --over", "no --over", "for example --over load=1/2:9/10:1/20")
    output: Output | None = options.output
    to_standard = output is not None and output.standard
    if to_standard and options.format != "table":
        cure = "two documents would stand on standard output"
        raise InputError("-o", f"a file beside --format {options.format}", "standard output", cure)
    instance = read_network(options.file, settings(options))
    found = bounds(
        instance,
        objective(instance, options.of),
        _plan(options),
        options.time_limit,
        options.effort,
        options.tails,
        progress(),
    )
    written = None if output is None or found.certificate is None else deliver(output, found.certificate)
    text = render(found, options.format, written, Path(options.file).stem)
    (complain if to_standard else emit)(text)
    return _status(found)


def _status(found: Bounds) -> int:
    """That of certify, and UNDECIDED where the network is stable and nothing is bounded."""
    if found.proof is not None:
        return 0
    return EXIT["unstable"] if found.verdict.value == "unstable" else EXIT["undecided"]


def _plan(options: argparse.Namespace) -> Plan | None:
    """The runs, None for none."""
    from verify.policies.jumps import Rule
    from verify.studies.simulation.simulate import Plan

    if options.no_simulation:
        return None
    return Plan(
        options.seed, options.replications, None, options.jumps, rule=Rule(options.rule), confidence=options.confidence
    )


def _over(options: argparse.Namespace) -> int:
    from verify.network.grid import parse_grid
    from verify.studies.bounds.series import bounds_over, render

    if options.output:
        raise InputError("-o", "to stand without --over", "--over", "--set fixes a value of the parameter")
    grid = parse_grid(options.over, "--over")
    found = bounds_over(
        lambda fixed: read_network(options.file, fixed), grid, settings(options), options.of, _plan(options),
        options.time_limit, options.effort, progress(),
    )  # fmt: skip
    if options.plot:
        from verify.studies.bounds.plot import plot

        plot(found, options.plot)
    emit(render(found, options.format))
    return 0
