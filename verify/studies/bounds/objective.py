"""What is bounded: a linear form of the numbers of jobs, as ``--of`` names it, and the arrival rate for Little's law."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.errors import InputError
from verify.linear_form import LinearForm
from verify.network.expression import evaluate
from verify.network.messages import did_you_mean, listed, shown
from verify.network.names import buffer_aliases
from verify.network.traffic import throughputs
from verify.policies.instance import Instance

TOTAL = "total"


@dataclass(frozen=True)
class Objective:
    """The form of·x, by coordinate.

    ``words``: what it counts; ``rate``: jobs per unit of time that come to be counted, so that mean / rate is a mean time by
    Little's law, None where the form is none of jobs, or the rate is left to the policy; ``time``: which time that is.
    """

    of: LinearForm
    words: str
    rate: Fraction | None = None
    time: str = ""

    def time_of(self, mean: Fraction) -> Fraction | None:
        """The mean time that belongs to a mean number of jobs, None if there is no rate."""
        return mean / self.rate if self.rate else None


def objective(instance: Instance, text: str = TOTAL, place: str = "--of") -> Objective:
    """The form that a text names: ``total``, a buffer, a class, or weights ``a.r.1=1,a.r.2=1/2``.

    Buffers by any of the names that network files take.  Raises ``InputError`` with ``place``: no such name, a weight that is no
    exact number, a buffer named twice, nothing but zeros.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> found = objective(read_text(line, format="toml"))
    >>> found.words, found.time, found.time_of(Fraction(1, 2))
    ('the number of jobs', 'mean time in system', Fraction(3, 2))
    """
    aliases = buffer_aliases(instance.network, instance.policy.coordinates(instance.network))
    if "=" in text:
        return _weighted(instance, text, aliases, place)
    if text == TOTAL:
        rate = sum((stream.rate for stream in instance.expansion().streams), Fraction(0))
        return Objective(
            LinearForm.sum_of(range(len(instance.weighable))), "the number of jobs", rate, "mean time in system"
        )
    if text in aliases:
        k = instance.weighable.index(aliases[text])
        words = f"the number of jobs in {aliases[text]}"
        return Objective(LinearForm.unit(k), words, _throughput(instance, k), "mean time of a visit")
    for job_class in instance.network.classes:
        if job_class.name == text:
            members = (k for k, b in enumerate(instance.expansion().buffers) if b.class_name == text)
            words = f"the number of jobs of class {text}"
            return Objective(LinearForm.sum_of(members), words, job_class.arrival_rate, "mean time in system")
    raise _unknown(instance, text, aliases, place)


def _weighted(instance: Instance, text: str, aliases: dict[str, str], place: str) -> Objective:
    found: dict[str, Fraction] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not name:
            raise InputError(place, "BUFFER=WEIGHT, ...", shown(part), f"for example {instance.weighable[0]}=1/2")
        if name not in aliases:
            raise _unknown(instance, name, aliases, place, weights=True)
        if aliases[name] in found:
            raise InputError(place, "each buffer once", f"{aliases[name]} twice")
        found[aliases[name]] = evaluate(value, {}, f"{place} {name}")
    of = LinearForm({k: found[name] for k, name in enumerate(instance.weighable) if name in found})
    if not of:
        raise InputError(place, "a weight that is not 0", shown(text))
    return Objective(of, of.words(instance.weighable))


def _unknown(instance: Instance, name: str, aliases: Iterable[str], place: str, *, weights: bool = False) -> InputError:
    """A name that is none, with those that are."""
    classes = [] if weights else [job_class.name for job_class in instance.network.classes]
    others = [] if weights else [TOTAL, *classes]
    kinds = (
        "a buffer" if weights else "total, a buffer, a class or weights" if classes else "total, a buffer or weights"
    )
    expected = f"{kinds} ({listed([*others, *instance.weighable])})"
    return InputError(place, expected, shown(name), did_you_mean(name, [*others, *aliases]))


def _throughput(instance: Instance, k: int) -> Fraction | None:
    """Jobs per unit of time through a buffer; None where a job or a server has a choice, or none comes."""
    flows = throughputs(instance.expansion())
    return None if flows is None else flows[k] or None
