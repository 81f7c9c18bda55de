"""``equilibria`` and ``prove``: what ``proofs/`` holds."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from verify.cli.common import add_file, add_json, command, progress, settings
from verify.errors import InputError

if TYPE_CHECKING:
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
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--sweep", metavar="NAME=START:STOP:STEP", help="the equilibria at every value of a parameter")
    parser.add_argument(
        "--plot", metavar="FILE", help="with --sweep: draw equilibria and delays, FILE.svg, .png or .pdf"
    )


def _equilibria(options: argparse.Namespace) -> int:
    from proofs.equilibria_file import equilibria_from_file

    if options.plot and not options.sweep:
        raise InputError("--plot", "to stand beside --sweep", "no --sweep", "for example --sweep mu1=1/2:2:1/20")
    if options.sweep:
        return _sweep(options)
    found = equilibria_from_file(options.file, settings(options))
    print(json.dumps(found) if options.json else "\n".join(_lines(found)))
    return 0


def _sweep(options: argparse.Namespace) -> int:
    from proofs.equilibria_plot import plot
    from proofs.equilibria_sweep import parse_grid, sweep_report

    grid = parse_grid(options.sweep)
    if options.plot:
        plot(options.file, grid, options.plot, settings(options))
    found = sweep_report(options.file, grid, settings(options))
    if options.json:
        print(json.dumps(found))
    else:
        for point in found["points"]:
            print(f"{found['parameter']} = {point['value']}")
            print("\n".join(f"  {line}" for line in _lines(point)))
    return 0


def _lines(found: dict[str, Any]) -> list[str]:
    """One line per equilibrium, the social optimum, and one per dropped root."""
    lines = []
    for entry in found["equilibria"]:
        stable = {True: "stable", False: "unstable", None: "degenerate"}[entry["stable"]]
        lines.append(
            f"{stable} {entry['kind']} equilibrium: {_numbers(entry, 'shares')}; delays {_numbers(entry, 'delays')}"
        )
    if not lines:
        lines.append("no equilibrium")
    if found.get("social"):
        best = found["social"]
        value = _number(best["value"], best["value_float"])
        lines.append(f"social optimum: {_numbers(best, 'shares')}; mean transit time {value}")
    lines += [f"dropped: {_numbers(entry, 'shares')}: {entry['reason']}" for entry in found.get("dropped", ())]
    return lines


def _numbers(entry: dict[str, Any], key: str) -> str:
    pairs = zip(entry[key], entry[f"{key}_float"], strict=True)
    return f"{key} " * (key == "shares") + ", ".join(_number(exact, v) for exact, v in pairs)


#: Exact numbers longer than this stand behind their decimals.
_LONG = 40


def _number(exact: str, value: float | None) -> str:
    """An exact number with decimals; whole numbers without."""
    if value is None:
        return f"{exact} (infinite)"
    if exact.lstrip("-").isdigit():
        return exact
    return f"{exact} (about {value:.6g})" if len(exact) <= _LONG else f"about {value:.6g} (exactly {exact})"


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
    add_json(parser)


def _prove(options: argparse.Namespace) -> int:
    from proofs.claims import run_claim
    from proofs.registry import all_claims, find

    claims = all_claims() if options.claim is None else (find(options.claim),)
    failed, report, entries = 0, progress(), []
    for claim in claims:
        entry: dict[str, Any] = {
            "claim": claim.id, "expected": claim.expected.value, "statement": claim.statement,
            "hypotheses": claim.hypotheses, "source": claim.source,
        }  # fmt: skip
        line = f"{claim.id}: {claim.expected.value}: {claim.statement} [{claim.hypotheses}] ({claim.source})"
        if not options.list:
            report(claim.id)
            result = run_claim(claim)
            failed += not result.holds
            outcome = str(result.outcome) if result.holds else f"FAILED: {result.obstacle}"
            line = f"{claim.id}: {outcome} ({result.seconds:.1f} s)"
            entry |= {"holds": result.holds, "outcome": outcome, "seconds": round(result.seconds, 3)}
        entries.append(entry)
        if not options.json:
            print(line, flush=True)
    if options.json:
        print(json.dumps({"claims": entries}))
    return 1 if failed else 0
