"""Ways of looking at a network: regimes, comparison, expansion, simulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from queueproof import bridge, html
from queueproof.bridge import InputError
from queueproof.exact import file_name, fraction, real, seconds, whole
from queueproof.question import Question, needed
from queueproof.results import Printed

if TYPE_CHECKING:
    from fractions import Fraction

    from queueproof import Path, Progress


# regimes --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Regime:
    """One piece of V, numbered from 0: which classes, routes, buffers and bottlenecks are dominant, the mean drift in the
    worst cell of its interior (None without interior; a number, and in symbols), and the bound of its worst leaf under
    condition F."""

    number: int
    group: str
    extent: str
    dominant_classes: tuple[str, ...]
    dominant_routes: tuple[str, ...]
    dominant_buffers: tuple[str, ...]
    bottlenecks: tuple[str, ...]
    drift: Fraction | None
    symbolic_drift: str | None
    worst_leaf: Fraction | None
    vanishing: tuple[str, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Regimes(Printed):
    """The regimes of the test function at hand (``test_function`` says which that is).

    ``certified``: those of another V, by which the network is proved stable, where condition F does not hold for this one."""

    certified: Regimes | None = None

    @property
    def test_function(self) -> str:
        """Where V comes from, in words."""
        return str(self._document["test_function"])

    @property
    def rows(self) -> tuple[Regime, ...]:
        """One regime for each piece of V."""
        return tuple(map(_regime, self._document["regimes"]))

    @property
    def symbols(self) -> dict[str, Fraction]:
        """The symbols of the drifts with their values."""
        return {name: fraction(value) for name, value in self._document["symbols"].items()}

    @property
    def largest_drift(self) -> Fraction | None:
        """The largest drift of an active piece inside its regime; a negative one proves nothing by itself."""
        largest = self._document["largest_drift"]
        return None if largest is None else fraction(largest["drift"])

    @property
    def holds(self) -> bool | None:
        """Does condition F hold for this V?  None: not decided, or not evaluated."""
        found = self._document["condition"]
        return None if found is None else found["holds"]

    def _headline(self) -> str:
        return f"Regimes of {self.test_function}"

    def _parts(self) -> Iterator[str]:
        condition = self._document["condition"]
        if condition is not None:
            yield html.line(condition["words"])
        leaves = any(row.worst_leaf is not None for row in self.rows)
        head = ("regime", "group", "dominant", "bottlenecks", "mean drift (active piece)", "value", "worst leaf")
        rows = [
            (
                *(r.number, r.group, " ".join(r.dominant_routes or r.dominant_buffers), " ".join(r.bottlenecks)),
                *(r.symbolic_drift or r.extent, r.drift, r.worst_leaf),
            )
            for r in self.rows
        ]
        yield html.table([row if leaves else row[:-1] for row in rows], head if leaves else head[:-1])
        if self.certified is not None:
            yield html.line("", "certify proves this network stable by another V")
            yield from self.certified._parts()


def _regime(entry: Mapping[str, Any]) -> Regime:
    leaf = entry["worst_leaf"] or {"bound": None, "vanishing": ()}
    return Regime(
        entry["regime"], entry["group"], entry["extent"], tuple(entry["dominant_classes"]), tuple(entry["dominant_routes"]),
        tuple(entry["dominant_buffers"]), tuple(entry["bottlenecks"]), fraction(entry["drift"]), entry["symbolic_drift"],
        fraction(leaf["bound"]), tuple(leaf["vanishing"]),
    )  # fmt: skip


def regimes(question: object, limit: object) -> Regimes:
    """See :func:`queueproof.regimes`."""
    found = bridge.regimes(needed(question).instance, seconds("time_limit", limit))
    other = None if found.other is None else Regimes(found.other.document, found.other.text)
    return Regimes(found.document, found.text, other)


# compare --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What one method did on one network: ``reason`` why it does not decide, ``beyond`` why not at a higher load."""

    network: str
    method: str
    decided: bool
    reason: str
    pieces: int | None
    epsilon: Fraction | None
    scale_free_epsilon: Fraction | None
    largest_load: Fraction | None
    beyond: str
    seconds: float


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Printed):
    """All methods side by side.  Every load named has an accepted certificate; claims and certificates come from ``certify``."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """One row for each network and method."""
        return tuple(_row(one["network"], entry) for one in self._document["networks"] for entry in one["methods"])

    @property
    def loads(self) -> tuple[Fraction, ...]:
        """ρ* of each network."""
        return tuple(fraction(one["load"]) for one in self._document["networks"])

    @property
    def unstable_for(self) -> tuple[str | None, ...]:
        """For each network: for whom it is proved unstable, None if that was not proved."""
        return tuple(one["unstable_for"] for one in self._document["networks"])

    def _headline(self) -> str:
        return "Methods side by side"

    def _parts(self) -> Iterator[str]:
        head = ("method", "decides", "pieces", "scale-free ε", "largest load", "beyond", "s")
        for one in self._document["networks"]:
            unstable = f": UNSTABLE for {one['unstable_for']}" if one["unstable_for"] else ""
            yield html.line(f" (load {one['load']}){unstable}", one["network"] or one["title"] or "network")
            rows = [_row(one["network"], entry) for entry in one["methods"]]
            yield html.table(
                [
                    (r.method, "yes" if r.decided else f"no: {r.reason}", r.pieces, r.scale_free_epsilon, r.largest_load,
                     r.beyond, f"{r.seconds:.2f}")
                    for r in rows
                ],
                head,
            )  # fmt: skip
        yield html.line(self._document["note"])


def _row(network: str, entry: Mapping[str, Any]) -> Row:
    margins = fraction(entry["epsilon"]), fraction(entry["scale_free_epsilon"])
    head = (network, entry["method"], entry["decided"], entry["reason"], entry["pieces"])
    return Row(*head, *margins, fraction(entry["largest_load"]), entry["beyond"], entry["seconds"])


def compare(questions: Sequence[object], limit: object, progress: Progress | None) -> Comparison:
    """See :func:`queueproof.compare`."""
    if not questions:
        raise InputError("questions", "at least one question", "none")
    named = [(one.name, one.instance) for one in map(needed, questions)]
    found = bridge.compare(named, seconds("time_limit", limit), progress)
    return Comparison(found.document, found.text)


# expand ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Service:
    """A server works on a buffer at a rate; ``choices``: where the job may go, each buffer -> probability, the rest leaves."""

    server: str
    buffer: str
    rate: Fraction
    choices: tuple[dict[str, Fraction], ...]


@dataclass(frozen=True, repr=False, eq=False)
class Expansion(Printed):
    """The route expansion of ``question``."""

    question: Question

    @property
    def buffers(self) -> tuple[str, ...]:
        """The coordinates of the state."""
        return tuple(one["name"] for one in self._document["buffers"])

    @property
    def services(self) -> tuple[Service, ...]:
        """What servers do."""
        return tuple(
            Service(one["server"], one["buffer"], fraction(one["rate"]), tuple(map(_exact, one["choices"])))
            for one in self._document["services"]
        )

    @property
    def queues(self) -> dict[str, tuple[str, ...]]:
        """Server -> its buffers (duplicates, if there are several)."""
        return {server: tuple(names) for server, names in self._document["queues"].items()}

    @property
    def imaginary_transitions(self) -> tuple[tuple[str, str], ...]:
        """Pairs of duplicates between which an imaginary transition moves a job."""
        return tuple((one, other) for one, other in self._document["imaginary"])

    def plot(self, path: Path) -> None:
        """Draw it, FILE.svg or FILE.png, as ``expand --plot`` does.  Raises ``InputError``."""
        bridge.draw_expansion(
            self.question.instance, file_name("path", path), [self.question.path] if self.question.path else []
        )

    def _headline(self) -> str:
        return f"Expansion of {self.question.title or self.question.name or 'the network'}"

    def _parts(self) -> Iterator[str]:
        rows = [(s.buffer, s.server, s.rate, " or ".join(map(_then, s.choices))) for s in self.services]
        yield html.table(rows, ("buffer", "server", "rate", "then (the rest leaves)"))


def _exact(chances: Mapping[str, str]) -> dict[str, Fraction]:
    return {name: fraction(chance) for name, chance in chances.items()}


def _then(chances: Mapping[str, Fraction]) -> str:
    return ", ".join(name if chance == 1 else f"{name} with {chance}" for name, chance in chances.items()) or "leaves"


def expand(question: object) -> Expansion:
    """See :func:`queueproof.expand`."""
    asked = needed(question)
    found = bridge.expand(asked.instance)
    return Expansion(found.document, found.text, asked)


# simulate -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    """A mean with its confidence interval: floats, evidence."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """Mean number of jobs, and jobs per unit of time by which it grew between half and end of the runs."""

    mean_jobs: Interval
    growth: Interval


@dataclass(frozen=True, repr=False, eq=False)
class Simulation(Printed):
    """A simulation: evidence, never a verdict."""

    @property
    def label(self) -> str:
        """What it is not."""
        return str(self._document["label"])

    @property
    def buffers(self) -> dict[str, Estimate]:
        """Buffer -> estimates."""
        return {name: _estimate(entry) for name, entry in self._document["buffers"].items()}

    @property
    def total(self) -> Estimate:
        """The whole network."""
        return _estimate(self._document["total"])

    @property
    def empty_fraction(self) -> Interval:
        """Part of the time with no job."""
        return Interval(**self._document["empty_fraction"])

    def _parts(self) -> Iterator[str]:
        found = self._document
        yield html.line(found["title"])
        yield html.line(f"policy: {found['policy']}")
        length = f"{found['jumps']} jumps" if found["horizon"] is None else f"time {found['horizon']:g}"
        yield html.line(
            f"{found['replications']} runs of {length}, seed {found['seed']}, {found['confidence']:.4g} confidence"
        )
        rows = [(name, *_numbers(one)) for name, one in [*self.buffers.items(), ("total", self.total)]]
        yield html.table(rows, ("buffer", "mean jobs", "±", "growth", "±"))
        yield html.line("growth: jobs per unit of time between half and end; only certify decides")


def _numbers(found: Estimate) -> tuple[str, ...]:
    both = (found.mean_jobs, found.growth)
    return tuple(f"{value:.4g}" for one in both for value in (one.mean, (one.high - one.low) / 2))


def _estimate(entry: Mapping[str, Any]) -> Estimate:
    return Estimate(Interval(**entry["mean_jobs"]), Interval(**entry["growth"]))


def simulate(question: object, plan: Mapping[str, Any], progress: Progress | None) -> Simulation:
    """See :func:`queueproof.simulate`."""
    if not isinstance(plan["start"], Mapping):
        raise InputError("start", "a mapping of buffers to numbers of jobs", type(plan["start"]).__name__)
    jumps, horizon = plan["jumps"], plan["horizon"]
    checked = {
        **plan,
        "seed": whole("seed", plan["seed"]),
        "replications": whole("replications", plan["replications"]),
        "horizon": None if horizon is None else real("horizon", horizon, "a time > 0"),
        "jumps": (20000 if horizon is None else None) if jumps is None else whole("jumps", jumps),
        "warm_up": real("warm_up", plan["warm_up"]),
        "start": {name: whole(f"start: {name}", jobs) for name, jobs in plan["start"].items()},
        "confidence": real("confidence", plan["confidence"]),
    }
    found = bridge.simulate(needed(question).instance, checked, progress)
    return Simulation(found.document, found.text)
