"""The verifier refuses what is no equilibrium: one test per condition, and every altered equilibrium."""

from __future__ import annotations

import ast
import random
from fractions import Fraction
from pathlib import Path

import pytest

from proofs.equilibria.downs_thomson import verifier
from proofs.equilibria.downs_thomson.completeness import count_mixed, side_signs
from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import shuttle, taxis
from proofs.equilibria.downs_thomson.verifier import NotReadable, holds, verify

F = Fraction
MODEL = taxis(F(1))
SHARE, REST = "21/20 - sqrt(41)/20", "sqrt(41)/20 - 1/20"
DELAY = "1/2 + sqrt(41)/2"


def failed(shares: list[str], delays: list[str] | None = None, model: Model = MODEL) -> list[str]:
    return [condition.name for condition in verify(model, shares, delays) if not condition.holds]


def test_verifier_accepts_the_equilibrium() -> None:
    assert failed([SHARE, REST], [DELAY, DELAY]) == []


@pytest.mark.parametrize(
    ("shares", "delays", "model", "expected"),
    [
        ([SHARE, "sqrt(41)/20"], None, MODEL, ["the shares sum to 1"]),
        (["3/2", "-1/2"], None, taxis(F(2)), ["no share is negative"]),
        (["1", "0"], None, MODEL, ["used queues have finite delays"]),
        (["1/2", "1/2"], None, MODEL, ["used queues have the same delay"]),
        (["0", "1"], None, MODEL, ["no unused queue is faster"]),
        ([SHARE, REST], [DELAY, "37015621/10000000"], MODEL, ["the delays are as stated"]),
        ([SHARE, REST], [DELAY, "oo"], MODEL, ["the delays are as stated"]),
    ],
)
def test_verifier_each_condition_alone_is_refused(
    shares: list[str], delays: list[str] | None, model: Model, expected: list[str]
) -> None:
    assert failed(shares, delays, model) == expected


def test_verifier_shares_that_are_almost_right_are_refused() -> None:
    almost = "21/20 - sqrt(41)/20 + 1/10**40"
    assert failed([almost, "sqrt(41)/20 - 1/20 - 1/10**40"]) == ["used queues have the same delay"]


@pytest.mark.parametrize("text", ["sqrt(2) + sqrt(3)", "x", "sqrt(-1)"])
def test_verifier_text_outside_one_real_field_is_not_readable(text: str) -> None:
    with pytest.raises(NotReadable):
        verify(MODEL, [text, f"1 - ({text})"])


def test_verifier_imports_nothing_of_the_search() -> None:
    tree = ast.parse(Path(verifier.__file__).read_text(encoding="utf-8"))
    used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert {name for name in used if name.startswith("proofs")} == {
        "proofs.equilibria.downs_thomson.model",
        "proofs.equilibria.downs_thomson.queues",
    }
    names = {alias.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for alias in n.names}
    assert not names & {"Delay", "Number", "solve", "single_server", "batch", "retrial", "many_servers"}


def random_model(source: random.Random) -> Model:
    def number(low: int, high: int) -> Fraction:
        return F(source.randint(low, high), source.randint(1, 6))

    def queue() -> Queue:
        kind = source.choice(list(Kind))
        return Queue(
            kind,
            None if source.random() < 0.05 else number(1, 9),
            source.choice((F(0), number(1, 3) / 4)),
            scv=number(0, 9) if kind in (Kind.MG1, Kind.MGC) else F(1),
            servers=source.randint(2, 3) if kind in (Kind.MMC, Kind.MGC) else 1,
            retrial_rate=number(1, 9) if kind is Kind.RETRIAL else None,
            batch_size=source.randint(1, 7),
        )

    return Model(number(1, 6), (queue(), queue()))


@pytest.mark.parametrize("seed", range(30))
def test_verifier_and_count_agree_with_the_search_on_random_queues(seed: int) -> None:
    model = random_model(random.Random(seed))
    solution = solve(model)
    mixed = [e for e in solution.equilibria if e.kind == "mixed"]
    assert count_mixed(model) == (None if solution.continua else len(mixed))
    for e in solution.equilibria:
        shares = [str(share) for share in e.shares]
        assert holds(verify(model, shares, ["oo" if d is None else str(d) for d in e.delays]))
        left, right = side_signs(model, shares[0])
        if e.stable is not None:
            assert e.stable == (left in (None, -1) and right in (None, 1))
    for i in (0, 1):
        shares = ["1", "0"] if i == 0 else ["0", "1"]
        listed = any(e.shares[i] == 1 for e in solution.equilibria)
        assert listed == holds(verify(model, shares))


def test_count_finds_an_equilibrium_that_a_search_would_miss() -> None:
    assert count_mixed(taxis(F(1, 2), 2)) == 2


def test_count_leaves_out_ties_at_the_corners() -> None:
    assert (count_mixed(taxis(F(11, 21))), count_mixed(taxis(F(12, 11)))) == (0, 0)
    assert count_mixed(taxis(F(11, 21), 2)) == 1


def test_side_signs_of_an_unstable_equilibrium() -> None:
    assert side_signs(taxis(F(1, 2), 2), "4/5 - sqrt(11)/5") == (1, -1)
    assert side_signs(Model(F(1), (Queue(Kind.MG1, F(11, 10)), shuttle())), "1") == (-1, None)
