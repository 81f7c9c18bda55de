"""Certified growth rates beside simulated ones, for ten networks that are unstable below capacity (docs/growth.md).

For each network condition U of `certify` gives V and ε: while V > v_0 the mean drift of V is at least ε, whatever the policies
of the class (or the witness) do; the independent checker accepts the certificate.  The same V is then measured on simulated paths
that start high above v_0, in a cell of which the certificate speaks.  The certified rate is a lower bound, exact and proved; the
simulated one is an estimate with a confidence interval, evidence.

usage: python examples/growth_table.py            prints the table in Markdown, one or two minutes
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verify.certificate import certificate
from verify.conditions.evidence.cellwise import reachable
from verify.conditions.growth import Growth, GrowthProof
from verify.decide import Request, decide
from verify.errors import InternalError
from verify.methods.registry import method
from verify.network_file.read import read_file, read_text
from verify.policies.instance import Instance
from verify.policies.jumps import Rule
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.simulate import Plan, replicate

EXAMPLES = Path(__file__).resolve().parent
#: Jobs at the start, in the entry buffer with the largest weight.
START = 1000
PLAN = Plan(seed=12, replications=20, horizon=20_000, confidence=0.99, rule=Rule.RANDOM)
#: Name in the table, file, texts replaced in it.
NETWORKS: Sequence[tuple[str, str, dict[str, str]]] = (
    ("Rybko–Stolyar, exit priority, means (1/10, 3/5) twice", "catalogue/rybko-stolyar-exit-priority", {}),
    ("Lu–Kumar, last first, means (1/10, 3/5, 1/10, 3/5)", "lu-kumar-bad-priority", {}),
    ("the same with 3/5 replaced by 11/20", "lu-kumar-bad-priority", {'"3/5"': '"11/20"'}),
    ("five classes 1-2-1-2-1, extreme priority", "catalogue/five-class-extreme-priority", {}),
    ("line 1-2-1-2-1-2, push starts", "catalogue/push-start-priority", {}),
    ("line 1-2-1-2-1-2, non-idling, a witness priority", "catalogue/global-ps6_121212-5", {}),
    ("four stations 1-2-3-4-2-1, non-idling, a witness priority", "catalogue/four-station-single-v-trap", {}),
    ("the paper's first network under JSQ, λ = 1", "catalogue/paper-1-jsq", {}),
    ("the same at λ = 11/10", "catalogue/paper-1-jsq", {'arrival_rate = "1"': 'arrival_rate = "11/10"'}),
    ("the paper's second network under JSQ, λ = 11/10", "catalogue/paper-2-jsq-over", {}),
)


@dataclass(frozen=True)
class Row:
    """One network: ε of the certificate, pieces of evidence about it, and the simulated growth rate of the same V."""

    name: str
    certified: Fraction
    weights: str
    cells: int
    simulated: Estimate

    @property
    def agrees(self) -> bool:
        """Is the certified rate not above the interval?"""
        return self.certified <= self.simulated.high


def load(file: str, changes: dict[str, str]) -> Instance:
    """An example, with texts replaced."""
    if not changes:
        return read_file(EXAMPLES / f"{file}.toml")
    text = (EXAMPLES / f"{file}.toml").read_text(encoding="utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    return read_text(text, format="toml")


def certified_growth(instance: Instance) -> Growth:
    """Evidence for condition U, accepted by the checker."""
    proof = decide(instance, Request(method("growth"))).proof
    if not isinstance(proof, GrowthProof):
        raise InternalError("no growth was found")
    certificate(proof)  # raises if the checker refuses
    return proof.found


def height(proof: Growth) -> Callable[[Sequence[int]], float]:
    """V(x) = w·x + h(x)."""

    def value(state: Sequence[int]) -> float:
        linear = sum((w * state[k] for k, w in proof.weights.items()), Fraction(0))
        return float(linear + proof.h.get(proof.cells.cell_of(dict(enumerate(state))), Fraction(0)))

    return value


def high_start(proof: Growth) -> dict[str, int]:
    """``START`` jobs in the entry buffer with the largest weight.  Raises ``InternalError`` if that is not a state for which the
    certificate speaks: V must exceed v_0, and the cell must be one of those that can be reached from the empty network."""
    expansion = proof.walk.expansion
    entries = {k for stream in expansion.streams for d in stream.destinations for k in d.distribution}
    k = max(sorted(entries), key=lambda entry: proof.weights.get(entry, Fraction(0)))
    cells = {place.cell for place in reachable(proof.cells, proof.walk.components, 10**5) or ()}
    if proof.cells.cell_of({k: START}) not in cells or proof.weights.get(k, Fraction(0)) * START <= 2 * proof.v0:
        raise InternalError("the start is not covered")
    return {expansion.names[k]: START}


def row(name: str, instance: Instance, plan: Plan = PLAN) -> Row:
    """Certify and simulate one network."""
    proof = certified_growth(instance)
    rise = height(proof)
    found = replicate(proof.walk, dataclasses.replace(plan, start=high_start(proof)))
    names = proof.walk.expansion.names
    weights = ", ".join(f"{w} {names[k]}" for k, w in proof.weights.items())
    return Row(name, proof.epsilon, weights, len(proof.h), found.estimate(lambda path: path.growth(rise)))


def rows() -> list[Row]:
    """All ten."""
    return [row(name, load(file, changes)) for name, file, changes in NETWORKS]


def markdown(found: Sequence[Row]) -> str:
    """The table of docs/growth.md."""
    lines = ["| network | V | certified rate ≥ | simulated rate | lower bound? |", "|---|---|--:|--:|---|"]
    for entry in found:
        corrector = f" + h on {entry.cells} cells" if entry.cells else ""
        number = f"{entry.certified}" if entry.certified.denominator < 10**4 else f"{float(entry.certified):.6f}…"
        interval = f"{entry.simulated.mean:.4f} ± {entry.simulated.half_width:.4f}"
        lines.append(
            f"| {entry.name} | {entry.weights}{corrector} | {number} (about {float(entry.certified):.4f}) | {interval} "
            f"| {'yes' if entry.agrees else 'NO'} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(markdown(rows()), end="")
