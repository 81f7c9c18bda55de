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
    """A condition: ``word`` in certificates, ``letter`` in texts, ``verdict`` it gives, what it ``proves`` in words; ``signs``
    of a split in its case trees (F: strict signs and =; S: closed signs; none where there are no trees)."""

    CAPACITY = ("capacity", "N", Verdict.UNSTABLE, "instability")
    FLUID = ("fluid", "F", Verdict.STABLE, "stability", (Signs.NEGATIVE, Signs.ZERO, Signs.POSITIVE))
    STRICT = ("strict", "S", Verdict.STABLE, "stability with geometric tails", (Signs.NOT_POSITIVE, Signs.NOT_NEGATIVE))
    CORRECTED = ("corrected", "H", Verdict.STABLE, "stability")
    QUADRATIC = ("quadratic", "Q", Verdict.STABLE, "stability with geometric tails")
    MEAN = ("mean", "means", Verdict.STABLE, "stability with bounds on means")
    PRODUCT_FORM = ("product-form", "product form", Verdict.STABLE, "stability with exact means")
    GROWTH = ("growth", "U", Verdict.UNSTABLE, "instability")

    def __init__(self, word: str, letter: str, verdict: Verdict, proves: str, signs: tuple[Signs, ...] = ()):
        self.word, self.letter, self.verdict, self.proves, self.signs = word, letter, verdict, proves, signs
