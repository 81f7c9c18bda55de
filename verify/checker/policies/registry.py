"""The words. A new one is a file of its own, one line here, and FORMAT.md."""

from __future__ import annotations

from collections.abc import Sequence

from verify.checker.policies.back_pressure import BACK_PRESSURE
from verify.checker.policies.bernoulli import BERNOULLI
from verify.checker.policies.by_position import FBFS, LBFS
from verify.checker.policies.dominant import DOMINANT
from verify.checker.policies.fixed import FIXED
from verify.checker.policies.holding import NONE, SPILLBACK, Holding
from verify.checker.policies.jsq import JSQ
from verify.checker.policies.jsr import JSR
from verify.checker.policies.key import AnyKey
from verify.checker.policies.longest_queue import LONGEST_DUPLICATE, LONGEST_QUEUE
from verify.checker.policies.max_weight import MAX_WEIGHT
from verify.checker.policies.non_idling import FIFO, NON_IDLING
from verify.checker.policies.priority import BY_PRIORITY
from verify.checker.policies.routing import Routing
from verify.checker.policies.sequencing import Sequencing
from verify.checker.policies.weighted_route import WEIGHTED_ROUTE

ROUTINGS: tuple[Routing, ...] = (FIXED, BERNOULLI, JSR, JSQ, WEIGHTED_ROUTE)
SEQUENCINGS: tuple[Sequencing, ...] = (
    BY_PRIORITY,
    FBFS,
    LBFS,
    NON_IDLING,
    FIFO,
    DOMINANT,
    LONGEST_QUEUE,
    LONGEST_DUPLICATE,
    MAX_WEIGHT,
    BACK_PRESSURE,
)
HOLDINGS: tuple[Holding, ...] = (NONE, SPILLBACK)


def owners(words: Sequence[Routing | Sequencing]) -> dict[AnyKey, str]:
    """The keys of these words in their order, each with the word that owns it."""
    return {key: word.name for word in words for key in word.keys}


KEYS: tuple[AnyKey, ...] = (*owners(ROUTINGS), *owners(SEQUENCINGS))


def routing(name: str) -> Routing:
    """The word of this name; one that is unknown is none of ROUTINGS."""
    return next((word for word in ROUTINGS if word.name == name), Routing(name))


def sequencing(name: str) -> Sequencing:
    """The word of this name; one that is unknown is none of SEQUENCINGS."""
    return next((word for word in SEQUENCINGS if word.name == name), Sequencing(name))


def holding(name: str) -> Holding:
    """The word of this name; one that is unknown is none of HOLDINGS."""
    return next((word for word in HOLDINGS if word.name == name), Holding(name))
