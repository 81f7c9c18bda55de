"""What a method is: its name, when it does not apply and why, and its search; what it is asked, and how it says no."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from verify.conditions.condition import Condition
from verify.conditions.criterion import Criterion
from verify.conditions.evidence.nodes import Obstacle
from verify.conditions.proof import Proof
from verify.methods.programs.templates import leaves_dominance_open
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance

#: Conditions by a given V that a proof may be by, in the order in which they are tried.
_ALLOWED: Mapping[Criterion, tuple[Condition, ...]] = {
    Criterion.AUTO: (Condition.FLUID, Condition.STRICT),
    Criterion.FLUID: (Condition.FLUID,),
    Criterion.STRICT: (Condition.STRICT,),
}


@dataclass(frozen=True)
class Problem:
    """What is to be proved: ``instance`` by a condition of ``criterion``; ``alone``: is one method asked, and no other?

    Each method gets a problem of its own, for ``chain`` names the normals of every V that is tried on it."""

    instance: Instance
    criterion: Criterion = Criterion.AUTO
    alone: bool = True

    @cached_property
    def chain(self) -> Walk:
        """The chain.  Raises ``NotWalked``, also under ``dominant`` while U is open."""
        return walk(self.instance)

    @property
    def dominant(self) -> bool:
        """Does the policy follow a dominance function U?"""
        return self.instance.policy.follows_pieces

    @property
    def dominance_open(self) -> bool:
        """Does it leave U to the tool?"""
        return leaves_dominance_open(self.instance.policy)

    @property
    def allowed(self) -> tuple[Condition, ...]:
        """F and S, as far as a proof may be by them."""
        return _ALLOWED.get(self.criterion, ())


@dataclass(frozen=True)
class Settings:
    """How a method searches: ``polish``: may it go on for a larger margin when it has a proof?  ``report`` receives progress,
    a line at a time."""

    polish: bool = True
    report: Callable[[str], None] = lambda _: None


class Why(Enum):
    """Why there is no proof."""

    FAILED = auto()  #: nothing was found
    UNFIT = auto()  #: the method is for other networks, it was not tried
    BUDGET = auto()  #: the search gave up
    TIME = auto()  #: the time limit was reached
    WIDER = auto()  #: a wider class of policies is not stable: no proof for all of it exists


@dataclass(frozen=True)
class Attempt:
    """What did not decide: the name of the method, the reason for people, and where it failed."""

    method: str
    reason: str
    obstacle: Obstacle | None = None
    why: Why = Why.FAILED


@dataclass(frozen=True)
class Refusal:
    """Why a method does not apply: ``word`` (one or two) for a table, ``sentence`` for ``certify`` ("": nothing worth saying);
    ``why``: UNFIT, or FAILED where only the size of the network forbids what the method could do."""

    word: str
    sentence: str = ""
    why: Why = Why.UNFIT


class Method(ABC):
    """A way to look for a proof.

    ``name`` of it, ``missing``: what it did not find, in one or two words; ``tries_dominance``: is the dominance function of a
    file one of the functions that it tries?"""

    name: str
    missing: str
    tries_dominance: bool = False

    def refusal(self, problem: Problem) -> Refusal | None:
        """Why it does not apply, None if it does.  Raises ``NotWalked``."""
        return None

    @abstractmethod
    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """What does not decide, one after the other, and at last the proof, if it finds one.  Raises ``NotWalked``,
        ``TimeIsUp``; what it has yielded before then counts."""
