"""Product form again: the traffic equations, and balance of the product law at states, by the naive step functions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

from naive import Outcome, State

from .claimed import Json, Unreadable, number, numbers
from .copositive import inverted
from .outcomes import Spoken, choices


def product_objection(found: Spoken, certificate: Json, most: int = 300) -> str | None:
    """None, or why π(x) = Π (1 − ρ) ρ^x with the claimed throughputs is not the stationary law, or the mean not its mean."""
    names = found.names
    throughputs, of = numbers(certificate["throughputs"]), numbers(certificate["claim"]["of"])
    if set(throughputs) != set(names) or not set(of) <= set(names):
        raise Unreadable("throughputs or weights of other buffers")
    arrivals, services = _rates(found)
    if services is None:
        return "a server has several buffers or a buffer several servers"
    for name, a in throughputs.items():
        total = sum(services[name].values(), Fraction(0))
        if not a < total:
            return f"throughput {a} of {name} at rate {total}"
    for name, a in _traffic(names, arrivals, services).items():
        if throughputs[name] != a:
            return f"throughput of {name} is {a}, not {throughputs[name]}"
    load = {name: a / sum(services[name].values(), Fraction(0)) for name, a in throughputs.items()}
    mean = sum((weight * load[name] / (1 - load[name]) for name, weight in of.items()), Fraction(0))
    if mean != number(certificate["claim"]["mean"]):
        return f"the mean is {mean}, not {certificate['claim']['mean']}"
    return next((wrong for x in _states(names, most) if (wrong := unbalanced(found, load, x))), None)


def _states(names: list[str], most: int) -> list[State]:
    high = 3 if len(names) <= 5 else 2
    if high ** len(names) <= most:
        return [dict(zip(names, x, strict=True)) for x in product(range(high), repeat=len(names))]
    source = random.Random(1)
    return [{name: source.choice((0, 0, 1, 1, 2, 5)) for name in names} for _ in range(most)]


def _rates(found: Spoken) -> tuple[dict[str, Fraction], dict[str, dict[str | None, Fraction]] | None]:
    """Arrivals at each buffer and, for each buffer, its rates to the next ones (None: out), seen at the state (1, …, 1)."""
    names = found.names
    ones = dict.fromkeys(names, 1)
    arrivals = dict.fromkeys(names, Fraction(0))
    services: dict[str, dict[str | None, Fraction]] = {}
    for outcomes in choices(found, ones).values():
        if len(outcomes) > 1:
            return arrivals, None
        left = {name for _, target in outcomes[0] for name in names if target[name] < 1}
        if len(left) > 1:
            return arrivals, None
        for rate, target in outcomes[0]:
            # Where nothing changes the job has returned to the buffer at once.
            gained = next((name for name in names if target[name] > 1), next(iter(left)) if target == ones else None)
            if not left and gained is not None:
                arrivals[gained] += rate
            for name in left:
                row = services.setdefault(name, {})
                row[gained] = row.get(gained, Fraction(0)) + rate
    return arrivals, services if set(services) == set(names) else None


def _traffic(
    names: list[str], arrivals: Mapping[str, Fraction], services: Mapping[str, Mapping[str | None, Fraction]]
) -> dict[str, Fraction]:
    """a = λ + P'a.  Raises ``Unreadable`` if jobs never leave."""
    rows = []
    for target in names:
        row = [-services[k].get(target, Fraction(0)) / sum(services[k].values(), Fraction(0)) for k in names]
        row[names.index(target)] += 1
        rows.append(row)
    determinant, inverse = inverted(rows)
    if determinant == 0:
        raise Unreadable("jobs that never leave")
    right = [arrivals[name] for name in names]
    return {
        name: sum((a * b for a, b in zip(row, right, strict=True)), Fraction(0))
        for name, row in zip(names, inverse, strict=True)
    }


def unbalanced(found: Spoken, load: Mapping[str, Fraction], x: State) -> str:
    """What flows out of x and into x under π, where they differ."""

    def law(y: State) -> Fraction:
        """Up to its factor; 0 where a buffer that no job ever reaches has jobs."""
        return prod((load[name] ** jobs for name, jobs in y.items()), start=Fraction(1))

    out = law(x) * sum((rate for rate, target in _moves(found, x) if target != x), Fraction(0))
    into = Fraction(0)
    for before in _before(x):
        if law(before):
            into += law(before) * sum((rate for rate, to in _moves(found, before) if to == x), Fraction(0))
    return "" if out == into else f"at {x} the product law has outflow {out} and inflow {into}"


def _before(x: State) -> list[State]:
    """States from which one job, moved, brought or taken away, leads to x."""
    found: list[State] = []
    for gained in [*x, None]:
        for lost in [*x, None]:
            before = dict(x)
            if gained is not None:
                before[gained] -= 1
            if lost is not None:
                before[lost] += 1
            if before != x and min(before.values()) >= 0 and before not in found:
                found.append(before)
    return found


def _moves(found: Spoken, x: State) -> Outcome:
    """All moves at a state where nothing is left open.  Raises ``Unreadable`` else."""
    every = choices(found, x).values()
    if any(len(outcomes) != 1 for outcomes in every):
        raise Unreadable(f"a free choice at {x}")
    return [move for (outcome,) in every for move in outcome]
