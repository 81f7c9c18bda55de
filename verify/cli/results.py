"""``equilibria`` and ``prove``: what ``proofs/`` holds."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from verify.cli.common import add_input, add_output, add_set, command, emit_json, explained, progress, settings
from verify.cli.streams import emit
from verify.errors import InputError

if TYPE_CHECKING:
    from proofs.claims.claim import Claim, Result
    from verify.cli.common import Commands


def add_equilibria(commands: Commands) -> None:
    """``equilibria FILE``."""
    parser = command(
        commands,
        "equilibria",
        _equilibria,
        "user equilibria and social optimum of parallel queues, exactly",
        "All equilibria in closed form or as isolated algebraic numbers, stable or not, and the roots that are none.",
    )
    add_input(parser, "file", "equilibria", "equilibria file, TOML or JSON", metavar="FILE")
    add_set(parser)
    parser.add_argument("--sweep", metavar="NAME=START:STOP:STEP", help="the equilibria at every value of a parameter")
    add_output(
        parser,
        "--plot",
        suffixes=(".svg", ".png", ".pdf"),
        metavar="FILE",
        help="with --sweep: draw equilibria and delays, FILE.svg, .png or .pdf",
    )


def _equilibria(options: argparse.Namespace) -> int:
    from proofs.equilibria.file import read_equilibria_file
    from proofs.equilibria.report import report
    from proofs.equilibria.text import lines

    if options.plot and not options.sweep:
        raise InputError("--plot", "to stand beside --sweep", "no --sweep", "for example --sweep mu1=1/2:2:1/20")
    try:
        model = read_equilibria_file(options.file, settings(options))
    except InputError as error:
        raise explained(error, options.file, "equilibria") from error
    if options.sweep:
        return _sweep(options)
    found = report(model)
    if options.format == "json":
        emit_json(found)
    else:
        emit("\n".join([*lines(found), ""]))
    return 0


def _sweep(options: argparse.Namespace) -> int:
    from proofs.equilibria.plot import plot
    from proofs.equilibria.sweep import sweep_report
    from proofs.equilibria.text import lines
    from verify.network.grid import parse_grid

    grid = parse_grid(options.sweep)
    if options.plot:
        plot(options.file, grid, options.plot, settings(options))
    found = sweep_report(options.file, grid, settings(options))
    if options.format == "json":
        emit_json(found)
        return 0
    for point in found["points"]:
        emit("\n".join([f"{found['parameter']} = {point['value']}", *(f"  {line}" for line in lines(point)), ""]))
    return 0


def add_prove(commands: Commands) -> None:
    """``prove [CLAIM]``."""
    parser = command(
        commands,
        "prove",
        _prove,
        "re-prove the symbolic claims about the sources",
        "Each claim comes out PROVED, REFUTED with a witness, or CHECKED to a stated range; a claim that fails exits 1.",
    )
    parser.add_argument("claim", metavar="CLAIM", nargs="?", help="one claim (default: all of them)")
    parser.add_argument("--list", action="store_true", help="only list the claims")


def _prove(options: argparse.Namespace) -> int:
    from proofs.claims.claim import run_claim
    from proofs.claims.registry import all_claims, find

    claims = all_claims() if options.claim is None else (find(options.claim),)
    as_json = options.format == "json"
    failed, entries = 0, []
    report = progress()
    for claim in claims:
        result = None
        if not options.list:
            report(claim.id)
            result = run_claim(claim)
            failed += not result.holds
        entries.append(_entry(claim, result))
        if not as_json:
            emit(_claim_line(claim, result) + "\n")
    if as_json:
        emit_json({"claims": entries})
    return 1 if failed else 0


def _claim_line(claim: Claim, result: Result | None) -> str:
    if result is None:
        return f"{claim.id}: {claim.expected.value}: {claim.statement} [{claim.hypotheses}] ({claim.source})"
    outcome = str(result.outcome) if result.holds else f"FAILED: {result.obstacle}"
    return f"{claim.id}: {outcome} ({result.seconds:.1f} s)"


def _entry(claim: Claim, result: Result | None) -> dict[str, Any]:
    """A claim and, if it was run, what came out."""
    entry: dict[str, Any] = {
        "claim": claim.id,
        "statement": claim.statement,
        "hypotheses": claim.hypotheses,
        "source": claim.source,
        "expected": claim.expected.value,
    }
    if result is None:
        return entry
    outcome = result.outcome
    return {
        **entry,
        "holds": result.holds,
        "outcome": outcome.verdict.value if outcome else None,
        "detail": outcome.detail if outcome else None,
        "obstacle": result.obstacle or None,
        "seconds": round(result.seconds, 3),
    }
