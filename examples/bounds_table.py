"""Certified bounds on the mean number of jobs beside simulated means, for the networks of docs/bounds.md.

Every bound has a certificate that the independent checker has accepted.  The simulation is one policy of the class (free choices:
a random one): evidence.  In the rows "without the product form" quadratic functions are asked where the mean is known exactly.

usage: python examples/bounds_table.py            prints the table in Markdown, some minutes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verify.certificate import certificate
from verify.conditions.capacity import capacity
from verify.conditions.mean import MeanProof, Side
from verify.conditions.proof import Proof
from verify.decide import decide
from verify.errors import InternalError
from verify.linear_form import LinearForm
from verify.methods.bounds import Effort, best_side, bound_means
from verify.network_file.read import read_file, read_text
from verify.policies.compose import walk
from verify.policies.instance import Instance
from verify.policies.jumps import Rule
from verify.rational import rounded_up
from verify.studies.bounds.decimals import down, up
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise, pathwise
from verify.studies.simulation.intervals import Estimate
from verify.studies.simulation.simulate import Plan, replicate

EXAMPLES = Path(__file__).resolve().parent
PLAN = Plan(seed=12, replications=20, jumps=200_000, warm_up=0.3, confidence=0.99, rule=Rule.RANDOM)
EFFORT = Effort()
QUEUE = """
servers = { A = { rate = 1 } }
classes = [{ name = "a", arrival_rate = "4/5", routes = { r = ["A"] } }]
"""
SERIES = """
servers = { A = { rate = 1 }, B = { rate = 1 } }
classes = [{ name = "a", arrival_rate = "4/5", routes = { r = ["A", "B"] } }]
"""
TWO_CLASSES = """
servers = { A = {} }
classes = [
    { name = "a", arrival_rate = "4/5", routes = { r = [{ server = "A", rate = 2 }] } },
    { name = "b", arrival_rate = "2/5", routes = { r = [{ server = "A", rate = 1 }] } },
]
[policy]
"""
PRIORITY = 'sequencing = "priority"\npriority.A = ["a.1", "b.1"]'
SHARED = """
servers = { A = {}, B = {} }
buffers = [{ name = "q", arrival_rate = "8/5" }]
activities = [{ server = "A", buffer = "q", rate = 1 }, { server = "B", buffer = "q", rate = 1 }]
"""
#: Name in the table, a file or the text of one, and whether quadratic functions alone are asked.
NETWORKS: Sequence[tuple[str, str, bool]] = (
    ("one queue", QUEUE, False),
    ("the same, without the product form", QUEUE, True),
    ("two queues in series", SERIES, False),
    ("the same, without the product form", SERIES, True),
    ("one buffer, two servers (M/M/2)", SHARED, False),
    ("two classes at one server, the quick one first", TWO_CLASSES + PRIORITY, False),
    ("the same, non-idling", TWO_CLASSES + 'sequencing = "non-idling"', False),
    ("Lu–Kumar, first buffer first served", "lu-kumar-fbfs", False),
    ("Lu–Kumar, last buffer first served", "catalogue/lu-kumar-lbfs", False),
    ("Rybko–Stolyar, entry first", "catalogue/rybko-stolyar-entry-priority", False),
    ("Rybko–Stolyar, non-idling, light", "catalogue/global-rs-0", False),
    ("two parallel queues, jsq", "jsq-two-servers", False),
    ("the paper's first network, jsr and dominant", "paper-1-jsr", False),
    ("the paper's second network, jsq-as", "catalogue/paper-2-jsq-as", False),
    ("back-pressure, two queues in series", "catalogue/back-pressure-tandem", False),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One network: its load, the certified bounds, the bound by work, and the simulated mean."""

    name: str
    load: Fraction
    lower: Fraction | None
    upper: Fraction | None
    work: Fraction | None
    simulated: Estimate

    @property
    def agrees(self) -> bool:
        """Do the bounds enclose some number of the interval?"""
        above = self.lower is None or self.lower <= self.simulated.high
        return above and (self.upper is None or self.simulated.low <= self.upper)

    def line(self) -> str:
        """In Markdown."""
        ratio = "" if self.upper is None else f"{float(self.upper) / self.simulated.mean:.2f}"
        cells = (
            self.name, f"{float(self.load):.3g}", _shown(self.work, down), _shown(self.lower, down),
            f"{self.simulated.mean:.4g} ± {self.simulated.half_width:.2g}", _shown(self.upper, up), ratio,
        )  # fmt: skip
        return f"| {' | '.join(cells)} |"


def _shown(number: Fraction | None, way: Callable[[Fraction], str]) -> str:
    return "" if number is None else way(number)


def load(source: str) -> Instance:
    """The network in a file of examples/, or in a text."""
    return read_text(source, format="toml") if "\n" in source else read_file(EXAMPLES / f"{source}.toml", {})


def row(name: str, instance: Instance, alone: bool, plan: Plan = PLAN, effort: Effort = EFFORT) -> Row:
    """Everything about one network."""
    stability = decide(instance).proof
    if stability is None:
        raise InternalError(f"{name}: not proved stable")
    chain, of = walk(stability.instance), objective(instance).of
    found: Proof | str = by_functions(stability, of, effort) if alone else bound_means(stability, chain, of, effort)
    lower = upper = None
    if isinstance(found, Proof):
        certificate(found)
        lower, upper = getattr(found, "lower", None), getattr(found, "upper", None)
    work = pathwise(instance, of)
    simulated = replicate(chain, plan).jobs()
    value = work.value if isinstance(work, Pathwise) else None
    return Row(name, capacity(instance).load, lower, upper, value, simulated)


def by_functions(stability: Proof, of: LinearForm, effort: Effort) -> Proof | str:
    """As the tool does where there is no product form."""
    chain = walk(stability.instance)
    upper, lower = best_side(chain, of, effort), best_side(chain, -of, effort)
    if upper is None or lower is None:
        return "no quadratic function bounds it"
    above = Side(rounded_up(upper.upper), upper.function, upper.places)
    below = Side(-rounded_up(lower.upper), lower.function.times(Fraction(-1)), lower.places)
    return MeanProof(of, stability, above, below)


def main() -> None:
    print("| network | load | by work ≥ | certified ≥ | simulated | certified ≤ | ≤ / simulated |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, source, alone in NETWORKS:
        print(row(name, load(source), alone).line(), flush=True)


if __name__ == "__main__":
    main()
