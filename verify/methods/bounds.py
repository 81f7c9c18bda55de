"""Bounds on stationary means of a chain that is proved stable: product form, else quadratic functions, with cells where there is
room.

Each bound is a linear program of its own (theory 13.5, 13.9).  Cutting buffers lets f be corrected where few jobs are; the number
of places grows like (T + 2)^K, so few buffers are cut where there are many, those of the busiest servers first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.components import branches_with_alternatives
from verify.chain.rows import rows_of
from verify.conditions.mean import MeanProof, Side
from verify.conditions.product_form import ProductForm, product_form
from verify.conditions.proof import Proof
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.model import Status
from verify.methods.programs.quadratic_fit import Fit, fit
from verify.methods.programs.quadratic_program import QuadraticProgram, Shape
from verify.network.traffic import only_services, throughputs
from verify.policies.compose import Walk
from verify.rational import rounded_up

#: The highest T of a cut.
_HIGHEST = 24


@dataclass(frozen=True)
class Effort:
    """How fine the functions may be: ``entries`` of the largest program, places times alternatives with their rows; ``report``
    receives progress, a line at a time."""

    entries: int = 8_000
    report: Callable[[str], None] = lambda _: None


def bound_means(stability: Proof, chain: Walk, of: LinearForm, effort: Effort) -> MeanProof | ProductForm | str:
    """Bounds on E of·X, or why there is none.

    Parameters: ``stability`` a proof by F, S, H or Q, ``chain`` of its instance, ``of`` weights by coordinate, not all 0.
    """
    exact = product_form(chain, of)
    if exact is not None:
        return exact
    upper = best_side(chain, of, effort)
    lower = best_side(chain, -of, effort)
    if upper is None and lower is None:
        return "no quadratic function bounds it"
    above = None if upper is None else Side(rounded_up(upper.upper), upper.function, upper.places)
    below = None if lower is None else Side(-rounded_up(lower.upper), lower.function.times(Fraction(-1)), lower.places)
    return MeanProof(of, stability, above, below)


def best_side(chain: Walk, of: LinearForm, effort: Effort) -> Fit | None:
    """The least number found with drift of f <= number − of·x, finer and finer cuts; None without any."""
    best: Fit | None = None
    for cuts in cuts_to_try(chain, effort.entries):
        shown = ", ".join(f"{chain.expansion.names[k]} below {cut}" for k, cut in cuts.items())
        effort.report(f"quadratic function{f' with cells for {shown}' if cuts else ''}")
        program = QuadraticProgram(chain, of, Shape.ANY, cuts)
        proposal = propose(program.program)
        if proposal.status is not Status.OPTIMAL:
            continue
        if best is not None and proposal.value >= best.upper:
            continue
        found = fit(program, proposal)
        if found is not None and (best is None or found.upper < best.upper):
            best = found
    return best


def cuts_to_try(chain: Walk, entries: int) -> Iterator[Mapping[int, int]]:
    """No cuts, then the finest ones that there is room for: all buffers, or as many as can be with T = 1."""
    yield {}
    dimension = len(chain.expansion.buffers)
    listed = branches_with_alternatives(chain.components)
    here = sum(1 + sum(1 for _ in rows_of(branch, alternative)) for branch, alternative in listed)
    room = entries // here
    highest = max((cut for cut in range(1, _HIGHEST + 1) if (cut + 2) ** dimension <= room), default=0)
    if highest:
        yield dict.fromkeys(range(dimension), highest)
        return
    number = max((n for n in range(1, dimension) if 3**n * dimension <= room), default=0)
    if number:
        yield dict.fromkeys(sorted(_busiest(chain)[:number]), 1)


def _busiest(chain: Walk) -> list[int]:
    """Buffers, those at servers with the most work per unit of time first; as listed where jobs have a choice."""
    flows, services = throughputs(chain.expansion), only_services(chain.expansion)
    if flows is None or services is None:
        return list(range(len(chain.expansion.buffers)))
    work: dict[str, Fraction] = {}
    for flow, service in zip(flows, services, strict=True):
        work[service.server] = work.get(service.server, Fraction(0)) + flow / service.rate
    return sorted(range(len(services)), key=lambda k: (-work[services[k].server], k))
