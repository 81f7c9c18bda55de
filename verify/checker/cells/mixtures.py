"""Routing decisions on integer points (FORMAT.md section 15.4): mixtures of the options that tie, in place of the options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.components import Alternative, Guard, Jump, subsets
from verify.checker.core.errors import require
from verify.checker.core.forms import ANY, EQUAL, Fact
from verify.checker.core.work import Work

MOST_OPTIONS = 8


@dataclass(frozen=True)
class Choice:
    """What is taken together: an alternative, or the members of a mixture, each at 1 / len(members) of its rate."""

    guard: Guard
    members: tuple[Alternative, ...]

    @property
    def name(self) -> str:
        """The members' names."""
        return " = ".join(member.name for member in self.members)

    @property
    def serves(self) -> int | None:
        """The buffer that is served, one and the same for all members."""
        return self.members[0].serves

    @property
    def least(self) -> int:
        """The jobs it needs there, the same for all members."""
        return self.members[0].least

    def jumps(self, listed: Sequence[tuple[Jump, ...]]) -> list[tuple[int | None, int | None, Fraction]]:
        """The jumps with rate * denominator."""
        share = Fraction(1, len(self.members))
        return [(i, j, rate * share) for member in self.members for i, j, rate in listed[member.drift]]


def choices(alternatives: Iterable[Alternative], work: Work | None = None) -> list[Choice]:
    """The alternatives of a part, mixtures in place of options.

    Sound because in every state exactly the shortest options tie, and a uniform split among them is this mixture; what
    is not compared by routing is left as it is. An option without others (they are excluded) is its own mixture.
    """
    groups: dict[object, list[Alternative]] = {}
    for option in alternatives:
        compared = any(fact.uniform for fact in option.guard)
        rest = tuple(fact for fact in option.guard if not fact.uniform)
        groups.setdefault((option.serves, rest) if compared else option.name, []).append(option)
    found: list[Choice] = []
    for options in groups.values():
        require(len(options) <= MOST_OPTIONS, "features", options[0].name, f"{len(options)} options", MOST_OPTIONS)
        if work is not None:
            work.spend(2 ** len(options) * (100 + 9 * len(options) * len(options[0].guard)), "mixtures")
        for members in subsets(options)[1:]:
            others = [option for option in options if option not in members]
            found.append(Choice(_guard(members, others), members))
    return found


def _guard(members: Sequence[Alternative], others: Sequence[Alternative]) -> Guard:
    """The members' guards; equal among each other, strictly better than the other options.

    Two options are compared by the one routing normal that both have with opposite signs.
    """
    signs: dict[str, int] = {}
    spares: dict[str, int] = {}
    inside, outside = _sides(members), _sides(others)
    for member in members:
        for fact in member.guard:
            allowed = fact.signs
            if _opposite(fact, inside):
                allowed = EQUAL
            elif _opposite(fact, outside):
                allowed -= EQUAL
            signs[fact.normal] = signs.get(fact.normal, ANY) & allowed
            spares[fact.normal] = max(spares.get(fact.normal, 0), fact.spare)
    return tuple(Fact(normal, allowed, spares[normal]) for normal, allowed in signs.items())


def _sides(options: Iterable[Alternative]) -> dict[str, set[int]]:
    """For each normal the signs that the options' guards give it."""
    found: dict[str, set[int]] = {}
    for fact in (fact for option in options for fact in option.guard):
        found.setdefault(fact.normal, set()).add(fact.signs)
    return found


def _opposite(fact: Fact, sides: Mapping[str, set[int]]) -> bool:
    """Whether one of the options has this routing comparison the other way round."""
    routing = fact.uniform and fact.signs != EQUAL
    return routing and bool(sides.get(fact.normal, set()) - {fact.signs})
