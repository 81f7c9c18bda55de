"""The conditions that decide (theory 4 to 6), and what they prove."""

from __future__ import annotations

from enum import Enum, StrEnum

from verify.chain.guards import Signs


class Verdict(StrEnum):
    """The answer."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    UNDECIDED = "undecided"


class Condition(Enum):
    """A condition: ``word`` in certificates, ``letter`` in texts, ``verdict`` it proves; ``signs`` of a split in its case trees
    (F: strict signs and =; S: closed signs; none where there are no trees)."""

    CAPACITY = ("capacity", "N", Verdict.UNSTABLE, ())
    FLUID = ("fluid", "F", Verdict.STABLE, (Signs.NEGATIVE, Signs.ZERO, Signs.POSITIVE))
    STRICT = ("strict", "S", Verdict.STABLE, (Signs.NOT_POSITIVE, Signs.NOT_NEGATIVE))
    CORRECTED = ("corrected", "H", Verdict.STABLE, ())
    GROWTH = ("growth", "U", Verdict.UNSTABLE, ())

    def __init__(self, word: str, letter: str, verdict: Verdict, signs: tuple[Signs, ...]):
        self.word, self.letter, self.verdict, self.signs = word, letter, verdict, signs
